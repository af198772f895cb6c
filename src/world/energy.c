#include "world/energy.h"
#include "base/hash.h"
#include "base/team.h"

/* Sums are made in this many runs of bodies, whatever the number of threads, and these are added
 * in order: the same bits for any number of threads. */
enum { RUNS = 64, PARALLEL_FROM = 20000 };

static int run_start(const plu_world *world, int run)
{
    return (int)((long long)world->count * run / RUNS);
}

static void energy_add(plu_energy *sum, plu_energy energy)
{
    sum->translation += energy.translation;
    sum->rotation += energy.rotation;
    sum->potential += energy.potential;
}

static void sum_runs(const plu_world *world, plu_energy part[RUNS])
{
#pragma omp for schedule(static) nowait
    for (int run = 0; run < RUNS; run++) {
        plu_energy own = {0};
        for (int b = run_start(world, run); b < run_start(world, run + 1); b++)
            if (world->state[b] == PLU_ACTIVE)
                energy_add(&own, plu_body_energy(world, b));
        part[run] = own;
    }
}

plu_energy plu_world_energy(const plu_world *world)
{
    plu_energy part[RUNS] = {0}, sum = {0};
    PLU_TEAM(world->count >= PARALLEL_FROM, sum_runs(world, part));
    for (int run = 0; run < RUNS; run++)
        energy_add(&sum, part[run]);
    return sum;
}

uint64_t plu_world_hash(const plu_world *world)
{
    uint64_t hash = plu_hash(PLU_HASH_START, &world->time, sizeof world->time);
    hash = plu_hash(hash, world->state, (size_t)world->count);
    for (int b = 0; b < world->count; b++) {
        if (world->state[b] != PLU_ACTIVE)
            continue;
        hash = plu_hash(hash, world->position[b], sizeof world->position[b]);
        hash = plu_hash(hash, world->velocity[b], 6 * sizeof(double));
        hash = plu_hash(hash, world->orientation[b], sizeof world->orientation[b]);
    }
    return hash;
}
