/* criterion.h: the stopping criterion "velocity": when an island counts as solved. Nothing else in
 * the code defines it. */
#ifndef SWEEP_CRITERION_H
#define SWEEP_CRITERION_H

#include "blocks/errors.h"
#include "sweep/settings.h"

/* The errors of an island (blocks/errors.h) over what the criterion "velocity" allows: at most 1
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
 * Driven islands (errors.h: pressed by a servo or a stress, or strained slowly without gravity)
 * have no weight to be compared with; the stress in them is thousands of times what their errors
 * change in a step. Instead of `sinking`, with t = min(tolerance, 0.2) times the share of bounces,
 *   sum |p . e| <= 5 t (D + 10 min(K, D0)) + S ,   |sum p_N e_N| <= 0.1 t D + S ;
 * D = max(F + min(D0, 0.2 F), D0), F: the work of friction in the step; K = sum m change^2; S: what
 * a bed of this weight may have by the limit of sinking, without gravity 3 t K, less where contacts
 * are few. D0 is the work of friction in a step that strains the bed by 2e-6 min(1, 0.073 / y), at
 * least 7.5e-7 y, y = h / sqrt(m d^2 h / (p_N d)): at rest it is what contacts may close by. The
 * tau of single velocities is three times as large, at most the tolerance. After n sweeps the first
 * of these limits is n / 150 times as large, between 1 and 10, the second n / 200 times, between 1
 * and 6: where impulses are not unique, as without rolling friction, errors end at a few times D,
 * and the signed sum goes up and down.
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

/* For the other criteria, which have set the result: an island that a stress presses, or that is
 * strained without gravity, has to meet the limits of the work of errors, too, at a tolerance of
 * 0.2. Residuals over |p| accept errors that let such a bed yield without resistance. */
void plu_pressed_judge(const plu_problem *problem, plu_island *island,
                       const plu_solve_settings *settings, plu_island_result *result);

/* What the rounding of velocities in floats may add to the errors, over what is allowed. */
double plu_velocity_rounding(const plu_errors *errors, const plu_solve_settings *settings);

/* `pressed` over what is allowed for `sinking`: times the relative error of impulses that does not
 * show in the errors, what it adds to them. */
double plu_velocity_pressed(const plu_errors *errors, const plu_solve_settings *settings);

/* The tau above. */
double plu_velocity_tau(const plu_errors *errors, const plu_solve_settings *settings);

#endif
