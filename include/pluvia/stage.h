/* stage.h: the stages of a scene: parts of one run, one after the other, each with an end of its
 * own and with what it changes of the scene (scenes/reference.md). */
#ifndef PLUVIA_STAGE_H
#define PLUVIA_STAGE_H

#include "pluvia/where.h"
#include <stdbool.h>

enum { PLU_STAGES = 64, PLU_STAGE_WORDS = 32 }; /* at most; names in a list of one of them */

/* A number that a run has after each step. */
typedef enum plu_stage_number_kind {
    PLU_READ_GRAINS,         /* active spheres that are not fixed */
    PLU_READ_CONTACTS,       /* of the last step */
    PLU_READ_COORDINATION,   /* mean number of contacts of a sphere */
    PLU_READ_KINETIC,        /* J */
    PLU_READ_SOLID_FRACTION, /* of a cell, or between the walls of a servo */
    PLU_READ_VOID_RATIO,
    PLU_READ_CELL_STRESS, /* Pa: component `part`, xx yy zz xy xz yz */
    PLU_READ_STRESS,      /* Pa: on boundary `index` */
    PLU_READ_FORCE,       /* N: on boundary `index`; part 3: its norm */
    PLU_READ_PLACE,       /* m: of boundary `index` */
    PLU_READ_SENSOR       /* number `part` of sensor `index` */
} plu_stage_number_kind;

typedef struct plu_stage_number {
    plu_stage_number_kind kind;
    int index, part;
} plu_stage_number;

struct plu_scene;

typedef struct plu_stage_spec {
    char name[PLU_NAME];
    bool ends; /* `until` is given; else it lasts to the end of the run */
    /* Exactly one of these ends it. */
    double duration;           /* s; 0: not given */
    double time;               /* s, of the run; 0: not given */
    double rest;               /* as plu_scene.until_rest; 0: not given */
    char number[2 * PLU_NAME]; /* a reading by name; "": not given */
    plu_stage_number reading;  /* it ends when this is within [least, most] */
    double least, most;        /* infinite: not given */
    double hold;               /* s: for so long */
    double within;             /* s: it must be over after that; 0: no limit */
    char add[PLU_STAGE_WORDS][PLU_NAME], remove[PLU_STAGE_WORDS][PLU_NAME]; /* boundaries */
    int add_count, remove_count;
    struct plu_scene *scene; /* owned: the scene as it is in this stage */
    plu_where where;
} plu_stage_spec;

#endif
