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
#include "detect/fold_way.h"
#include "detect/look.h"
#include "detect/swift.h"
#include "pluvia/scene.h"
#include <math.h>
#include <string.h>

/* Of the squared speed from which beds follow folds (plu_least_way): a sphere that touches nothing
 * but facets follows them from here on, as one on a round wall does at any speed (curve.c). */
static const double lone = 1e-3;

/* The most that a way turns in a step by several folds, and the least turn (rad, squared). */
static const double most_turn = 1.0, least_turn = 1e-20;

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
    const double nearest = part->surface->gap(part, at, normal) + at[3];
    *beside = fabs(plu_dot(normal, part->normal)) < PLU_FACE;
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
static double turn_beside(const plu_detector *d, size_t begin, size_t end, const plu_fold_way *x,
                          const double normal[3])
{
    const double speed = plu_norm(x->v);
    double most = 0.0;
    for (size_t k = begin; k < end; k++) {
        const plu_part *part = &d->world->parts[d->walls.pair[k].a];
        const double cosine = plu_fold_is_of(x, part) ? fabs(plu_dot(part->normal, normal)) : 0.0;
        if (cosine >= PLU_SMOOTH_FOLD)
            most = plu_max(most, fabs(plu_dot(part->normal, x->v)) / speed);
    }
    return plu_min(most, 0.26);
}

/* Whether the sphere goes along a facet of its candidates from begin to end - 1: that which it
 * comes nearer to or leaves most slowly. */
static bool goes_along(const plu_detector *d, size_t begin, size_t end, plu_fold_way *x)
{
    const plu_world *w = d->world;
    const double speed = plu_norm(x->v);
    double least = HUGE_VAL, normal[3], gap = 0.0;
    bool found = false;
    for (size_t k = begin; k < end; k++) {
        const plu_part *part = &w->parts[d->walls.pair[k].a];
        double there;
        bool beside;
        if (!plu_fold_is_of(x, part) || !is_over(part, x->at, &beside, &there, normal))
            continue;
        const double rate = fabs(plu_dot(normal, x->v)),
                     worth = rate + (beside ? 1e-3 * speed : 0.0);
        if (worth >= least)
            continue;
        const double turn = turn_beside(d, begin, end, x, normal);
        const double arc = near_by_arc * turn * width_of(part);
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
    memcpy(x->speed, x->v, sizeof x->speed);
    plu_add_scaled(x->speed, -plu_min(plu_dot(x->v, x->normal), 0.0), x->normal);
    return found;
}

/* Whether a fold beside the facet that it is on turns it by more than it comes towards that facet:
 * within what a mesh tells of its surface it goes along. */
static bool is_smooth(const plu_detector *d, size_t begin, size_t end, const plu_fold_way *x,
                      double towards)
{
    const double least = towards / plu_norm(x->speed);
    for (size_t k = begin; k < end; k++) {
        const plu_part *part = &d->world->parts[d->walls.pair[k].a];
        const double cosine =
            plu_fold_is_of(x, part) ? fabs(plu_dot(part->normal, x->normal)) : 0.0;
        if (cosine >= PLU_SMOOTH_FOLD && 1.0 - cosine * cosine > least * least)
            return true;
    }
    return false;
}

/* The other facets of the surface that it touches in the step, also those in one plane with that of
 * its contact, are bounds that do not matter: it would bounce off them. */
static void leave_others(plu_swift_search *found, size_t begin, size_t end, const plu_fold_way *x,
                         size_t last)
{
    const plu_detector *d = found->d;
    const plu_world *w = d->world;
    const int sphere = d->walls.pair[last].b;
    const double least = 1e-6 * w->spheres.at[sphere][3];
    for (size_t k = begin; k < end; k++) {
        const plu_part *part = &w->parts[d->walls.pair[k].a];
        const double cosine =
            plu_fold_is_of(x, part) ? fabs(plu_dot(part->normal, x->normal)) : 0.0;
        plu_contact c;
        if (k == last || cosine < PLU_SMOOTH_FOLD ||
            !plu_look_at_wall(&d->sight, d->walls.pair[k], &c) ||
            (cosine < PLU_FACE && c.gap <= least))
            continue;
        const uint64_t key = plu_contact_key(w, &c);
        const int place = plu_contact_place(&d->now, key, 0);
        if (place == d->now.count || d->now.key[place] != key)
            continue;
        c.gap = plu_max(c.gap, 2.0 * w->step * plu_norm(x->v));
        plu_swift_note(found, &c, (plu_swift){.when = 2.0, .bias = c.gap / w->step});
    }
}

/* plu_swift.early of a contact that bears `size` (m/s), and does what gravity has `pull` (m^2/s^3)
 * along. */
static double early_of(double step, double when, double pull, double size)
{
    return size > 0.0 ? (0.5 - when) * step * pull / size : 0.0;
}

/* What goes along a facet, and comes nearer to it as slowly as folds and gravity leave it, touches
 * it without a bounce, whatever its restitution: else it would hop, and meet the next folds from
 * above. */
static bool lies_down(plu_swift_search *found, size_t begin, size_t end, const plu_fold_way *x)
{
    const plu_world *w = found->d->world;
    const plu_pair pair = found->d->walls.pair[x->on];
    const double *at = w->spheres.at[pair.b];
    plu_contact c = {.a = plu_side_of_part(pair.a), .b = pair.b};
    const double gap = plu_part_gap(&w->parts[pair.a], at, c.normal);
    double rate[3];
    plu_fold_leave(x, x->v, rate);
    c.approach = plu_dot(c.normal, rate);
    const double h = w->step, towards = plu_max(-c.approach, 0.0);
    const double falls = plu_max(-0.5 * h * plu_dot(c.normal, w->gravity), 0.0);
    const plu_pair_law *law = plu_wall_law(w, pair);
    if ((law->lands && !law->rebounds) || !(falls - c.approach > 1e-9 * plu_norm(rate)) ||
        gap > h * (falls - c.approach) || !is_smooth(found->d, begin, end, x, towards))
        return false;
    c.gap = gap < -x->near ? gap : 0.0;
    c.curve = -0.5 * towards;
    const double when = gap < h * towards ? plu_max(gap / (h * towards), 0.0) : 1.0;
    const double early =
        early_of(h, when, towards * plu_dot(c.normal, w->gravity), towards + 2.0 * falls);
    plu_swift_note(found, &c, (plu_swift){.when = when, .bias = 0.0, .early = early, .fold = true});
    leave_others(found, begin, end, x, x->on);
    return true;
}

static bool goes_over(plu_swift_search *found, size_t begin, size_t end, const plu_pose *pose)
{
    const plu_detector *d = found->d;
    const plu_world *w = d->world;
    const int sphere = d->walls.pair[begin].b;
    plu_fold_way x, start;
    size_t last = end;
    plu_fold_enter(&x, w, sphere, pose);
    x.near = near_of(w, x.at[3]);
    const double center[3] = {x.at[0], x.at[1], x.at[2]};
    const double least = plu_least_way(w) * (d->leans[plu_owner(&w->spheres, sphere)] ? 1.0 : lone);
    if (plu_dot(x.v, x.v) <= least || !goes_along(d, begin, end, &x))
        return false;
    start = x;
    if (plu_fold_follow(d, begin, end, &x, &last) == 0)
        return lies_down(found, begin, end, &start);
    const plu_part *part = &w->parts[d->walls.pair[last].a];
    double from[3], bears[3];
    const double *g = x.gravity, h = w->step;
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
        bears[k] /= size;
    plu_fold_leave(&x, bears, c.normal);
    c.approach = plu_dot(bears, x.v);
    c.curve = -0.5 * sqrt(turned);
    /* It is at that facet at the end. */
    double straight = (gap - x.off) / h;
    for (int k = 0; k < 3; k++)
        straight +=
            (start.speed[k] + 0.5 * (x.speed[k] - start.speed[k] - x.turned[k])) * x.normal[k];
    const double when = plu_min(plu_max(1.0 + straight / towards, 0.0), 1.0);
    const double bias = -plu_dot(bears, x.speed);
    const double early = early_of(h, when, plu_dot(x.turned, g), size);
    plu_swift_note(found, &c,
                   (plu_swift){.when = when, .bias = bias, .early = early, .fold = true});
    leave_others(found, begin, end, &x, last);
    return true;
}

bool plu_goes_over_folds(plu_swift_search *found, size_t begin, size_t end)
{
    const plu_world *w = found->d->world;
    const plu_pose *last = NULL;
    bool any = false, goes = false;
    for (size_t k = begin; k < end && !goes; k++) {
        const plu_part *part = &w->parts[found->d->walls.pair[k].a];
        if (part->surface != &plu_surface_triangle || (any && part->pose == last))
            continue;
        any = true;
        last = part->pose;
        goes = goes_over(found, begin, end, last);
    }
    return goes;
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

static void lean(plu_detector *d, int sphere)
{
    d->leans[plu_owner(&d->world->spheres, sphere)] = 1;
}

/* Which bodies have live contacts with others than facets. */
static void find_leaning(plu_detector *d)
{
    const plu_world *w = d->world;
    memset(d->leans, 0, (size_t)w->bodies.count);
    for (int k = 0; k < d->live_count; k++) {
        const plu_contact *c = &d->now.contact[d->live[k]];
        const bool pair = plu_side_is_sphere(c->a);
        if (pair)
            lean(d, plu_side_sphere(c->a));
        if (pair || plu_side_surface(w, c->a)->surface != &plu_surface_triangle)
            lean(d, c->b);
    }
}

plu_swift_search plu_begin_search(plu_detector *d)
{
    const plu_world *w = d->world;
    plu_swift_search found = {.d = d, .status = PLU_OK, .ahead = plu_ahead_matters(d)};
    found.follows = d->facets && w->scene->method == PLU_NONSMOOTH && w->curves &&
                    (d->stride * d->stride > lone * w->step * w->step * plu_least_way(w) ||
                     w->motions_count > 0);
    if (found.follows)
        find_leaning(d);
    return found;
}

plu_status plu_find_folds(plu_detector *d, bool *added, plu_error *err)
{
    plu_swift_search found = plu_begin_search(d);
    *added = false;
    d->missed_count = 0;
    if (!found.follows && !found.ahead)
        return PLU_OK;
    PLU_TEAM(plu_many(d->walls.count, 4000), look_at_all(&found));
    if (found.status != PLU_OK)
        return plu_fail(err, PLU_IO, "out of memory for contacts");
    return plu_swift_take(d, added, err);
}
