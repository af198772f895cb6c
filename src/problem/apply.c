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

void plu_problem_apply(plu_problem *p, const plu_island *island)
{
#pragma omp parallel if (island->large)
    {
#pragma omp for schedule(static)
        for (int i = island->body_begin; i < island->body_end; i++)
            memcpy(p->v[p->island_body[i]], p->v_free[p->island_body[i]], sizeof *p->v);
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
