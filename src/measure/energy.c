/* Energies of a state, and the balance of a run. Of a frame: sum of m v^2 / 2, I w^2 / 2 and -m
 * g.x, and by its contacts the power of friction, -p_T.u_T / h, and of rolling and pivoting
 * friction, which needs the spins. Of a run, from the sums that it has written:
 *
 *     kinetic + potential = at first + inserted - removed
 *                         + work_impact + work_friction + work_rolling + work_pivoting
 *                         + theta + projection + cohesion + boundaries + cell        (to rounding)
 */
#include "base/memory.h"
#include "base/vec3.h"
#include "measure/view.h"
#include <stdlib.h>
#include <string.h>

plu_energy plu_measure_energy(const plu_view *view)
{
    plu_energy sum = {0};
    for (int b = 0; b < view->bodies; b++) {
        if (!plu_view_grain(view, b))
            continue;
        const double mass = plu_view_mass(view, b);
        sum.potential -= mass * plu_dot(view->gravity, plu_view_position(view, b));
        if (view->velocity.at) {
            const double *v = plu_row(view->velocity, b);
            sum.translation += 0.5 * mass * plu_dot(v, v);
        }
        if (view->spin.at && view->inertia.at) {
            const double *w = plu_row(view->spin, b);
            sum.rotation += 0.5 * plu_view_inertia(view, b) * plu_dot(w, w);
        }
    }
    if (!view->velocity.at)
        sum.translation = NAN;
    if (!view->spin.at || !view->inertia.at)
        sum.rotation = NAN;
    return sum;
}

plu_dissipation plu_measure_dissipation(const plu_view *view)
{
    const double turning = view->spin.at ? 0.0 : NAN;
    plu_dissipation sum = {0.0, turning, turning};
    if (view->contacts < 0 || (view->contacts > 0 && !(view->dt > 0.0)))
        return (plu_dissipation){NAN, NAN, NAN};
    for (int k = 0; k < view->contacts; k++) {
        const plu_contact_row *c = &view->contact[k];
        if (!plu_view_valid(view, c))
            continue;
        sum.sliding -= plu_dot(c->impulse_tangent, c->velocity) / view->dt;
        if (view->turning && plu_side_is_part(c->a) &&
            plu_dot(c->impulse_moment, c->impulse_moment) > 0.0)
            sum.rolling = sum.pivoting = NAN;
        if (view->spin.at) {
            double spin[3];
            plu_view_relative_spin(view, c, spin);
            const double pivoting =
                plu_dot(c->impulse_moment, c->normal) * plu_dot(spin, c->normal) / view->dt;
            sum.rolling -= plu_dot(c->impulse_moment, spin) / view->dt - pivoting;
            sum.pivoting -= pivoting;
        }
    }
    return sum;
}

/* The terms of the energy balance and the observables from which they come. */
enum {
    KINETIC,
    POTENTIAL,
    INSERTED,
    REMOVED,
    IMPACT,
    FRICTION,
    ROLLING,
    THETA,
    PROJECTION,
    COHESION,
    PIVOTING,
    BOUNDARY,
    CELL,
    TERMS, /* those before make the balance */
    CREATED = TERMS,
    CREATING,
    ELASTIC,
    DISSIPATED,
    NAMES
};

static const char *const names[] = {
    [KINETIC] = "kinetic_energy",
    [POTENTIAL] = "potential_energy",
    [INSERTED] = "energy_inserted",
    [REMOVED] = "energy_removed",
    [IMPACT] = "work_impact",
    [FRICTION] = "work_friction",
    [ROLLING] = "work_rolling",
    [THETA] = "work_theta",
    [PROJECTION] = "work_projection",
    [COHESION] = "work_cohesion",
    [ELASTIC] = "elastic_energy",
    [DISSIPATED] = "dissipated_energy",
    [CREATED] = "energy_created",
    [CREATING] = "creating_steps",
    [PIVOTING] = "work_pivoting",
    [BOUNDARY] = "work_boundary",
    [CELL] = "work_cell",
};
_Static_assert(sizeof names / sizeof *names == NAMES, "a name for each number");

/* The change of each observable from the first frame to frame k (J). */
static plu_status gains(double gain[NAMES], plu_frames *frames, long k, plu_error *err)
{
    plu_status status = PLU_OK;
    for (int t = 0; status == PLU_OK && t < NAMES; t++) {
        const double *values = NULL;
        status = plu_frames_observable(&values, frames, names[t], err);
        gain[t] = values ? values[k] - values[0] : NAN;
    }
    return status;
}

plu_status plu_measure_balance(plu_balance *balance, plu_frames *frames, long k, plu_error *err)
{
    double gain[NAMES];
    const plu_status status = gains(gain, frames, k, err);
    if (status != PLU_OK)
        return status;
    if (isnan(gain[COHESION]))
        gain[COHESION] = 0.0; /* a file of a version without cohesion */
    if (isnan(gain[PIVOTING]))
        gain[PIVOTING] = 0.0; /* likewise */
    if (isnan(gain[BOUNDARY]))
        gain[BOUNDARY] = 0.0;
    if (isnan(gain[CELL]))
        gain[CELL] = 0.0;
    plu_balance b = {.change = gain[KINETIC] + gain[POTENTIAL],
                     .inserted = gain[INSERTED],
                     .removed = gain[REMOVED],
                     .impact = gain[IMPACT],
                     .friction = gain[FRICTION],
                     .rolling = gain[ROLLING],
                     .theta = gain[THETA],
                     .projection = gain[PROJECTION],
                     .cohesion = gain[COHESION],
                     .pivoting = gain[PIVOTING],
                     .boundary = gain[BOUNDARY],
                     .cell = gain[CELL],
                     .created = gain[CREATED],
                     .creating = gain[CREATING],
                     .elastic = gain[ELASTIC],
                     .dissipated = gain[DISSIPATED]};
    b.missing = b.change - (b.inserted - b.removed + b.impact + b.friction + b.rolling + b.theta +
                            b.projection + b.cohesion + b.pivoting + b.boundary + b.cell);
    for (int t = 0; t < TERMS; t++)
        b.turned_over = t == 0 ? fabs(gain[t]) : b.turned_over + fabs(gain[t]);
    *balance = b;
    return PLU_OK;
}
