/* The way of a sphere over the folds of a mesh within one step (fold.c has the law). The sphere
 * goes along facet a until it touches the next one, b, where its velocity is reflected by the
 * normal between both, and so on until the step ends:
 *
 *         a          b          c            u_1  along a, until it touches b after t_1
 *     ---------`----------`---------         u_2 = u_1 - 2 (u_1.m) m / m.m ,  m = n_a + n_b
 *        u_1 ->    `  u_2 ->   ` u_3         ...   with gravity along each of them
 *
 * `turned` is the sum of what the folds do to the velocity. All of it is in the frame of the mesh
 * at the start of the step, in which a mesh that moves stands still. */
#include "detect/fold_way.h"
#include "base/vec3.h"
#include <math.h>
#include <string.h>

enum { MOST_FOLDS = 64 };

void plu_fold_enter(plu_fold_way *x, const plu_world *w, int sphere, const plu_pose *pose)
{
    const double *at = w->spheres.at[sphere], *v = plu_sphere_velocity(w, sphere);
    *x = (plu_fold_way){.pose = pose, .left = w->step};
    memcpy(x->at, at, sizeof x->at);
    memcpy(x->v, v, sizeof x->v);
    memcpy(x->gravity, w->gravity, sizeof x->gravity);
    if (!pose)
        return;
    double arm[3], swept[3], rate[3], origin[3] = {0.0, 0.0, 0.0}, none[3];
    plu_pose_arm(pose, at, arm);
    plu_cross(pose->axis, arm, swept);
    for (int k = 0; k < 3; k++)
        rate[k] = at[k] + v[k] - pose->velocity[0][k] - pose->spin[0] * swept[k];
    plu_pose_inward(pose, &pose->now, at, x->at);
    plu_pose_inward(pose, &pose->now, rate, x->v);
    plu_sub(x->v, x->at, x->v);
    plu_pose_inward(pose, &pose->now, origin, none);
    plu_pose_inward(pose, &pose->now, w->gravity, x->gravity);
    plu_sub(x->gravity, none, x->gravity);
}

void plu_fold_leave(const plu_fold_way *x, const double inside[3], double direction[3])
{
    if (x->pose)
        plu_pose_outward(x->pose, &x->pose->now, inside, direction);
    else
        memcpy(direction, inside, 3 * sizeof *direction);
}

/* When the sphere touches the face of a facet on its way, and the normal there; NAN: it does not in
 * the time left. */
static double touch_of(const plu_fold_way *x, const plu_part *part, double normal[3])
{
    double from[3], there[4], closest[3];
    plu_sub(x->at, part->center, from);
    const double side = plu_dot(from, part->normal) < 0.0 ? -1.0 : 1.0;
    for (int k = 0; k < 3; k++)
        normal[k] = side * part->normal[k];
    const double gap = plu_dot(from, normal) - x->at[3], rate = plu_dot(x->speed, normal);
    if (!(rate < -1e-9 * plu_norm(x->speed)) || gap < -x->near)
        return NAN;
    const double time = plu_max(gap, 0.0) / -rate;
    if (!(time <= x->left))
        return NAN;
    for (int k = 0; k < 3; k++)
        there[k] = x->at[k] + time * x->speed[k];
    there[3] = x->at[3];
    (void)part->surface->gap(part, there, closest);
    return plu_dot(closest, normal) > PLU_FACE ? time : NAN;
}

/* The first facet that is touched; `end`: none. */
static size_t next_facet(const plu_detector *d, size_t begin, size_t end, const plu_fold_way *x,
                         double *time, double normal[3])
{
    size_t next = end;
    *time = HUGE_VAL;
    for (size_t k = begin; k < end; k++) {
        const plu_part *part = &d->world->parts[d->walls.pair[k].a];
        double there[3];
        const double t = plu_fold_is_of(x, part) ? touch_of(x, part, there) : NAN;
        if (!(t < *time))
            continue;
        *time = t;
        next = k;
        memcpy(normal, there, sizeof there);
    }
    return next;
}

/* It falls along the facet that bears it, or freely. */
static void fall(plu_fold_way *x, double time)
{
    const double pull = plu_dot(x->gravity, x->normal);
    plu_add_scaled(x->at, time, x->speed);
    plu_add_scaled(x->speed, time, x->gravity);
    if (pull < 0.0 && plu_dot(x->speed, x->normal) < 0.0)
        plu_add_scaled(x->speed, -plu_dot(x->speed, x->normal), x->normal);
    x->left -= time;
}

/* Goes on to the facet that is touched, and along it, no slower. */
static void turn(plu_fold_way *x, double time, const double normal[3])
{
    double middle[3], onward[3];
    fall(x, time);
    memcpy(onward, x->speed, sizeof onward);
    plu_add_scaled(onward, -plu_dot(onward, x->normal), x->normal);
    for (int k = 0; k < 3; k++)
        middle[k] = x->normal[k] + normal[k];
    plu_add_scaled(onward, -2.0 * plu_dot(onward, middle) / plu_dot(middle, middle), middle);
    const double square = plu_dot(onward, onward),
                 ratio = sqrt(plu_dot(x->speed, x->speed) / square);
    for (int k = 0; k < 3; k++) {
        const double next = ratio * onward[k];
        x->turned[k] += next - x->speed[k];
        x->speed[k] = next;
    }
    memcpy(x->normal, normal, sizeof x->normal);
}

int plu_fold_follow(const plu_detector *d, size_t begin, size_t end, plu_fold_way *x, size_t *last)
{
    double normal[3], time;
    for (int folds = 0; folds < MOST_FOLDS; folds++) {
        const size_t next = next_facet(d, begin, end, x, &time, normal);
        if (next == end) {
            const double pull = plu_dot(x->gravity, x->normal);
            x->off = 0.5 * x->left * x->left * plu_max(pull, 0.0);
            if (folds > 0)
                fall(x, x->left);
            return folds;
        }
        if (plu_dot(normal, x->normal) < PLU_SMOOTH_FOLD)
            return 0;
        turn(x, time, normal);
        *last = next;
    }
    return 0;
}
