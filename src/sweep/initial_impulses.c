/* Impulses for a bed at rest that brings none along (initial_impulses.h: why there is a choice at
 * all). With Coulomb's law the problem has several solutions in a deep bed. With the associated
 * law, in which slip opens the contact (y in K* itself, not y^), it is a convex one,
 *
 *     min  1/2 p.W p + q.p ,  p in K        = least kinetic energy at the end of the step
 *
 * (Tasora & Anitescu, Comput. Methods Appl. Mech. Engrg. 200 (2011) 439), so sweeps with momentum
 * find its minimum, wherever they begin; 0.9 of the friction leaves a margin for the next steps.
 * Where the bed can bear its load that minimum has v = 0, and nothing slips: it solves Coulomb's
 * law as well.
 *
 *     sweeps:   64 ---- 128 ------ 256 ---------- 512 ...     judged at doubled numbers
 *     change = rms by mass of |v_{k+1} - v_k| / (g h)         1 at p = 0, 0 where all is borne
 *         <= 0.02 : end      fell by less than a fifth (above 0.1: a hundredth) : end, no gain
 *     at the end <= 0.1 : the step begins from p           else p = 0
 *
 * The velocity of a load goes a few layers a sweep, so `change` hardly falls before sweeps have
 * come to the floor; what tells is not the step from one sweep to the next but that over twice as
 * many. */
#include "sweep/initial_impulses.h"
#include "base/exact.h"
#include "base/strategy.h"
#include "sweep/engine.h"
#include "sweep/nesterov.h"
#include "sweep/workspace.h"
#include <string.h>

/* Nothing but gravity moves the bodies: boundaries and the cell stand still. */
static bool is_still(const plu_problem *p)
{
    if (p->servos_count > 0 || p->drifts)
        return false;
    for (int row = p->moving; row < p->moving + p->given; row++)
        for (int i = 0; i < 6; i++)
            if (p->v_free[row][i] != 0.0 || p->v[row][i] != 0.0)
                return false;
    return true;
}

/* The root mean square by mass, in units of g h, of the speeds before the step or, if `change`, of
 * what the step adds to the velocities. */
static double speed_of(const plu_engine_state *x, bool change)
{
    const plu_problem *p = x->problem;
    plu_exact energy = {0}, mass = {0};
    for (int i = x->island->body_begin; i < x->island->body_end; i++) {
        const int body = p->island_body[i];
        const double *free = p->v_free[body];
        double v[6];
        for (int k = 0; k < 6; k++) {
            const double before = free[k] - (k < 3 ? x->settings->pull[k] : 0.0);
            v[k] = change ? p->v[body][k] - before : before;
        }
        plu_exact_add(&energy, plu_dot(v, v) / free[6] + plu_dot(v + 3, v + 3) / free[7]);
        plu_exact_add(&mass, 1.0 / free[6]);
    }
    return sqrt(plu_exact_value(&energy) / plu_exact_value(&mass)) / plu_fall(x->settings);
}

/* Sweeps with momentum. Returns what the step would add to the velocities in the end. */
static double sweep(plu_engine_state *x)
{
    plu_nesterov m = plu_nesterov_start(x->island);
    double change = INFINITY;
    const long most = (long)START_PATIENCE * x->settings->max_iterations;
    for (long sweeps = 0, next = START_CHECKED;;) {
        const plu_sweep_way way = {
            .keep = true, .judged = true, .moves = plu_nesterov_moves(&m), .beta = m.beta};
        const plu_sweep_sums sums = x->engine->sweep(x, &way);
        sweeps += plu_sweeps_of(x->island);
        plu_nesterov_next(&m, &sums);
        const bool due = sweeps >= next || sweeps >= most || plu_gives_up(x->settings);
        if (due || sweeps % RENEWED == 0) {
            plu_engine_give(x);
            plu_engine_renew(x);
        }
        if (!due)
            continue;
        next = 2 * sweeps;
        const double before = change;
        change = speed_of(x, true);
        const double gain = before > borne ? no_gain_yet : no_gain;
        if (change <= borne_well || !(change < gain * before) || sweeps >= most ||
            plu_gives_up(x->settings))
            return change;
    }
}

static void clear_impulses(plu_problem *p, const plu_island *island)
{
    for (int slot = island->slot_begin; slot < island->slot_end; slot++)
        for (int i = 0; i < 7; i++)
            plu_block_of(p, slot)->p[i][slot % PLU_LANES] = 0.0;
}

/* *found: whether impulses were found. */
static plu_status find(plu_engine_state *x, bool *found, plu_error *err)
{
    plu_problem *p = x->problem;
    plu_island *island = x->island;
    const plu_status status = x->engine->begin(x, err);
    if (status != PLU_OK)
        return status;
    *found = sweep(x) <= borne;
    if (!*found)
        clear_impulses(p, island);
    for (int i = island->body_begin; i < island->body_end; i++) /* as the step expects them */
        memcpy(p->v[p->island_body[i]], p->v_free[p->island_body[i]], sizeof *p->v);
    return PLU_OK;
}

static plu_status find_all(plu_problem *p, const plu_solve_settings *s, plu_workspace *w,
                           long *served, bool *found, plu_error *err)
{
    plu_status status = PLU_OK;
    for (int k = 0; k < p->islands_count && status == PLU_OK; k++) {
        plu_island *island = &p->islands[k];
        plu_engine_state x = {.engine =
                                  island->large ? plu_engine_of(p, island, s) : plu_engine_last(),
                              .problem = p,
                              .island = island,
                              .settings = s,
                              .shared = &w->single,
                              .mass = -1.0};
        if (island->contacts < START_FEWEST || !island->padded)
            continue;
        bool good =
            speed_of(&x, false) > start_at_rest; /* in motion: there is no rest to be kept */
        if (!good) {
            status = find(&x, &good, err);
            *found |= good;
        }
        *served += good ? island->contacts : 0;
    }
    return status;
}

plu_status plu_initial_impulses(plu_problem *p, const plu_solve_settings *s, plu_workspace *w,
                                long *served, bool *found, plu_error *err)
{
    *served = 0;
    *found = false;
    if (!s->velocity || !s->solver->step || s->local->sphere != plu_local_exact || s->associated ||
        plu_fall(s) <= 0.0 || !is_still(p))
        return PLU_OK;
    p->opens = true;
    const plu_status status = find_all(p, s, w, served, found, err);
    p->opens = false;
    return status;
}
