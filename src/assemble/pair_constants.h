/* pair_constants.h: what pairs of bodies have by themselves, shared where bodies are alike: most
 * scenes have spheres of a few kinds only. */
#ifndef ASSEMBLE_PAIR_CONSTANTS_H
#define ASSEMBLE_PAIR_CONSTANTS_H

#include "blocks/blocks.h"
#include "detect/detect.h"

typedef struct plu_constants plu_constants;

/* `share`: whether pairs may share their terms, which must not change then. `world` must outlive
 * it. NULL and a message when there is no memory. */
plu_constants *plu_constants_create(const plu_world *world, bool share, plu_error *err);
void plu_constants_destroy(plu_constants *constants); /* accepts NULL */

/* The terms that blocks may share: *count of them, in a row. */
const plu_pair_constants *plu_constants_shared(const plu_constants *constants, int *count);

/* Finds the terms of a block, which may be those of all such pairs; else they are written to `own`.
 * contact[k] NULL: a spare lane. Bodies that are pinned (PLU_PINNED) have no masses; others
 * that sleep are like those that do not, but for their shares. */
plu_pair_constants *plu_constants_of(const plu_constants *constants,
                                     const plu_contact *const contact[PLU_LANES],
                                     plu_pair_constants *own);

/* The shares of the contacts of a block with these constants, PLU_LANES of them: bodies that sleep
 * stay where they are, and where there are some the shares are written to `own`. */
const double *plu_shares_of(const plu_world *world, const plu_contact *const contact[PLU_LANES],
                            const plu_pair_constants *pair, double own[PLU_LANES]);

#endif
