/* pace.h: extrapolates how sweeps converge, to decide when they are so slow that they are stopped
 * in favor of the fallback, the proximal Newton method, whose iterations are expensive but few.
 *
 * The convergence rate of the last hundred sweeps is extrapolated to the number of
 * sweeps left to the tolerance, and compared with the cost of Newton's method in sweeps. Both are
 * counts, not times, so that the decision is the same on every machine. */
#ifndef GENERAL_PACE_H
#define GENERAL_PACE_H

#include "base/strategy.h"
#include <stdbool.h>

/* Checks over which the rate is taken, PLU_PACE_EVERY sweeps apart: the last hundred sweeps. */
enum { PLU_PACE_CHECKS = 2 };

/* The least residuals at the last checks, the oldest first; zero at the start. */
typedef struct plu_pace {
    double past[PLU_PACE_CHECKS];
} plu_pace;

/* Whether a check is due after this number of sweeps. */
bool plu_pace_due(int sweeps);

/* To be called at each check: the number of sweeps left if the least residual continues to decrease
 * as over the last checks. HUGE_VAL: it does not fall; 0: too early to estimate. */
double plu_pace_left(plu_pace *pace, int sweeps, double residual, double tolerance);

/* The cost of the proximal Newton method, in sweeps. */
double plu_pace_newton(int contacts);

#endif
