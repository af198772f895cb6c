#include "base/vec3.h"
#include "measure/view.h"

static double trace(double t[3][3])
{
    return t[0][0] + t[1][1] + t[2][2];
}

/* sqrt(3/2 s : s), s the deviator of the symmetric part of t. */
static double deviator(double t[3][3])
{
    const double mean = trace(t) / 3.0;
    double sum = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double s = 0.5 * (t[i][j] + t[j][i]) - (i == j ? mean : 0.0);
            sum += s * s;
        }
    return sqrt(1.5 * sum);
}

static void scale(double t[3][3], double factor)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            t[i][j] *= factor;
}

void plu_measure_fabric(plu_fabric *fabric, const plu_view *view, const plu_region *region)
{
    *fabric = (plu_fabric){0};
    for (int k = 0; k < view->contacts; k++) {
        const plu_contact_row *c = &view->contact[k];
        if (!plu_view_loaded(view, c) || !plu_region_holds(region, c->point))
            continue;
        fabric->contacts++;
        for (int i = 0; i < 3; i++)
            plu_add_scaled(fabric->tensor[i], c->normal[i], c->normal);
    }
    scale(fabric->tensor, fabric->contacts > 0 ? 1.0 / fabric->contacts : NAN);
    fabric->anisotropy = deviator(fabric->tensor);
}

/* Adds the stress term -f (x_c - x_i) of one grain. Body b has the force f and the lever arm -r n,
 * body a has -f and r n; the term is f r n for both. */
static void add_grain(double t[3][3], const plu_view *view, const plu_region *region, int body,
                      const double force[3], const double normal[3])
{
    if (!plu_view_grain(view, body) || !plu_region_holds(region, plu_view_position(view, body)))
        return;
    for (int i = 0; i < 3; i++)
        plu_add_scaled(t[i], plu_view_radius(view, body) * force[i], normal);
}

static bool holds_any(const plu_view *view, const plu_region *region)
{
    for (int b = 0; b < view->bodies; b++)
        if (plu_view_grain(view, b) && plu_region_holds(region, plu_view_position(view, b)))
            return true;
    return false;
}

void plu_measure_stress(plu_stress *stress, const plu_view *view, const plu_region *region)
{
    double volume = NAN, sum[3][3] = {{0.0}};
    const plu_region cell = plu_measure_bounds(view, NAN), *over = region ? region : &cell;
    if ((region || view->cell.given) && holds_any(view, region))
        volume = plu_measure_room(view, over).volume;
    for (int k = 0; k < view->contacts; k++) {
        const plu_contact_row *c = &view->contact[k];
        double force[3];
        if (!plu_view_valid(view, c))
            continue;
        for (int i = 0; i < 3; i++)
            force[i] = (c->impulse_normal * c->normal[i] + c->impulse_tangent[i]) / view->dt;
        add_grain(sum, view, region, c->b, force, c->normal);
        if (plu_side_is_sphere(c->a))
            add_grain(sum, view, region, plu_side_sphere(c->a), force, c->normal);
    }
    scale(sum, view->contacts < 0 || !(volume > 0.0) ? NAN : 1.0 / volume);
    *stress = (plu_stress){.pressure = trace(sum) / 3.0, .deviator = deviator(sum)};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            stress->tensor[i][j] = sum[i][j];
}
