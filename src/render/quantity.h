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
    /* Returns false where the file lacks what is needed. NAN: no value. */
    bool (*of)(const plu_frame_data *frame, double *value);
    const char *needs; /* what a scene must say for it: "output.contacts = true" */
} plu_coloring;

/* Quantity i of the table; NULL after the last. The kinds of "species" are the materials of the
 * scene. "release" is the time of the first frame with the body; it needs all frames, and its `of`
 * is NULL (survey.h computes it). */
const plu_coloring *plu_coloring_at(int i);
const plu_coloring *plu_coloring_find(const char *name);

#endif
