/* criterion.h: the stopping criterion "velocity": when an island counts as solved. Nothing else in
 * the code defines it. */
#ifndef SOLVE_CRITERION_H
#define SOLVE_CRITERION_H

#include "problem/errors.h"
#include "solve/solve.h"

/* The errors of an island (problem/errors.h) over what the criterion "velocity" allows: at most 1
 * means solved. NaN if an error is NaN. With tau = tolerance times the smaller of two shares (of
 * rest and of bounces, below) and c = max(1, change / (g h)), it requires
 *   velocity <= tau ,  heavy <= tau ,  sinking <= 3 tau g h d ,
 *   worst <= 30 sqrt(tau tolerance) ,  h closing / 2 <= tolerance / 20 / f ,
 *   opening <= bond, where pairs attract each other ,
 * d = c^(3/2) (1 + rest (sqrt(c) - 1)), f the ratio of the largest to the smallest radius over 4,
 * between 1 and 2.5. In flows and falls, d = c^2, the work of the errors is
 * compared with the energy that impacts take, sum m change^2, as everywhere without gravity.
 * `heavy` catches errors of a boulder that has few of the many contacts, `sinking` errors that are
 * small at each contact but add up over many layers, `worst` a single wrong contact, and `closing`
 * errors that would cause overlap.
 *
 * The share of rest is 0.3 speed / (g h), between 0.03 and 1. An accepted error is a speed; islands
 * at rest would creep without end unless their errors were small against their own speeds. Speed
 * and drift are the smaller of before and after the step, because a bed that a wrong first step
 * sets in motion was at rest. For sinking, the share of rest is 0.3 drift / (g h), between 0.01
 * and 1; in islands of less than a thousand contacts it is multiplied by the number of contacts
 * over a thousand, but at least by a tenth, since accurate solutions are cheap there and let bodies
 * fall asleep.
 *
 * The share of bounces is (g h / bounce)^2, between (1 - e^2) / 2 and 1. In islands of less than a
 * thousand contacts the lower bound is multiplied by the number of contacts over a thousand; it is
 * at least 0.002. Errors of elastic impacts create or destroy energy; in large islands they average
 * out. */
double plu_velocity_missed(const plu_errors *errors, const plu_solve_settings *settings);

/* Sets the result of an island by its errors. */
void plu_velocity_take(const plu_errors *errors, const plu_solve_settings *settings,
                       plu_island_result *result);

/* Computes the errors of the impulses and velocities in the problem, sets the island's result from
 * them, and returns them; `last` as in plu_problem_errors. */
plu_errors plu_velocity_judge(const plu_problem *problem, plu_island *island,
                              const plu_solve_settings *settings, bool last,
                              plu_island_result *result);

/* What the rounding of velocities in floats may add to the errors, over what is allowed. */
double plu_velocity_rounding(const plu_errors *errors, const plu_solve_settings *settings);

/* `pressed` over what is allowed for `sinking`: times the relative error of impulses that does not
 * show in the errors, what it adds to them. */
double plu_velocity_pressed(const plu_errors *errors, const plu_solve_settings *settings);

/* The tau above. */
double plu_velocity_tau(const plu_errors *errors, const plu_solve_settings *settings);

#endif
