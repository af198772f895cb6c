/* The numbers of a pile, or of whatever lies on the base, and of how densely it is packed. */
#include "measure_run.h"
#include "walls.h"
#include <math.h>
#include <stdlib.h>

#define DEGREES 57.29577951308232

/* Pile of what is in the region: the others count as removed. `state` is owned by the caller. */
static plu_status view_region(plu_view *part, unsigned char **state, const plu_measured_run *run,
                              const plu_view *view, plu_error *err)
{
    *part = *view;
    *state = NULL;
    if (!run->has_region)
        return PLU_OK;
    *state = malloc((size_t)view->bodies + 1);
    if (!*state)
        return plu_fail(err, PLU_IO, "out of memory: %d bodies", view->bodies);
    for (int b = 0; b < view->bodies; b++) {
        const double *x = view->position.at + (size_t)view->position.stride * (size_t)b;
        bool inside = true;
        for (int i = 0; i < 3; i++)
            inside = inside && x[i] >= run->region.lower[i] && x[i] <= run->region.upper[i];
        (*state)[b] = inside ? view->state[b] : PLU_REMOVED;
    }
    part->state = *state;
    return PLU_OK;
}

/* Active spheres below the base, and those that are gone. */
static int count_lost(const plu_measured_run *run, const plu_view *view)
{
    int lost = 0;
    for (int b = 0; b < view->bodies; b++) {
        const double z = view->position.at[(size_t)view->position.stride * (size_t)b + 2];
        const bool fixed = view->fixed && view->fixed[b] == view->fixed_mark;
        lost += view->state[b] == PLU_REMOVED ||
                (view->state[b] == PLU_ACTIVE && !fixed && !(z > run->base));
    }
    return lost;
}

static void add_pile(plu_quantities *q, const plu_pile *pile, int lost, double unit)
{
    const char *const group = "pile";
    plu_quantities_add(q, group, "spheres", "", "spheres above the base; below, removed",
                       pile->spheres);
    plu_quantities_add(q, group, "lost", "", "", lost);
    plu_quantities_add(q, group, "diameter", "m", "largest diameter d", unit);
    plu_quantities_add(q, group, "height", "m", "height", pile->height);
    plu_quantities_add(q, group, "height_ratio", "d", "  over d", pile->height / unit);
    plu_quantities_add(q, group, "mean_height", "d", "mean height of centers",
                       pile->mean_height / unit);
    plu_quantities_add(q, group, "bottom", "", "spheres on the base", pile->bottom);
    plu_quantities_add(q, group, "mean_radius", "d", "  from their middle: mean, largest",
                       pile->mean_radius / unit);
    plu_quantities_add(q, group, "base_radius", "d", "", pile->base_radius / unit);
}

/* `none`: why there is no heap; NULL: there is one. */
static void add_repose(plu_quantities *q, const plu_repose *repose, const char *none)
{
    const char *const group = "pile";
    if (none) {
        plu_quantities_add(q, group, "angle", "degrees", "angle of repose", NAN);
        plu_quantities_why(q, none);
        plu_quantities_add(q, group, "angle_spread", "degrees", NULL, NAN);
        plu_quantities_add(q, group, "angle_sectors", "", NULL, 0);
        plu_quantities_add(q, group, "angle_profile", "degrees", NULL, NAN);
        return;
    }
    plu_quantities_add(q, group, "angle", "degrees", "angle of repose: mean, std deviation",
                       repose->mean * DEGREES);
    plu_quantities_add(q, group, "angle_spread", "degrees", "", repose->spread * DEGREES);
    plu_quantities_add(q, group, "angle_sectors", "", "  sectors in the mean", repose->used);
    plu_quantities_add(q, group, "angle_profile", "degrees", "  of the mean profile",
                       repose->profile * DEGREES);
}

plu_status plu_quantities_pile(plu_quantities *q, const plu_measured_run *run, const plu_view *view,
                               const plu_view *inner, plu_error *err)
{
    plu_view part;
    unsigned char *state;
    plu_repose repose;
    plu_status status = view_region(&part, &state, run, inner, err);
    if (status == PLU_OK)
        status = plu_measure_repose(&repose, &part, run->base, run->sectors, err);
    if (status == PLU_OK) {
        const double d = plu_view_diameter(&part);
        plu_pile pile;
        plu_measure_pile(&pile, &part, run->base);
        add_pile(q, &pile, count_lost(run, view), d > 0.0 ? d : NAN);
        const bool confined = plu_walls_confine(&run->scene, &part, run->base, &repose);
        add_repose(q, &repose,
                   run->scene.cell.given ? "no heap: the cell is periodic"
                   : confined            ? "no heap: the spheres reach the walls"
                                         : NULL);
    }
    free(state);
    return status;
}

/* Names and labels of one space: constant texts, for quantities keep pointers to them. */
typedef struct packing_names {
    const char *volume, *volume_label, *solid, *solid_label, *porosity, *void_ratio;
} packing_names;

static void add_solid(plu_quantities *q, const packing_names *name, plu_solid s)
{
    const double part = s.volume > 0.0 ? s.solid / s.volume : NAN;
    plu_quantities_add(q, "packing", name->volume, "m^3", name->volume_label, s.volume);
    plu_quantities_add(q, "packing", name->solid, "", name->solid_label, part);
    plu_quantities_add(q, "packing", name->porosity, "", "", 1.0 - part);
    plu_quantities_add(q, "packing", name->void_ratio, "", "", (1.0 - part) / part);
}

/* A volume that is too large, because boundaries in it are not cut out, must not look right. */
static void add_left_out(plu_quantities *q, plu_room room)
{
    plu_quantities_add(q, "packing", "left_out", "",
                       room.left_out > 0 ? "boundary pieces in it, not cut out" : NULL,
                       room.left_out);
}

plu_status plu_quantities_packing(plu_quantities *q, const plu_measured_run *run,
                                  const plu_view *view, const plu_view *inner, plu_error *err)
{
    static const packing_names box = {
        "box_volume",         "box around the spheres: volume",
        "box_solid_fraction", "  solid fraction, porosity, void ratio",
        "box_porosity",       "box_void_ratio"};
    static const packing_names core = {
        "core_volume",         "core, 1 d from its surface: volume",
        "core_solid_fraction", "  solid fraction, porosity, void ratio",
        "core_porosity",       "core_void_ratio"};
    static const packing_names region = {
        "region_volume",         "region: volume",
        "region_solid_fraction", "  solid fraction, porosity, void ratio",
        "region_porosity",       "region_void_ratio"};
    const plu_region bounds = plu_measure_bounds(view, run->base);
    plu_solid solid;
    static const packing_names cell = {
        "cell_volume",         "periodic cell: volume",
        "cell_solid_fraction", "  solid fraction, porosity, void ratio",
        "cell_porosity",       "cell_void_ratio"};
    add_solid(q, run->scene.cell.given ? &cell : &box, plu_measure_box(view, run->base));
    plu_status status = PLU_OK;
    if (!run->scene.cell.given) {
        status = plu_measure_core(&solid, view, bounds.lower[2], plu_view_diameter(view), err);
        if (status == PLU_OK)
            add_solid(q, &core, solid);
    }
    if (status == PLU_OK && run->has_region)
        add_solid(q, &region, plu_measure_solid(inner, &run->region));
    if (status == PLU_OK)
        add_left_out(q, run->has_region ? plu_measure_room(inner, &run->region)
                                        : plu_measure_room(view, &bounds));
    return status;
}
