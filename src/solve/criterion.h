/* criterion.h: when an island is solved by the criterion "velocity": the one place that knows. */
#ifndef SOLVE_CRITERION_H
#define SOLVE_CRITERION_H

#include "problem/errors.h"
#include "solve/solve.h"

/* By how much the errors of an island exceed what the criterion "velocity" allows; at most 1: it is
 * solved. NaN where they are none. With tau = tolerance times the smaller of two shares, and
 * c = max(1, change / (g h)),
 *   velocity <= tau ,  heavy <= tau ,  sinking <= 3 tau g h c^(3/2) ,
 *   worst <= 30 sqrt(tau tolerance) ,  h closing / 2 <= tolerance / 20 .
 * `heavy` is for the boulder whose contacts are few among many; sinking for what is wrong over many
 * layers, by little at each contact; `worst` for the one contact that is left out;
 * closing for what would overlap.
 *
 * The share of rest, 0.3 speed / (g h) between 0.1 and 1: what is accepted as an error is a speed,
 * so that islands at rest have to be right to a share of their own, or they would creep for ever.
 * Speed and drift are the lesser of before the step and after it: a bed that a wrong first step
 * sets in motion was at rest. For sinking it is 0.3 drift / (g h) between 0.03 and 1, times a
 * hundredth for each contact of islands of less than a hundred, but a tenth at least: sharp answers
 * are cheap there, and then fall asleep. The share of bounces, (g h / bounce)^2 between (1 - e^2) /
 * 2 and 1, less in islands of few contacts (a thousandth for each), and 0.002 at least: an error of
 * an elastic impact is energy made or lost, and in large islands such errors average out. */
double plu_velocity_missed(const plu_errors *errors, const plu_solve_settings *settings);

/* Judges the impulses and velocities that are in the problem, and notes what was found in the
 * island's result; `last` as in plu_problem_errors. */
plu_errors plu_velocity_judge(const plu_problem *problem, plu_island *island,
                              const plu_solve_settings *settings, bool last,
                              plu_island_result *result);

/* That tau. */
double plu_velocity_tau(const plu_errors *errors, const plu_solve_settings *settings);

#endif
