/* How spheres pass what they touch in a step: rates, turns of normals, ways. */
#include "step/passes.h"
#include "base/vec3.h"
#include "step/rules.h"
#include <math.h>
#include <string.h>

/* The motion of a part. */
static const plu_motion *motion_of(const plu_world *w, const plu_pose *pose)
{
    int m = 0;
    while (&w->motions[m].pose != pose)
        m++;
    return &w->motions[m];
}

/* Velocity of the place of a wall where sphere b is, as far as it changes the surface: a belt, and
 * a tube that turns about its axis, stay where they are. */
static void wall_velocity(const plu_world *w, const plu_pose *pose, int b, double velocity[3])
{
    double arm[3], turning[3], spin[3];
    memcpy(velocity, pose->velocity[1], 3 * sizeof *velocity);
    if (plu_motion_is_round(motion_of(w, pose)))
        return;
    for (int k = 0; k < 3; k++)
        spin[k] = pose->spin[1] * pose->axis[k];
    plu_pose_arm(pose, w->spheres.at[b], arm);
    plu_cross(spin, arm, turning);
    plu_add_scaled(velocity, 1.0, turning);
}

void plu_pass_rate(const plu_world *w, const plu_contact *c, double u[3])
{
    const double *v = plu_sphere_velocity(w, c->b);
    const plu_pose *pose = plu_side_pose(w, c->a);
    double wall[3];
    if (plu_side_is_sphere(c->a)) {
        plu_rate_from(&w->space, plu_side_image(c->a),
                      plu_sphere_velocity(w, plu_side_sphere(c->a)), v, u);
        return;
    }
    memcpy(u, v, 3 * sizeof *u);
    if (!pose || !pose->moves)
        return;
    wall_velocity(w, pose, c->b, wall);
    plu_add_scaled(u, -1.0, wall);
}

/* By how much the normal of a wall differs where the sphere will be: of that surface, or of another
 * that is nearer there and continues it. */
static double turn_on_wall(const plu_world *w, const plu_contact *c, bool lasts,
                           const double way[3])
{
    const double *x = w->spheres.at[c->b];
    const double there[4] = {x[0] + way[0], x[1] + way[1], x[2] + way[2], x[3]};
    double normal[3], differs[3];
    const double gap = plu_part_gap(plu_side_surface(w, c->a), there, normal);
    plu_sub(normal, c->normal, differs);
    /* A contact that lasts has the normal of the middle of the step. */
    const double whole = lasts ? 2.0 : 1.0;
    double least = whole * plu_norm(differs);
    if (least <= plu_rule_limit(PLU_RULE_TURN))
        return least;
    plu_part_search search = plu_parts_near(there, x[3] + fabs(gap));
    for (int part; (part = plu_part_next(&w->tree, &search)) >= 0;) {
        if (plu_part_gap(&w->parts[part], there, normal) > gap)
            continue;
        plu_sub(normal, c->normal, differs);
        least = plu_min(least, whole * plu_norm(differs));
    }
    return least;
}

double plu_pass_turn(const plu_world *w, const plu_contact *c, bool lasts, const double u[3])
{
    double way[3];
    for (int k = 0; k < 3; k++)
        way[k] = w->step * (u[k] - plu_dot(u, c->normal) * c->normal[k]);
    if (!plu_side_is_sphere(c->a))
        return turn_on_wall(w, c, lasts, way);
    const double apart = w->spheres.at[plu_side_sphere(c->a)][3] + w->spheres.at[c->b][3] + c->gap;
    return plu_norm(way) / plu_max(apart, w->spheres.at[c->b][3]);
}

double plu_pass_travel(const plu_world *w, const plu_contact *c, const double u[3], double turn)
{
    const double d = 2.0 * plu_pair_radius(w, c->a, c->b);
    return plu_side_is_sphere(c->a) ? w->step * plu_norm(u) / d
                                    : w->step * fabs(plu_dot(u, c->normal)) / d + turn;
}
