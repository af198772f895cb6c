/* Extrapolates the convergence rate of a sequence of sweeps. */
#include "general/pace.h"
#include <math.h>

bool plu_pace_due(int sweeps)
{
    return sweeps % PLU_PACE_EVERY == 0 &&
           sweeps >= PLU_PACE_FIRST - PLU_PACE_CHECKS * PLU_PACE_EVERY;
}

double plu_pace_left(plu_pace *pace, int sweeps, double residual, double tolerance)
{
    const double last = pace->past[PLU_PACE_CHECKS - 1];
    if (last > 0.0)
        residual = fmin(residual, last);
    const double fallen = log(pace->past[0] / residual), to_go = log(residual / tolerance);
    for (int i = 1; i < PLU_PACE_CHECKS; i++)
        pace->past[i - 1] = pace->past[i];
    pace->past[PLU_PACE_CHECKS - 1] = residual;
    if (sweeps < PLU_PACE_FIRST || to_go <= 0.0)
        return 0.0;
    return fallen > 0.0 ? PLU_PACE_EVERY * PLU_PACE_CHECKS * to_go / fallen : HUGE_VAL;
}

double plu_pace_newton(int contacts)
{
    return fmax(200.0, 0.5 * contacts);
}
