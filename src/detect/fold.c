/* Folds of a mesh (src/theory.md, "Folds"): a sphere that goes along a facet, over a fold into the
 * next one, goes along the surface that the mesh stands for. Taken as they are, facets meet it with
 * an impact each, and those around a tube take what no tube takes.
 *
 * At the moment at which it touches the next facet, b, its velocity u along the facet a is
 * reflected by the normal between both, so that it goes along b, no slower, whatever e:
 *
 *     u' = u - 2 (u.m) m / m.m ,   m = n_a + n_b
 *
 * A step may go over several folds, and gravity acts on the way, along facets or off them. The
 * contact with the last of their facets has the normal n of all that they do to it, and
 *
 *     w_N = -n.v' ,   v': the velocity at the end of that way
 *
 * It goes on along the surface (curve.h), whatever else touches the sphere; only that it turns at
 * the moment t at which the sphere comes to that facet, not in the middle of the step
 * (assemble/turn.h). */
#include "base/team.h"
#include "base/vec3.h"
#include "detect/look.h"
#include "detect/swift.h"
#include "pluvia/scene.h"
#include <math.h>
#include <string.h>

enum { MOST_FOLDS = 64 };

/* Cosine of the angle (15 degrees, and what rounding adds) between facets up to which a fold is one
 * of a surface that is smooth; and the most that a way turns in a step by several (rad, squared).
 */
static const double smooth = 0.9659258262890683 - 1e-6, most_turn = 1.0;

/* The least turn (rad, squared), and the cosine of a normal with that of the facet if it is met
 * with its face. */
static const double least_turn = 1e-20, face = 1.0 - 1e-9;

/* In radii: how far from a facet a sphere is that goes along it, or how deep in it, as after a
 * landing in a long step: it would sink by the next facets otherwise, faster than the projection
 * lifts it; and over its speed: how fast it may come nearer or go away. */
static const double lasts = 1e-2, sunk = 0.9, along = 0.02;

/* Beside a fold: over the width of the facet and the turn (rad), for gravity takes a ball off a
 * long facet by more, that of an arc; in radii, at most; and over the turn and the speed. */
static const double near_by_arc = 0.125, most_near = 0.25, along_by_turn = 0.5;

/* The most (m): what overlaps by the slop is left so. */
static double near_of(const plu_world *w, double radius)
{
    return (lasts + 2.5 * w->scene->slop) * radius;
}

/* A way over facets. */
typedef struct way {
    double near;                       /* m */
    double at[4], speed[3], normal[3]; /* of the facet that it is on */
    double turned[3];                  /* m/s: what folds have changed its velocity by */
    double left;                       /* s */
    double off;                        /* m: what gravity takes it off the last facet by */
    size_t on;                         /* the candidate that it started on */
} way;

/* When the sphere touches the face of a facet on its way, and the normal there; NAN: it does not in
 * the time left. */
static double touch_of(const way *x, const plu_part *part, double normal[3])
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
    (void)plu_part_gap(part, there, closest);
    return plu_dot(closest, normal) > face ? time : NAN;
}

/* The first facet that is touched; `end`: none. */
static size_t next_facet(const plu_detector *d, size_t begin, size_t end, const way *x,
                         double *time, double normal[3])
{
    size_t next = end;
    *time = HUGE_VAL;
    for (size_t k = begin; k < end; k++) {
        const plu_part *part = &d->world->parts[d->walls.pair[k].a];
        double there[3];
        const double t = plu_is_facet(part) ? touch_of(x, part, there) : NAN;
        if (!(t < *time))
            continue;
        *time = t;
        next = k;
        memcpy(normal, there, sizeof there);
    }
    return next;
}

/* It falls along the facet that bears it, or freely. */
static void fall(way *x, double time, const double gravity[3])
{
    const double pull = plu_dot(gravity, x->normal);
    plu_add_scaled(x->at, time, x->speed);
    plu_add_scaled(x->speed, time, gravity);
    if (pull < 0.0 && plu_dot(x->speed, x->normal) < 0.0)
        plu_add_scaled(x->speed, -plu_dot(x->speed, x->normal), x->normal);
    x->left -= time;
}

/* Goes on to the facet that is touched, and along it, no slower. */
static void turn(way *x, double time, const double normal[3], const double gravity[3])
{
    double middle[3], onward[3];
    fall(x, time, gravity);
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

/* The least height of a triangle (m). */
static double width_of(const plu_part *part)
{
    double last[3], cross[3];
    plu_sub(part->axis[1], part->axis[0], last);
    plu_cross(part->axis[0], part->axis[1], cross);
    return plu_norm(cross) / plu_max(plu_norm(last), sqrt(plu_max(part->half[0], part->half[1])));
}

/* Whether a sphere is over a facet, or *beside it by so much of its width as it is before it comes
 * to the next when gravity has taken it off; the gap to its plane, and its normal on this side. */
static bool is_over(const plu_part *part, const double at[4], bool *beside, double *gap,
                    double normal[3])
{
    double from[3];
    if (!plu_is_facet(part))
        return false;
    const double nearest = plu_part_gap(part, at, normal) + at[3];
    *beside = fabs(plu_dot(normal, part->normal)) < face;
    plu_sub(at, part->center, from);
    const double height = plu_dot(from, part->normal), side = height < 0.0 ? -1.0 : 1.0;
    const double most = near_by_arc * width_of(part);
    for (int k = 0; k < 3; k++)
        normal[k] = side * part->normal[k];
    *gap = side * height - at[3];
    return *gap >= -sunk * at[3] && !(*beside && nearest * nearest - height * height > most * most);
}

/* What a fold beside a facet with this normal turns the velocity by (its sine), or has turned it
 * by, at most. */
static double turn_beside(const plu_detector *d, size_t begin, size_t end, const double normal[3],
                          const double v[3])
{
    const double speed = plu_norm(v);
    double most = 0.0;
    for (size_t k = begin; k < end; k++) {
        const plu_part *part = &d->world->parts[d->walls.pair[k].a];
        const double cosine = plu_is_facet(part) ? fabs(plu_dot(part->normal, normal)) : 0.0;
        if (cosine >= smooth)
            most = plu_max(most, fabs(plu_dot(part->normal, v)) / speed);
    }
    return plu_min(most, 0.26);
}

/* Whether the sphere goes along a facet of its candidates from begin to end - 1: that which it
 * comes nearer to or leaves most slowly. */
static bool goes_along(const plu_detector *d, size_t begin, size_t end, way *x)
{
    const plu_world *w = d->world;
    const int sphere = d->walls.pair[begin].b;
    const double *v = plu_sphere_velocity(w, sphere);
    const double speed = plu_norm(v);
    double least = HUGE_VAL, normal[3], gap = 0.0;
    bool found = false;
    *x = (way){.left = w->step, .near = near_of(w, w->spheres.at[sphere][3])};
    memcpy(x->at, w->spheres.at[sphere], sizeof x->at);
    for (size_t k = begin; k < end; k++) {
        double there;
        bool beside;
        if (!is_over(&w->parts[d->walls.pair[k].a], x->at, &beside, &there, normal))
            continue;
        const double rate = fabs(plu_dot(normal, v)), worth = rate + (beside ? 1e-3 * speed : 0.0);
        if (worth >= least)
            continue;
        const double turn = turn_beside(d, begin, end, normal, v);
        const double arc = near_by_arc * turn * width_of(&w->parts[d->walls.pair[k].a]);
        if (there > plu_max(x->near, plu_min(arc, most_near * x->at[3])) ||
            rate >= plu_max(along, along_by_turn * turn) * speed + sqrt(plu_least_way(w)))
            continue;
        found = true;
        x->on = k;
        gap = there;
        least = worth;
        memcpy(x->normal, normal, sizeof normal);
    }
    plu_add_scaled(x->at, plu_max(-gap, 0.0), x->normal); /* not below its facet */
    memcpy(x->speed, v, sizeof x->speed);
    plu_add_scaled(x->speed, -plu_min(plu_dot(v, x->normal), 0.0), x->normal);
    return found;
}

/* The way through the step: the number of folds, and the candidate of the last of them. 0: none, or
 * an edge or a corner. */
static int follow(const plu_detector *d, size_t begin, size_t end, way *x, size_t *last)
{
    double normal[3], time;
    for (int folds = 0; folds < MOST_FOLDS; folds++) {
        const size_t next = next_facet(d, begin, end, x, &time, normal);
        if (next == end) {
            const double pull = plu_dot(d->world->gravity, x->normal);
            x->off = 0.5 * x->left * x->left * plu_max(pull, 0.0);
            if (folds > 0)
                fall(x, x->left, d->world->gravity);
            return folds;
        }
        if (plu_dot(normal, x->normal) < smooth)
            return 0;
        turn(x, time, normal, d->world->gravity);
        *last = next;
    }
    return 0;
}

/* Whether a fold beside the facet that it is on turns it by more than it comes towards that facet:
 * within what a mesh tells of its surface it goes along. */
static bool is_smooth(const plu_detector *d, size_t begin, size_t end, const way *x, double towards)
{
    const double least = towards / plu_norm(x->speed);
    for (size_t k = begin; k < end; k++) {
        const plu_part *part = &d->world->parts[d->walls.pair[k].a];
        const double cosine = plu_is_facet(part) ? fabs(plu_dot(part->normal, x->normal)) : 0.0;
        if (cosine >= smooth && 1.0 - cosine * cosine > least * least)
            return true;
    }
    return false;
}

/* The other facets of the surface that it touches in the step, also those in one plane with that of
 * its contact, are bounds that do not matter: it would bounce off them. */
static void leave_others(plu_swift_search *found, size_t begin, size_t end, size_t last,
                         const double normal[3])
{
    const plu_detector *d = found->d;
    const plu_world *w = d->world;
    const int sphere = d->walls.pair[last].b;
    const double least = 1e-6 * w->spheres.at[sphere][3];
    for (size_t k = begin; k < end; k++) {
        const plu_part *part = &w->parts[d->walls.pair[k].a];
        const double cosine = plu_is_facet(part) ? fabs(plu_dot(part->normal, normal)) : 0.0;
        plu_contact c;
        if (k == last || cosine < smooth || !plu_look_at_wall(&d->sight, d->walls.pair[k], &c) ||
            (cosine < face && c.gap <= least))
            continue;
        const uint64_t key = plu_contact_key(w, &c);
        const int place = plu_contact_place(&d->now, key, 0);
        if (place == d->now.count || d->now.key[place] != key)
            continue;
        c.gap = plu_max(c.gap, 2.0 * w->step * plu_norm(plu_sphere_velocity(w, sphere)));
        plu_swift_note(found, &c, (plu_swift){.when = 2.0, .bias = c.gap / w->step});
    }
}

/* plu_swift.early of a contact that bears `size` (m/s), and turns by `turned` times n of it. */
static double early_of(const plu_world *w, double when, double turned, const double n[3],
                       double size)
{
    return size > 0.0 ? (0.5 - when) * w->step * turned * plu_dot(w->gravity, n) / size : 0.0;
}

/* What goes along a facet, and comes nearer to it as slowly as folds and gravity leave it, touches
 * it without a bounce, whatever its restitution: else it would hop, and meet the next folds from
 * above. */
static bool lies_down(plu_swift_search *found, size_t begin, size_t end, const way *x)
{
    const plu_world *w = found->d->world;
    const plu_pair pair = found->d->walls.pair[x->on];
    const double *at = w->spheres.at[pair.b], *v = plu_sphere_velocity(w, pair.b);
    plu_contact c = {.a = plu_side_of_part(pair.a), .b = pair.b};
    const double gap = plu_part_gap(&w->parts[pair.a], at, c.normal);
    c.approach = plu_dot(c.normal, v);
    const double h = w->step, towards = plu_max(-c.approach, 0.0);
    const double falls = plu_max(-0.5 * h * plu_dot(c.normal, w->gravity), 0.0);
    const plu_pair_law *law = plu_wall_law(w, pair);
    if ((law->lands && !law->rebounds) || !(falls - c.approach > 1e-9 * plu_norm(v)) ||
        gap > h * (falls - c.approach) || !is_smooth(found->d, begin, end, x, towards))
        return false;
    c.gap = gap < -x->near ? gap : 0.0;
    c.curve = -0.5 * towards;
    const double when = gap < h * towards ? plu_max(gap / (h * towards), 0.0) : 1.0;
    const double early = early_of(w, when, towards, c.normal, towards + 2.0 * falls);
    plu_swift_note(found, &c, (plu_swift){.when = when, .bias = 0.0, .early = early, .fold = true});
    leave_others(found, begin, end, x->on, x->normal);
    return true;
}

bool plu_goes_over_folds(plu_swift_search *found, size_t begin, size_t end)
{
    const plu_detector *d = found->d;
    const plu_world *w = d->world;
    const int sphere = d->walls.pair[begin].b;
    const double *v = plu_sphere_velocity(w, sphere);
    way x, start;
    size_t last = end;
    if (plu_dot(v, v) <= plu_least_way(w) || !goes_along(d, begin, end, &x))
        return false;
    start = x;
    if (follow(d, begin, end, &x, &last) == 0)
        return lies_down(found, begin, end, &start);
    const plu_part *part = &w->parts[d->walls.pair[last].a];
    double from[3], bears[3];
    const double *center = w->spheres.at[sphere], *g = w->gravity, h = w->step;
    plu_sub(center, part->center, from);
    const double turned = plu_dot(x.turned, x.turned), square = plu_dot(x.speed, x.speed);
    const double gap = plu_dot(from, x.normal) - x.at[3], towards = plu_dot(x.turned, x.normal);
    if (turned > most_turn * square || turned < least_turn * square || !(towards > 0.0))
        return false;
    for (int k = 0; k < 3; k++)
        bears[k] = x.speed[k] - start.speed[k] - h * g[k];
    const double size = plu_norm(bears);
    plu_contact c = {.a = plu_side_of_part(d->walls.pair[last].a), .b = sphere};
    c.gap = gap < -x.near ? gap : 0.0; /* what overlaps is seen as such */
    for (int k = 0; k < 3; k++)
        c.normal[k] = bears[k] / size;
    c.approach = plu_dot(c.normal, v);
    c.curve = -0.5 * sqrt(turned);
    /* It is at that facet at the end. */
    double straight = (gap - x.off) / h;
    for (int k = 0; k < 3; k++)
        straight +=
            (start.speed[k] + 0.5 * (x.speed[k] - start.speed[k] - x.turned[k])) * x.normal[k];
    const double when = plu_min(plu_max(1.0 + straight / towards, 0.0), 1.0);
    const double bias = -plu_dot(c.normal, x.speed);
    const double early = early_of(w, when, 1.0, x.turned, size);
    plu_swift_note(found, &c,
                   (plu_swift){.when = when, .bias = bias, .early = early, .fold = true});
    leave_others(found, begin, end, last, x.normal);
    return true;
}

static void look_at_all(plu_swift_search *found)
{
    const plu_detector *d = found->d;
    const plu_pairs *walls = &d->walls;
#pragma omp for schedule(static) nowait
    for (size_t k = 0; k < walls->count; k++) {
        size_t end = k + 1;
        if (k > 0 && walls->pair[k].b == walls->pair[k - 1].b)
            continue;
        while (end < walls->count && walls->pair[end].b == walls->pair[k].b)
            end++;
        if (!(found->follows && plu_goes_over_folds(found, k, end)) && found->ahead)
            plu_look_ahead(found, k, end);
    }
}

plu_swift_search plu_begin_search(plu_detector *d)
{
    const plu_world *w = d->world;
    plu_swift_search found = {.d = d, .status = PLU_OK, .ahead = plu_ahead_matters(d)};
    found.follows = d->facets && w->scene->method == PLU_NONSMOOTH && w->curves &&
                    d->stride * d->stride > w->step * w->step * plu_least_way(w);
    return found;
}

plu_status plu_find_folds(plu_detector *d, bool *added, plu_error *err)
{
    plu_swift_search found = plu_begin_search(d);
    *added = false;
    d->missed_count = 0;
    if (!found.follows && !found.ahead)
        return PLU_OK;
    PLU_TEAM(d->walls.count > 4000, look_at_all(&found));
    if (found.status != PLU_OK)
        return plu_fail(err, PLU_IO, "out of memory for contacts");
    return plu_swift_take(d, added, err);
}
