/* The groups of a scene, made after the bodies that are fixed. */
#include "base/memory.h"
#include "base/vec3.h"
#include "fill/build.h"
#include "world/groups.h"

/* In a periodic cell a group may go through its sides, but it cannot turn with all its images. */
static plu_status check(plu_build *build, const plu_motion *motion, int entry)
{
    char where[PLU_PATH + 32];
    if (motion->bound[1] == 0.0 || !build->scene->cell.given)
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

/* Its motion, and how far the group reaches from the axis. */
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
