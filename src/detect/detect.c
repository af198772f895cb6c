#include "detect/detect.h"
#include "base/memory.h"
#include "base/team.h"
#include "detect/look.h"
#include "detect/match.h"
#include <stdlib.h>
#include <string.h>

/* Margins of the candidate list, in radii: a larger one is kept longer and holds more pairs. */
static const double margin_rest = 0.10, margin_moving = 0.50;
static const double margin_steps = 30.0; /* steps of its own motion that a body may use up */

plu_detector *plu_detector_create(const plu_world *world, plu_error *err)
{
    plu_detector *d = plu_alloc(1, sizeof *d, err);
    if (!d)
        return NULL;
    d->world = world;
    d->grid = plu_grid_create(err);
    if (!d->grid) {
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
    free(d->chunk_count);
    free(d->member);
    free(d->sphere);
    free(d->origin);
    free(d->now.contact);
    free(d->now.impulse);
    free(d->now.previous);
    free(d->before.contact);
    free(d->before.impulse);
    free(d->before.previous);
    free(d->live);
    free(d->watched);
    free(d->fresh);
    free(d);
}

bool plu_detector_same_graph(const plu_detector *detector)
{
    return detector->same_graph;
}

/* How far a body's surface can reach in the coming step by the forecast. */
static double forecast_reach(const plu_world *world, int body)
{
    return world->scene->forecast * world->scene->step * plu_norm(world->velocity[body]);
}

/* A pair outside the list has a gap larger than the two margins at the build; it can become active
 * only when displacement and forecast of one of its bodies exceed that body's margin. Who slept at
 * the last look has not moved since. */
static void compare_margins(const plu_detector *d, bool *used_up)
{
    const plu_world *w = d->world;
    const bool same_sleepers = d->naps == w->naps;
#pragma omp for schedule(static) nowait
    for (int i = 0; i < w->count; i++) {
        if (w->state[i] != PLU_ACTIVE || (same_sleepers && !plu_awake(w, i)))
            continue;
        double moved[3];
        plu_sub(w->position[i], d->origin[i], moved);
        if (plu_norm(moved) + forecast_reach(w, i) > d->origin[i][3]) {
#pragma omp atomic write
            *used_up = true;
        }
    }
}

static bool still_valid(const plu_detector *d)
{
    if (!d->built || d->generation != d->world->generation)
        return false;
    bool used_up = false;
    PLU_TEAM(d->world->count > 4000, compare_margins(d, &used_up));
    return !used_up;
}

static double margin(const plu_world *w, int i)
{
    const double r = w->position[i][3], stride = w->scene->step * plu_norm(w->velocity[i]);
    const double wanted = plu_min(margin_steps * stride, margin_moving * r);
    return plu_max(plu_max(margin_rest * r, wanted), 2.0 * stride);
}

static plu_status wall_candidates(plu_detector *d, int count, plu_error *err)
{
    const plu_world *w = d->world;
    d->walls.count = 0;
    for (int k = 0; k < count; k++) {
        const int i = d->member[k];
        for (int part = 0; part < w->parts_count; part++) {
            double n[3];
            if (plu_part_gap(&w->parts[part], w->position[i], n) > d->origin[i][3])
                continue;
            const plu_status s = plu_reserve(&d->walls.pair, &d->walls.capacity, d->walls.count + 1,
                                             sizeof *d->walls.pair, 1, err);
            if (s != PLU_OK)
                return s;
            d->walls.pair[d->walls.count++] = (plu_pair){part, i};
        }
    }
    return PLU_OK;
}

static plu_status build(plu_detector *d, plu_error *err)
{
    const plu_world *w = d->world;
    plu_status s =
        plu_reserve(&d->member, &d->capacity_member, (size_t)w->count, sizeof *d->member, 0, err);
    if (s == PLU_OK)
        s = plu_reserve(&d->sphere, &d->capacity_sphere, (size_t)w->count, sizeof *d->sphere, 0,
                        err);
    if (s == PLU_OK)
        s = plu_reserve(&d->origin, &d->capacity_origin, (size_t)w->count, sizeof *d->origin, 0,
                        err);
    if (s != PLU_OK)
        return s;
    int count = 0;
    for (int i = 0; i < w->count; i++) {
        if (w->state[i] != PLU_ACTIVE)
            continue;
        memcpy(d->origin[i], w->position[i], 3 * sizeof(double));
        d->origin[i][3] = margin(w, i);
        memcpy(d->sphere[count], w->position[i], sizeof *d->sphere);
        d->sphere[count][3] += d->origin[i][3];
        d->member[count++] = i;
    }
    s = plu_grid_pairs(d->grid, count, d->member, (const double(*)[4])d->sphere, w->count,
                       &d->spheres, err);
    if (s == PLU_OK)
        s = wall_candidates(d, count, err);
    d->built = s == PLU_OK;
    d->generation = w->generation;
    return s;
}

/* Each chunk of candidates writes its contacts where the chunk begins. */
static void look_at_chunks(plu_detector *d, size_t candidates, int chunks)
{
#pragma omp for schedule(static) nowait
    for (int chunk = 0; chunk < chunks; chunk++) {
        const size_t begin = (size_t)chunk * PLU_CANDIDATE_CHUNK;
        const size_t end =
            begin + PLU_CANDIDATE_CHUNK < candidates ? begin + PLU_CANDIDATE_CHUNK : candidates;
        plu_contact *out = d->now.contact + begin;
        int count = 0;
        for (size_t k = begin; k < end; k++)
            count += plu_look(d, k, &out[count]);
        d->chunk_count[chunk] = count;
    }
}

/* The contacts of the chunks are moved together, so that their order is that of the candidates
 * whatever thread looked at them. */
static plu_status narrow(plu_detector *d, plu_error *err)
{
    const size_t candidates = d->spheres.count + d->walls.count;
    const int chunks = (int)((candidates + PLU_CANDIDATE_CHUNK - 1) / PLU_CANDIDATE_CHUNK);
    plu_status s = plu_reserve(&d->chunk_count, &d->capacity_chunks, (size_t)chunks,
                               sizeof *d->chunk_count, 0, err);
    if (s == PLU_OK)
        s = plu_contacts_reserve(&d->now, candidates, err);
    if (s != PLU_OK)
        return s;
    PLU_TEAM(chunks > 2, look_at_chunks(d, candidates, chunks));
    int total = 0;
    for (int chunk = 0; chunk < chunks; total += d->chunk_count[chunk++])
        memmove(d->now.contact + total, d->now.contact + (size_t)chunk * PLU_CANDIDATE_CHUNK,
                (size_t)d->chunk_count[chunk] * sizeof *d->now.contact);
    d->now.count = total;
    return plu_impulses_reserve(&d->now, err);
}

int plu_detector_count(const plu_detector *d)
{
    return d->now.count;
}

void plu_detector_state(plu_detector *d, plu_state *state)
{
    plu_contacts_state(&d->now, d->world, state);
    d->watching &= !state->loading;
}

plu_status plu_detector_set(plu_detector *d, int count, const int (*body)[2],
                            const plu_impulse *impulse, plu_error *err)
{
    d->watching = false;
    return plu_contacts_set(&d->now, d->world, count, body, impulse, err);
}

/* All candidates; impulses are carried over from the list before. */
static plu_status look_at_all(plu_detector *d, plu_error *err)
{
    const plu_contacts last = d->now;
    d->now = d->before;
    d->before = last;
    d->watching = false;
    plu_status s = narrow(d, err);
    if (s != PLU_OK)
        return s;
    const plu_world *w = d->world;
    d->same_graph =
        plu_match(w, &d->before, &d->now) && d->naps == w->naps && d->wakings == w->wakings;
    d->naps = w->naps;
    d->wakings = w->wakings;
    if (!d->same_graph)
        s = plu_list_live(d, err);
    if (s == PLU_OK && 2 * (long)w->asleep > w->active)
        s = plu_watch(d, err);
    return s;
}

plu_status plu_detect(plu_detector *d, plu_contacts **contacts, plu_error *err)
{
    const bool valid = still_valid(d);
    plu_status s = valid ? PLU_OK : build(d, err);
    if (s != PLU_OK)
        return s;
    s = valid && d->watching && d->naps == d->world->naps ? plu_look_at_watched(d, err)
                                                          : look_at_all(d, err);
    d->now.live = d->live;
    d->now.live_count = d->live_count;
    *contacts = &d->now;
    return s;
}

plu_status plu_detect_woken(plu_detector *d, plu_error *err)
{
    const plu_status s = plu_list_live(d, err);
    for (int i = 0; s == PLU_OK && i < d->live_count; i++)
        plu_to_tangent_plane(&d->now, d->live[i]);
    d->now.live = d->live;
    d->now.live_count = d->live_count;
    return s;
}
