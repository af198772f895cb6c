#include "world/groups.h"
#include "base/vec3.h"
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
