/* A few contacts of a large island, solved exactly among the others (hand_over.h says when that
 * pays). With the chosen contacts c and all others o the problem splits as by blocks:
 *
 *     y_c = W_cc p_c + q_c ,     q_c = q + W_co p_o        p_o as the sweeps left it
 *
 * find_worst     keeps the 64 largest |p| |e| in falling order, by insertion; e: W_NN times what p
 *                would change by if the contact were solved alone (plu_slot_change)
 * choose         breadth first over bodies: all contacts of marked bodies, until there are enough
 * solve          the fallback on (W_cc, q_c), from the present impulses, to a tenth of the limit
 *
 * The result is judged on the whole island: what it does to contacts at the edge of the chosen ones
 * is an error of high frequency, which sweeps remove, so that it is kept up to four times the error
 * of before. */
#include "sweep/hand_over.h"
#include "base/exact.h"
#include "base/memory.h"
#include "base/strategy.h"
#include "general/own_solver.h"
#include "sweep/criterion.h"
#include "sweep/island_sweep.h"
#include "sweep/workspace.h"
#include <math.h>
#include <stdlib.h>

/* The contacts with the largest work, falling. */
typedef struct worst_contacts {
    int count, slot[HANDED_FEW];
    double work[HANDED_FEW];
    plu_exact total; /* of the island */
} worst_contacts;

/* |p| times the velocity that the contact is wrong by (J). */
static double work_of(const plu_problem *problem, int slot)
{
    const plu_block *b = plu_block_of(problem, slot);
    const int k = slot % PLU_LANES;
    double squares = 0.0;
    for (int i = 0; i < 7; i++) {
        const double p = b->p[i][k] * (i < 4 ? 1.0 : b->pair->inverse_length[k]);
        squares += p * p;
    }
    return squares > 0.0 ? sqrt(squares) * plu_slot_change(problem, slot) * b->pair->wn[k] : 0.0;
}

static void insert(worst_contacts *s, int slot, double work)
{
    plu_exact_add(&s->total, work);
    if (!(work > 0.0) || (s->count == HANDED_FEW && work <= s->work[HANDED_FEW - 1]))
        return;
    int i = s->count < HANDED_FEW ? s->count++ : HANDED_FEW - 1;
    for (; i > 0 && s->work[i - 1] < work; i--) {
        s->work[i] = s->work[i - 1];
        s->slot[i] = s->slot[i - 1];
    }
    s->work[i] = work;
    s->slot[i] = slot;
}

/* Whether few contacts hold most of the work; leaves no more of them than hold nearly all. */
static bool find_worst(const plu_problem *problem, const plu_island *island, worst_contacts *s)
{
    *s = (worst_contacts){0};
    for (int slot = island->slot_begin; slot < island->slot_end; slot++)
        if (problem->contact_of_slot[slot] >= 0)
            insert(s, slot, work_of(problem, slot));
    const double total = plu_exact_value(&s->total);
    double sum = 0.0;
    for (int i = 0; i < s->count; i++) {
        sum += s->work[i];
        if (sum >= nearly_all * total)
            s->count = i + 1;
    }
    return sum >= concentrated * total && total > 0.0;
}

/* The chosen contacts. */
typedef struct chosen {
    int count, *slot; /* [HANDED_MOST] */
    bool *body;       /* [moving rows] */
} chosen;

static void mark_bodies(const plu_problem *problem, chosen *x, const int *slot, int count)
{
    for (int i = 0; i < count; i++) {
        const plu_contact_pair pair = problem->pair_of_slot[slot[i]];
        x->body[pair.b] = true;
        if (!plu_is_given(problem, pair.a))
            x->body[pair.a] = true;
    }
}

/* Chooses all contacts of the marked bodies, unless there are too many of them. */
static bool choose_marked(const plu_problem *problem, const plu_island *island, chosen *x)
{
    int count = 0;
    for (int pass = 0; pass < 2; pass++) {
        if (count > HANDED_MOST)
            return false;
        count = 0;
        for (int slot = island->slot_begin; slot < island->slot_end; slot++) {
            const plu_contact_pair pair = problem->pair_of_slot[slot];
            if (problem->contact_of_slot[slot] < 0 ||
                !(x->body[pair.b] || (!plu_is_given(problem, pair.a) && x->body[pair.a])))
                continue;
            if (pass == 1)
                x->slot[count] = slot;
            count++;
        }
    }
    const bool grown = count > x->count;
    x->count = count;
    return grown;
}

/* Adds neighbors to the worst contacts. */
static void choose(const plu_problem *problem, const plu_island *island, const worst_contacts *s,
                   chosen *x)
{
    mark_bodies(problem, x, s->slot, s->count);
    while (choose_marked(problem, island, x) && x->count < HANDED_ENOUGH)
        mark_bodies(problem, x, x->slot, x->count);
}

static void set_impulses(plu_problem *problem, plu_island *island, const chosen *x,
                         const plu_contact_problem *contacts, const double *p)
{
    plu_contact_problem_return_slots(contacts, p, problem, x->slot);
    plu_problem_apply(problem, island);
}

/* Calls the fallback. */
static plu_status solve(plu_problem *problem, plu_island *island, const chosen *x,
                        plu_contact_problem *contacts, const plu_solve_settings *s,
                        plu_island_result *r, bool *kept, plu_error *err)
{
    plu_portfolio_settings settings = {.min_iterations = 1,
                                       .max_iterations = HANDED_STEPS,
                                       .momentum = s->momentum,
                                       .local = s->local,
                                       .stop = s->stop,
                                       .stop_user = s->stop_user};
    plu_monitor m;
    plu_status status = plu_monitor_start(&m, contacts, &settings, err);
    if (status != PLU_OK)
        return status;
    settings.tolerance =
        handed_margin / r->missed * plu_contact_residuals(contacts, contacts->guess, m.y).scaled;
    status = plu_solver_call(s->fallback, contacts, &settings, &m, err);
    if (status == PLU_OK) {
        const double before = r->missed;
        set_impulses(problem, island, x, contacts, m.best_p);
        (void)plu_velocity_judge(problem, island, s, false, r);
        *kept = r->missed <= handed_tolerated * before;
        if (!*kept) {
            set_impulses(problem, island, x, contacts, contacts->guess);
            (void)plu_velocity_judge(problem, island, s, false, r);
        }
    }
    plu_monitor_free(&m);
    return status;
}

plu_status plu_hand_over_worst(plu_problem *problem, plu_island *island,
                               const plu_solve_settings *s, plu_island_result *r, bool *kept,
                               plu_error *err)
{
    *kept = false;
    worst_contacts worst;
    if (!find_worst(problem, island, &worst))
        return PLU_OK;
    chosen x = {.slot = plu_alloc(HANDED_MOST, sizeof *x.slot, err),
                .body = plu_alloc((size_t)problem->moving, sizeof *x.body, err)};
    plu_status status = x.slot && x.body ? PLU_OK : PLU_IO;
    plu_contact_problem *contacts = NULL;
    const double start = plu_processor_time();
    if (status == PLU_OK)
        choose(problem, island, &worst, &x);
    if (status == PLU_OK && x.count > 0)
        status = plu_contact_problem_of_slots(&contacts, problem, x.slot, x.count, err);
    if (contacts)
        status = solve(problem, island, &x, contacts, s, r, kept, err);
    r->fallback_seconds += plu_processor_time() - start;
    r->handed = true;
    plu_contact_problem_destroy(contacts);
    free(x.slot);
    free(x.body);
    return status;
}
