/* The contact problem of a step as one of its own, for files and other programs. */
#include "base/memory.h"
#include "pluvia/scene.h"
#include "problem/contact_problem.h"
#include "step/stepper.h"

void plu_stepper_keep_start(plu_stepper *s)
{
    s->keep_start = true;
}

plu_status plu_remember_start(plu_stepper *s, plu_error *err)
{
    if (!s->keep_start)
        return PLU_OK;
    plu_flow_fill_all(&s->problem);
    const plu_status status = plu_reserve(
        &s->start, &s->start_capacity, (size_t)s->contacts->live_count, sizeof *s->start, 0, err);
    for (int c = 0; status == PLU_OK && c < s->contacts->live_count; c++) {
        const int slot = s->problem.slot_of_contact[c];
        for (int i = 0; i < 7; i++)
            s->start[c][i] = plu_block_of(&s->problem, slot)->p[i][slot % PLU_LANES];
    }
    return status;
}

plu_status plu_stepper_problem(const plu_stepper *s, plu_contact_problem **problem, plu_error *err)
{
    *problem = NULL;
    if (s->scene->method == PLU_PENALTY)
        return plu_fail(err, PLU_BAD_INPUT, "method = \"penalty\" has no contact problems");
    if (!s->keep_start || !s->contacts)
        return plu_fail(err, PLU_USAGE, "no step was kept: call plu_stepper_keep_start before one");
    return plu_contact_problem_of_step(problem, &s->problem, (const double(*)[7])s->start, err);
}

/* What a step says of its islands. */

/* The most that a tile of the island has. */
static int colors_of(const plu_problem *p, const plu_island *island)
{
    int most = 0;
    for (int t = p->group_start[island->group_begin]; t < p->group_start[island->group_end]; t++) {
        const int colors = p->tiles[t].color_end - p->tiles[t].color_begin;
        most = colors > most ? colors : most;
    }
    return most;
}

void plu_report_islands(const plu_stepper *s, plu_step_info *info)
{
    int largest = 0;
    info->islands = s->problem.islands_count;
    for (int k = 0; k < s->problem.islands_count; k++) {
        const plu_island *island = &s->problem.islands[k];
        if (island->contacts > largest) {
            largest = island->contacts;
            info->colors = colors_of(&s->problem, island);
        }
    }
}
