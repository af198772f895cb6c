/* Forces and drag on bodies from outside. With the force F, the drag D (w - v) of a flow w and the
 * velocity v that the body would have without it, that at the end of the step obeys
 *
 *     v' = v + h/m D (w - v') ,  so  D (w - v') = D (w - v) / (1 + h D / m) ,
 *
 * which is stable for any D. v has what contacts changed in the step before: they are not solved
 * yet.
 *
 *   step    plu_loads_begin   velocities before
 *           plu_loads_push    adds h F / m to the free velocities; `acting` is what acts
 *           solve
 *           plu_loads_work    work = h acting . (v_before + v_after) / 2; `pushed`: what contacts
 * did
 *
 * loads[] is a list, load_of[body] its entry plus 1 (0: none), so that most bodies cost nothing. */
#include "world/loads.h"
#include "base/exact.h"
#include "base/memory.h"
#include "base/vec3.h"
#include <stdlib.h>
#include <string.h>

/* Whether the body of a load moves: it may wait, be gone or be fixed. */
static bool counts(const plu_world *w, const plu_load *load)
{
    return w->bodies.state[load->body] == PLU_ACTIVE && !plu_is_fixed(w, load->body);
}

/* The order of the list stays: sums go through it, and their bits depend on it. */
static void discard(plu_world *w, int body)
{
    const int at = w->load_of[body] - 1;
    w->load_of[body] = 0;
    w->loads_count--;
    for (int k = at; k < w->loads_count; k++) {
        w->loads[k] = w->loads[k + 1];
        w->load_of[w->loads[k].body] = k + 1;
    }
}

/* The load of a body, a new one where it has none; NULL: no memory. */
static plu_load *load_to_set(plu_world *w, int body, plu_error *err)
{
    if (!w->load_of)
        w->load_of = plu_alloc((size_t)w->bodies.count, sizeof *w->load_of, err);
    if (!w->load_of || plu_reserve(&w->loads, &w->loads_capacity, (size_t)w->loads_count + 1,
                                   sizeof *w->loads, 1, err) != PLU_OK)
        return NULL;
    if (!w->load_of[body]) {
        w->load_of[body] = ++w->loads_count;
        w->loads[w->loads_count - 1] = (plu_load){.body = body};
    }
    return &w->loads[w->load_of[body] - 1];
}

static bool is_empty(const plu_load *load)
{
    return plu_dot(load->force, load->force) + plu_dot(load->moment, load->moment) == 0.0 &&
           load->drag == 0.0;
}

void plu_loads_clean(plu_world *w)
{
    int kept = 0;
    for (int k = 0; k < w->loads_count; k++) {
        const int body = w->loads[k].body;
        w->load_of[body] = is_empty(&w->loads[k]) ? 0 : kept + 1;
        if (w->load_of[body])
            w->loads[kept++] = w->loads[k];
    }
    w->loads_count = kept;
}

void plu_loads_drop(plu_world *w, int body)
{
    if (plu_load_of(w, body))
        discard(w, body);
}

plu_status plu_loads_set(plu_world *w, int body, const double force[3], const double moment[3],
                         plu_error *err)
{
    if (!plu_load_of(w, body) && plu_dot(force, force) + plu_dot(moment, moment) == 0.0)
        return PLU_OK;
    plu_load *load = load_to_set(w, body, err);
    if (!load)
        return PLU_IO;
    memcpy(load->force, force, sizeof load->force);
    memcpy(load->moment, moment, sizeof load->moment);
    return PLU_OK;
}

plu_status plu_loads_set_drag(plu_world *w, int body, double drag, const double flow[3],
                              plu_error *err)
{
    if (!plu_load_of(w, body) && drag == 0.0)
        return PLU_OK;
    plu_load *load = load_to_set(w, body, err);
    if (!load)
        return PLU_IO;
    load->drag = drag;
    memcpy(load->flow, flow, sizeof load->flow);
    return PLU_OK;
}

double plu_load_size(const plu_world *w, const plu_load *load)
{
    double relative[3];
    plu_sub(load->flow, w->bodies.row[load->body], relative);
    return plu_norm(load->force) + load->drag * plu_norm(relative);
}

/* What acts on a body of which this is the free velocity without the load. */
static void find_acting(plu_load *load, const double row[8], double h)
{
    const double share = h * row[6] * load->drag;
    memcpy(load->acting, load->force, sizeof load->acting);
    for (int k = 0; k < 3 && load->drag > 0.0; k++) {
        const double otherwise = row[k] + load->pushed[k] + h * row[6] * load->force[k];
        load->acting[k] += load->drag * (load->flow[k] - otherwise) / (1.0 + share);
    }
}

void plu_loads_push(const plu_world *w, double (*v_free)[8], double (*v)[8])
{
    const double h = w->step;
    for (int k = 0; k < w->loads_count; k++) {
        plu_load *load = &w->loads[k];
        double *row = v_free[load->body];
        if (!counts(w, load))
            continue;
        find_acting(load, row, h);
        plu_add_scaled(row, h * row[6], load->acting);
        plu_add_scaled(row + 3, h * row[7], load->moment);
        memcpy(load->free, row, sizeof load->free);
        memcpy(v[load->body], row, sizeof *v);
    }
}

void plu_loads_begin(plu_world *w)
{
    for (int k = 0; k < w->loads_count; k++)
        memcpy(w->loads[k].before, w->bodies.row[w->loads[k].body], sizeof w->loads[k].before);
}

double plu_loads_work(plu_world *w)
{
    plu_exact work = {0};
    for (int k = 0; k < w->loads_count; k++) {
        plu_load *load = &w->loads[k];
        const double *now = w->bodies.row[load->body], *before = load->before;
        if (!counts(w, load)) {
            memset(load->acting, 0, sizeof load->acting);
            memset(load->pushed, 0, sizeof load->pushed);
            continue;
        }
        plu_sub(now, load->free, load->pushed);
        for (int i = 0; i < 3; i++)
            plu_exact_add(&work, 0.5 * w->step *
                                     (load->acting[i] * (now[i] + before[i]) +
                                      load->moment[i] * (now[3 + i] + before[3 + i])));
    }
    return plu_exact_value(&work);
}

enum { LOAD_REALS = 16 };

static void numbers_of(plu_load *load, bool set, double row[LOAD_REALS])
{
    double *const part[] = {load->force, load->moment, &load->drag,
                            load->flow,  load->acting, load->pushed};
    static const int count[] = {3, 3, 1, 3, 3, 3};
    for (int p = 0; p < 6; p++) {
        memcpy(set ? part[p] : row, set ? row : part[p], (size_t)count[p] * sizeof *row);
        row += count[p];
    }
}

/* Makes room for loads of these bodies, which must be different ones. */
static void set_bodies(plu_world *w, const int *body, long count, plu_state *state)
{
    for (int k = 0; k < w->loads_count; k++)
        w->load_of[w->loads[k].body] = 0;
    w->loads_count = 0;
    for (long k = 0; k < count && state->status == PLU_OK; k++) {
        if (body[k] < 0 || body[k] >= w->bodies.count || plu_load_of(w, body[k]))
            plu_state_refuse(state, "the loads are not those of bodies");
        else if (!load_to_set(w, body[k], state->err))
            state->status = PLU_IO;
    }
}

void plu_loads_state(plu_world *w, plu_state *state)
{
    long count = w->loads_count;
    plu_state_long(state, "loads/count", 1, 1, &count);
    if (count < 0 || count > w->bodies.count)
        plu_state_refuse(state, "the number of loads is impossible");
    if (state->status != PLU_OK)
        return;
    const size_t loads = (size_t)count;
    int *body = plu_alloc(loads, sizeof *body, state->err);
    double(*row)[LOAD_REALS] = plu_alloc(loads, sizeof *row, state->err);
    if (!body || !row)
        state->status = PLU_IO;
    for (int k = 0; !state->loading && state->status == PLU_OK && k < w->loads_count; k++) {
        body[k] = w->loads[k].body;
        numbers_of(&w->loads[k], false, row[k]);
    }
    if (state->status == PLU_OK && (loads > 0 || state->loading)) {
        if (loads > 0) {
            plu_state_int(state, "loads/body", loads, 1, body);
            plu_state_real(state, "loads/number", loads, LOAD_REALS, (double *)row);
        }
        if (state->loading && state->status == PLU_OK)
            set_bodies(w, body, count, state);
        for (int k = 0; state->loading && state->status == PLU_OK && k < w->loads_count; k++)
            numbers_of(&w->loads[k], true, row[k]);
    }
    free(body);
    free(row);
}

void plu_loads_free(plu_world *w)
{
    free(w->loads);
    free(w->load_of);
}
