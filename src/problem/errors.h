/* errors.h: how wrong the impulses of an island are, as velocities (src/solving.md, "When a step is
 * solved"). Other residuals weigh what is wrong with impulses, and divide by them: they accept that
 * a heavy body falls while light ones bear it, and that a deep bed sinks.
 *
 * F is the Alart-Curnier function of a contact, rho = 1 / W_ii. What its contact alone would change
 * to be right is the velocity
 *   e_c = sqrt((W_N F_N)^2 + (W_T |F_T|)^2 + (L W_R |F_R|)^2) ,
 * and the step itself changes the velocities there by
 *   s_c = max(g h, |v - v_free| of its two bodies) . */
#ifndef PROBLEM_ERRORS_H
#define PROBLEM_ERRORS_H

#include "problem/single.h"

typedef struct plu_errors {
    int contacts;
    double velocity; /* root mean square over contacts of e_c / s_c */
    double worst;    /* the largest e_c / s_c */
    double heavy;   /* as velocity, contacts weighed by the mass of the heavier body that moves: one
                     * boulder counts as much as the grains that bear it */
    double closing; /* largest -y_N / L (1/s): times h / 2 what the step would leave of overlap,
                     * over the smaller diameter, by its errors */
    double sinking; /* sum |p . e| / (g h sum m) (m/s): mean speed at which loads give way; without
                     * gravity over the momentum that the step turns over */
    double change;  /* root mean square over bodies of |v - v_free| (m/s) */
    double speed;   /* the same of |v| before the step or after it, whichever is less, of which no
                     * more counts than PLU_FAST g h */
    double drift;   /* the same, bodies weighed by their mass */
    double raw;     /* the same of all |v| after it */
    double bounce;  /* largest -w_N: what an impact is to leave (m/s) */
    double scaled;  /* e_s of plu_residuals, for the record */
} plu_errors;

/* Over g h: what is faster is not at rest, and how much faster does not matter. */
#define PLU_FAST (1.0 / 0.3)

/* From p and v = v_free + M^-1 H p; `pull` = h g, the vector. `last` as in plu_problem_residual.
 * Works in problem->change. */
plu_errors plu_problem_errors(const plu_problem *problem, plu_island *island, const double pull[3],
                              bool last);

/* The same of an island on its way in single precision, with its rounding: a glance, for a quarter
 * of the price. */
plu_errors plu_single_errors(const plu_single *single, const plu_island *island,
                             const double pull[3]);

#endif
