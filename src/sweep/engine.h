/* engine.h: what sweeps an island, as rows of one table, so that the iteration around the sweeps
 * (gs.c, initial_impulses.c) is written once and names none of them.
 *
 *     begin      p of the problem -> p, v of the engine
 *     sweep ...  p, v -> p', v'                         errors: how wrong they are, an estimate
 *     give       p -> p of the problem, v = v_free + M^-1 H p there      then: errors in doubles
 *     renew      v of the problem -> v of the engine, and on
 *
 * There are two rows: doubles, which work on the problem itself and suit every island, and floats
 * (blocks/single.h), which are faster and end at what rounding leaves. An engine that a row does
 * not suit is passed over; where a row has got as far as it can, the row `finer` goes on from the
 * impulses that it gives. A row for blocks of other shapes, for a part of an island or for another
 * device needs these functions and nothing else. */
#ifndef SWEEP_ENGINE_H
#define SWEEP_ENGINE_H

#include "blocks/errors.h"
#include "sweep/island_sweep.h"
#include "sweep/settings.h"

struct plu_engine;

/* An island that an engine sweeps. The engine's memory is borrowed from the workspace. */
typedef struct plu_engine_state {
    const struct plu_engine *engine;
    plu_problem *problem;
    plu_island *island;
    const plu_solve_settings *settings;
    plu_single *shared; /* of the workspace: floats of the large island that is being solved */
    plu_single own;     /* floats of an island of a single thread: a copy of what `shared` is */
    plu_single *single; /* one of them, from `begin` on; doubles: NULL */
    double mass;        /* plu_problem_mass of the island; < 0: nobody has computed it yet */
} plu_engine_state;

typedef struct plu_engine {
    const char *name;
    /* Goes on where rounding dominates or this one takes long; NULL: there is none, and the engine
     * works on the problem itself: nothing has to be given or renewed. */
    const struct plu_engine *finer;
    /* Whether it can sweep the island to the tolerance. */
    bool (*suits)(const plu_problem *problem, const plu_island *island,
                  const plu_solve_settings *settings);
    /* Room for islands of a single thread each (plu_engines_prepare); NULL: none is needed. */
    plu_status (*prepare)(plu_single *shared, const plu_problem *problem, int threads,
                          plu_error *err);
    /* Starts from the impulses of the problem. PLU_OK or PLU_IO. */
    plu_status (*begin)(plu_engine_state *x, plu_error *err);
    /* One call of plu_sweep_island or its like, servos included. If way->moves momentum carries
     * the bodies on first: here and not in a function of its own, because an engine may do so tile
     * by tile, while the bodies of a tile are in cache. */
    plu_sweep_sums (*sweep)(plu_engine_state *x, const plu_sweep_way *way);
    /* Estimates of plu_problem_errors; NULL: there is nothing cheaper. */
    plu_errors (*errors)(const plu_engine_state *x);
    /* Impulses back to the problem, which gets the velocities that they have. */
    void (*give)(const plu_engine_state *x);
    /* After `give`: goes on with those velocities. */
    void (*renew)(const plu_engine_state *x);
} plu_engine;

/* The last engine of the table: suits every island, and works on the problem itself. */
const plu_engine *plu_engine_last(void);

/* The first engine of the table that suits the island. */
const plu_engine *plu_engine_of(const plu_problem *problem, const plu_island *island,
                                const plu_solve_settings *settings);

/* Room for what engines need in islands of a single thread each, before threads begin. PLU_OK or
 * PLU_IO. */
plu_status plu_engines_prepare(plu_single *shared, const plu_problem *problem,
                               const plu_solve_settings *settings, plu_error *err);

/* The impulses are in the problem, and its velocities are theirs. */
static inline void plu_engine_give(const plu_engine_state *x)
{
    if (x->engine->finer)
        x->engine->give(x);
}

/* The engine goes on with the velocities that `give` has left in the problem. */
static inline void plu_engine_renew(const plu_engine_state *x)
{
    if (x->engine->finer)
        x->engine->renew(x);
}

#endif
