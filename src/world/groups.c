#include "world/groups.h"
#include "base/memory.h"
#include "base/vec3.h"
#include "world/build.h"
#include <string.h>

bool plu_groups_move(const plu_world *w)
{
    bool any = false;
    for (int m = 0; m < w->motions_count && w->mover; m++)
        any |= w->motions[m].boundary < 0 && w->motions[m].pose.moves;
    return any;
}

/* The velocity of a pose at the point `arm` from its center. */
static void velocity_at(const plu_pose *pose, int which, const double arm[3], double velocity[6])
{
    double swept[3];
    plu_cross(pose->axis, arm, swept);
    for (int k = 0; k < 3; k++) {
        velocity[k] = pose->velocity[which][k] + pose->spin[which] * swept[k];
        velocity[3 + k] = pose->spin[which] * pose->axis[k];
    }
}

/* The arm after the group has turned by an angle. */
static void turn_arm(const double axis[3], double angle, const double arm[3], double turned[3])
{
    plu_placing placing = {.angle = angle};
    plu_placing_turn(&placing, axis);
    for (int k = 0; k < 3; k++)
        turned[k] = plu_dot(placing.turn[k], arm);
}

void plu_groups_begin(plu_world *w)
{
    for (int b = 0; b < w->bodies.count && w->mover; b++) {
        const plu_motion *motion = plu_group_of(w, b);
        double arm[3];
        if (!motion)
            continue;
        plu_pose_arm(&motion->pose, w->bodies.position[b], arm);
        velocity_at(&motion->pose, 0, arm, w->bodies.row[b]);
    }
}

void plu_group_velocity(const plu_world *w, int b, double velocity[6])
{
    const plu_pose *pose = &plu_group_of(w, b)->pose;
    double arm[3], later[3];
    plu_pose_arm(pose, w->bodies.position[b], arm);
    turn_arm(pose->axis, w->step * pose->spin[PLU_MEAN], arm, later);
    velocity_at(pose, 1, later, velocity);
}

/* q <- rotation by the angle about the axis, times q. */
static void turn_body(const double axis[3], double angle, double q[4])
{
    const double c = cos(0.5 * angle), s = sin(0.5 * angle);
    double cross[3], along = plu_dot(axis, q + 1), old = q[0], length = 0.0;
    plu_cross(axis, q + 1, cross);
    q[0] = c * old - s * along;
    for (int k = 0; k < 3; k++)
        q[1 + k] = c * q[1 + k] + s * (old * axis[k] + cross[k]);
    for (int k = 0; k < 4; k++)
        length += q[k] * q[k];
    for (int k = 0; k < 4; k++)
        q[k] /= sqrt(length);
}

static void carry(plu_world *w, int b, const plu_pose *pose)
{
    PLU_SPHERES_ARE_BODIES; /* the sphere goes along */
    double *x = w->bodies.position[b];
    const double angle = pose->now.angle - pose->before.angle;
    if (angle == 0.0) {
        for (int k = 0; k < 3; k++)
            x[k] += pose->now.shift[k] - pose->before.shift[k];
        return;
    }
    double arm[3], turned[3];
    for (int k = 0; k < 3; k++)
        arm[k] = x[k] - pose->center[k] - pose->before.shift[k];
    turn_arm(pose->axis, angle, arm, turned);
    for (int k = 0; k < 3; k++)
        x[k] = pose->center[k] + pose->now.shift[k] + turned[k];
    turn_body(pose->axis, angle, w->bodies.orientation[b]);
}

void plu_groups_end(plu_world *w)
{
    for (int b = 0; b < w->bodies.count && w->mover; b++) {
        const plu_motion *motion = plu_group_of(w, b);
        double arm[3];
        if (!motion)
            continue;
        carry(w, b, &motion->pose);
        plu_pose_arm(&motion->pose, w->bodies.position[b], arm);
        velocity_at(&motion->pose, 0, arm, w->bodies.row[b]);
    }
}

/* In a periodic cell a group may go through its sides, but it cannot turn with all its images. */
static plu_status check(plu_build *build, const plu_motion *motion, int entry)
{
    char where[PLU_PATH + 32];
    if (motion->told[1] == 0.0 || !build->scene->cell.given)
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
