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

/* Bounds of the exponent with which errors fall. */
static const double least_power = 0.6, most_power = 4.0;

/* How the next check is found: the exponent before there is a second check, what errors are to be
 * by then, how much later it is at most from the first check on and from others, and at least. */
typedef struct planning {
    double power, goal, first_leap, leap, spared;
} planning;

static const planning dear = {1.2, 1.0, 2.0, 2.0, 1.125}, handy = {1.0, 0.98, 4.0, 2.0, 1.0};

void plu_checks_plan(plu_checks *c, int now, double missed, bool cheap)
{
    const planning *how = cheap ? &handy : &dear;
    const double leap = c->last > 0 ? how->leap : how->first_leap;
    double power = how->power;
    c->falls = c->last > 0 && missed < c->missed;
    if (c->falls) {
        power = log(c->missed / missed) / log((double)now / c->last);
        c->falls = power >= least_power;
        power = fmin(fmax(power, least_power), most_power);
    }
    const double sweeps = now * fmax(fmin(pow(missed / how->goal, 1.0 / power), leap), how->spared);
    c->last = now;
    c->missed = missed;
    c->next = (int)sweeps + 1;
}
