/* The pose of a boundary: its center is shifted, and it is turned by the angle phi about the unit
 * vector a (Rodrigues),
 *
 *   R = cos phi I + (1 - cos phi) a a^T + sin phi [a]x ,   [a]x b = a x b .
 *
 * A point that moves with it has the velocity V + Omega a x arm, the arm being from its center.
 *
 *   world x  --inward-->  x' = c + R^T (x - s - c)     in the frame in which the surface was made
 *   n        <--outward-- n = R n'                     directions back
 *
 * Surfaces know nothing of motions: they are asked in their own frame, at the pose of now, of
 * before the step, or ahead. Whether something passed through is asked along straight ways in that
 * frame; a boundary that turns by more than 0.1 rad in a step is followed in pieces. */
#include "shape/pose.h"
#include "base/vec3.h"
#include "shape/shape.h"
#include <string.h>

/* Rodrigues' formula. */
void plu_placing_turn(plu_placing *placing, const double a[3])
{
    const double c = cos(placing->angle), s = sin(placing->angle);
    const double cross[3][3] = {{0.0, -a[2], a[1]}, {a[2], 0.0, -a[0]}, {-a[1], a[0], 0.0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            placing->turn[i][j] = c * (i == j) + (1.0 - c) * a[i] * a[j] + s * cross[i][j];
}

void plu_pose_inward(const plu_pose *pose, const plu_placing *placing, const double x[3],
                     double inside[3])
{
    if (!pose->turns) {
        plu_sub(x, placing->shift, inside);
        return;
    }
    double arm[3];
    for (int k = 0; k < 3; k++)
        arm[k] = x[k] - placing->shift[k] - pose->center[k];
    for (int k = 0; k < 3; k++)
        inside[k] = pose->center[k] + placing->turn[0][k] * arm[0] + placing->turn[1][k] * arm[1] +
                    placing->turn[2][k] * arm[2];
}

void plu_pose_outward(const plu_pose *pose, const plu_placing *placing, const double inside[3],
                      double direction[3])
{
    if (!pose->turns) {
        memcpy(direction, inside, 3 * sizeof *direction);
        return;
    }
    for (int k = 0; k < 3; k++)
        direction[k] = plu_dot(placing->turn[k], inside);
}

void plu_pose_arm(const plu_pose *pose, const double x[3], double arm[3])
{
    for (int k = 0; k < 3; k++)
        arm[k] = x[k] - pose->center[k] - pose->now.shift[k];
}

void plu_pose_velocity(const plu_pose *pose, int which, const double arm[3], const double normal[3],
                       double velocity[3])
{
    const double *belt = pose->belt[which];
    const double across = plu_dot(belt, normal);
    double swept[3];
    plu_cross(pose->axis, arm, swept);
    for (int k = 0; k < 3; k++)
        velocity[k] =
            pose->velocity[which][k] + pose->spin[which] * swept[k] + belt[k] - across * normal[k];
}

/* A surface of revolution that turns about its own axis does not change its place. */
bool plu_is_axis_of(const double center[3], const double axis[3], const double about[3],
                    const double direction[3], bool anywhere)
{
    static const double rounding = 1e-12;
    double cross[3], apart[3], beside[3];
    plu_cross(axis, direction, cross);
    plu_sub(about, center, apart);
    plu_cross(axis, apart, beside);
    return plu_norm(cross) <= rounding &&
           (anywhere || plu_norm(beside) <= rounding * (plu_norm(about) + plu_norm(center)));
}

void plu_pose_ahead(const plu_pose *pose, double step, double theta, double share,
                    plu_placing *placing)
{
    const double way = share * step;
    *placing = pose->now;
    for (int k = 0; k < 3; k++)
        placing->shift[k] +=
            way * (theta * pose->velocity[1][k] + (1.0 - theta) * pose->velocity[0][k]);
    if (!pose->turns)
        return;
    placing->angle += way * (theta * pose->spin[1] + (1.0 - theta) * pose->spin[0]);
    plu_placing_turn(placing, pose->axis);
}

/* The faster rate of the start and the end of the step. */
double plu_pose_turn(const plu_pose *pose)
{
    return plu_max(fabs(pose->spin[0]), fabs(pose->spin[1]));
}

/* A rigid motion: the point of the surface that is nearest to a place within reach is as far from
 * the axis as that place and the way to it. */
double plu_pose_speed(const plu_pose *pose, const double point[3], double reach)
{
    const double speed = plu_max(plu_norm(pose->velocity[0]), plu_norm(pose->velocity[1]));
    double arm[3];
    if (plu_pose_turn(pose) == 0.0)
        return speed;
    plu_pose_arm(pose, point, arm);
    plu_add_scaled(arm, -plu_dot(arm, pose->axis), pose->axis);
    return speed + plu_pose_turn(pose) * (plu_norm(arm) + reach);
}

double plu_posed_gap_ahead(const plu_part *part, double step, double theta, double share,
                           const double sphere[4], double normal[3], double surface[3])
{
    plu_pose then = *part->pose;
    plu_part moved = *part;
    double arm[3];
    moved.pose = &then;
    plu_pose_ahead(part->pose, step, theta, share, &then.now);
    const double gap = plu_posed_gap(&moved, sphere, normal);
    if (then.gone)
        return gap;
    plu_pose_arm(&then, sphere, arm);
    plu_add_scaled(arm, -(sphere[3] + gap), normal);
    plu_pose_velocity(&then, 1, arm, normal, surface);
    return gap;
}

double plu_posed_gap(const plu_part *part, const double sphere[4], double normal[3])
{
    const plu_pose *pose = part->pose;
    double inside[4], own[3];
    if (pose->gone) {
        normal[0] = normal[1] = 0.0;
        normal[2] = 1.0;
        return HUGE_VAL;
    }
    plu_pose_inward(pose, &pose->now, sphere, inside);
    inside[3] = sphere[3];
    const double gap = part->surface->gap(part, inside, own);
    plu_pose_outward(pose, &pose->now, own, normal);
    return gap;
}

static bool passed_from(const plu_part *part, const plu_placing *start, const double a[3],
                        const double b[3])
{
    const plu_pose *pose = part->pose;
    double from[3], to[3];
    if (pose->gone)
        return false;
    plu_pose_inward(pose, start, a, from);
    plu_pose_inward(pose, &pose->now, b, to);
    return part->surface->passed(part, from, to);
}

bool plu_posed_passed(const plu_part *part, const double a[3], const double b[3])
{
    return passed_from(part, &part->pose->now, a, b);
}

bool plu_part_passed_in_step(const plu_part *part, const double a[3], const double b[3])
{
    return part->pose ? passed_from(part, &part->pose->before, a, b)
                      : part->surface->passed(part, a, b);
}

/* Rad: a part that turns by more is looked at in pieces of its way, and at most so many. */
static const double turn_of_piece = 0.1;
enum { MOST_PIECES = 256 };

/* Where it was at a share of the step that ended. */
static plu_placing placing_then(const plu_pose *pose, double share)
{
    plu_placing then = pose->before;
    for (int k = 0; k < 3; k++)
        then.shift[k] += share * (pose->now.shift[k] - pose->before.shift[k]);
    then.angle += share * (pose->now.angle - pose->before.angle);
    if (pose->turns)
        plu_placing_turn(&then, pose->axis);
    return then;
}

/* A straight way, from one share of the step to another. */
static bool passed_between(const plu_part *part, const double a[3], double from, const double b[3],
                           double to)
{
    const plu_pose *pose = part->pose;
    const double turn = fabs(pose->now.angle - pose->before.angle) * (to - from);
    const int pieces = (int)plu_min(1.0 + turn / turn_of_piece, MOST_PIECES);
    double last[3], next[3], at[3];
    plu_placing then = placing_then(pose, from);
    plu_pose_inward(pose, &then, a, last);
    for (int n = 1; n <= pieces; n++) {
        const double share = (double)n / pieces;
        for (int k = 0; k < 3; k++)
            at[k] = a[k] + share * (b[k] - a[k]);
        then = placing_then(pose, from + share * (to - from));
        plu_pose_inward(pose, &then, at, next);
        if (part->surface->passed(part, last, next))
            return true;
        memcpy(last, next, sizeof last);
    }
    return false;
}

bool plu_part_passed_along(const plu_part *part, const double a[3], const double bend[3],
                           double when, const double b[3])
{
    const plu_pose *pose = part->pose;
    const bool straight = when >= 1.0 || when <= 0.0;
    if (!pose || (straight && fabs(pose->now.angle - pose->before.angle) <= turn_of_piece))
        return straight
                   ? plu_part_passed_in_step(part, a, b)
                   : part->surface->passed(part, a, bend) || part->surface->passed(part, bend, b);
    if (pose->gone)
        return false;
    return straight ? passed_between(part, a, 0.0, b, 1.0)
                    : passed_between(part, a, 0.0, bend, when) ||
                          passed_between(part, bend, when, b, 1.0);
}

double plu_pose_sagitta(const plu_pose *pose, const double a[3], const double b[3])
{
    const double turn = fabs(pose->now.angle - pose->before.angle);
    double start[3], end[3];
    if (turn <= turn_of_piece)
        return 0.0;
    plu_pose_arm(pose, a, start);
    plu_pose_arm(pose, b, end);
    return plu_max(plu_norm(start), plu_norm(end)) * plu_min(turn, 2.0);
}
