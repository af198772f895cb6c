/* body.h: entries of `bodies` in a scene: a single sphere, or a rule that makes many. */
#ifndef PLUVIA_BODY_H
#define PLUVIA_BODY_H

#include "pluvia/motion.h"
#include "pluvia/sizes.h"
#include "pluvia/where.h"
#include <stdbool.h>

typedef enum plu_body_kind {
    PLU_SPHERE,
    PLU_LATTICE,
    PLU_PACKING,
    PLU_FILE,
    PLU_FROM_RUN, /* spheres of another run, from one of its frames (pluvia/start.h) */
    PLU_RESERVE   /* spheres that calls add while the run lasts (pluvia/edit.h) */
} plu_body_kind;

enum { /* bits of plu_body_spec.keep: what spheres of a run keep besides position and size */
       PLU_KEEP_VELOCITY = 1,
       PLU_KEEP_SPIN = 2,
       PLU_KEEP_IMPULSES = 4,
       PLU_KEEP_MATERIAL = 8,
       PLU_KEEP_CELL = 16,      /* the periodic cell, where the scene does not give its size */
       PLU_KEEP_BOUNDARIES = 32 /* where boundaries are that the scene has in common with the run */
};

/* plu_body_spec.at: the end of a complete run. */
enum { PLU_AT_END = -1 };

/* One entry of `bodies`: a single sphere or a rule that creates many. */
typedef struct plu_body_spec {
    plu_body_kind kind;
    char material_name[PLU_NAME];
    int material;     /* -1: spheres of a run keep theirs */
    double radius[2]; /* smallest and largest, uniform between; equal for one size */
    plu_size_spec sizes;
    int mixture_count;         /* 0: `material` and `radius` */
    plu_mixture_part *mixture; /* owned */
    plu_share mixture_by;
    double velocity[3];
    double angular_velocity[3];
    double position[3]; /* sphere */
    int counts[3];      /* lattice: spheres along x, y, z */
    double spacing;     /* lattice: distance of neighboring centers */
    double origin[3];   /* lattice: center of the first sphere */
    double jitter;      /* lattice: each coordinate is shifted by a uniform number in +-jitter */
    int count;          /* packing; 0 with has_fill; reserve */
    bool has_fill;      /* packing: the count follows from the two below and the mean volume */
    double fill_fraction, fill_height; /* solid; m, 0: the whole region */
    double box[2][3]; /* packing: spheres lie wholly inside; used when `cylinder_radius` is 0 */
    double center[3]; /* packing in a cylinder: center of its bottom */
    double cylinder_radius, cylinder_height;
    char path[PLU_PATH]; /* file: CSV; run: a trajectory; "" of others; already relative to the
                            working folder */
    bool fixed;          /* they do not move */
    bool moves;          /* they are fixed, and `motion` is given: as a boundary */
    bool center_given;   /* motion.center is; else it is the middle of the group */
    plu_motion_spec motion;
    bool fixed_given; /* the scene says so; of a run, they otherwise are what they were there */
    double at;        /* run: s, or PLU_AT_END */
    unsigned keep;    /* run */
    plu_where where;
} plu_body_spec;

#endif
