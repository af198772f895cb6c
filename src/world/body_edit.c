/* Bodies that are fixed or taken out while a run lasts, by a call or where they left the domain. */
#include "world/body_edit.h"
#include "base/exact.h"
#include "base/rng.h"
#include "base/team.h"
#include "pluvia/scene.h"
#include <string.h>

double plu_world_take_out(plu_world *w, int body)
{
    const double energy = plu_energy_sum(plu_body_energy(w, body));
    memset(w->bodies.row[body], 0, 6 * sizeof(double));
    w->bodies.state[body] = PLU_REMOVED;
    w->asleep -= plu_asleep(w, body);
    w->fixed -= plu_is_fixed(w, body);
    w->bodies.rest[body] = 0;
    w->active--;
    w->removed++;
    w->generation++;
    return energy;
}

void plu_world_fix(plu_world *w, int body, bool fixed)
{
    if (plu_is_fixed(w, body) == fixed)
        return;
    if (plu_asleep(w, body))
        plu_wake(w, body);
    memset(w->bodies.row[body], 0, 6 * sizeof(double));
    w->bodies.rest[body] = fixed ? PLU_FIXED : 0;
    w->fixed += fixed ? 1 : -1;
    w->wakings++; /* other contacts are live */
    w->generation++;
}

bool plu_world_removes(const plu_world *world, int body, const double x[3])
{
    const plu_scene *scene = world->scene;
    for (int k = 0; k < 3; k++)
        if (x[k] < scene->domain[0][k] || x[k] > scene->domain[1][k])
            return scene->has_domain && scene->outside == PLU_REMOVE && !plu_is_fixed(world, body);
    return false;
}

void plu_world_remove_outside(plu_world *world, double *removed)
{
    const plu_scene *scene = world->scene;
    if (!scene->has_domain || scene->outside != PLU_REMOVE)
        return;
    plu_exact energy = {0};
    for (int b = 0; b < world->bodies.count; b++)
        if (world->bodies.state[b] == PLU_ACTIVE &&
            plu_world_removes(world, b, world->bodies.position[b]))
            plu_exact_add(&energy, plu_world_take_out(world, b));
    *removed += plu_exact_value(&energy);
}

enum { PARALLEL_FROM = 20000, PARTS = 3 };

static void add_bodies(const plu_world *world, plu_exact sum[PARTS])
{
    plu_exact own[PARTS] = {0};
#pragma omp for schedule(static) nowait
    for (int b = 0; b < world->bodies.count; b++) {
        if (world->bodies.state[b] != PLU_ACTIVE)
            continue;
        const plu_energy energy = plu_body_energy(world, b);
        plu_exact_add(&own[0], energy.translation);
        plu_exact_add(&own[1], energy.rotation);
        plu_exact_add(&own[2], energy.potential);
    }
#pragma omp critical
    for (int k = 0; k < PARTS; k++)
        plu_exact_join(&sum[k], &own[k]);
}

plu_energy plu_world_energy(const plu_world *world)
{
    plu_exact sum[PARTS] = {0};
    PLU_TEAM(plu_many(world->bodies.count, PARALLEL_FROM - 1), add_bodies(world, sum));
    return (plu_energy){.translation = plu_exact_value(&sum[0]),
                        .rotation = plu_exact_value(&sum[1]),
                        .potential = plu_exact_value(&sum[2])};
}

/* Of one body, with its number: states that differ by a change of two bodies' places differ. */
static uint64_t hash_of(const plu_world *world, int b)
{
    const int number[2] = {b, world->bodies.state[b]};
    uint64_t hash = plu_hash(PLU_HASH_START, number, sizeof number);
    if (world->bodies.state[b] != PLU_ACTIVE)
        return hash;
    hash = plu_hash(hash, world->bodies.position[b], sizeof world->bodies.position[b]);
    hash = plu_hash(hash, world->bodies.row[b], 6 * sizeof(double));
    return plu_hash(hash, world->bodies.orientation[b], sizeof world->bodies.orientation[b]);
}

static void add_hashes(const plu_world *world, uint64_t *sum)
{
    uint64_t own = 0;
#pragma omp for schedule(static) nowait
    for (int b = 0; b < world->bodies.count; b++)
        own += hash_of(world, b);
#pragma omp atomic
    *sum += own;
}

uint64_t plu_world_hash(const plu_world *world)
{
    uint64_t sum = plu_hash(PLU_HASH_START, &world->time, sizeof world->time);
    PLU_TEAM(plu_many(world->bodies.count, PARALLEL_FROM - 1), add_hashes(world, &sum));
    return sum;
}
