/* The order of detection in a step, and how long the list of candidates may be kept:
 *
 *     speeds -> how far contacts reach ahead (`sight`)
 *     skins  -> used up by none: keep;  by few: renew.c;  by many: build   (grid.c, near_walls.c)
 *     look   -> each candidate: gap, normal, approach, active? -> list by key  (narrow.c)
 *     live   -> contacts with a body that is awake (watch.c); curved ways, folds, long strides
 *
 *     (  r  )<- m ->:    Verlet list with a skin m a sphere: a pair outside it had a gap above
 *                        m_a + m_b, and is no contact while s_i + reach_i <= m_i, s_i: i's way */
#include "detect/detect.h"
#include "base/memory.h"
#include "base/stop.h"
#include "base/team.h"
#include "detect/look.h"
#include "detect/match.h"
#include "world/groups.h"
#include "world/motion.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1024 };

plu_detector *plu_detector_create(const plu_world *world, plu_error *err)
{
    plu_detector *d = plu_alloc(1, sizeof *d, err);
    if (!d)
        return NULL;
    d->world = world;
    d->now.rebounds = d->before.rebounds = world->rebounds;
    for (int k = 0; k < world->parts_count; k++)
        d->facets |= world->parts[k].surface == &plu_surface_triangle;
    d->grid = plu_grid_create(err);
    d->motion = plu_alloc((size_t)world->motions_count, sizeof *d->motion, err);
    d->hit = plu_alloc((size_t)world->bodies.count, sizeof *d->hit, err);
    d->crowd = plu_alloc((size_t)world->bodies.count, 1, err);
    d->leans = plu_alloc((size_t)world->bodies.count, 1, err);
    d->unexpected = plu_alloc((size_t)world->bodies.count, 1, err);
    if (!d->grid || !d->motion || !d->hit || !d->crowd || !d->leans || !d->unexpected) {
        plu_detector_destroy(d);
        return NULL;
    }
    return d;
}

void plu_detector_destroy(plu_detector *d)
{
    if (!d)
        return;
    plu_grid_destroy(d->grid);
    free(d->spheres.pair);
    free(d->walls.pair);
    free(d->wall_note);
    free(d->extra.pair);
    free(d->found.pair);
    plu_compaction_free(&d->compaction);
    free(d->motion);
    free(d->crowd);
    free(d->leans);
    free(d->unexpected);
    free(d->missed);
    free(d->swift);
    free(d->swift_found);
    free(d->hit);
    free(d->member);
    free(d->sphere);
    free(d->origin);
    free(d->images);
    plu_contacts_free(&d->now);
    plu_contacts_free(&d->before);
    free(d->touching);
    free(d->first);
    free(d->live);
    free(d->watched);
    free(d->fresh);
    for (int k = 0; k < PLU_MOST_SHARES; k++)
        free(d->share[k].pair);
    free(d);
}

bool plu_detector_same_graph(const plu_detector *detector)
{
    return detector->same_graph;
}

/* One more sphere that has used up its skin; once they are too many it does not matter who. */
static void note_over(plu_detector *d, int sphere)
{
    int at;
#pragma omp atomic read
    at = d->over_count;
    if (at > PLU_AT_ONCE)
        return;
#pragma omp atomic capture
    at = d->over_count++;
    if (at < PLU_AT_ONCE)
        d->over[at] = sphere;
}

void plu_check_skin(plu_detector *d, int sphere, double cell_moved, double ahead)
{
    const plu_world *w = d->world;
    double moved[3];
    plu_apart_from(&w->space, 0, d->origin[sphere], w->spheres.at[sphere], moved);
    if (plu_norm(moved) + 0.5 * cell_moved + ahead > d->origin[sphere][3])
        note_over(d, sphere);
}

static double fastest_of(const plu_world *w, int begin, int end)
{
    double most = 0.0;
    for (int i = begin; i < end; i++)
        if (w->bodies.state[plu_owner(&w->spheres, i)] == PLU_ACTIVE)
            most = plu_max(most, plu_dot(plu_sphere_velocity(w, i), plu_sphere_velocity(w, i)));
    return most;
}

static void find_fastest(const plu_world *w, double *most)
{
#pragma omp for schedule(static) nowait reduction(max : most[:1])
    for (int i = 0; i < w->spheres.count; i += CHUNK)
        *most = plu_max(
            *most, fastest_of(w, i, i + CHUNK < w->spheres.count ? i + CHUNK : w->spheres.count));
}

/* The way of the fastest body or boundary in a step, v_max h, from which contacts take how far they
 * reach ahead. It is rounded up to a power of two, and is at least |g| h^2: otherwise the smallest
 * change of a speed in a bed at rest would change the list of contacts, and all that is computed
 * once for each list. */
static void look_ahead(plu_detector *d)
{
    const plu_world *w = d->world;
    double most = 0.0;
    PLU_TEAM(plu_many(w->spheres.count, 4000), find_fastest(w, &most));
    for (int m = 0; m < w->motions_count; m++)
        most = plu_max(most, plu_motion_speed_squared(&w->motions[m]));
    d->stride = w->step * sqrt(most);
    const double way = plu_max(w->lands ? d->stride : 0.0, w->reach.fall);
    int power;
    d->sight = (plu_sight){w, frexp(way, &power) > 0.0 ? ldexp(1.0, power) : 0.0};
}

/* A pair outside the list had a gap larger than the two skins when its spheres got them; it can
 * become active only when displacement and forecast of one of them exceed its skin.
 * A body that slept at the last check has not moved since. */
static void compare_skins(plu_detector *d, double cell_moved)
{
    const plu_world *w = d->world;
    const bool same_sleepers = d->sleeps == w->sleeps;
#pragma omp for schedule(static) nowait
    for (int i = 0; i < w->spheres.count; i++) {
        const int body = plu_owner(&w->spheres, i);
        if (w->bodies.state[body] != PLU_ACTIVE ||
            (same_sleepers && !(plu_awake(w, body) || plu_group_moves(w, body))))
            continue;
        plu_check_skin(d, i, cell_moved, plu_reach_ahead(w, i));
    }
}

static bool still_valid(plu_detector *d)
{
    d->over_count = 0;
    d->built = d->built && plu_motions_listed(d);
    if (!d->built || d->generation != d->world->generation)
        return false;
    PLU_TEAM(plu_many(d->world->spheres.count, 4000), compare_skins(d, plu_cell_moved(d)));
    return d->over_count == 0;
}

/* The spheres of active bodies; on the way their origins. */
static size_t active(const void *detector, size_t begin, size_t end, void *out)
{
    const plu_detector *d = detector;
    const plu_world *w = d->world;
    int *member = out;
    size_t count = 0;
    for (int i = (int)begin; i < (int)end; i++) {
        if (w->bodies.state[plu_owner(&w->spheres, i)] != PLU_ACTIVE)
            continue;
        memcpy(d->origin[i], w->spheres.at[i], 3 * sizeof(double));
        d->origin[i][3] = plu_skin(d, i);
        member[count++] = i;
    }
    return count;
}

static plu_status reserve(plu_detector *d, size_t bodies, plu_error *err)
{
    plu_status s = plu_reserve(&d->member, &d->capacity_member, bodies, sizeof *d->member, 0, err);
    if (s == PLU_OK)
        s = plu_reserve(&d->sphere, &d->capacity_sphere, bodies, sizeof *d->sphere, 0, err);
    return s == PLU_OK
               ? plu_reserve(&d->origin, &d->capacity_origin, bodies, sizeof *d->origin, 0, err)
               : s;
}

/* `lost`: the first sphere that has no place among cells, as what is not a number has none. */
static void take_spheres(plu_detector *d, int count, int *lost)
{
    const plu_world *w = d->world;
#pragma omp for schedule(static) nowait reduction(min : lost[:1])
    for (int k = 0; k < count; k++) {
        const int i = d->member[k];
        double *s = d->sphere[k];
        memcpy(s, w->spheres.at[i], sizeof *d->sphere);
        s[3] += d->origin[i][3];
        if (!isfinite(s[0] + s[1] + s[2] + s[3]) && i < *lost)
            *lost = i;
    }
}

/* A step refuses velocities that are not finite. What is released may bring its own: one far beyond
 * a cell that is sheared flows with it. */
static plu_status refuse(const plu_world *w, int sphere, plu_error *err)
{
    const double *x = w->spheres.at[sphere];
    const bool rests = isfinite(plu_speed_of(w, sphere));
    return plu_fail(err, PLU_BREAKDOWN,
                    "step %ld (t = %g s): the %s of body %d is not a finite number%s, at (%.4g, "
                    "%.4g, %.4g) m",
                    w->steps + 1, w->time + w->step, rests ? "place" : "velocity",
                    plu_owner(&w->spheres, sphere), rests ? " that cells hold" : "", x[0], x[1],
                    x[2]);
}

/* Two spheres that are fixed never touch: their pairs are left out. */
static void leave_fixed(plu_detector *d)
{
    const plu_world *w = d->world;
    plu_pairs *pairs = &d->spheres;
    size_t kept = 0;
    for (size_t k = 0; k < pairs->count && w->fixed > 0; k++) {
        const plu_pair pair = pairs->pair[k];
        pairs->pair[kept] = pair;
        kept += !plu_both_fixed(w, plu_pair_sphere(pair), pair.b);
    }
    pairs->count = w->fixed > 0 ? kept : pairs->count;
}

static plu_status build(plu_detector *d, plu_error *err)
{
    PLU_SPHERES_ARE_BODIES; /* two spheres of one body are no candidate */
    const plu_world *w = d->world;
    size_t selected = 0;
    plu_status s = reserve(d, (size_t)w->spheres.count, err);
    if (s == PLU_OK)
        s = plu_compact(&d->compaction, (size_t)w->spheres.count, sizeof *d->member, active, d,
                        d->member, &selected, err);
    if (s != PLU_OK)
        return s;
    const int count = (int)selected;
    int listed = count, lost = INT_MAX;
    PLU_TEAM(plu_many(count, 4000), take_spheres(d, count, &lost));
    s = lost < INT_MAX ? refuse(w, lost, err) : plu_list_images(d, &listed, err);
    if (s == PLU_OK)
        s = plu_grid_pairs(d->grid, listed, d->member, (const double(*)[4])d->sphere,
                           w->spheres.count + d->images_count, &d->spheres, err);
    if (s == PLU_OK && plu_stops(w->stop))
        s = plu_world_given_up(w, err);
    if (s == PLU_OK && d->images_count)
        s = plu_name_images(d, err);
    if (s == PLU_OK)
        leave_fixed(d);
    plu_list_motions(d, count);
    if (s == PLU_OK)
        s = plu_list_walls(d, count, err);
    d->built = s == PLU_OK;
    d->generation = w->generation;
    d->extra.count = 0;
    d->renewed_count = 0;
    return s;
}

double plu_detector_stride(const plu_detector *d)
{
    return d->stride;
}

int plu_detector_count(const plu_detector *d)
{
    return d->now.count;
}

void plu_detector_state(plu_detector *d, plu_state *state)
{
    plu_contacts_state(&d->now, d->world, state);
    d->watching &= !state->loading;
    d->listed &= !state->loading;
}

void plu_detector_scale(plu_detector *d, double ratio)
{
    for (int i = 0; i < d->now.count; i++) {
        plu_impulse *p = &d->now.impulse[i];
        p->n *= ratio;
        for (int k = 0; k < 3; k++) {
            p->t[k] *= ratio;
            p->m[k] *= ratio;
        }
    }
}

plu_status plu_detector_set(plu_detector *d, int count, const int (*body)[3],
                            const plu_impulse *impulse, plu_error *err)
{
    d->watching = d->listed = false;
    return plu_contacts_set(&d->now, d->world, count, body, impulse, err);
}

/* The last list becomes the one before; of that only keys and impulses are wanted, so that both
 * share the other arrays. */
static void turn_over(plu_detector *d)
{
    const plu_contacts last = d->now, spare = d->before;
    d->now = spare;
    d->now.contact = last.contact;
    d->now.contact_capacity = last.contact_capacity;
    d->now.previous = last.previous;
    d->now.previous_capacity = last.previous_capacity;
    d->before = last;
    d->before.contact = spare.contact;
    d->before.contact_capacity = spare.contact_capacity;
    d->before.previous = spare.previous;
    d->before.previous_capacity = spare.previous_capacity;
}

/* Watched candidates come from one list. */
static plu_status watch(plu_detector *d, plu_error *err)
{
    const plu_status s = d->extra.count ? build(d, err) : PLU_OK;
    return s == PLU_OK ? plu_watch(d, err) : s;
}

/* All candidates; impulses are carried over from the previous contact list, or stay there. */
static plu_status look_at_all(plu_detector *d, plu_error *err)
{
    const plu_world *w = d->world;
    bool same;
    turn_over(d);
    d->now.carried = w->asleep == 0 ? d->before.impulse : NULL;
    d->watching = false;
    d->looked = d->sight.fastest;
    plu_status s = plu_narrow(d, &same, err);
    if (s != PLU_OK)
        return s;
    d->same_graph = same && d->listed && d->sleeps == w->sleeps && d->wakings == w->wakings;
    d->listed = true;
    d->sleeps = w->sleeps;
    d->wakings = w->wakings;
    if (!d->same_graph)
        s = plu_list_live(d, err);
    return s == PLU_OK && 2 * (long)w->asleep > w->active ? watch(d, err) : s;
}

plu_status plu_list_candidates(plu_detector *d, plu_error *err)
{
    return plu_renewable(d) ? plu_renew(d, err) : build(d, err);
}

/* Contacts of sleepers depend on the fastest body, too: a run that is taken up anew has those of
 * now, and must find the same where they wake. */
static bool may_watch(const plu_detector *d)
{
    return d->watching && d->sleeps == d->world->sleeps && d->looked == d->sight.fastest;
}

plu_status plu_detect(plu_detector *d, plu_contacts **contacts, plu_error *err)
{
    const bool valid = still_valid(d);
    plu_status s = PLU_OK;
    look_ahead(d);
    if (!valid)
        s = plu_list_candidates(d, err);
    if (s != PLU_OK)
        return s;
    s = valid && may_watch(d) ? plu_look_at_watched(d, err) : look_at_all(d, err);
    d->now.live = d->live;
    d->now.live_count = d->live_count;
    *contacts = &d->now;
    if (s == PLU_OK)
        plu_curve_contacts(d);
    return s;
}

plu_status plu_detect_woken(plu_detector *d, plu_error *err)
{
    const plu_status s = plu_list_live(d, err);
    d->now.live = d->live;
    d->now.live_count = d->live_count;
    return s;
}
