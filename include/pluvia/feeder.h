/* feeder.h: feeders of a scene: spheres that come while the run lasts. */
#ifndef PLUVIA_FEEDER_H
#define PLUVIA_FEEDER_H

#include "pluvia/sizes.h"
#include "pluvia/where.h"

typedef enum plu_feeder_kind { PLU_PLUVIATION, PLU_INLET } plu_feeder_kind;
typedef enum plu_area { PLU_AREA_DISC, PLU_AREA_BOX, PLU_AREA_LINE } plu_area;

/* The area in which an inlet places centers at random; all in m. */
typedef struct plu_area_spec {
    plu_area kind;
    double center[3];    /* disc, box */
    double normal[3];    /* disc, box: unit vector after reading */
    double radius;       /* disc */
    double size[3];      /* box: along `direction`, normal x direction, normal */
    double direction[3]; /* box: made normal to `normal`; zero: chosen (x, else y) */
    double ends[2][3];   /* line */
} plu_area_spec;

typedef struct plu_feeder_spec {
    plu_feeder_kind kind;
    char material_name[PLU_NAME];
    int material;
    double radius[2];
    plu_size_spec sizes;
    int mixture_count;         /* 0: `material` and `radius` */
    plu_mixture_part *mixture; /* owned */
    plu_share mixture_by;
    double velocity[3];
    double angular_velocity[3];
    int count;          /* inlet: 0 if `mass` or `stop` gives the number */
    double start;       /* s, release of the first */
    double rate;        /* inlet, 1/s; 0: by mass_flow */
    double mass_flow;   /* inlet, kg/s */
    double stop;        /* inlet, s; 0: not given */
    double mass;        /* inlet, kg; 0: not given */
    plu_area_spec area; /* inlet */
    double interval;    /* pluviation: s between two spheres (from `interval` or 1/`rate`) */
    double height;      /* z of the centers at release (m) */
    double center[2];
    double square;             /* side of the square footprint (m); 0 where `disc` is given */
    double disc;               /* diameter of the round footprint (m) */
    char stage_name[PLU_NAME]; /* times count from its beginning; "": from that of the run */
    int stage;                 /* number of it */
    double begun;              /* s: when it began; INFINITY: not yet (plu_scene_enter) */
    plu_where where;
} plu_feeder_spec;

#endif
