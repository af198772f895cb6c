#include "solve/cold.h"
#include "solve/nesterov.h"
#include <string.h>

/* Smaller islands find their impulses by the sweeps of the step. */
enum { FEWEST = 1000 };

/* In units of g h: no body of an island at rest is faster before the step; the speed after it at
 * which sweeps end, and up to which the island counts as borne. */
static const double still = 1.0, borne_well = 1e-3, borne = 0.1;

/* Sweeps end where twice as many have lowered the speed to no less than this share: of an island
 * that is borne, and of one that is not yet. Sweeps carry a load a few layers on each, so the speed
 * of a deep bed hardly falls until they have come to its floor. */
static const double no_gain = 0.8, no_gain_yet = 0.99;

/* PATIENCE: times the sweeps of a step; the impulses are sought only once in a run. */
enum { FIRST_LOOK = 64, PATIENCE = 16 };

/* Nothing but gravity moves the bodies: boundaries and the cell stand still. */
static bool stands(const plu_problem *p)
{
    if (p->servos_count > 0 || p->drifts)
        return false;
    for (int row = p->moving; row < p->moving + p->given; row++)
        for (int i = 0; i < 6; i++)
            if (p->v_free[row][i] != 0.0 || p->v[row][i] != 0.0)
                return false;
    return true;
}

static bool begins_at_rest(const plu_problem *p, const plu_island *island,
                           const plu_solve_settings *s)
{
    const double most = still * plu_fall(s);
    for (int i = island->body_begin; i < island->body_end; i++) {
        const double *v = p->v_free[p->island_body[i]];
        const double before[3] = {v[0] - s->pull[0], v[1] - s->pull[1], v[2] - s->pull[2]};
        if (!(plu_dot(before, before) <= most * most &&
              plu_dot(v + 3, v + 3) * v[6] <= most * most * v[7])) /* the surface, about */
            return false;
    }
    return true;
}

/* The speed, in units of g h, at which all bodies would have the kinetic energy of the island. */
static double speed_after(const plu_problem *p, const plu_island *island,
                          const plu_solve_settings *s)
{
    double energy = 0.0, mass = 0.0;
    for (int i = island->body_begin; i < island->body_end; i++) {
        const double *v = p->v[p->island_body[i]];
        energy += plu_dot(v, v) / v[6] + plu_dot(v + 3, v + 3) / v[7];
        mass += 1.0 / v[6];
    }
    return sqrt(energy / mass) / plu_fall(s);
}

/* Sweeps with momentum. Returns the speed in the end. */
static double sweep(plu_problem *p, plu_island *island, const plu_solve_settings *s)
{
    plu_nesterov m = plu_nesterov_start(island);
    double speed = INFINITY;
    for (long sweeps = 0, look = FIRST_LOOK; sweeps < (long)PATIENCE * s->max_iterations;) {
        if (sweeps > 0 && plu_nesterov_moves(&m))
            plu_momentum(p, island, m.beta);
        const plu_sweep_way way = {.keep = true, .judged = true, .beta = m.beta};
        const plu_sweep sums = plu_sweep_island(p, island, &way, plu_local_exact);
        sweeps += plu_sweeps_of(island);
        plu_nesterov_next(&m, &sums);
        if (sweeps < look)
            continue;
        look = 2 * sweeps;
        const double before = speed;
        speed = speed_after(p, island, s);
        const double gain = before > borne ? no_gain_yet : no_gain;
        if (speed <= borne_well || !(speed < gain * before))
            return speed;
    }
    return speed_after(p, island, s);
}

static void clear_impulses(plu_problem *p, const plu_island *island)
{
    for (int slot = island->slot_begin; slot < island->slot_end; slot++)
        for (int i = 0; i < 7; i++)
            plu_block_of(p, slot)->p[i][slot % PLU_LANES] = 0.0;
}

/* Whether impulses were found. */
static bool find_start(plu_problem *p, plu_island *island, const plu_solve_settings *s)
{
    plu_flow_fill(p, island);
    plu_problem_apply(p, island);
    const bool found = sweep(p, island, s) <= borne;
    if (!found)
        clear_impulses(p, island);
    for (int i = island->body_begin; i < island->body_end; i++) /* as the step expects them */
        memcpy(p->v[p->island_body[i]], p->v_free[p->island_body[i]], sizeof *p->v);
    return found;
}

long plu_find_start(plu_problem *p, const plu_solve_settings *s)
{
    if (!s->velocity || !s->solver->step || s->local->sphere != plu_local_exact || s->associated ||
        plu_fall(s) <= 0.0 || !stands(p))
        return 0;
    long found = 0;
    p->opens = true;
    for (int k = 0; k < p->islands_count; k++) {
        plu_island *island = &p->islands[k];
        if (island->contacts >= FEWEST && island->padded && begins_at_rest(p, island, s) &&
            find_start(p, island, s))
            found += island->contacts;
    }
    p->opens = false;
    return found;
}
