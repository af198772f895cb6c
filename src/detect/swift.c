/* Pairs that meet in a long stride (src/theory.md, "Long strides"): by more than half of the
 * smaller radius in a step. Where they are at its start says little of how they meet: the contact
 * is that of the moment at which they touch, and an impact of that moment.
 *
 *     a o - - - - - > .          d + s h u, the distance vector on straight ways, has the length
 *                   (a)(b)       r_a + r_b after the share s of the step:
 *                       ^
 *                       :        s^2 h^2 u.u + 2 s h d.u + d.d - (r_a + r_b)^2 = 0 ,
 *                     b o        the smaller root, if 0 <= s <= 1
 *
 * Normal and u_N are those of that moment, the gap is 0, and the bodies move straight by v_k up to
 * it and by v_{k+1} after it: theta = 1 - s. Of parts of boundaries s is found by steps that are as
 * long as the gap allows. */
#include "detect/swift.h"
#include "base/team.h"
#include "detect/look.h"
#include "pluvia/scene.h"
#include <string.h>

/* Times that: of spheres that land, which are seen a whole step ahead in any case. */
static const double landing_stride = 4.0;

/* A pair that lands does so in the direction that it has at the start of the step, unless it
 * touches in another one (cosine), or goes on along itself by more than this share of its radii. */
static const double same_direction = 0.95, slides = 0.05;

/* Rad: what a boundary turns by in a step before the directions of its normals matter. */
static const double long_turn = 0.1;

enum { MOST_WALLS = 3 };

/* A pair that does not meet in the step: a bound that its motion keeps to, from the place where it
 * is nearest. */
static void pass_by(plu_contact *c, plu_swift *swift, double radii, const double at[3],
                    double share, double step)
{
    c->gap = plu_max(plu_norm(at) - radii - share * step * c->approach, 0.0);
    *swift = (plu_swift){.when = 2.0, .bias = c->gap / step};
}

static void count_one(plu_detector *d, int sphere)
{
    unsigned char *count = &d->crowd[plu_owner(&d->world->spheres, sphere)];
    *count += *count < 2 && !plu_sphere_fixed(d->world, sphere);
}

/* How many contacts each body has, up to 2. */
static void count_contacts(plu_detector *d)
{
    memset(d->crowd, 0, (size_t)d->world->bodies.count);
    for (int i = 0; i < d->now.count; i++) {
        plu_side a;
        int b;
        plu_key_sides(d->world, d->now.key[i], &a, &b);
        count_one(d, b);
        if (plu_side_is_sphere(a))
            count_one(d, plu_side_sphere(a));
    }
}

/* Whether the pair touches nothing else in the step: among others landings fit together better. */
static bool is_alone(const plu_detector *d, plu_pair pair)
{
    const plu_spheres *spheres = &d->world->spheres;
    return d->crowd[plu_owner(spheres, plu_pair_sphere(pair))] < 2 &&
           d->crowd[plu_owner(spheres, pair.b)] < 2;
}

/* Whether what the pair is at the start of the step serves for its landing. */
static bool lands_plainly(const plu_contact *start, const plu_contact *c, const double way[3],
                          double share, double radii)
{
    const double towards = plu_dot(way, c->normal);
    const double along = sqrt(plu_max(plu_dot(way, way) - towards * towards, 0.0));
    return plu_dot(start->normal, c->normal) >= same_direction &&
           (1.0 - share) * along <= slides * radii;
}

static void look_at_pair(plu_swift_search *x, plu_pair pair)
{
    const plu_detector *d = x->d;
    const plu_world *w = d->world;
    const int a = plu_pair_sphere(pair), image = plu_pair_image(pair);
    const double *xa = w->spheres.at[a], *xb = w->spheres.at[pair.b], h = w->step;
    const double radii = xa[3] + xb[3], least = PLU_LONG_STRIDE * plu_min(xa[3], xb[3]);
    double apart[3], rate[3], way[3], at[3], nearest;
    plu_rate_from(&w->space, image, plu_sphere_velocity(w, a), plu_sphere_velocity(w, pair.b),
                  rate);
    if (h * h * plu_dot(rate, rate) <= least * least)
        return;
    const plu_pair_law *law = plu_world_law(w, w->spheres.species[a], w->spheres.species[pair.b]);
    if (!plu_swift_law(w, law))
        return;
    if (law->lands &&
        h * h * plu_dot(rate, rate) <= landing_stride * landing_stride * least * least)
        return;
    plu_apart_from(&w->space, image, xa, xb, apart);
    for (int k = 0; k < 3; k++)
        way[k] = h * rate[k];
    const double when = plu_share_until(apart, way, radii, &nearest);
    const bool meets = when <= 1.0;
    const double share = meets ? when : nearest;
    for (int k = 0; k < 3; k++)
        at[k] = apart[k] + share * way[k];
    plu_contact c, start = {0};
    const bool listed = plu_look_at_spheres(&d->sight, pair, &start);
    if (listed && start.curve != 0.0 && plu_lasts(w, &start))
        return; /* it goes along the other (curve.h) */
    plu_join_spheres(w, pair, at, rate, &c);
    const bool touches = plu_dot(apart, apart) <= radii * radii;
    if (touches && (!meets || -h * c.approach <= PLU_SLOW_STRIDE * plu_min(xa[3], xb[3])))
        return; /* it moves apart or along */
    if (!meets && !listed)
        return;
    if (law->lands && !(listed && is_alone(d, pair)))
        return;
    if (law->lands && lands_plainly(&start, &c, way, share, radii))
        return;
    plu_swift swift = {.when = when, .bias = law->restitution * plu_min(c.approach, 0.0)};
    c.gap = 0.0;
    if (!meets)
        pass_by(&c, &swift, radii, at, share, h);
    plu_swift_note(x, &c, swift);
}

/* Whether the stride towards the part is long. */
static bool is_swift(const plu_world *w, const plu_part *part, int sphere, const plu_pair_law *law)
{
    const double *at = w->spheres.at[sphere];
    const plu_flight f = {.radius = at[3],
                          .at = {at[0], at[1], at[2]},
                          .velocity = {plu_sphere_velocity(w, sphere)[0],
                                       plu_sphere_velocity(w, sphere)[1],
                                       plu_sphere_velocity(w, sphere)[2]}};
    if (law->lands && !(part->pose && plu_pose_turn(part->pose) * w->step > long_turn))
        return false;
    return plu_swift_law(w, law) &&
           w->step * plu_closing_speed(w, part, &f) > PLU_LONG_STRIDE * at[3];
}

/* Whether the sphere goes along the part, as its contact says (curve.h). */
static bool goes_along(const plu_detector *d, plu_pair pair)
{
    const plu_contact c = {.a = plu_side_of_part(pair.a), .b = pair.b};
    const uint64_t key = plu_contact_key(d->world, &c);
    const int place = plu_contact_place(&d->now, key, 0);
    return place < d->now.count && d->now.key[place] == key && d->now.contact[place].curve != 0.0 &&
           plu_lasts(d->world, &d->now.contact[place]);
}

/* The first of the candidates begin to end - 1 that the sphere meets; `end`: none. */
static size_t first_met(const plu_detector *d, size_t begin, size_t end, const plu_flight *f,
                        plu_meeting *first)
{
    const plu_world *w = d->world;
    size_t best = end;
    first->when = 2.0;
    for (size_t k = begin; k < end; k++) {
        const plu_pair pair = d->walls.pair[k];
        plu_meeting m;
        if (is_swift(w, &w->parts[pair.a], pair.b, plu_wall_law(w, pair)) && !goes_along(d, pair) &&
            plu_meets_part(w, &w->parts[pair.a], f, &m) && m.when < first->when) {
            best = k;
            *first = m;
        }
    }
    return best;
}

/* Notes what the sphere meets, and goes on from there. */
static void meet(plu_swift_search *x, plu_pair pair, const plu_meeting *m, plu_flight *f)
{
    const plu_world *w = x->d->world;
    const double e = plu_wall_law(w, pair)->restitution;
    double rate[3];
    plu_sub(f->velocity, m->surface, rate);
    const double approach = plu_dot(rate, m->normal);
    plu_contact c = {plu_side_of_part(pair.a), pair.b, {0.0}, 0.0, approach, 0.0};
    memcpy(c.normal, m->normal, sizeof c.normal);
    plu_swift swift = {.when = m->when, .bias = e * plu_min(approach, 0.0), .given = true};
    if (e > 0.0 && f->from == 0.0) /* it goes on up to the end of the step */
        plu_swift_leave(w, m->normal, approach, m->when, e, &swift);
    memcpy(swift.surface, m->surface, sizeof swift.surface);
    plu_swift_note(x, &c, swift);
    plu_add_scaled(f->at, (m->when - f->from) * w->step, f->velocity);
    plu_add_scaled(f->velocity, -(1.0 + e) * approach, m->normal);
    f->from = m->when;
}

/* A contact of the start of the step that is not met, as a bound that does not matter. */
static void leave_out(plu_swift_search *x, size_t k, const plu_flight *f)
{
    const plu_detector *d = x->d;
    const plu_world *w = d->world;
    const plu_pair pair = d->walls.pair[k];
    const plu_part *part = &w->parts[pair.a];
    plu_contact c;
    if (!plu_look_at_wall(&d->sight, pair, &c) || c.gap <= 1e-6 * f->radius ||
        !is_swift(w, part, pair.b, plu_wall_law(w, pair)) || goes_along(d, pair))
        return;
    const uint64_t key = plu_contact_key(w, &c);
    const int place = plu_contact_place(&d->now, key, 0);
    if (place == d->now.count || d->now.key[place] != key)
        return;
    c.gap = plu_max(c.gap, 2.0 * w->step * plu_closing_speed(w, part, f));
    plu_swift_note(x, &c, (plu_swift){.when = 2.0, .bias = c.gap / w->step});
}

/* From the facet that a sphere overlaps with most it goes on from where it only touches: else it
 * would meet the edges of those beside it, in one plane with it. */
static void lift_from_facets(const plu_detector *d, size_t begin, size_t end, plu_flight *f)
{
    static const double face = 1.0 - 1e-9; /* cosine */
    const double at[4] = {f->at[0], f->at[1], f->at[2], f->radius};
    double least = 0.0, normal[3], out[3] = {0.0};
    for (size_t k = begin; d->facets && k < end; k++) {
        const plu_part *part = &d->world->parts[d->walls.pair[k].a];
        const double gap = plu_is_facet(part) ? plu_part_gap(part, at, normal) : 0.0;
        if (!(gap < least) || fabs(plu_dot(normal, part->normal)) < face)
            continue;
        least = gap;
        memcpy(out, normal, sizeof out);
    }
    if (least < 0.0)
        plu_add_scaled(f->at, -least, out);
}

static void look_at_walls(plu_swift_search *x, size_t begin, size_t end)
{
    const plu_detector *d = x->d;
    const plu_world *w = d->world;
    const int sphere = d->walls.pair[begin].b;
    bool any = false;
    if (x->follows && plu_goes_over_folds(x, begin, end))
        return;
    for (size_t k = begin; k < end && !any; k++)
        any = is_swift(w, &w->parts[d->walls.pair[k].a], sphere, plu_wall_law(w, d->walls.pair[k]));
    if (!any && x->ahead)
        plu_look_ahead(x, begin, end);
    if (!any)
        return;
    plu_flight f = {.radius = w->spheres.at[sphere][3]};
    memcpy(f.at, w->spheres.at[sphere], sizeof f.at);
    memcpy(f.velocity, plu_sphere_velocity(w, sphere), sizeof f.velocity);
    lift_from_facets(d, begin, end, &f);
    const plu_flight start = f;
    size_t met[MOST_WALLS];
    int count = 0;
    for (; count < MOST_WALLS; count++) {
        plu_meeting m;
        met[count] = first_met(d, begin, end, &f, &m);
        bool again = met[count] == end;
        for (int k = 0; k < count; k++)
            again |= met[k] == met[count];
        if (again)
            break;
        meet(x, d->walls.pair[met[count]], &m, &f);
    }
    for (size_t k = begin; k < end; k++) {
        bool listed = false;
        for (int i = 0; i < count; i++)
            listed |= met[i] == k;
        if (!listed)
            leave_out(x, k, &start);
    }
}

static size_t end_of_sphere(const plu_pairs *walls, size_t begin)
{
    size_t end = begin + 1;
    while (end < walls->count && walls->pair[end].b == walls->pair[begin].b)
        end++;
    return end;
}

static void look_at_candidates(plu_swift_search *x)
{
    const plu_detector *d = x->d;
#pragma omp for schedule(static) nowait
    for (size_t k = 0; k < d->spheres.count; k++)
        look_at_pair(x, d->spheres.pair[k]);
#pragma omp for schedule(static) nowait
    for (size_t k = 0; k < d->extra.count; k++)
        look_at_pair(x, d->extra.pair[k]);
#pragma omp for schedule(static) nowait
    for (size_t k = 0; k < d->walls.count; k++)
        if (k == 0 || d->walls.pair[k].b != d->walls.pair[k - 1].b)
            look_at_walls(x, k, end_of_sphere(&d->walls, k));
}

/* *searched: there may be long strides. */
static plu_status find_swift(plu_detector *d, bool *searched, plu_error *err)
{
    const plu_world *w = d->world;
    plu_swift_search x;
    const bool lands =
        !w->bounces && w->motions_count == 0; /* all pairs do, on what stands still */
    const double least = PLU_LONG_STRIDE * (lands ? landing_stride : 1.0);
    bool added = false;
    d->now.swift_count = 0;
    d->missed_count = 0;
    if (w->scene->method != PLU_NONSMOOTH ||
        !(2.0 * d->stride + w->step * w->space.fastest > least * w->smallest))
        return PLU_OK;
    x = plu_begin_search(d);
    count_contacts(d);
    *searched = true;
    PLU_TEAM(plu_many(d->spheres.count, PLU_FEW_CANDIDATES), look_at_candidates(&x));
    if (x.status != PLU_OK)
        return plu_fail(err, PLU_IO, "out of memory for contacts");
    const plu_status status = plu_swift_take(d, &added, err);
    if (status != PLU_OK || !added)
        return status;
    d->same_graph = false;
    return plu_insert_missed(d, err);
}

plu_status plu_detect_step(plu_detector *d, plu_contacts **contacts, plu_error *err)
{
    bool added = false, searched = false;
    plu_status status = plu_detect(d, contacts, err);
    if (status == PLU_OK)
        status = find_swift(d, &searched, err);
    if (status == PLU_OK && !searched)
        status = plu_find_folds(d, &added, err);
    if (status != PLU_OK || !added)
        return status;
    d->same_graph = false;
    return plu_insert_missed(d, err);
}
