#include "problem/problem.h"
#include <string.h>

const double plu_fixed_row[8] = {0};

static void apply_slot(plu_problem *p, int slot)
{
    const int k = slot % PLU_LANES;
    const plu_block *c = plu_block_of(p, slot);
    double d[7];
    for (int i = 0; i < 7; i++)
        d[i] = c->p[i][k];
    plu_slot_apply(c, k, d, c->a[k] >= 0 ? p->v[c->a[k]] : NULL, p->v[c->b[k]]);
}

static void free_row(plu_problem *p, int row)
{
    memcpy(p->v[row], p->v_free[row], sizeof *p->v);
}

static void apply_large(plu_problem *p, const plu_island *island)
{
#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (int i = island->body_begin; i < island->body_end; i++)
            free_row(p, p->island_body[i]);
        for (int c = island->color_begin; c < island->color_end; c++) {
            const int begin = p->color_start[c], end = begin + p->color_count[c];
            if (island->serial_tail && c == island->color_end - 1) {
#pragma omp single
                for (int slot = begin; slot < end; slot++)
                    apply_slot(p, slot);
            } else {
#pragma omp for schedule(static)
                for (int slot = begin; slot < end; slot++)
                    apply_slot(p, slot);
            }
        }
    }
}

void plu_problem_apply(plu_problem *p, const plu_island *island)
{
    if (island->large) {
        apply_large(p, island);
        return;
    }
    for (int i = island->body_begin; i < island->body_end; i++)
        free_row(p, p->island_body[i]);
    for (int c = island->color_begin; c < island->color_end; c++)
        for (int k = 0; k < p->color_count[c]; k++)
            apply_slot(p, p->color_start[c] + k);
}
