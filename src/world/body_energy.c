/* Energies of all bodies, and the hash by which states are compared. */
#include "world/body_energy.h"
#include "base/exact.h"
#include "base/hash.h"
#include "base/team.h"

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

/* The hash of one body, with its number: states that differ by two bodies' places differ. */
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
