/* The cell of a scene, and whether what is in it suits it: it must be two diameters wide (else a
 * sphere touches its own image), and boundaries must be the same on opposite sides, for what leaves
 * through one comes back through the other:
 *
 *     ____________
 *     |          |       at PLACES random places x of a side a part has the same gap and normal
 *     x      x + a       at x and at x + a, or is far from both: a floor goes on, a ramp does not
 *     |__________|
 *
 * Motions must not carry a boundary through a side, where an image of it would have to come in. */
#include "base/memory.h"
#include "base/rng.h"
#include "base/vec3.h"
#include "fill/build.h"
#include "pluvia/boundary.h"
#include "pluvia/cell.h"
#include "world/cell.h"
#include <math.h>

enum { PLACES = 400 }; /* at which a side of the cell is compared with the opposite one */

static const double rounding = 1e-9; /* of lengths, over the cell */

plu_status plu_build_cell(plu_build *build)
{
    const plu_cell_spec *spec = build->scene->cell;
    plu_world *w = build->world;
    if (!spec->given)
        return PLU_OK;
    const double edge[3][3] = {
        {spec->size[0], 0.0, 0.0}, {0.0, spec->size[1], 0.0}, {spec->tilt, 0.0, spec->size[2]}};
    const bool periodic[3] = {(spec->periodic & PLU_ALONG_X) != 0,
                              (spec->periodic & PLU_ALONG_Y) != 0,
                              (spec->periodic & PLU_ALONG_Z) != 0};
    plu_space_make(&w->space, spec->origin, edge, periodic);
    w->space.moves = plu_cell_moves(spec);
    plu_cell_rates(spec, edge, w->space.rate[1]); /* it moves from the start on */
    plu_cell_rates(spec, edge, w->space.driven[1]);
    const size_t count = (size_t)w->bodies.count;
    w->image = plu_alloc(count, sizeof *w->image, build->err);
    w->wrapped = plu_alloc(count, sizeof *w->wrapped, build->err);
    return w->image && w->wrapped ? PLU_OK : PLU_IO;
}

void plu_build_flow(plu_build *build)
{
    plu_world *w = build->world;
    for (int b = 0; b < w->bodies.count && w->space.moves; b++)
        if (w->bodies.state[b] == PLU_ACTIVE)
            plu_space_flow(&w->space, 1, 1.0, w->bodies.position[b], w->bodies.row[b]);
}

/* A sphere would touch its own image in a narrower cell. */
static plu_status check_width(plu_build *build)
{
    plu_world *w = build->world;
    for (int i = 0; i < w->spheres.count; i++)
        w->largest = fmax(w->largest, w->spheres.at[i][3]);
    for (int k = 0; k < 3; k++) {
        char where[PLU_PATH + 32];
        const double needed = 4.0 * w->largest;
        if (!w->space.periodic[k] || w->space.height[k] >= needed * (1.0 - rounding))
            continue;
        plu_scene_where(build->scene, build->scene->cell->size_where, where, sizeof where);
        return plu_error_add(
            build->err, PLU_BAD_INPUT,
            "%s: the periodic cell is %g m wide along %c; spheres of diameter %g m "
            "need at least two diameters, %g m",
            where, w->space.height[k], "xyz"[k], 2.0 * w -> largest, needed);
    }
    return PLU_OK;
}

/* A place on the side where fraction k is 0; across directions that are not periodic also far
 * from the cell. */
static void draw_place(const plu_space *space, int k, int number, double x[4])
{
    const plu_rng rng = {1, 0};
    x[3] = 0.0;
    for (int i = 0; i < 3; i++)
        x[i] = space->origin[i];
    for (int i = 0; i < 3; i++) {
        const double u = plu_rng_uniform(rng, (uint64_t)number, (uint32_t)i);
        const double f = i == k ? 0.0 : space->periodic[i] ? u : 3.0 * u - 1.0;
        plu_add_scaled(x, f, space->edge[i]);
    }
}

/* Whether a sphere that leaves by side k finds the same part where it comes back. */
static bool goes_on(const plu_world *w, const plu_part *part, int k)
{
    const plu_space *space = &w->space;
    const double scale = plu_norm(space->edge[k]);
    for (int number = 0; number < PLACES; number++) {
        double x[4], here[3], there[3];
        draw_place(space, k, number, x);
        const double gap = plu_part_gap(part, x, here);
        plu_add_scaled(x, 1.0, space->edge[k]);
        const double other = plu_part_gap(part, x, there);
        const bool same = fabs(gap - other) <= rounding * scale && plu_dot(here, there) > 0.999999;
        if (!same && !(gap > 2.0 * w->largest && other > 2.0 * w->largest))
            return false;
    }
    return true;
}

/* Whether a turn moves nothing along edge k: about an axis along it, as of a drum. */
static bool turns_within(const plu_motion_spec *m, const plu_space *space, int k)
{
    const double along = fabs(plu_dot(m->axis, space->edge[k]));
    return !*m->table && along > plu_norm(space->edge[k]) * (1.0 - 1e-12);
}

/* Whether its motion or its servo may carry a boundary to or through side k. A plane goes on
 * through the sides that it is normal to none of, wherever it is shifted to. */
static bool carried(const plu_boundary_spec *b, const plu_space *space, int k)
{
    const plu_motion_spec *m = &b->motion;
    const bool turns =
        (m->rate != 0.0 || m->swing != 0.0 || *m->table) && !turns_within(m, space, k);
    const bool shifts = m->velocity[k] != 0.0 || m->amplitude[k] != 0.0 ||
                        (b->has_servo && b->servo.axis[k] != 0.0);
    return turns || (shifts && b->kind != PLU_PLANE);
}

static plu_status check_motions(plu_build *build)
{
    const plu_world *w = build->world;
    for (int i = 0; i < build->scene->boundaries_count; i++)
        for (int k = 0; k < 3; k++) {
            const plu_boundary_spec *b = &build->scene->boundaries[i];
            if (!w->space.periodic[k] || !carried(b, &w->space, k))
                continue;
            char where[PLU_PATH + 32];
            return plu_error_add(
                build->err, PLU_BAD_INPUT,
                "%s: boundary \"%s\" may move through a side of the cell along %c, and an image "
                "would have to enter on the other side; only planes, and motions along directions "
                "that are not periodic, are allowed",
                plu_scene_where(build->scene, b->where, where, sizeof where), b->name, "xyz"[k]);
        }
    return PLU_OK;
}

/* What to do where the scene did not ask for the cell itself. */
static const char *note_of_run(const plu_build *build)
{
    bool took = false;
    for (int e = 0; build->start && e < build->start->entries; e++)
        took |= build->start->entry[e].took_cell;
    return took ? "; the cell is that of the run that bodies come from: without \"cell\" in "
                  "run.keep "
                  "space is open"
                : "";
}

static plu_status check_boundaries(plu_build *build)
{
    const plu_world *w = build->world;
    for (int p = 0; p < w->parts_count; p++)
        for (int k = 0; k < 3; k++) {
            if (!w->space.periodic[k] || goes_on(w, &w->parts[p], k))
                continue;
            const plu_boundary_spec *spec = &build->scene->boundaries[w->parts[p].boundary];
            const char *lies_across = spec->kind == PLU_FIXED_SPHERE
                                          ? "; a body with fixed = true may lie across them"
                                          : "";
            char where[PLU_PATH + 32];
            plu_scene_where(build->scene, spec->where, where, sizeof where);
            return plu_error_add(build->err, PLU_BAD_INPUT,
                                 "%s: boundary \"%s\" is not the same on both sides of the cell "
                                 "along %c, in which the cell is periodic; use a plane parallel to "
                                 "%c, or keep the boundary one diameter away from both sides%s%s",
                                 where, spec->name, "xyz"[k], "xyz"[k], lies_across,
                                 note_of_run(build));
        }
    return PLU_OK;
}

/* Also from one stage to another: the mass of the edges that a stress moves, and how fast that may
 * be: a tenth of the smallest radius in a step, as boundaries with a servo. */
void plu_cell_let_yield(plu_world *w)
{
    double mass = 0.0, least = HUGE_VAL;
    w->stress_control = (plu_stress_control){.mass = 0.0};
    if (!plu_cell_yields(w->scene->cell) || w->bodies.count == 0)
        return;
    for (int b = 0; b < w->bodies.count; b++) {
        mass += 1.0 / w->bodies.row[b][6]; /* none of them is fixed */
        least = plu_min(least, w->bodies.position[b][3]);
    }
    const double given = w->scene->cell->mass;
    w->stress_control =
        (plu_stress_control){.mass = given > 0.0 ? given : mass, .limit = 0.1 * least / w->step};
}

plu_status plu_build_check_cell(plu_build *build)
{
    if (!build->scene->cell->given)
        return PLU_OK;
    plu_cell_let_yield(build->world);
    plu_status status = check_width(build);
    if (status == PLU_OK)
        status = check_boundaries(build);
    return status == PLU_OK ? check_motions(build) : status;
}
