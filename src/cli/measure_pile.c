/* The numbers of a pile, or of whatever lies on the base. */
#include "measure_run.h"
#include <math.h>

#define DEGREES 57.29577951308232
#define PI 3.14159265358979323846
enum { MAP_CELLS = 8 };

static double solid_volume(const plu_view *view, double base)
{
    double sum = 0.0;
    for (int b = 0; b < view->bodies; b++) {
        const double r = view->radius.at[(size_t)view->radius.stride * (size_t)b];
        const double z = view->position.at[(size_t)view->position.stride * (size_t)b + 2];
        if (view->state[b] == PLU_ACTIVE && z > base)
            sum += 4.0 / 3.0 * PI * r * r * r;
    }
    return sum;
}

/* Solid volume over the volume below the surface seen from above. */
static plu_status solid_fraction(double *fraction, const plu_view *view, double base, double d,
                                 plu_error *err)
{
    plu_field map;
    double below = 0.0;
    *fraction = NAN;
    if (!(d > 0.0))
        return PLU_OK;
    const plu_status status = plu_measure_height(&map, view, base, d / MAP_CELLS, err);
    if (status != PLU_OK)
        return status;
    for (int k = 0; k < map.size[0] * map.size[1]; k++)
        below += map.value[k] * map.cell[0] * map.cell[1];
    plu_field_free(&map);
    if (below > 0.0)
        *fraction = solid_volume(view, base) / below;
    return PLU_OK;
}

plu_status plu_quantities_pile(plu_quantities *q, const plu_measured_run *run, const plu_view *view,
                               plu_error *err)
{
    const char *const group = "pile";
    const double d = plu_view_diameter(view), unit = d > 0.0 ? d : NAN;
    double fraction;
    plu_pile pile;
    plu_repose repose;
    plu_measure_pile(&pile, view, run->base);
    plu_status status = plu_measure_repose(&repose, view, run->base, run->sectors, err);
    if (status == PLU_OK)
        status = solid_fraction(&fraction, view, run->base, d, err);
    if (status != PLU_OK)
        return status;
    int active = 0, removed = 0;
    for (int b = 0; b < view->bodies; b++) {
        active += view->state[b] == PLU_ACTIVE;
        removed += view->state[b] == PLU_REMOVED;
    }
    plu_quantities_add(q, group, "spheres", "", "spheres above the base; lost", pile.spheres);
    plu_quantities_add(q, group, "lost", "", "", removed + active - pile.spheres);
    plu_quantities_add(q, group, "diameter", "m", "largest diameter d", unit);
    plu_quantities_add(q, group, "height", "m", "height", pile.height);
    plu_quantities_add(q, group, "height_ratio", "d", "  over d", pile.height / unit);
    plu_quantities_add(q, group, "mean_height", "d", "mean height of centres",
                       pile.mean_height / unit);
    plu_quantities_add(q, group, "bottom", "", "spheres on the base", pile.bottom);
    plu_quantities_add(q, group, "mean_radius", "d", "their mean, largest distance",
                       pile.mean_radius / unit);
    plu_quantities_add(q, group, "base_radius", "d", "", pile.base_radius / unit);
    plu_quantities_add(q, group, "solid_fraction", "", "volume fraction below the surface",
                       fraction);
    plu_quantities_add(q, group, "angle", "degrees", "angle of repose: mean, deviation",
                       repose.mean * DEGREES);
    plu_quantities_add(q, group, "angle_spread", "degrees", "", repose.spread * DEGREES);
    plu_quantities_add(q, group, "angle_sectors", "", "  sectors used", repose.used);
    plu_quantities_add(q, group, "angle_profile", "degrees", "  of the mean profile",
                       repose.profile * DEGREES);
    return PLU_OK;
}
