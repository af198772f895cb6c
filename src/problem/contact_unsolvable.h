/* contact_unsolvable.h: proofs that a contact problem has no solution. */
#ifndef PROBLEM_CONTACT_UNSOLVABLE_H
#define PROBLEM_CONTACT_UNSOLVABLE_H

#include "problem/contact_problem.h"

typedef enum plu_unsolvable {
    PLU_PERHAPS_SOLVABLE,          /* solvable, or not known; also without memory */
    PLU_CLOSES_UNMOVED,            /* no impulse changes u_N of `contact`, and it closes */
    PLU_CLOSES_ANYHOW,             /* no impulse at all gives u_N >= 0 at all contacts */
    PLU_NEITHER_STICKS_NOR_SLIDES, /* `contact`, coupled to no other one, has no solution */
    PLU_PROOFS                     /* how many there are */
} plu_unsolvable;

/* Looks for a proof that the problem has no solution, and returns which it found. There are three:
 *
 * PLU_CLOSES_UNMOVED: row N of W is zero and q_N < 0.
 *
 * PLU_CLOSES_ANYHOW: there are normal impulses r >= 0 with W^T r = 0 and q_N . r < 0. Then
 * r . u_N = q_N . r < 0 for every p (Farkas), whereas y^ in K* requires u_N >= 0. The certificate r
 * is verified in the end; its rounding errors leave room only for solutions with impulses more than
 * 1e8 times larger than those of the free motion, |q_N| / W_NN.
 *
 * PLU_NEITHER_STICKS_NOR_SLIDES: a single contact, by plu_coulomb_unsolvable.
 *
 * The friction cones give no certificate: r in K with W r = 0 and q . r < 0 proves that no p has y
 * in K*. But Coulomb's law requires that of y^ = y + mu |u_T| e_N, and fast sliding raises r . y^
 * above zero: such problems may have solutions, and single contacts do (test_unsolvable).
 *
 * If some impulses open all contacts, they are found after a few sweeps, and the search ends.
 * `certificate` may be NULL; else it receives r [contacts] of PLU_CLOSES_ANYHOW, its largest entry
 * 1. `contact` may be NULL. */
plu_unsolvable plu_contact_unsolvable(const plu_contact_problem *problem, double *certificate,
                                      int *contact);

/* Whether no impulse changes u_N of contact c, because row and column N of W are zero. If q_N >= 0
 * then p = 0 solves the contact (for q_N = 0 not necessarily alone); if q_N < 0 nothing does. */
bool plu_contact_is_unmoved(const plu_contact_problem *problem, int c);

#endif
