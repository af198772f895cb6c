/* own_shape.h: a boundary whose shape is from outside (pluvia/extension.h): its functions, asked
 * where the scene has put it, and what they answered that cannot be. */
#ifndef SHAPE_OWN_SHAPE_H
#define SHAPE_OWN_SHAPE_H

#include "pluvia/boundary.h"
#include "pluvia/extension.h"

typedef struct plu_own_use {
    plu_own_shape shape;
    void *user; /* its own */
    char name[PLU_NAME];
    plu_own_numbers numbers; /* of the boundary */
    int parts;
    double center[3], turn[3][3];  /* m; a point x of the scene is turn^T (x - center) there */
    char fault[PLU_OWN_WHY + 160]; /* a sentence: its first impossible answer; empty: none */
} plu_own_use;

/* The shape of a boundary, checked; the caller frees it with `free`. It refers to the numbers of
 * `spec`. PLU_OK; PLU_BAD_INPUT: there is no such shape, its numbers make no sense, or an answer is
 * impossible (one sentence); PLU_IO. */
plu_status plu_own_use_make(plu_own_use **use, const plu_extensions *extensions,
                            const plu_boundary_spec *spec, plu_error *err);

/* --- own_shape_check.c --- */

/* Asks each part at some places around it whether its answers can be. PLU_OK, or
 * PLU_BAD_INPUT with a sentence. */
plu_status plu_own_check(const plu_own_use *use, plu_error *err);

/* What is wrong with an answer at x, all in the frame of the shape; NULL: nothing. */
const char *plu_own_wrong(double distance, const double normal[3]);

#endif
