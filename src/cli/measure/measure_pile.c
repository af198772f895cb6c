/* The numbers of a pile, or of whatever lies on the base, and of how densely it is packed.
 *
 *              o
 *            o o o        height, from the base to the top of the highest sphere
 *          o o o o o      angle of repose from sectors around the axis (pluvia/tool/measure.h)
 *   ------------------    base: the level floor that carries most
 *     lost: what is below it or was removed; falling: above it, but not part of the heap
 *
 * There is no angle where the heap has no free slope: in a periodic cell, or where spheres reach
 * walls (measure_walls.c); the line then says so. Solid fractions are of the box around the
 * spheres, of its core one diameter inside the surface, of the region, or of the periodic cell. */
#include "cli/measure/measure_run.h"
#include "pluvia/cell.h"
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
        const bool inside = plu_region_holds(&run->region, plu_view_position(view, b));
        (*state)[b] = inside ? view->state[b] : PLU_REMOVED;
    }
    part->state = *state;
    return PLU_OK;
}

/* Active spheres below the base, and those that are gone. */
static int count_lost(const plu_measured *m)
{
    const plu_view *view = &m->view;
    int lost = 0;
    for (int b = 0; b < view->bodies; b++) {
        lost += view->state[b] == PLU_REMOVED ||
                (plu_view_grain(view, b) && plu_view_position(view, b)[2] <= m->base);
    }
    return lost;
}

/* `others`: spheres in the region and above the base that are not part of the heap. */
static void add_pile(plu_quantities *q, const plu_measured *m, const plu_pile *pile, int others,
                     double unit)
{
    const char *const group = "pile";
    const bool none = isnan(m->base);
    const double d = none ? NAN : unit;
    plu_quantities_add(q, group, "base", "m", "base: z of what carries the heap", m->base);
    if (none)
        plu_quantities_why(q, "none: no level floor is below the spheres");
    plu_quantities_add(q, group, "spheres", "", "spheres in the heap; others, lost",
                       none ? NAN : pile->spheres);
    plu_quantities_add(q, group, "falling", "", "", none ? NAN : others);
    plu_quantities_add(q, group, "lost", "", "", none ? NAN : count_lost(m));
    plu_quantities_add(q, group, "diameter", "m", "largest diameter d", d);
    plu_quantities_add(q, group, "height", "m", "height", none ? NAN : pile->height);
    plu_quantities_add(q, group, "height_ratio", "d", "  over d", pile->height / d);
    plu_quantities_add(q, group, "mean_height", "d", "mean height of centers",
                       pile->mean_height / d);
    plu_quantities_add(q, group, "bottom", "", "spheres on the base", none ? NAN : pile->bottom);
    plu_quantities_add(q, group, "mean_radius", "d", "  from their middle: mean, largest",
                       pile->mean_radius / d);
    plu_quantities_add(q, group, "base_radius", "d", "", pile->base_radius / d);
}

/* `none`: why there is no heap; NULL: there is one. */
static void add_repose(plu_quantities *q, const plu_repose *repose, const char *none)
{
    plu_quantities_add(q, "pile", "angle", "degrees", "angle of repose; its standard error",
                       none ? NAN : repose->angle * DEGREES);
    if (none)
        plu_quantities_why(q, none);
    plu_quantities_add(q, "pile", "angle_error", "degrees", none ? NULL : "",
                       none ? NAN : repose->error * DEGREES);
    plu_quantities_add(q, "pile", "cone_radius", "m", NULL, none ? NAN : repose->radius);
    plu_quantities_add(q, "pile", "axis_x", "m", NULL, repose->axis[0]);
    plu_quantities_add(q, "pile", "axis_y", "m", NULL, repose->axis[1]);
}

plu_status plu_quantities_pile(plu_quantities *q, const plu_measured_run *run,
                               const plu_measured *measured, plu_error *err)
{
    plu_view part, all;
    unsigned char *state, *state_of_all = NULL;
    plu_repose repose;
    plu_status status = view_region(&part, &state, run, &measured->pile, err);
    if (status == PLU_OK)
        status = view_region(&all, &state_of_all, run, &measured->inner, err);
    if (status == PLU_OK)
        status = plu_measure_repose(&repose, &part, measured->base, run->sectors, err);
    if (status == PLU_OK) {
        const double d = plu_view_diameter(&measured->view);
        plu_pile pile, there;
        plu_measure_pile(&pile, &part, measured->base);
        plu_measure_pile(&there, &all, measured->base);
        add_pile(q, measured, &pile, there.spheres - pile.spheres, d > 0.0 ? d : NAN);
        const bool confined = plu_walls_confine(&run->scene, &part, measured->base, &repose);
        add_repose(q, &repose,
                   run->scene.cell->given ? "no heap: the cell is periodic"
                   : confined             ? "no heap: the spheres reach the walls"
                                          : repose.none);
    }
    free(state);
    free(state_of_all);
    return status;
}

/* Names and labels of one space: constant texts, for quantities keep pointers to them. */
typedef struct packing_names {
    const char *volume, *volume_label, *solid, *solid_label, *porosity, *void_ratio;
} packing_names;

/* Porosity is 1 minus the solid fraction, the void ratio voids over solids. */
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
                                  const plu_measured *m, plu_error *err)
{
    const plu_view *view = &m->view, *inner = &m->inner;
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
    const plu_region bounds = plu_measure_bounds(view, m->base);
    plu_solid solid;
    static const packing_names cell = {
        "cell_volume",         "periodic cell: volume",
        "cell_solid_fraction", "  solid fraction, porosity, void ratio",
        "cell_porosity",       "cell_void_ratio"};
    add_solid(q, run->scene.cell->given ? &cell : &box, plu_measure_box(view, m->base));
    plu_status status = PLU_OK;
    if (!run->scene.cell->given) {
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
