#include "world/loads.h"
#include "base/memory.h"
#include "base/vec3.h"
#include <stdlib.h>
#include <string.h>

/* Whether the body of a load moves: it may wait, be gone or be fixed. */
static bool counts(const plu_world *w, const plu_load *load)
{
    return w->bodies.state[load->body] == PLU_ACTIVE && !plu_is_fixed(w, load->body);
}

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

plu_status plu_loads_set(plu_world *w, int body, const double force[3], const double moment[3],
                         plu_error *err)
{
    if (plu_dot(force, force) + plu_dot(moment, moment) == 0.0) {
        if (plu_load_of(w, body))
            discard(w, body);
        return PLU_OK;
    }
    if (!w->load_of)
        w->load_of = plu_alloc((size_t)w->bodies.count, sizeof *w->load_of, err);
    if (!w->load_of || plu_reserve(&w->loads, &w->loads_capacity, (size_t)w->loads_count + 1,
                                   sizeof *w->loads, 1, err) != PLU_OK)
        return PLU_IO;
    if (!w->load_of[body])
        w->load_of[body] = ++w->loads_count;
    plu_load *load = &w->loads[w->load_of[body] - 1];
    *load = (plu_load){.body = body};
    memcpy(load->force, force, sizeof load->force);
    memcpy(load->moment, moment, sizeof load->moment);
    return PLU_OK;
}

void plu_loads_push(const plu_world *w, double (*v_free)[8], double (*v)[8])
{
    const double h = w->step;
    for (int k = 0; k < w->loads_count; k++) {
        const plu_load *load = &w->loads[k];
        double *row = v_free[load->body];
        if (!counts(w, load))
            continue;
        plu_add_scaled(row, h * row[6], load->force);
        plu_add_scaled(row + 3, h * row[7], load->moment);
        memcpy(v[load->body], row, sizeof *v);
    }
}

void plu_loads_begin(plu_world *w)
{
    for (int k = 0; k < w->loads_count; k++)
        memcpy(w->loads[k].before, w->bodies.row[w->loads[k].body], sizeof w->loads[k].before);
}

double plu_loads_work(const plu_world *w)
{
    double work = 0.0;
    for (int k = 0; k < w->loads_count; k++) {
        const plu_load *load = &w->loads[k];
        const double *now = w->bodies.row[load->body], *before = load->before;
        if (!counts(w, load))
            continue;
        for (int i = 0; i < 3; i++)
            work += 0.5 * w->step *
                    (load->force[i] * (now[i] + before[i]) +
                     load->moment[i] * (now[3 + i] + before[3 + i]));
    }
    return work;
}

void plu_loads_free(plu_world *w)
{
    free(w->loads);
    free(w->load_of);
}
