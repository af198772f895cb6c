/* Numbers of single grains (pluvia/grains.h). They are sums in the order of the contacts, so that
 * they have the same bits always. */
#include "pluvia/grains.h"
#include "base/vec3.h"
#include <string.h>

/* Spin of b relative to a (rad/s); false: not known. */
static bool relative_spin(const plu_view *view, const plu_contact_row *c, bool spins,
                          double spin[3])
{
    if (spins) {
        memcpy(spin, c->spin, sizeof c->spin);
        return true;
    }
    if (!view->spin.at || (view->turning && plu_side_is_part(c->a)))
        return false;
    memcpy(spin, plu_row(view->spin, c->b), 3 * sizeof *spin);
    if (plu_side_is_sphere(c->a))
        plu_sub(spin, plu_row(view->spin, plu_side_sphere(c->a)), spin);
    return true;
}

/* What the contact dissipates (W). */
static double power(const plu_view *view, const plu_contact_row *c, bool spins)
{
    double spin[3], sum = -plu_dot(c->impulse_tangent, c->velocity);
    if (plu_dot(c->impulse_moment, c->impulse_moment) > 0.0)
        sum = relative_spin(view, c, spins, spin) ? sum - plu_dot(c->impulse_moment, spin) : NAN;
    return sum / view->dt;
}

/* The contact on one of its bodies: `sign` 1 on b, -1 on a, whose forces and arms are opposite, so
 * that the stress is f r n for both. */
static void add(plu_grain *g, const plu_view *view, const plu_contact_row *c, int body, double sign,
                const double force[3])
{
    const double r = plu_view_radius(view, body), volume = 4.0 / 3.0 * PLU_PI * r * r * r;
    double arm[3], turn[3];
    for (int i = 0; i < 3; i++) {
        arm[i] = -r * c->normal[i];
        g->force[i] += sign * force[i];
        plu_add_scaled(g->stress[i], r * force[i] / volume, c->normal);
    }
    plu_cross(arm, force, turn);
    for (int i = 0; i < 3; i++)
        g->torque[i] += turn[i] + sign * c->impulse_moment[i] / view->dt;
    g->coordination += c->impulse_normal > 0.0;
}

static void add_contact(plu_grain *grain, const plu_view *view, const plu_contact_row *c,
                        bool spins)
{
    const bool pair = plu_side_is_sphere(c->a);
    const int a = pair ? plu_side_sphere(c->a) : -1, b = c->b;
    if (b < 0 || b >= view->bodies || a >= view->bodies || a == b)
        return; /* of a damaged file */
    const bool of_a = pair && plu_view_active(view, a), of_b = plu_view_active(view, b);
    double force[3];
    for (int i = 0; i < 3; i++)
        force[i] = (c->impulse_normal * c->normal[i] + c->impulse_tangent[i]) / view->dt;
    if (of_b)
        add(&grain[b], view, c, b, 1.0, force);
    if (of_a)
        add(&grain[a], view, c, a, -1.0, force);
    const bool free_a = pair && !plu_view_fixed(view, a), free_b = !plu_view_fixed(view, b);
    const double lost = power(view, c, spins) * (free_a && free_b ? 0.5 : 1.0);
    if (of_a && free_a)
        grain[a].dissipation += lost;
    if (of_b && free_b)
        grain[b].dissipation += lost;
}

void plu_grains_add(plu_grain *grain, const plu_view *view, bool spins)
{
    for (int k = 0; view->dt > 0.0 && k < view->contacts; k++)
        add_contact(grain, view, &view->contact[k], spins);
}

double plu_grain_pressure(const plu_grain *grain)
{
    return (grain->stress[0][0] + grain->stress[1][1] + grain->stress[2][2]) / 3.0;
}
