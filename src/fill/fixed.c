/* Spheres that are fixed (bodies.fixed), or move only with their group (bodies.motion): they have
 * rows of velocities without masses, so that solvers see them as boundaries, and all else as
 * spheres. They are there from the start and have no velocity of their own; a cell that moves has
 * none.
 *
 *   entry of `bodies`      fixed = true; motion = { ... };
 *   world                  rest[b] = PLU_FIXED,  mover[b] = 1 + number of the motion (0: none)
 *   motion->extent         how far the group reaches from its axis, by which its speed is judged
 *
 * The center of a motion that is not given is the middle of the box around the group's centers. */
#include "base/memory.h"
#include "base/vec3.h"
#include "fill/build.h"
#include "pluvia/body.h"
#include "pluvia/cell.h"
#include "world/groups.h"
#include <string.h>

/* Whether the scene, or the run that it comes from, has body b of an entry fixed. */
static bool is_to_be_fixed(const plu_build *build, int entry, int b)
{
    if (entry >= build->scene->bodies_count)
        return false;
    const plu_body_spec *spec = &build->scene->bodies[entry];
    if (spec->kind != PLU_FROM_RUN || spec->fixed_given)
        return spec->fixed;
    if (build->known)
        return build->known->fixed && build->known->fixed[b];
    const plu_start_entry *from = &build->start->entry[entry];
    return from->fixed && from->fixed[b - build->first[entry]];
}

static plu_status complain(const plu_build *build, int entry, int body, const char *what)
{
    char where[PLU_PATH + 32];
    plu_scene_where(build->scene, plu_build_entry_where(build, entry), where, sizeof where);
    return plu_error_add(build->err, PLU_BAD_INPUT, "%s: sphere %d is fixed, but its file %s",
                         where, body, what);
}

static plu_status fix(plu_build *build, int entry, int body)
{
    plu_world *w = build->world;
    double *row = w->bodies.row[body];
    char where[PLU_PATH + 32];
    const plu_body_spec *spec = &build->scene->bodies[entry];
    const bool file = spec->kind == PLU_FILE && !build->known;
    if (spec->kind == PLU_RESERVE)
        return plu_error_add(build->err, PLU_BAD_INPUT,
                             "%s: spheres of a reserve are not fixed: remove fixed, and fix them "
                             "by a call once they are added",
                             plu_scene_where(build->scene, spec->where, where, sizeof where));
    if (w->bodies.state[body] == PLU_WAITING)
        return complain(build, entry, body,
                        "releases it later (column time): what is fixed is there from the start");
    if (file && (plu_norm(row) > 0.0 || plu_norm(row + 3) > 0.0))
        return complain(build, entry, body, "gives it a velocity; remove the columns");
    memset(row, 0, 6 * sizeof *row);
    w->bodies.rest[body] = PLU_FIXED;
    w->fixed++;
    return PLU_OK;
}

plu_status plu_build_fixed(plu_build *build)
{
    const plu_world *w = build->world;
    for (int e = 0; e < build->entries; e++)
        for (int b = build->first[e]; b < build->first[e + 1]; b++) {
            if (w->bodies.state[b] == PLU_REMOVED || !is_to_be_fixed(build, e, b))
                continue;
            const plu_status status = fix(build, e, b);
            if (status != PLU_OK)
                return status;
        }
    return PLU_OK;
}

plu_status plu_build_check_fixed_cell(const plu_build *build)
{
    const plu_world *w = build->world;
    char where[PLU_PATH + 32];
    if (w->fixed == 0 || !plu_cell_moves(build->scene->cell))
        return PLU_OK;
    return plu_error_add(
        build->err, PLU_BAD_INPUT,
        "%s: spheres that are fixed (bodies.fixed) need a cell at rest, without "
        "cell.shear_rate, strain_rate and stress, as boundaries do",
        plu_scene_where(build->scene, build->scene->cell->size_where, where, sizeof where));
}

/* --- The groups of a scene, made after the bodies that are fixed --- */

/* In a periodic cell a group may go through its sides, but it cannot turn with all its images. */
static plu_status check(plu_build *build, const plu_motion *motion, int entry)
{
    char where[PLU_PATH + 32];
    if (motion->bound[1] == 0.0 || !build->scene->cell->given)
        return PLU_OK;
    plu_scene_where(build->scene, plu_build_entry_where(build, entry), where, sizeof where);
    return plu_error_add(build->err, PLU_BAD_INPUT,
                         "%s: the motion of these spheres turns them, but those beyond the sides "
                         "of the periodic cell cannot turn along; use a velocity or a vibration",
                         where);
}

/* The middle of the box around the centers of an entry. */
static void find_middle(const plu_build *build, int entry, double middle[3])
{
    const plu_world *w = build->world;
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int b = build->first[entry]; b < build->first[entry + 1]; b++)
        for (int k = 0; k < 3; k++) {
            low[k] = plu_min(low[k], w->bodies.position[b][k]);
            high[k] = plu_max(high[k], w->bodies.position[b][k]);
        }
    for (int k = 0; k < 3; k++)
        middle[k] = low[k] <= high[k] ? 0.5 * (low[k] + high[k]) : 0.0;
}

/* Makes the motion of a group, and finds how far the group reaches from its axis. */
static plu_status make(plu_build *build, plu_motion *motion, int entry)
{
    plu_world *w = build->world;
    const plu_body_spec *spec = &build->scene->bodies[entry];
    plu_status status = plu_build_motion(build, motion, &spec->motion, spec->where);
    motion->boundary = -1 - entry;
    if (!spec->center_given)
        find_middle(build, entry, motion->pose.center);
    for (int b = build->first[entry]; b < build->first[entry + 1]; b++) {
        double arm[3];
        if (!plu_is_fixed(w, b)) /* of a run, some may be */
            continue;
        w->mover[b] = 1 + (int)(motion - w->motions);
        plu_pose_arm(&motion->pose, w->bodies.position[b], arm);
        motion->extent = plu_max(motion->extent, plu_norm(arm) + w->bodies.position[b][3]);
    }
    motion->reach = motion->extent;
    return status == PLU_OK ? check(build, motion, entry) : status;
}

plu_status plu_build_groups(plu_build *build)
{
    plu_world *w = build->world;
    int count = 0;
    for (int e = 0; e < build->scene->bodies_count; e++)
        count += build->scene->bodies[e].moves;
    if (count == 0)
        return PLU_OK;
    w->mover = plu_alloc((size_t)w->bodies.count, sizeof *w->mover, build->err);
    plu_status status = w->mover ? PLU_OK : PLU_IO;
    for (int e = 0, m = w->motions_count - count;
         status == PLU_OK && e < build->scene->bodies_count; e++)
        if (build->scene->bodies[e].moves)
            status = make(build, &w->motions[m++], e);
    if (status != PLU_OK)
        return status;
    plu_motions_seek(w, 0);
    plu_groups_begin(w);
    return PLU_OK;
}
