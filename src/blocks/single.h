/* single.h: an island in single precision, for faster sweeps.
 *
 * Tolerances are two or three digits, so sweeps need not compute with sixteen. Large islands are
 * swept in floats, sixteen contacts at a time. Residuals are computed in doubles, from
 * v = v_free + M^-1 H p for the impulses found.
 *
 * The units of mass and length (plu_problem.unit_mass and unit_length) are powers of two near the
 * mass and the radius of gyration of a body, so that numbers stay in the range of floats for bodies
 * of any size. Velocities are in m/s; angular velocities are multiplied by the unit of length. Each
 * tile, or each chunk of the colors of an island that is not tiled, has its own row of zeros for
 * fixed bodies and spare lanes, and each contact with another given row has its own copy of it.
 * Threads may therefore write all rows, and no lane needs a branch. */
#ifndef BLOCKS_SINGLE_H
#define BLOCKS_SINGLE_H

#include "blocks/walk.h"

/* plu_pair_constants, plu_crossing, plu_block and plu_block_before in floats, for the PLU_WIDE
 * slots from a multiple of PLU_WIDE on. */
typedef struct plu_single_terms {
    float arm_a[PLU_WIDE], arm_b[PLU_WIDE];
    float wn[PLU_WIDE], wt[PLU_WIDE], wr[PLU_WIDE], wc[PLU_WIDE];
    float inverse_wn[PLU_WIDE], inverse_wt[PLU_WIDE], inverse_wr[PLU_WIDE];
    float mu[PLU_WIDE], mu_r[PLU_WIDE], mu_p[PLU_WIDE];
    float inverse_length[PLU_WIDE];
} plu_single_terms;

typedef struct plu_single_crossing {
    float drift[3][PLU_WIDE];
} plu_single_crossing;

typedef struct plu_single_block {
    float normal[3][PLU_WIDE];
    float p[7][PLU_WIDE];
    float bias[PLU_WIDE];
    float friction[PLU_WIDE];
    int32_t a[PLU_WIDE], b[PLU_WIDE]; /* rows of plu_single.v */
    const plu_single_terms *pair;
    plu_single_crossing *crossing; /* NULL: none, or the cell stands still */
} plu_single_block;

typedef struct plu_single_before {
    float p[7][PLU_WIDE];
} plu_single_before;

typedef struct plu_single {
    float (*v)[8]; /* by row of the problem, given ones too, then the rows of zeros */
    float (*v_before)[8];
    plu_single_block *blocks;  /* by slot / PLU_WIDE */
    plu_single_before *before; /* by block */
    plu_single_terms *shared;  /* the problem's shared terms */
    plu_single_terms *own_constants;
    plu_single_crossing *crossings; /* by block, where the cell moves */
    const plu_problem *problem;
    const plu_pair_constants *shared_of; /* what `shared` was made of */
    double mass, length;                 /* the units: those of the problem */
    double island_mass;                  /* plu_problem_mass of the island */
    bool tangential; /* r_T and m_R come back without the part along the normal that they have by
                        rounding: its work would appear in no sum of the energy balance */
    size_t v_capacity, v_before_capacity, blocks_capacity, before_capacity, shared_capacity,
        own_capacity, crossings_capacity;
} plu_single;

/* Whether the island can be swept in floats: it is wide, and no tile has an overflow color. */
bool plu_single_suits(const plu_problem *problem, const plu_island *island);

/* Begins sweeps of islands of a single thread each, with `zeros` rows of zeros. Other threads may
 * have copies of `single` then, each with an island of its own. PLU_OK or PLU_IO. */
plu_status plu_single_prepare(plu_single *single, const plu_problem *problem, int zeros,
                              plu_error *err);

/* plu_single_begin for such an island, which takes row of zeros `zero`. */
void plu_single_begin_alone(plu_single *single, plu_island *island, int zero);

/* Begins sweeps of a suitable large island: fills its blocks if they are still empty, converts p to
 * floats, and computes v = v_free + M^-1 H p. PLU_OK or PLU_IO. */
plu_status plu_single_begin(plu_single *single, const plu_problem *problem, plu_island *island,
                            plu_error *err);

/* Copies p of the slots begin to end - 1 (multiples of PLU_LANES) back to the problem. Sliding and
 * rolling impulses are scaled to their limits, which the floats reach only up to rounding. */
void plu_single_give(const plu_single *single, plu_problem *problem, int begin, int end);

/* The same for the whole island, then plu_problem_apply. */
void plu_problem_apply_single(plu_problem *problem, plu_island *island, const plu_single *single);

/* Goes on with the velocities that plu_problem_apply_single has just computed from the impulses. In
 * floats v = v_free + M^-1 H p is rounded by a share of the impulses, which in deep beds are
 * hundreds of times what remains of them in v; and each sweep rounds what it adds. */
void plu_single_renew(plu_single *single, const plu_island *island);

void plu_single_free(plu_single *single);

static inline plu_single_block *plu_single_block_of(const plu_single *single, int slot)
{
    return &single->blocks[slot / PLU_WIDE];
}

/* Where the slots of a color end, spare ones included. */
static inline int plu_single_end_of(const plu_problem *problem, int color)
{
    return plu_round_up_to(problem->color_start[color] + problem->color_count[color], PLU_WIDE);
}

/* The number of chunks of a color, which threads share where an island is not tiled. */
static inline int plu_single_chunks(const plu_problem *problem, int color)
{
    return (problem->color_count[color] + PLU_SUM_CHUNK - 1) / PLU_SUM_CHUNK;
}

/* The slots of such a chunk, whole blocks: slot to end - 1. */
static inline plu_coming plu_single_chunk(const plu_problem *problem, int color, int chunk)
{
    const int end = plu_single_end_of(problem, color);
    const int begin = problem->color_start[color] + chunk * PLU_SUM_CHUNK;
    return (plu_coming){begin, begin + PLU_SUM_CHUNK < end ? begin + PLU_SUM_CHUNK : end};
}

/* Prefetches the rows of both sides of the slots begin to end - 1. */
PLU_FETCH void plu_single_fetch_rows(const plu_single *single, int begin, int end)
{
    plu_fetch_pairs(single->problem, single->v, sizeof *single->v, begin, end);
}

/* Prefetches the rows of a whole tile, as plu_fetch_first. */
PLU_FETCH void plu_single_fetch_first(const plu_single *single, const plu_walk *w)
{
    const plu_coming all = plu_coming_tile(single->problem, w->tile, w->end);
    plu_single_fetch_rows(single, all.slot, all.end);
}

/* Prefetches one more block of the next tile and the rows of its bodies. */
PLU_FETCH void plu_single_fetch_coming(const plu_single *single, plu_coming *coming)
{
    if (coming->slot >= coming->end)
        return;
    plu_single_fetch_rows(single, coming->slot, coming->slot + PLU_WIDE);
    plu_fetch_record(plu_single_block_of(single, coming->slot), sizeof(plu_single_block));
    coming->slot += PLU_WIDE;
}

#endif
