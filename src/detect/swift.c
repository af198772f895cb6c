/* Pairs that meet in a long stride (src/theory.md, "Long strides"): by more than half of the
 * smaller radius in a step. Where they are at its start says little of how they meet: the contact
 * is that of the moment at which they touch, and an impact of that moment. */
#include "base/memory.h"
#include "base/team.h"
#include "detect/look.h"
#include "detect/match.h"
#include <stdlib.h>
#include <string.h>

/* Over the smaller radius: a longer stride is looked at. */
static const double long_stride = 0.5;

/* Times that: of spheres that land, which are seen a whole step ahead in any case. */
static const double landing_stride = 4.0;

/* A pair that lands does so in the direction that it has at the start of the step, unless it
 * touches in another one (cosine), or goes on along itself by more than this share of its radii. */
static const double same_direction = 0.95, slides = 0.05;

/* Rad: what a boundary turns by in a step before the directions of its normals matter. */
static const double long_turn = 0.1;

/* Over the smaller radius: what touches at the start and comes nearer by less is no impact. */
static const double slow_stride = 0.1;

enum { MOST_WALLS = 3, MOST_TRIES = 200 };

typedef struct search {
    plu_detector *d;
    plu_status status;
} search;

static void note(search *x, const plu_contact *c, plu_swift swift)
{
    plu_detector *d = x->d;
    swift.key = plu_contact_key(d->world, c);
#pragma omp critical
    {
        plu_status status = plu_reserve(&d->missed, &d->missed_capacity, d->missed_count + 1,
                                        sizeof *d->missed, 1, NULL);
        if (status == PLU_OK)
            status = plu_reserve(&d->swift_found, &d->swift_found_capacity, d->missed_count + 1,
                                 sizeof *d->swift_found, 1, NULL);
        if (status == PLU_OK) {
            d->missed[d->missed_count] = (plu_missed){swift.key, *c};
            d->swift_found[d->missed_count++] = swift;
        } else {
            x->status = status;
        }
    }
}

/* Whether this law's pairs are seen so: none where the scene asks for the scheme without. */
static bool is_looked_for(const plu_world *w, const plu_pair_law *law)
{
    return law->index >= 0 && w->scene->forecast == PLU_TOUCH;
}

/* The share of the way after which the centers are `radii` apart; above 1: not in this step.
 * *nearest: the share after which they are nearest. */
static double share_until(const double apart[3], const double way[3], double radii, double *nearest)
{
    const double aa = plu_dot(apart, apart), aw = plu_dot(apart, way), ww = plu_dot(way, way);
    const double c = aa - radii * radii, square = aw * aw - ww * c;
    *nearest = plu_min(plu_max(-aw / ww, 0.0), 1.0);
    if (aw >= 0.0 || square < 0.0)
        return 2.0;
    return c <= 0.0 ? 0.0 : c / (-aw + sqrt(square)); /* without cancellation */
}

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
    *count += *count < 2;
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

static void look_at_pair(search *x, plu_pair pair)
{
    const plu_detector *d = x->d;
    const plu_world *w = d->world;
    const int a = plu_pair_sphere(pair), image = plu_pair_image(pair);
    const double *xa = w->spheres.at[a], *xb = w->spheres.at[pair.b], h = w->step;
    const double radii = xa[3] + xb[3], least = long_stride * plu_min(xa[3], xb[3]);
    double apart[3], rate[3], way[3], at[3], nearest;
    plu_rate_from(&w->space, image, plu_sphere_velocity(w, a), plu_sphere_velocity(w, pair.b),
                  rate);
    if (h * h * plu_dot(rate, rate) <= least * least)
        return;
    const plu_pair_law *law = plu_world_law(w, w->spheres.species[a], w->spheres.species[pair.b]);
    if (!is_looked_for(w, law))
        return;
    if (law->lands &&
        h * h * plu_dot(rate, rate) <= landing_stride * landing_stride * least * least)
        return;
    plu_apart_from(&w->space, image, xa, xb, apart);
    for (int k = 0; k < 3; k++)
        way[k] = h * rate[k];
    const double when = share_until(apart, way, radii, &nearest);
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
    if (touches && (!meets || -h * c.approach <= slow_stride * plu_min(xa[3], xb[3])))
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
    note(x, &c, swift);
}

/* --- walls --- */

/* A sphere on its way, and what it meets. */
typedef struct flight {
    double from, at[3], velocity[3], radius; /* at the share `from` of the step */
} flight;

typedef struct meeting {
    double when, normal[3], surface[3]; /* velocity of the surface there (m/s) */
} meeting;

/* Where the part is at a share of the step, and how far from the sphere. */
static double gap_then(const plu_world *w, const plu_part *part, const flight *f, double share,
                       meeting *m)
{
    double sphere[4];
    for (int k = 0; k < 3; k++)
        sphere[k] = f->at[k] + (share - f->from) * w->step * f->velocity[k];
    sphere[3] = f->radius;
    memset(m->surface, 0, sizeof m->surface);
    m->when = share;
    if (!part->pose)
        return part->surface->gap(part, sphere, m->normal);
    return plu_posed_gap_ahead(part, w->step, w->scene->theta, share, sphere, m->normal,
                               m->surface);
}

/* The largest speed at which the gap closes (m/s). */
static double closing_speed(const plu_world *w, const plu_part *part, const flight *f)
{
    const double speed = plu_norm(f->velocity);
    if (!part->pose)
        return speed;
    return speed + plu_pose_speed(part->pose, f->at, f->radius + w->step * speed);
}

/* Goes forward by no more than the gap allows. False: they do not meet. */
static bool meets_part(const plu_world *w, const plu_part *part, const flight *f, meeting *m)
{
    const double h = w->step, speed = closing_speed(w, part, f), near = 1e-9 * f->radius;
    double share = f->from;
    for (int tries = 0; tries < MOST_TRIES && share <= 1.0; tries++) {
        const double gap = gap_then(w, part, f, share, m);
        if (gap <= near) {
            double rate[3];
            plu_sub(f->velocity, m->surface, rate);
            const double nearer = -h * plu_dot(rate, m->normal);
            if (nearer > (share > 0.0 ? 1e-9 * h * speed : slow_stride * f->radius))
                return true;
            if (gap < -near)
                return false; /* it moves out */
        }
        share += plu_max(gap, near) / (h * speed);
    }
    return false;
}

/* Whether the stride towards the part is long. */
static bool is_swift(const plu_world *w, const plu_part *part, int sphere, const plu_pair_law *law)
{
    const double *at = w->spheres.at[sphere];
    const flight f = {.radius = at[3],
                      .at = {at[0], at[1], at[2]},
                      .velocity = {plu_sphere_velocity(w, sphere)[0],
                                   plu_sphere_velocity(w, sphere)[1],
                                   plu_sphere_velocity(w, sphere)[2]}};
    if (law->lands && !(part->pose && plu_pose_turn(part->pose) * w->step > long_turn))
        return false;
    return is_looked_for(w, law) && w->step * closing_speed(w, part, &f) > long_stride * at[3];
}

static const plu_pair_law *wall_law(const plu_world *w, plu_pair pair)
{
    return plu_world_law(w, w->parts[pair.a].material, w->spheres.species[pair.b]);
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
static size_t first_met(const plu_detector *d, size_t begin, size_t end, const flight *f,
                        meeting *first)
{
    const plu_world *w = d->world;
    size_t best = end;
    first->when = 2.0;
    for (size_t k = begin; k < end; k++) {
        const plu_pair pair = d->walls.pair[k];
        meeting m;
        if (is_swift(w, &w->parts[pair.a], pair.b, wall_law(w, pair)) && !goes_along(d, pair) &&
            meets_part(w, &w->parts[pair.a], f, &m) && m.when < first->when) {
            best = k;
            *first = m;
        }
    }
    return best;
}

/* Notes what the sphere meets, and goes on from there. */
static void meet(search *x, plu_pair pair, const meeting *m, flight *f)
{
    const plu_world *w = x->d->world;
    const double e = wall_law(w, pair)->restitution;
    double rate[3];
    plu_sub(f->velocity, m->surface, rate);
    const double approach = plu_dot(rate, m->normal);
    plu_contact c = {plu_side_of_part(pair.a), pair.b, {0.0}, 0.0, approach, 0.0};
    memcpy(c.normal, m->normal, sizeof c.normal);
    plu_swift swift = {.when = m->when, .bias = e * plu_min(approach, 0.0), .given = true};
    memcpy(swift.surface, m->surface, sizeof swift.surface);
    note(x, &c, swift);
    plu_add_scaled(f->at, (m->when - f->from) * w->step, f->velocity);
    plu_add_scaled(f->velocity, -(1.0 + e) * approach, m->normal);
    f->from = m->when;
}

/* A contact of the start of the step that is not met, as a bound that does not matter. */
static void leave_out(search *x, size_t k, const flight *f)
{
    const plu_detector *d = x->d;
    const plu_world *w = d->world;
    const plu_pair pair = d->walls.pair[k];
    const plu_part *part = &w->parts[pair.a];
    plu_contact c;
    if (!plu_look_at_wall(&d->sight, pair, &c) || c.gap <= 1e-6 * f->radius ||
        !is_swift(w, part, pair.b, wall_law(w, pair)) || goes_along(d, pair))
        return;
    const uint64_t key = plu_contact_key(w, &c);
    const int place = plu_contact_place(&d->now, key, 0);
    if (place == d->now.count || d->now.key[place] != key)
        return;
    c.gap = plu_max(c.gap, 2.0 * w->step * closing_speed(w, part, f));
    note(x, &c, (plu_swift){.when = 2.0, .bias = c.gap / w->step});
}

static void look_at_walls(search *x, size_t begin, size_t end)
{
    const plu_detector *d = x->d;
    const plu_world *w = d->world;
    const int sphere = d->walls.pair[begin].b;
    bool any = false;
    for (size_t k = begin; k < end && !any; k++)
        any = is_swift(w, &w->parts[d->walls.pair[k].a], sphere, wall_law(w, d->walls.pair[k]));
    if (!any)
        return;
    flight f = {.radius = w->spheres.at[sphere][3]};
    memcpy(f.at, w->spheres.at[sphere], sizeof f.at);
    memcpy(f.velocity, plu_sphere_velocity(w, sphere), sizeof f.velocity);
    const flight start = f;
    size_t met[MOST_WALLS];
    int count = 0;
    for (; count < MOST_WALLS; count++) {
        meeting m;
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

static void look_at_candidates(search *x)
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

static int by_key(const void *x, const void *y)
{
    const uint64_t a = ((const plu_swift *)x)->key, b = ((const plu_swift *)y)->key;
    return (a > b) - (a < b);
}

static size_t place_of_key(const plu_contacts *list, uint64_t key)
{
    size_t low = 0, high = (size_t)list->swift_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (list->swift[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Adds what was found to what is known of the contacts, or puts it in its place. */
static plu_status take_found(plu_detector *d, plu_error *err)
{
    const size_t known = (size_t)d->now.swift_count;
    size_t all = known;
    const plu_status status = plu_reserve(&d->swift, &d->swift_capacity, known + d->missed_count,
                                          sizeof *d->swift, 1, err);
    if (status != PLU_OK)
        return status;
    d->now.swift = d->swift;
    for (size_t k = 0; k < d->missed_count; k++) {
        const plu_swift *found = &d->swift_found[k];
        const size_t place = place_of_key(&d->now, found->key);
        const bool there = place < known && d->swift[place].key == found->key;
        d->swift[there ? place : all++] = *found;
    }
    qsort(d->swift, all, sizeof *d->swift, by_key);
    d->now.swift_count = (int)all;
    return PLU_OK;
}

/* Those that are contacts already are these now; the others are left in `missed`. */
static void replace(plu_detector *d)
{
    size_t left = 0;
    for (size_t k = 0; k < d->missed_count; k++) {
        const plu_missed *m = &d->missed[k];
        const int place = plu_contact_place(&d->now, m->key, 0);
        if (place < d->now.count && d->now.key[place] == m->key)
            d->now.contact[place] = m->contact;
        else
            d->missed[left++] = *m;
    }
    d->missed_count = left;
}

static void sooner(plu_detector *d, int sphere, double when)
{
    double *hit = &d->hit[plu_owner(&d->world->spheres, sphere)];
    *hit = plu_min(*hit, when);
}

static bool is_contact(const plu_detector *d, const plu_contact *c)
{
    const uint64_t key = plu_contact_key(d->world, c);
    const int place = plu_contact_place(&d->now, key, 0);
    return place < d->now.count && d->now.key[place] == key;
}

/* The bodies of what was found are hit by the first of it, and the rest may not come about: it is
 * looked for again after a solve. Of that what is a contact already does not count until then. Not
 * so pairs that land, which are not looked for again. */
static void keep_first(plu_detector *d)
{
    const plu_world *w = d->world;
    size_t left = 0;
    for (int i = 0; i < w->bodies.count; i++)
        d->hit[i] = 2.0;
    for (size_t k = 0; k < d->missed_count; k++) {
        const plu_contact *c = &d->missed[k].contact;
        sooner(d, c->b, d->swift_found[k].when);
        if (plu_side_is_sphere(c->a))
            sooner(d, plu_side_sphere(c->a), d->swift_found[k].when);
    }
    for (size_t k = 0; k < d->missed_count; k++) {
        plu_contact *c = &d->missed[k].contact;
        plu_swift *swift = &d->swift_found[k];
        const bool first =
            swift->when <= d->hit[plu_owner(&w->spheres, c->b)] &&
            !(plu_side_is_sphere(c->a) && swift->when > d->hit[plu_side_owner(w, c->a)]);
        if (!first && swift->when <= 1.0 && !plu_law_of(w, c)->lands) {
            if (!is_contact(d, c))
                continue;
            c->gap = 4.0 * d->stride;
            *swift = (plu_swift){.key = swift->key, .when = 2.0, .bias = c->gap / w->step};
        }
        d->missed[left] = d->missed[k];
        d->swift_found[left++] = *swift;
    }
    d->missed_count = left;
}

plu_status plu_detect_swift(plu_detector *d, bool *added, plu_error *err)
{
    const plu_world *w = d->world;
    search x = {d, PLU_OK};
    *added = false;
    d->now.swift_count = 0;
    d->missed_count = 0;
    if (w->scene->method != PLU_NONSMOOTH ||
        !(2.0 * d->stride + w->step * w->space.fastest > long_stride * w->smallest))
        return PLU_OK;
    count_contacts(d);
    PLU_TEAM(d->spheres.count > PLU_FEW_CANDIDATES, look_at_candidates(&x));
    if (x.status != PLU_OK)
        return plu_fail(err, PLU_IO, "out of memory for contacts");
    keep_first(d);
    if (d->missed_count == 0)
        return PLU_OK;
    const plu_status status = take_found(d, err);
    if (status != PLU_OK)
        return status;
    replace(d);
    *added = d->missed_count > 0;
    return *added ? plu_insert_missed(d, err) : PLU_OK;
}

/* --- after a solve --- */

/* What new velocities bring together. */
typedef struct late {
    search found;
    const double (*fresh)[8];
} late;

/* When bodies got their new velocities: what is hit in a long stride then, others at the start. */
static void find_hits(plu_detector *d, const double (*fresh)[8])
{
    const plu_world *w = d->world;
    for (int i = 0; i < w->bodies.count; i++)
        d->hit[i] = 2.0;
    for (int k = 0; k < d->now.swift_count; k++) {
        plu_side a;
        int b;
        plu_key_sides(w, d->now.swift[k].key, &a, &b);
        sooner(d, b, d->now.swift[k].when);
        if (plu_side_is_sphere(a))
            sooner(d, plu_side_sphere(a), d->now.swift[k].when);
    }
    for (int i = 0; i < w->bodies.count; i++) {
        double change[3];
        plu_sub(fresh[i], w->bodies.row[i], change);
        if (d->hit[i] > 1.0) /* changes that nothing tells the moment of count from the start on */
            d->hit[i] = w->step * plu_norm(change) > slow_stride * w->smallest ? 0.0 : 1.0;
    }
}

static const double *velocity_at(const late *l, int sphere, double when)
{
    const plu_detector *d = l->found.d;
    const int body = plu_owner(&d->world->spheres, sphere);
    return when < d->hit[body] ? d->world->bodies.row[body] : l->fresh[body];
}

/* Whether it is a contact that counts. */
static bool counts(const plu_detector *d, const plu_contact *c)
{
    const size_t place = place_of_key(&d->now, plu_contact_key(d->world, c));
    const bool known = place < (size_t)d->now.swift_count &&
                       d->now.swift[place].key == plu_contact_key(d->world, c);
    return is_contact(d, c) && !(known && d->now.swift[place].when > 1.0);
}

/* It bounces with what it had at the start of the step, so that no energy is gained. */
static void look_at_late_pair(late *l, plu_pair pair)
{
    const plu_detector *d = l->found.d;
    const plu_world *w = d->world;
    const int a = plu_pair_sphere(pair), image = plu_pair_image(pair);
    const plu_pair_law *law = plu_world_law(w, w->spheres.species[a], w->spheres.species[pair.b]);
    const double *xa = w->spheres.at[a], *xb = w->spheres.at[pair.b], h = w->step;
    const double radii = xa[3] + xb[3], least = long_stride * plu_min(xa[3], xb[3]);
    const double ta = d->hit[plu_owner(&w->spheres, a)],
                 tb = d->hit[plu_owner(&w->spheres, pair.b)];
    const double time[4] = {0.0, plu_min(ta, tb), plu_max(ta, tb), 1.0};
    if (time[1] >= 1.0 || law->lands || law->restitution == 0.0 || !is_looked_for(w, law))
        return;
    double apart[3], nearest;
    plu_apart_from(&w->space, image, xa, xb, apart);
    for (int k = 0; k < 3; k++) {
        double rate[3], way[3];
        plu_rate_from(&w->space, image, velocity_at(l, a, time[k]), velocity_at(l, pair.b, time[k]),
                      rate);
        for (int i = 0; i < 3; i++)
            way[i] = h * (time[k + 1] - time[k]) * rate[i];
        const double share = share_until(apart, way, radii, &nearest);
        if (k == 0 || share > 1.0 || h * h * plu_dot(rate, rate) <= least * least) {
            plu_add_scaled(apart, 1.0, way);
            continue;
        }
        plu_contact c;
        plu_add_scaled(apart, share, way);
        plu_rate_from(&w->space, image, plu_sphere_velocity(w, a), plu_sphere_velocity(w, pair.b),
                      rate);
        plu_join_spheres(w, pair, apart, rate, &c);
        c.gap = 0.0;
        if (!counts(d, &c))
            note(&l->found, &c,
                 (plu_swift){.when = time[k] + share * (time[k + 1] - time[k]),
                             .bias = law->restitution * plu_min(c.approach, 0.0)});
        return;
    }
}

static void look_at_late_wall(late *l, plu_pair pair)
{
    const plu_detector *d = l->found.d;
    const plu_world *w = d->world;
    const plu_part *part = &w->parts[pair.a];
    const plu_pair_law *law = wall_law(w, pair);
    const int body = plu_owner(&w->spheres, pair.b);
    const double *v = w->bodies.row[body], *at = w->spheres.at[pair.b], h = w->step;
    const double hit = d->hit[body];
    if (hit >= 1.0 || law->lands || law->restitution == 0.0 || !is_looked_for(w, law))
        return;
    flight f = {.from = hit, .radius = at[3]};
    for (int k = 0; k < 3; k++) {
        f.velocity[k] = l->fresh[body][k];
        f.at[k] = at[k] + hit * h * v[k];
    }
    plu_contact c = {plu_side_of_part(pair.a), pair.b, {0.0}, 0.0, 0.0, 0.0};
    meeting m;
    if (h * closing_speed(w, part, &f) <= long_stride * at[3] || counts(d, &c) ||
        !meets_part(w, part, &f, &m))
        return;
    double rate[3];
    plu_sub(v, m.surface, rate);
    memcpy(c.normal, m.normal, sizeof c.normal);
    c.approach = plu_dot(rate, c.normal);
    plu_swift swift = {
        .when = m.when, .bias = law->restitution * plu_min(c.approach, 0.0), .given = true};
    memcpy(swift.surface, m.surface, sizeof swift.surface);
    note(&l->found, &c, swift);
}

static void look_at_late(late *l)
{
    const plu_detector *d = l->found.d;
#pragma omp for schedule(static) nowait
    for (size_t k = 0; k < d->spheres.count; k++)
        look_at_late_pair(l, d->spheres.pair[k]);
#pragma omp for schedule(static) nowait
    for (size_t k = 0; k < d->extra.count; k++)
        look_at_late_pair(l, d->extra.pair[k]);
#pragma omp for schedule(static) nowait
    for (size_t k = 0; k < d->walls.count; k++)
        look_at_late_wall(l, d->walls.pair[k]);
}

plu_status plu_detect_late(plu_detector *d, const double (*fresh)[8], bool *found, plu_error *err)
{
    late l = {{d, PLU_OK}, fresh};
    *found = false;
    d->missed_count = 0;
    if (!d->world->bounces || d->now.swift_count == 0)
        return PLU_OK;
    find_hits(d, fresh);
    PLU_TEAM(d->spheres.count > PLU_FEW_CANDIDATES, look_at_late(&l));
    if (l.found.status != PLU_OK)
        return plu_fail(err, PLU_IO, "out of memory for contacts");
    keep_first(d);
    *found = d->missed_count > 0;
    if (!*found)
        return PLU_OK;
    const plu_status status = take_found(d, err);
    if (status != PLU_OK)
        return status;
    replace(d);
    return plu_insert_missed(d, err);
}

const plu_swift *plu_swift_of(const plu_contacts *list, int contact)
{
    const size_t place = place_of_key(list, list->key[contact]);
    const plu_swift *swift = &list->swift[place];
    return place < (size_t)list->swift_count && swift->key == list->key[contact] ? swift : NULL;
}
