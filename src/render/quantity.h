/* quantity.h: one number for each body of a frame, by which it is colored. */
#ifndef RENDER_QUANTITY_H
#define RENDER_QUANTITY_H

#include "pluvia/frames.h"

typedef struct plu_coloring {
    const char *name, *title, *unit; /* unit "": a pure number */
    const char *also;                /* another name that is understood; NULL: none */
    const char *help;
    const char *const *kinds; /* names of values 0, 1, ...; NULL: the values are amounts */
    bool from_zero;           /* the scale begins at 0 */
    bool whole;               /* values are integers */
    bool tail;                /* a few bodies have many times the value of the others */
    /* Returns false where the file lacks what is needed. NAN: no value. */
    bool (*of)(const plu_frame_data *frame, double *value);
    /* Instead: entry `place` of each row of a column of the frame, which has `width` of them. */
    const double *(*column)(const plu_frame_data *frame);
    int width, place;
    bool grains;       /* a number of single grains, which contacts give where the file has none */
    const char *needs; /* what a scene must say for it: "output.contacts = true" */
} plu_coloring;

/* Quantity i of the table; NULL after the last. The kinds of "species" are the materials of the
 * scene. "release" is the time of the first frame with the body; it needs all frames, and has
 * neither `of` nor a column (survey.h computes it). */
const plu_coloring *plu_coloring_at(int i);

/* Also an entry of a vector or a tensor: "velocity.x", "stress.zz". NULL: there is none. */
const plu_coloring *plu_coloring_find(const char *name);

/* False: the frame lacks what it needs. Not for "release". */
bool plu_quantity_values(const plu_coloring *quantity, const plu_frame_data *frame, double *value);

/* A vector of each body, which arrows show: "velocity", "angular_velocity", "force", "torque". */
typedef struct plu_vector {
    const char *name, *unit, *needs;
    bool grains;
    const double *(*column)(const plu_frame_data *frame); /* 3 a body; NULL: not in the frame */
} plu_vector;

/* NULL: there is none of this name. */
const plu_vector *plu_vector_find(const char *name);

#endif
