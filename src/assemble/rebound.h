/* rebound.h: bounces that keep account of energy (src/theory.md, "Bounces").
 *
 * Such a bounce takes two steps. In the first the pair lands, as pairs without a restitution do,
 * and what it had is stored with it: its approach U and its gap G. In the second it is given the
 * energy that a bounce leaves, e^2 times that of the moment of contact, whenever that was in the
 * step. */
#ifndef ASSEMBLE_REBOUND_H
#define ASSEMBLE_REBOUND_H

#include "detect/detect.h"

/* Whether a contact has a gap that a landing can close: what landed touches, whatever its
 * rounding. */
bool plu_is_open(const plu_world *world, const plu_contact *contact);

/* Whether it goes on along a hollow surface: it comes nearer by what that turns it, and does not
 * bounce. */
static inline bool plu_goes_on(const plu_world *world, const plu_contact *contact)
{
    return contact->curve < 0.0 && plu_lasts(world, contact);
}

/* Whether the contact bounces off in this step; `stored`: what it has from the step before. */
bool plu_rebounds(const plu_world *world, const plu_contact *contact, const plu_rebound *stored);

/* At the end of a step: what its live contacts store for the next one. */
void plu_rebound_store(const plu_world *world, plu_contacts *contacts);

/* --- w_N of contacts where not all pairs land --- */

/* w_N of contact number `at`: of one that does g / h, so that u_N of the
 * new velocities closes the gap and no more; else e u_N,k of what approaches; or what keeps account
 * of energy. */
double plu_bias_of(const plu_world *world, const plu_contacts *list, int at);

#endif
