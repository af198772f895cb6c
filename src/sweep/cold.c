#include "sweep/cold.h"
#include "sweep/engine.h"
#include "sweep/nesterov.h"
#include "sweep/workspace.h"
#include <string.h>

/* Smaller islands find their impulses by the sweeps of the step. */
enum { FEWEST = 1000 };

/* In units of g h: how fast an island at rest is before the step; by how much its bodies may change
 * their speed in the step where sweeps end, and where the island counts as borne. All are root mean
 * squares by mass: single bodies that fall, roll or spin beside the others do not count for more
 * than they weigh, and what keeps its speed is not an error. */
static const double still = 1.0, borne_well = 0.02, borne = 0.1;

/* Sweeps end where twice as many have lowered the change to no less than this share: of an island
 * that is borne, and of one that is not yet. Sweeps carry a load a few layers on each, so the
 * change in a deep bed hardly falls until they have come to its floor. */
static const double no_gain = 0.8, no_gain_yet = 0.99;

/* PATIENCE: times the sweeps of a step; the impulses are sought only once in a run. */
enum { FIRST_LOOK = 64, PATIENCE = 16, RENEWED = 64 };

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

/* The root mean square by mass, in units of g h, of the speeds before the step or, if `change`, of
 * what the step adds to the velocities. */
static double speed_of(const plu_swept *x, bool change)
{
    const plu_problem *p = x->problem;
    double energy = 0.0, mass = 0.0;
    for (int i = x->island->body_begin; i < x->island->body_end; i++) {
        const int body = p->island_body[i];
        const double *free = p->v_free[body];
        double v[6];
        for (int k = 0; k < 6; k++) {
            const double before = free[k] - (k < 3 ? x->settings->pull[k] : 0.0);
            v[k] = change ? p->v[body][k] - before : before;
        }
        energy += plu_dot(v, v) / free[6] + plu_dot(v + 3, v + 3) / free[7];
        mass += 1.0 / free[6];
    }
    return sqrt(energy / mass) / plu_fall(x->settings);
}

/* Sweeps with momentum. Returns what the step would add to the velocities in the end. */
static double sweep(plu_swept *x)
{
    plu_nesterov m = plu_nesterov_start(x->island);
    double change = INFINITY;
    const long most = (long)PATIENCE * x->settings->max_iterations;
    for (long sweeps = 0, look = FIRST_LOOK;;) {
        const plu_sweep_way way = {
            .keep = true, .judged = true, .moves = plu_nesterov_moves(&m), .beta = m.beta};
        const plu_sweep_sums sums = x->engine->sweep(x, &way);
        sweeps += plu_sweeps_of(x->island);
        plu_nesterov_next(&m, &sums);
        const bool looks = sweeps >= look || sweeps >= most || plu_gives_up(x->settings);
        if (looks || sweeps % RENEWED == 0) {
            plu_swept_give(x);
            plu_swept_renew(x);
        }
        if (!looks)
            continue;
        look = 2 * sweeps;
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
static plu_status find_start(plu_swept *x, bool *found, plu_error *err)
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

static plu_status find_starts(plu_problem *p, const plu_solve_settings *s, plu_workspace *w,
                              long *served, bool *found, plu_error *err)
{
    plu_status status = PLU_OK;
    for (int k = 0; k < p->islands_count && status == PLU_OK; k++) {
        plu_island *island = &p->islands[k];
        plu_swept x = {.engine = island->large ? plu_engine_of(p, island, s) : &plu_doubles,
                       .problem = p,
                       .island = island,
                       .settings = s,
                       .shared = &w->single,
                       .mass = -1.0};
        if (island->contacts < FEWEST || !island->padded)
            continue;
        bool good = speed_of(&x, false) > still; /* in motion: there is no rest to be kept */
        if (!good) {
            status = find_start(&x, &good, err);
            *found |= good;
        }
        *served += good ? island->contacts : 0;
    }
    return status;
}

plu_status plu_find_start(plu_problem *p, const plu_solve_settings *s, plu_workspace *w,
                          long *served, bool *found, plu_error *err)
{
    *served = 0;
    *found = false;
    if (!s->velocity || !s->solver->step || s->local->sphere != plu_local_exact || s->associated ||
        plu_fall(s) <= 0.0 || !stands(p))
        return PLU_OK;
    p->opens = true;
    const plu_status status = find_starts(p, s, w, served, found, err);
    p->opens = false;
    return status;
}
