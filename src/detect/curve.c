/* Contacts on curved ways (curve.h has the law). Here: n_m, the normal in the middle of the step,
 * and c of each kind of pair,
 *
 *     walls that stand still  n_m = n(x + h u_T / 2) ,  c = n_m.u_T
 *     two spheres             in closed form (look_lanes.c)
 *     boundaries that move    n_m by the pose at h/2; c so that the velocity at the end follows
 *                             the surface as it is there by then (curve_of_moving)
 *     flat parts              a face has no curvature; beside its edge the nearest part at h/2
 *                             counts, where n turns no more than around an edge
 *
 * and when a pair is followed: where it `lasts`, that is, where its gap is small against its way,
 * and faster than what creeps; but a sphere that touches nothing else at any speed, since its
 * swings would gain energy in each. For that the contacts of each body are counted. */
#include "detect/curve.h"
#include "base/team.h"
#include "detect/look.h"
#include "pluvia/scene.h"
#include <math.h>
#include <string.h>

static bool is_flat(const plu_part *part)
{
    return plu_surface_is_flat(part->surface);
}

static bool is_moving(const plu_part *part)
{
    return part->pose && part->pose->moves;
}

/* Where a boundary that moves is after a share of the step. */
static plu_pose pose_after(const plu_world *w, const plu_pose *pose, double share)
{
    plu_pose later = *pose;
    const double time = share * w->step;
    for (int k = 0; k < 3; k++)
        later.now.shift[k] += time * pose->velocity[PLU_MEAN][k];
    later.now.angle += time * pose->spin[PLU_MEAN];
    if (pose->turns)
        plu_placing_turn(&later.now, pose->axis);
    return later;
}

/* The gap and the normal of a sphere that has moved on with the velocity `way` for a share of the
 * step. */
static double gap_after(const plu_world *w, const plu_part *part, const double sphere[4],
                        const double way[3], double share, double normal[3])
{
    const double time = share * w->step;
    const double place[4] = {sphere[0] + time * way[0], sphere[1] + time * way[1],
                             sphere[2] + time * way[2], sphere[3]};
    if (!is_moving(part))
        return plu_part_gap(part, place, normal);
    const plu_pose pose = pose_after(w, part->pose, share);
    plu_part later = *part;
    later.pose = &pose;
    return plu_part_gap(&later, place, normal);
}

/* Of a part that moves: with n_m, what makes the velocity at the end of the step follow the surface
 * there, relative to the row that the step gives it (assemble/given_rows.c). */
static double curve_of_moving(const plu_world *w, const plu_part *part, const double sphere[4],
                              const double way[3], const plu_contact *c, const double middle[3])
{
    const plu_pose *pose = part->pose, later = pose_after(w, pose, 1.0);
    const double h = w->step, *v = plu_sphere_velocity(w, c->b), far = sphere[3] + c->gap;
    double end[3], arm[3], row[3], place[3], wall[3];
    (void)gap_after(w, part, sphere, way, 1.0, end);
    for (int k = 0; k < 3; k++)
        place[k] = sphere[k] + h * way[k];
    plu_pose_arm(&later, place, arm);
    plu_add_scaled(arm, -far, end);
    plu_pose_velocity(&later, 1, arm, end, wall);
    plu_pose_arm(pose, sphere, arm);
    plu_add_scaled(arm, -far, middle);
    for (int k = 0; k < 3; k++)
        arm[k] += (1.5 - w->scene->theta) * h * (v[k] - pose->velocity[0][k]);
    plu_pose_velocity(pose, 1, arm, middle, row);
    const double turned = (plu_dot(end, wall) - plu_dot(end, way)) / plu_dot(end, middle);
    return plu_dot(middle, row) - plu_dot(middle, way) - turned;
}

/* c of an open contact. What is not hit moves by both velocities of the step (theta = 1/2), so that
 * gravity closes half of what the new one alone would: what flies past a surface that curves away
 * is no obstacle to it. */
static double opening_of(const plu_world *w, const plu_contact *c, double curve)
{
    const double h = w->step, free = c->approach + h * plu_dot(c->normal, w->gravity);
    const bool passes = c->gap + h * (0.5 * (c->approach + free) + curve) >= 0.0;
    return curve > 0.0 && passes ? plu_max(curve, -free - c->gap / h) : curve;
}

/* The first candidate of a sphere with a wall. */
static size_t first_candidate(const plu_detector *d, int sphere)
{
    size_t low = 0, high = d->walls.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (d->walls.pair[middle].b < sphere)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The normal in the middle of the step on flat parts that stand still: of that which is nearest
 * there, its face or its edge. Beyond the edge of a facet, or of a plate, may lie the next. */
static void normal_of_flat(const plu_detector *d, int sphere, const double way[3], double normal[3])
{
    const plu_world *w = d->world;
    double least = HUGE_VAL, there[3];
    for (size_t k = first_candidate(d, sphere); k < d->walls.count && d->walls.pair[k].b == sphere;
         k++) {
        const plu_part *part = &w->parts[d->walls.pair[k].a];
        if (!is_flat(part) || is_moving(part))
            continue;
        const double gap = gap_after(w, part, w->spheres.at[sphere], way, 0.5, there);
        if (gap < least)
            memcpy(normal, there, sizeof there);
        least = plu_min(least, gap);
    }
}

/* In radii: ways around less are none, but places where a normal jumps, as in the middle of a cone
 * that a sphere fills. */
static const double least_radius = 0.01;

/* Whether the normal turns no more than around an edge, which is what the way of half a step is
 * over the radius; what is nearest in the middle of the step may be another wall beside the sphere.
 */
static bool is_edge(const plu_world *w, const plu_contact *c, const double way[3],
                    const double normal[3])
{
    const double most = 0.6 * w->step * plu_norm(way) / w->spheres.at[c->b][3];
    double turn[3];
    plu_sub(normal, c->normal, turn);
    return plu_dot(turn, turn) <= most * most;
}

/* Of flat parts that move only faces that turn are followed: they are curved in time. Whether a
 * normal in the middle of the step is that of now, turned: else an edge is nearest then. */
static bool is_face_turned(const plu_world *w, const plu_part *part, const plu_contact *c,
                           const double normal[3])
{
    static const double rounding = 1e-9;
    const plu_pose *pose = part->pose, later = pose_after(w, pose, 0.5);
    double origin[3] = {0.0, 0.0, 0.0}, tip[3], zero[3], turned[3];
    plu_pose_inward(pose, &pose->now, c->normal, tip);
    plu_pose_inward(pose, &pose->now, origin, zero);
    plu_sub(tip, zero, tip);
    plu_pose_outward(&later, &later.now, tip, turned);
    plu_sub(turned, normal, turned);
    return plu_dot(turned, turned) < rounding * rounding;
}

/* `least_way`: the least squared speed that counts. */
static void curve_wall(const plu_detector *d, plu_contact *c, double least_way)
{
    const plu_world *w = d->world;
    const plu_part *part = plu_side_surface(w, c->a);
    const double h = w->step, *sphere = w->spheres.at[c->b], *v = plu_sphere_velocity(w, c->b),
                 least = PLU_STRAIGHT * sphere[3];
    const bool moves = is_moving(part), turns = moves && plu_pose_turn(part->pose) > 0.0;
    double way[3] = {v[0], v[1], v[2]}, normal[3];
    plu_add_scaled(way, -c->approach, c->normal);
    /* No curve: planes that stand, faces that do not turn, and ways too short to tell. */
    if ((part->surface == &plu_surface_plane && !moves) || (is_flat(part) && moves && !turns) ||
        (!moves && (h * h * plu_dot(way, way) < least * least || plu_dot(way, way) <= least_way)))
        return;
    if (is_flat(part) && !moves)
        normal_of_flat(d, c->b, way, normal);
    else
        (void)gap_after(w, part, sphere, way, 0.5, normal);
    if (is_flat(part) && moves && !is_face_turned(w, part, c, normal))
        return;
    const double curve =
        moves ? curve_of_moving(w, part, sphere, way, c, normal) : plu_dot(normal, way);
    /* c = h u_T^2 / (2 R) on a radius of curvature R: one that is far smaller than the sphere is no
     * surface to follow, but a corner. */
    const double sharpest = 0.5 * h * plu_dot(way, way) / (least_radius * sphere[3]);
    if (!(h * fabs(curve) > least) ||
        (is_flat(part) && !moves && (curve < 0.0 || !is_edge(w, c, way, normal))) ||
        (!moves && fabs(curve) > sharpest))
        return;
    c->curve = curve;
    if (!plu_lasts(w, c)) {
        if (is_flat(part) && moves) {
            c->curve = 0.0;
            return;
        }
        c->curve = opening_of(w, c, plu_min(curve, plu_most_open(w) * sphere[3] / h));
        return;
    }
    if (h * curve > plu_most_curved(w) * sphere[3] ||
        c->approach < -(curve > 0.0 ? 1.0 : 4.0) * fabs(curve)) {
        c->curve = 0.0;
        return;
    }
    memcpy(c->normal, normal, sizeof normal);
}

static bool is_round(const plu_world *w, const plu_contact *c)
{
    const plu_part *part = plu_side_surface(w, c->a);
    return !is_flat(part) && !is_moving(part);
}

/* Of two spheres that stick to each other and turn too slowly for all others. */
static void curve_bond(const plu_detector *d, plu_contact *c)
{
    const plu_world *w = d->world;
    const int a = plu_side_sphere(c->a);
    const double *xa = w->spheres.at[a], *xb = w->spheres.at[c->b];
    double rate[3];
    if (c->curve != 0.0 || !(plu_law_of(w, c)->cohesion > 0.0))
        return;
    plu_rate_from(&w->space, plu_side_image(c->a), plu_sphere_velocity(w, a),
                  plu_sphere_velocity(w, c->b), rate);
    plu_curve_spheres(w, plu_min(xa[3], xb[3]), xa[3] + xb[3] + c->gap, rate, 0.0, c);
}

/* Contacts of a body that is not fixed are counted up to about FEW + 1. */
enum { FEW = 2 };

static void count_one(const plu_detector *d, int sphere)
{
    unsigned char *count = &d->crowd[plu_owner(&d->world->spheres, sphere)], now;
    if (plu_sphere_fixed(d->world, sphere))
        return;
#pragma omp atomic read
    now = *count;
    if (now <= FEW)
#pragma omp atomic update
        ++*count;
}

static void count_each(const plu_detector *d)
{
#pragma omp for schedule(static)
    for (int k = 0; k < d->live_count; k++) {
        const plu_contact *c = &d->now.contact[d->live[k]];
        count_one(d, c->b);
        if (plu_side_is_sphere(c->a))
            count_one(d, plu_side_sphere(c->a));
    }
}

static int contacts_of(const plu_detector *d, int sphere)
{
    return d->crowd[plu_owner(&d->world->spheres, sphere)];
}

/* A sphere that touches nothing else follows a wall at any speed, and so do bonds in pairs and
 * chains each other: swings that turn slowly would gain energy in each. They do not creep. */
static void curve_each(const plu_detector *d, int first, bool counts)
{
    const double least_way = plu_least_way(d->world);
    if (counts)
        count_each(d);
    if (d->world->coheres)
#pragma omp for schedule(static)
        for (int k = 0; k < first; k++) {
            plu_contact *c = &d->now.contact[d->live[k]];
            if (contacts_of(d, c->b) <= FEW && contacts_of(d, plu_side_sphere(c->a)) <= FEW)
                curve_bond(d, c);
        }
#pragma omp for schedule(static) nowait
    for (int k = first; k < d->live_count; k++) {
        plu_contact *c = &d->now.contact[d->live[k]];
        const bool alone = counts && is_round(d->world, c) && contacts_of(d, c->b) == 1;
        curve_wall(d, c, alone ? 0.0 : least_way);
    }
}

/* Whether the numbers of contacts matter: where something sticks, or is on what is round. */
static bool may_swing(const plu_detector *d, int first)
{
    int k = first;
    while (k < d->live_count && !is_round(d->world, &d->now.contact[d->live[k]]))
        k++;
    return d->world->coheres || k < d->live_count;
}

void plu_curve_contacts(plu_detector *d)
{
    const int walls = plu_contact_place(&d->now, PLU_FIRST_WALL, 0);
    int first = d->live_count;
    while (first > 0 && d->live[first - 1] >= walls)
        first--;
    const bool counts = may_swing(d, first);
    if (!d->world->curves || (first == d->live_count && !counts))
        return;
    if (counts)
        memset(d->crowd, 0, (size_t)d->world->bodies.count);
    PLU_TEAM(plu_many(counts ? d->live_count : d->live_count - first, 4000),
             curve_each(d, first, counts));
}
