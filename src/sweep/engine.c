/* The table of sweep engines (engine.h has what a row must do): floats first, which are faster;
 * doubles last, which suit all. An island that begins in floats may go on in doubles, never back:
 *
 *     problem (doubles)  --begin-->  floats: sweep, sweep, ...  --give-->  problem: errors, exact
 *            ^                            ^                                   |
 *            |                            '-------- renew: v of the doubles --'   not solved yet
 *            '--- finer: sweeps of the problem itself, where rounding is what is left
 *
 * `give` computes v = v_free + M^-1 H p from the converted impulses, so that what a step ends with
 * is as consistent as without floats; only the size of its error was found in them. */
#include "sweep/engine.h"
#include "base/strategy.h"
#include <omp.h>

static bool any(const plu_problem *p, const plu_island *island, const plu_solve_settings *s)
{
    (void)p, (void)island, (void)s;
    return true;
}

static plu_status begin(plu_engine_state *x, plu_error *err)
{
    (void)err;
    plu_flow_fill(x->problem, x->island);
    plu_problem_apply(x->problem, x->island);
    return PLU_OK;
}

/* Contacts that yield need the exact local solver, whatever the settings name. */
static plu_sweep_sums sweep(plu_engine_state *x, const plu_sweep_way *way)
{
    if (way->moves) {
        plu_momentum(x->problem, x->island, way->beta);
        plu_servos_move_on(x->problem, x->island, NULL, way->beta);
    }
    plu_local_solve *local =
        x->island->bound.most > 0.0 ? plu_local_exact : x->settings->local->sphere;
    const plu_sweep_sums sums = plu_sweep_island(x->problem, x->island, way, local);
    plu_servos_apply(x->problem, x->island);
    return sums;
}

static bool single_suits(const plu_problem *p, const plu_island *island,
                         const plu_solve_settings *s)
{
    return s->single && s->local->sphere == plu_local_exact && !s->natural &&
           s->tolerance >= single_tolerance && plu_single_suits(p, island);
}

static plu_status begin_single(plu_engine_state *x, plu_error *err)
{
    if (x->island->large) {
        x->single = x->shared;
        const plu_status status = plu_single_begin(x->single, x->problem, x->island, err);
        if (status != PLU_OK)
            return status;
    } else {
        x->own = *x->shared;
        x->single = &x->own;
        plu_single_begin_alone(x->single, x->island, omp_get_thread_num());
    }
    plu_servos_apply_single(x->single, x->problem, x->island);
    x->mass = x->single->island_mass;
    return PLU_OK;
}

static plu_sweep_sums sweep_single(plu_engine_state *x, const plu_sweep_way *way)
{
    if (way->moves)
        plu_servos_move_on(x->problem, x->island, x->single, way->beta);
    const plu_sweep_sums sums = plu_sweep_single(x->single, x->island, way);
    plu_servos_apply_single(x->single, x->problem, x->island);
    return sums;
}

static plu_errors errors_single(const plu_engine_state *x)
{
    return plu_single_errors(x->single, x->island, x->settings->pull);
}

static void give_single(const plu_engine_state *x)
{
    plu_problem_apply_single(x->problem, x->island, x->single);
}

static void renew_single(const plu_engine_state *x)
{
    plu_single_renew(x->single, x->island);
}

static const plu_engine doubles = {
    .name = "doubles",
    .suits = any,
    .begin = begin,
    .sweep = sweep,
};

static const plu_engine floats = {
    .name = "floats",
    .finer = &doubles,
    .suits = single_suits,
    .prepare = plu_single_prepare,
    .begin = begin_single,
    .sweep = sweep_single,
    .errors = errors_single,
    .give = give_single,
    .renew = renew_single,
};

/* The fastest first; the last one suits all islands. */
static const plu_engine *const engines[] = {&floats, &doubles};
enum { ENGINES = sizeof engines / sizeof *engines };

const plu_engine *plu_engine_last(void)
{
    return engines[ENGINES - 1];
}

const plu_engine *plu_engine_of(const plu_problem *p, const plu_island *island,
                                const plu_solve_settings *s)
{
    int k = 0;
    while (!engines[k]->suits(p, island, s))
        k++;
    return engines[k];
}

plu_status plu_engines_prepare(plu_single *shared, const plu_problem *p,
                               const plu_solve_settings *s, plu_error *err)
{
    for (int k = 0; k < p->islands_count; k++) {
        const plu_engine *engine = plu_engine_of(p, &p->islands[k], s);
        if (!p->islands[k].large && engine->prepare)
            return engine->prepare(shared, p, omp_get_max_threads(), err);
    }
    return PLU_OK;
}
