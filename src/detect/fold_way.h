/* fold_way.h: the way of a sphere over the facets of a mesh in a step (fold.c). */
#ifndef DETECT_FOLD_WAY_H
#define DETECT_FOLD_WAY_H

#include "detect/detector.h"

/* Cosine of the angle (15 degrees, and what rounding adds) between facets up to which a fold is one
 * of a surface that is smooth. */
#define PLU_SMOOTH_FOLD (0.9659258262890683 - 1e-6)

/* The cosine of a normal with that of the facet if it is met with its face. */
#define PLU_FACE (1.0 - 1e-9)

/* In the frame of the mesh, which may move. */
typedef struct plu_fold_way {
    const plu_pose *pose;              /* NULL: it stands still */
    double v[3], gravity[3];           /* of the sphere at the start of the step */
    double near;                       /* m: how far from a facet it may be that goes along it */
    double at[4], speed[3], normal[3]; /* of the facet that it is on */
    double turned[3];                  /* m/s: what folds have changed its velocity by */
    double left;                       /* s */
    double off;                        /* m: what gravity takes it off the last facet by */
    size_t on;                         /* the candidate that it started on */
} plu_fold_way;

/* Whether a part is a facet of the mesh. */
static inline bool plu_fold_is_of(const plu_fold_way *x, const plu_part *part)
{
    return part->surface == &plu_surface_triangle && part->pose == x->pose;
}

/* Where a sphere is in the frame of a mesh, and how it moves there. */
void plu_fold_enter(plu_fold_way *way, const plu_world *world, int sphere, const plu_pose *pose);

/* A direction of that frame in the world. */
void plu_fold_leave(const plu_fold_way *way, const double inside[3], double direction[3]);

/* Goes on through the step, over candidates from begin to end - 1: the number of folds, and the
 * candidate of the last of them. 0: none, or an edge or a corner. */
int plu_fold_follow(const plu_detector *detector, size_t begin, size_t end, plu_fold_way *way,
                    size_t *last);

#endif
