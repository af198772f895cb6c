/* Compiled for each instruction set (base/cpu.h). Records are read as rows of four numbers. */
#include "assemble/fill_lanes.h"
#include "base/rows.h"
#include <stddef.h>

_Static_assert(offsetof(plu_contact, normal) == sizeof(double), "normal: numbers 1 to 3");
_Static_assert(offsetof(plu_contact, gap) == 4 * sizeof(double) &&
                   offsetof(plu_contact, curve) == 6 * sizeof(double) &&
                   sizeof(plu_contact) == 7 * sizeof(double),
               "gap, approach and curve: numbers 4 to 6");
_Static_assert(sizeof(plu_impulse) == 7 * sizeof(double), "n, t, m without a gap");

/* The second row of an impulse begins at its last tangential component, that of a contact at the
 * last of its normal. */
enum { SECOND = 3, LATER = 3 };

static inline vectors tangential(const lanes column[3], vectors normal)
{
    const vectors v = {column[0], column[1], column[2]};
    return take_times(v, dot(v, normal), normal);
}

/* What follows the normals of contacts. */
static inline void fill_gaps(const double *row[WIDTH], double step, plu_block *block,
                             plu_block_start *start, int k)
{
    lanes column[4];
    for (int i = 0; i < WIDTH; i++)
        row[i] += LATER;
    load_short_rows(row, column);
    const lanes gap = column[1], curve = column[3], rate = gap / all(step),
                turned = larger(curve, -curve);
    store(start->gap + k, gap);
    store(start->approach + k, column[2]);
    store(block->bias + k,
          choose(gap > all(0.0), rate, larger(rate, all(-PLU_LASTING_WAY) * turned)) + curve);
    store(block->friction + k, all(1.0));
}

static void fill_lane(const plu_contact *const contact[], const plu_impulse *const warm[],
                      double step, bool pivots, plu_block *block, plu_block_start *start, int k)
{
    const double *row[WIDTH];
    lanes column[4];
    for (int i = 0; i < WIDTH; i++)
        row[i] = (const double *)(const void *)contact[k + i];
    load_short_rows(row, column);
    const vectors normal = {column[1], column[2], column[3]};
    store3(block->normal, k, normal);
    fill_gaps(row, step, block, start, k);
    for (int i = 0; i < WIDTH; i++)
        row[i] = (const double *)(const void *)warm[k + i];
    load_short_rows(row, column);
    store(block->p[0] + k, column[0]);
    store3(block->p + 1, k, tangential(column + 1, normal));
    for (int i = 0; i < WIDTH; i++)
        row[i] += SECOND;
    load_short_rows(row, column);
    store3(block->p + 1 + SECOND, k, tangential(column + 1, normal));
    if (pivots) {
        const mask whole = (mask)(load(block->pair->mu_p + k) > all(0.0));
        const vectors m = {column[1], column[2], column[3]},
                      rolls = load3(block->p + 1 + SECOND, k);
        store3(block->p + 1 + SECOND, k, choose3(whole, m, rolls));
    }
}

void PLU_ISA(plu_fill_lanes)(const plu_contact *const contact[PLU_LANES],
                             const plu_impulse *const warm[PLU_LANES], double step, bool pivots,
                             plu_block *block, plu_block_start *start)
{
    for (int k = 0; k < PLU_LANES; k += WIDTH)
        fill_lane(contact, warm, step, pivots, block, start, k);
}

void PLU_ISA(plu_take_lanes)(const plu_block *block, plu_impulse *const impulse[PLU_LANES])
{
    for (int k = 0; k < PLU_LANES; k += WIDTH) {
        double *row[WIDTH];
        lanes column[7];
        for (int i = 0; i < 7; i++)
            column[i] = load(block->p[i] + k);
        for (int i = 0; i < WIDTH; i++)
            row[i] = (double *)(void *)impulse[k + i];
        store_short_rows(row, column);
        for (int i = 0; i < WIDTH; i++)
            row[i] = row[i] ? row[i] + SECOND : NULL;
        store_short_rows(row, column + SECOND);
    }
}
