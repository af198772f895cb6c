/* contact_unsolvable.h: contact problems that have no solution, and why. */
#ifndef PROBLEM_CONTACT_UNSOLVABLE_H
#define PROBLEM_CONTACT_UNSOLVABLE_H

#include "problem/contact_problem.h"

/* True when there is a certificate that no impulse whatever gives u_N >= 0 at all contacts, which
 * is what y^ in K* asks for: normal impulses r >= 0 that move nothing (W^T r = 0) but would be fed
 * by the free motion (q_N . r < 0), since then r . u_N = q_N . r for every p (Farkas). It is
 * verified in the end; by its rounding errors a solution would need impulses more than 1e8 times
 * larger than those of the free motion, |q_N| / W_NN.
 *
 * False: solvable, or not known. A problem with an impulse at hand that opens all contacts is
 * answered after a few sweeps; without memory the answer is false, too.
 *
 * `certificate` may be NULL; else it receives r [contacts], its largest entry 1, when there is
 * one. */
bool plu_contact_unsolvable(const plu_contact_problem *problem, double *certificate);

#endif
