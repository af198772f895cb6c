/* contact_unsolvable.h: contact problems that have no solution, and why. */
#ifndef PROBLEM_CONTACT_UNSOLVABLE_H
#define PROBLEM_CONTACT_UNSOLVABLE_H

#include "problem/contact_problem.h"

typedef enum plu_unsolvable {
    PLU_PERHAPS_SOLVABLE,          /* solvable, or not known; also without memory */
    PLU_CLOSES_UNMOVED,            /* no impulse changes u_N of `contact`, and it closes */
    PLU_CLOSES_ANYHOW,             /* no impulse whatever gives u_N >= 0 at all contacts */
    PLU_NEITHER_STICKS_NOR_SLIDES, /* friction leaves `contact`, which no other one touches,
                                    * nothing */
    PLU_PROOFS                     /* how many there are */
} plu_unsolvable;

/* Whether there is a proof that the problem has no solution, and which. Three are looked for:
 *
 * PLU_CLOSES_UNMOVED: row N of W is zero and q_N < 0.
 *
 * PLU_CLOSES_ANYHOW: normal impulses r >= 0 that move nothing (W^T r = 0) but would be fed by the
 * free motion (q_N . r < 0), since then r . u_N = q_N . r for every p (Farkas), where y^ in K* asks
 * for u_N >= 0. It is verified in the end; by its rounding errors a solution would need impulses
 * more than 1e8 times larger than those of the free motion, |q_N| / W_NN.
 *
 * PLU_NEITHER_STICKS_NOR_SLIDES: of a contact by itself, by plu_coulomb_unsolvable.
 *
 * Why no certificate from the friction cones: r in K with W r = 0 and q . r < 0 disproves that y is
 * in K* for some p. But Coulomb's law asks that of y^ = y + mu |u_T| e_N, and sliding fast enough
 * raises r . y^ above zero: such problems may have solutions, and single contacts do
 * (test_unsolvable).
 *
 * A problem with an impulse at hand that opens all contacts is answered after a few sweeps.
 * `certificate` may be NULL; else it receives r [contacts] of PLU_CLOSES_ANYHOW, its largest entry
 * 1. `contact` may be NULL. */
plu_unsolvable plu_contact_unsolvable(const plu_contact_problem *problem, double *certificate,
                                      int *contact);

/* No impulse changes u_N of contact c: row and column N of W are zero. Then p = 0 solves it where
 * q_N >= 0 (with q_N = 0 anything tangential does, too), and nothing else. */
bool plu_contact_is_unmoved(const plu_contact_problem *problem, int c);

#endif
