#include "detect/detect.h"
#include "base/memory.h"
#include "base/vec3.h"
#include "detect/grid.h"
#include "detect/match.h"
#include <stdlib.h>
#include <string.h>

/* Margins of the candidate list, in radii: a larger one is kept longer and holds more pairs. */
static const double margin_rest = 0.10, margin_moving = 0.50;
static const double margin_steps = 30.0; /* steps of its own motion that a body may use up */
/* A contact open by this fraction of the smaller radius counts as closed: rounding of positions
 * must not make a resting contact flicker. */
static const double closed = 1e-9;

enum { CHUNK = 2048 }; /* candidates a chunk; chunks are the unit of parallel work */

struct plu_detector {
    const plu_world *world;
    plu_grid *grid;
    bool built;
    long generation;
    plu_pairs spheres, walls; /* candidates; in walls a is the part and b the body */
    size_t capacity_chunks, capacity_member, capacity_sphere, capacity_origin;
    int *chunk_count; /* contacts that each chunk of candidates gave */
    int *member;
    double (*sphere)[4]; /* grown spheres of the active bodies, for the grid */
    double (*origin)[4]; /* position at the last build, and the margin, by body */
    plu_contacts now, before;
    bool same_graph;
};

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
 * only when displacement and forecast of one of its bodies exceed that body's margin. */
static bool still_valid(const plu_detector *d)
{
    const plu_world *w = d->world;
    if (!d->built || d->generation != w->generation)
        return false;
    int used_up = 0;
#pragma omp parallel for schedule(static) reduction(| : used_up) if (w->count > 4000)
    for (int i = 0; i < w->count; i++) {
        if (w->state[i] != PLU_ACTIVE)
            continue;
        double moved[3];
        plu_sub(w->position[i], d->origin[i], moved);
        used_up |= plu_norm(moved) + forecast_reach(w, i) > d->origin[i][3];
    }
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

/* A pair that is apart by more than it can approach: |d| > R gives -u_N <= -d.u / R, so that no
 * root is needed to tell most candidates from contacts. */
static bool too_far(const plu_world *w, plu_pair pair)
{
    const double *xa = w->position[pair.a], *xb = w->position[pair.b];
    double apart[3], rate[3];
    plu_sub(xb, xa, apart);
    const double radii = xa[3] + xb[3], square = plu_dot(apart, apart);
    if (square <= radii * radii)
        return false;
    plu_sub(w->velocity[pair.b], w->velocity[pair.a], rate);
    const double nearer = w->scene->forecast * w->scene->step * -plu_dot(apart, rate) / radii;
    const double reach = radii * (1.0 + closed) + plu_max(nearer, 0.0);
    return square > reach * reach;
}

static bool look_at_spheres(const plu_world *w, plu_pair pair, plu_contact *c)
{
    if (too_far(w, pair))
        return false;
    const double *xa = w->position[pair.a], *xb = w->position[pair.b];
    double apart[3], rate[3];
    plu_sub(xb, xa, apart);
    plu_sub(w->velocity[pair.b], w->velocity[pair.a], rate);
    const double distance = plu_norm(apart), radii = xa[3] + xb[3];
    c->a = pair.a;
    c->b = pair.b;
    if (distance > 0.0) {
        for (int k = 0; k < 3; k++)
            c->normal[k] = apart[k] / distance;
    } else { /* same centre: any normal will do, if always the same */
        c->normal[0] = c->normal[1] = 0.0;
        c->normal[2] = 1.0;
    }
    c->gap = distance - radii;
    c->approach = plu_dot(c->normal, rate);
    return c->gap + w->scene->forecast * w->scene->step * c->approach <=
           closed * plu_min(xa[3], xb[3]);
}

static bool look_at_wall(const plu_world *w, plu_pair pair, plu_contact *c)
{
    c->a = -1 - pair.a;
    c->b = pair.b;
    c->gap = plu_part_gap(&w->parts[pair.a], w->position[pair.b], c->normal);
    c->approach = plu_dot(c->normal, w->velocity[pair.b]);
    return c->gap + w->scene->forecast * w->scene->step * c->approach <=
           closed * w->position[pair.b][3];
}

static bool look(const plu_detector *d, size_t candidate, plu_contact *c)
{
    const size_t spheres = d->spheres.count;
    return candidate < spheres ? look_at_spheres(d->world, d->spheres.pair[candidate], c)
                               : look_at_wall(d->world, d->walls.pair[candidate - spheres], c);
}

/* Each chunk of candidates writes its contacts where the chunk begins; then they are moved
 * together, so that their order is that of the candidates whatever thread looked at them. */
static plu_status narrow(plu_detector *d, plu_error *err)
{
    const size_t candidates = d->spheres.count + d->walls.count;
    const int chunks = (int)((candidates + CHUNK - 1) / CHUNK);
    plu_status s = plu_reserve(&d->chunk_count, &d->capacity_chunks, (size_t)chunks,
                               sizeof *d->chunk_count, 0, err);
    if (s == PLU_OK)
        s = plu_contacts_reserve(&d->now, candidates, err);
    if (s != PLU_OK)
        return s;
#pragma omp parallel for schedule(static) if (chunks > 2)
    for (int chunk = 0; chunk < chunks; chunk++) {
        const size_t begin = (size_t)chunk * CHUNK;
        const size_t end = begin + CHUNK < candidates ? begin + CHUNK : candidates;
        plu_contact *out = d->now.contact + begin;
        int count = 0;
        for (size_t k = begin; k < end; k++)
            count += look(d, k, &out[count]);
        d->chunk_count[chunk] = count;
    }
    int total = 0;
    for (int chunk = 0; chunk < chunks; total += d->chunk_count[chunk++])
        memmove(d->now.contact + total, d->now.contact + (size_t)chunk * CHUNK,
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
}

plu_status plu_detector_set(plu_detector *d, int count, const int (*body)[2],
                            const plu_impulse *impulse, plu_error *err)
{
    return plu_contacts_set(&d->now, d->world, count, body, impulse, err);
}

plu_status plu_detect(plu_detector *d, plu_contacts **contacts, plu_error *err)
{
    plu_status s = still_valid(d) ? PLU_OK : build(d, err);
    if (s != PLU_OK)
        return s;
    const plu_contacts last = d->now;
    d->now = d->before;
    d->before = last;
    s = narrow(d, err);
    if (s != PLU_OK)
        return s;
    d->same_graph = plu_match(&d->before, &d->now);
    *contacts = &d->now;
    return PLU_OK;
}
