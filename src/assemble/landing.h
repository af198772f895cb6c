/* landing.h: friction of contacts that close within the step (src/theory.md, "Touch").
 *
 * A pair that lands touches for a share s of the step only, but its impulse is that of the whole
 * step: what presses it, rather than what stops it, then rubs for too long. Its friction counts by
 *   phi = s + (1 - s) J / (J + F) ,   s = (1 - g / (h |u_N|))+ ,
 * J = |u_N| / W_NN: impulse of the impact alone; F: the largest normal impulse that one of its
 * bodies bore in the step before. Impacts: 1; pressed: s. */
#ifndef ASSEMBLE_LANDING_H
#define ASSEMBLE_LANDING_H

#include "blocks/blocks.h"
#include "detect/detect.h"

typedef struct plu_landing plu_landing;

/* `world` must outlive it. NULL and a message when there is no memory. */
plu_landing *plu_landing_create(const plu_world *world, plu_error *err);
void plu_landing_destroy(plu_landing *landing); /* accepts NULL */

/* Before the blocks of a step: what bodies bore in the last one, from the warm start of the live
 * contacts; `pairs`: the rows of these. */
void plu_landing_loads(plu_landing *landing, const plu_contacts *contacts,
                       const plu_contact_pair *pairs);

/* Sets `friction` of the lanes whose contact (NULL: a spare lane) lands; the block's normals, warm
 * start and terms are there. */
void plu_landing_share(const plu_landing *landing, const plu_contact *const contact[PLU_LANES],
                       plu_block *block);

#endif
