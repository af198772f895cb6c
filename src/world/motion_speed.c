/* How fast boundaries move: the velocity of the place of a boundary that is farthest from its axis,
 * |V| + |Omega| arm. `reach` is the arm of what changes place by turning (0 of a surface of
 * revolution that turns about its axis), `extent` that of all points, also of those that only slide
 * along; endless surfaces have the arm of the farthest body. Of oscillations that pause at their
 * turning points the bounds of a whole period count (`slowest`), so that nobody falls asleep at
 * one. */
#include "base/vec3.h"
#include "pluvia/motion.h"
#include "world/motion.h"

double plu_motion_speed(const plu_motion *motion, double far)
{
    const plu_pose *p = &motion->pose;
    const double arm = motion->endless ? far : motion->reach;
    double most = 0.0;
    for (int which = 0; which < PLU_RATES; which++)
        most = plu_max(most, plu_norm(p->velocity[which]) + fabs(p->spin[which]) * arm);
    return most;
}

double plu_motion_speed_squared(const plu_motion *motion)
{
    const plu_pose *p = &motion->pose;
    const double arm = isfinite(motion->extent) ? motion->extent : 0.0;
    double most = 0.0;
    for (int which = 0; which < PLU_RATES; which++)
        most = plu_max(most, plu_norm(p->velocity[which]) + plu_norm(p->belt[which]) +
                                 fabs(p->spin[which]) * arm);
    return most * most;
}

/* The lesser one of those that are not 0. */
static double lesser_motion(double a, double b)
{
    return a > 0.0 && b > 0.0 ? plu_min(a, b) : plu_max(a, b);
}

static double slowest(const plu_motion *motion, double radius)
{
    const plu_pose *p = &motion->pose;
    const plu_motion_spec *spec = motion->driven ? NULL : motion->spec;
    double along = 0.0, belt = 0.0, spin = 0.0;
    for (int which = 0; which < PLU_RATES && p->moves; which++) { /* what is taken away does not */
        along = plu_max(along, plu_norm(p->velocity[which]));
        belt = plu_max(belt, plu_norm(p->belt[which]));
        spin = plu_max(spin, fabs(p->spin[which]));
    }
    if (along > 0.0 && spec && spec->frequency > 0.0)
        along = motion->bound[0];
    if (spin > 0.0 && spec && spec->swing_frequency > 0.0)
        spin = motion->bound[1];
    return lesser_motion(along, lesser_motion(belt, spin * radius));
}

double plu_motions_slowest(const plu_world *w)
{
    double least = 0.0;
    for (int m = 0; m < w->motions_count && isfinite(w->smallest); m++)
        least = lesser_motion(least, slowest(&w->motions[m], w->smallest));
    return least > 0.0 ? least : INFINITY;
}

bool plu_motions_move(const plu_world *w)
{
    bool any = false;
    for (int m = 0; m < w->motions_count; m++)
        any |= w->motions[m].pose.moves;
    return any;
}

double plu_motions_change(const plu_world *w)
{
    double most = 0.0;
    for (int m = 0; m < w->motions_count; m++) {
        const plu_pose *p = &w->motions[m].pose;
        const double arm = isfinite(w->motions[m].extent) ? w->motions[m].extent : 0.0;
        double change[3];
        plu_sub(p->velocity[1], p->velocity[0], change);
        most = plu_max(most, plu_norm(change) + fabs(p->spin[1] - p->spin[0]) * arm);
    }
    return most;
}

/* The farthest of all bodies from the center of a motion, also of those that wait (m). */
static double farthest_body(const plu_world *w, const plu_motion *motion)
{
    double most = 0.0;
    for (int i = 0; i < w->bodies.count; i++) {
        double arm[3];
        plu_pose_arm(&motion->pose, w->bodies.position[i], arm);
        most = plu_max(most, plu_norm(arm) + w->bodies.position[i][3]);
    }
    return most;
}

double plu_motions_fastest(const plu_world *w)
{
    double most = 0.0;
    for (int m = 0; m < w->motions_count; m++) {
        const plu_motion *motion = &w->motions[m];
        const double far = motion->most[1] == 0.0     ? 0.0
                           : isfinite(motion->extent) ? motion->extent
                                                      : farthest_body(w, motion);
        most = plu_max(most, motion->most[0] + motion->most[1] * far);
    }
    return most;
}
