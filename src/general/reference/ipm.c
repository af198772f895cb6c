/* "ipm": an interior-point method for the contact problem itself, in which s = |u_T| is an unknown
 * too (Acary, Armand and Nguyen, "High-accuracy computation of rolling friction contact problems",
 * 2022). It starts in the middle of the cones and ignores the guess.
 *
 * With much friction and redundant contacts the path from there ends at the border of the cones,
 * far from a solution. Steps are therefore damped as those of a proximal method, the more the
 * shorter they have become. */
#include "base/vec3.h"
#include "general/reference/ipm_point.h"
#include "general/reference/reference.h"
#include <stdio.h>

/* The shift grows by `change` after steps shorter than `few` and falls after those longer than
 * `many`; below `least` there is none. The point is lifted off the border after PATIENCE
 * consecutive steps shorter than `shortest`, at most LIFTS_MAX times. */
static const double few = 0.1, many = 0.5, change = 10.0, least = 1e-9, first = 1e-6, most = 0.1;
static const double shortest = 0.02;
enum { PATIENCE = 2, LIFTS_MAX = 400 };

/* The shift after a step. */
static double next_shift(double shift, double step)
{
    if (step < few)
        return plu_min(plu_max(change * shift, first), most);
    if (step > many)
        return shift > change * least ? shift / change : 0.0;
    return shift;
}

static void note(plu_monitor *monitor, const char *what)
{
    snprintf(monitor->note, sizeof monitor->note, "%s at iteration %d", what, monitor->iterations);
}

static plu_status iterate_ipm(plu_ipm_point *point, plu_monitor *monitor, plu_error *err)
{
    int stuck = 0, lifts = 0;
    if (plu_monitor_stop(monitor, point->p, 0)) /* p = 0: nothing touches */
        return monitor->status;
    plu_ipm_point_start(point);
    for (int k = 1;; k++) {
        const plu_status status = plu_ipm_point_advance(point, err);
        if (status != PLU_OK && status != PLU_BREAKDOWN)
            return status;
        monitor->factorizations++;
        if (plu_monitor_stop(monitor, point->p, k))
            return monitor->status;
        const bool moved = status == PLU_OK && point->step >= shortest;
        point->shift = next_shift(point->shift, status == PLU_OK ? point->step : 0.0);
        stuck = moved ? 0 : status == PLU_OK ? stuck + 1 : PATIENCE;
        if (stuck < PATIENCE)
            continue;
        if (lifts++ == LIFTS_MAX) {
            note(monitor, "steps remained short");
            return PLU_OK;
        }
        plu_ipm_point_lift(point);
        stuck = 0;
    }
}

plu_status plu_ipm(const plu_contact_problem *problem, const plu_portfolio_settings *settings,
                   plu_monitor *monitor, plu_error *err)
{
    (void)settings;
    plu_ipm_point point;
    plu_status status = plu_ipm_point_create(&point, problem, true, &monitor->stop, err);
    if (status == PLU_OK)
        status = iterate_ipm(&point, monitor, err);
    plu_ipm_point_destroy(&point);
    return status;
}
