#include "problem/problem_lanes.h"
#include <omp.h>
#include <string.h>

const double plu_fixed_row[8] = {0};

/* A spare slot is a contact of nothing: never visited one by one, and without effect in a sum. */
void plu_block_clear(plu_block *block, int k)
{
    for (int i = 0; i < 7; i++)
        block->p[i][k] = block->before[i][k] = 0.0;
    block->wn[k] = block->wt[k] = block->wr[k] = block->inverse_length[k] = 1.0;
    block->inverse_wn[k] = block->inverse_wt[k] = block->inverse_wr[k] = 1.0;
    block->wc[k] = block->mu[k] = block->mu_r[k] = block->bias[k] = 0.0;
    block->arm_a[k] = block->arm_b[k] = block->gap[k] = block->approach[k] = 0.0;
    for (int i = 0; i < 3; i++)
        block->normal[i][k] = 0.0;
    block->a[k] = block->b[k] = -1;
}

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

/* Slots begin to end of one colour; the overflow colour has to go one by one. */
static void apply_range(plu_problem *p, const plu_island *island, int color, int begin, int end)
{
    if (island->padded && !plu_is_overflow(island, color)) {
        const int blocks = (end - begin + PLU_LANES - 1) / PLU_LANES;
        PLU_ISA_BEST(plu_apply_blocks)(p, begin, begin + blocks * PLU_LANES);
        return;
    }
    for (int slot = begin; slot < end; slot++)
        apply_slot(p, slot);
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
            const int stride = plu_is_overflow(island, c) ? end - begin : PLU_SUM_CHUNK;
#pragma omp for schedule(static)
            for (int from = begin; from < end; from += stride)
                apply_range(p, island, c, from, from + stride < end ? from + stride : end);
        }
    }
}

void plu_problem_apply(plu_problem *p, const plu_island *island)
{
    if (island->large && omp_get_max_threads() > 1) {
        apply_large(p, island);
        return;
    }
    for (int i = island->body_begin; i < island->body_end; i++)
        free_row(p, p->island_body[i]);
    for (int c = island->color_begin; c < island->color_end; c++)
        apply_range(p, island, c, p->color_start[c], p->color_start[c] + p->color_count[c]);
}
