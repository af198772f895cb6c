#include "step/totals.h"
#include "base/vec3.h"
#include "step/stepper.h"
#include "world/body_energy.h"
#include <math.h>
#include <omp.h>

/* The largest ratio of masses of two bodies in contact; 1 where all are alike. */
static double ratio_of_masses(const plu_stepper *s)
{
    const plu_world *w = s->world;
    double most = 1.0;
    for (int i = 0; i < s->contacts->live_count; i++) {
        const plu_contact *c = &s->contacts->contact[s->contacts->live[i]];
        const double a = plu_side_is_sphere(c->a) ? plu_lightness(w, plu_side_owner(w, c->a)) : 0.0;
        const double b = plu_lightness(w, plu_owner(&w->spheres, c->b));
        if (a > 0.0 && b > 0.0)
            most = plu_max(most, a > b ? a / b : b / a);
    }
    return most;
}

void plu_lap(plu_stepper *s, plu_phase phase, double *since)
{
    const double now = omp_get_wtime();
    s->totals.seconds[phase] += now - *since;
    *since = now;
}

void plu_totals_add(plu_stepper *s, const plu_step_info *info)
{
    plu_totals *t = &s->totals;
    if (!info->converged)
        t->unconverged_masses = plu_max(t->unconverged_masses, ratio_of_masses(s));
    t->steps++;
    t->unconverged += !info->converged;
    t->iterations += info->iterations;
    t->updates += info->updates;
    t->worst_missed = plu_max(t->worst_missed, info->missed);
    t->worst_velocity = plu_max(t->worst_velocity, info->velocity_error);
    t->worst_sinking = plu_max(t->worst_sinking, info->sinking_speed);
    t->worst_scaled = plu_max(t->worst_scaled, info->residual_scaled);
    s->natural = info->residual_natural;
    s->natural_open = isnan(s->natural);
    if (s->natural_open)
        t->natural_open++;
    else
        t->worst_natural = plu_max(t->worst_natural, info->residual_natural);
    t->worst_penetration = plu_max(t->worst_penetration, info->penetration);
    t->worst_penetration_ratio = plu_max(t->worst_penetration_ratio, info->penetration_ratio);
}

const plu_totals *plu_stepper_totals(const plu_stepper *stepper)
{
    return &stepper->totals;
}

double plu_stepper_imbalance(const plu_stepper *s)
{
    return plu_stepper_imbalance_at(s, plu_world_energy(s->world));
}

double plu_stepper_imbalance_at(const plu_stepper *s, plu_energy e)
{
    const plu_totals *t = &s->totals;
    const double now = plu_energy_sum(e);
    const double accounted = t->initial + t->inserted - t->removed + t->work_impact +
                             t->work_friction + t->work_rolling + t->work_pivoting +
                             t->work_cohesion + t->work_boundary + t->work_cell + t->theta +
                             t->projection;
    const double turned_over =
        fabs(t->initial) + fabs(t->inserted) + fabs(t->removed) + fabs(t->work_impact) +
        fabs(t->work_friction) + fabs(t->work_rolling) + fabs(t->work_pivoting) +
        fabs(t->work_cohesion) + fabs(t->work_boundary) + fabs(t->work_cell) + fabs(t->theta) +
        fabs(t->projection) + e.translation + e.rotation + fabs(e.potential);
    return turned_over > 0.0 ? fabs(now - accounted) / turned_over : 0.0;
}
