/* problem_lanes.h: kernels of a problem, eight contacts at a time, on whole blocks. The functions
 * that end in _one take contacts one by one, from any slot to any other. */
#ifndef BLOCKS_PROBLEM_LANES_H
#define BLOCKS_PROBLEM_LANES_H

#include "base/cpu.h"
#include "blocks/single.h"

typedef struct plu_residual_sums {
    double f_scaled, p_scaled; /* squares: Alart-Curnier function and impulse, moments / L */
    double f_natural, p, y, q; /* squares, SI */
} plu_residual_sums;

/* The sums to be computed; the others are 0. */
typedef enum plu_residual_parts {
    PLU_SUM_SCALED,
    PLU_SUM_NATURAL, /* also f_natural, p, y */
    PLU_SUM_ALL
} plu_residual_parts;

/* Sums of the residual over the slots begin to end - 1; spare slots add nothing. `bound`:
 * that of the island. */
typedef plu_residual_sums plu_residual_blocks_function(const plu_problem *problem, int begin,
                                                       int end, plu_residual_parts wanted,
                                                       plu_bound bound);
PLU_ISA_DECLARE(plu_residual_blocks_function, plu_residual_blocks);
PLU_ISA_DECLARE_ONE(plu_residual_blocks_function, plu_residual_blocks);

/* Sums of plu_problem_errors: of (e_c / s_c)^2, of the same times the mass of the heavier body, of
 * that mass, of |p . e_c|, of W_N p_N^2, of the scaled residual, of p_N e_N with its
 * sign, of the work of friction, -p_T . y_T - m_R . y_R, and of 2 L p_N; then the maxima of (e_c /
 * s_c)^2, -w_N and -y_N / L. `floor`: the least s_c^2; `bound`: that of the island, none in floats.
 * Where the island yields, |p . e_c| is without contacts that are part of a jam (plu_bound.held):
 * it is about loads. */
typedef struct plu_error_sums {
    double square, heavy, mass, work, pressed, f_scaled, p_scaled, net, rubbed, held;
    double worst, bounce, closing, opening;
} plu_error_sums;

typedef plu_error_sums plu_error_blocks_function(const plu_problem *problem, int begin, int end,
                                                 double floor, plu_bound bound);
PLU_ISA_DECLARE(plu_error_blocks_function, plu_error_blocks);
PLU_ISA_DECLARE_ONE(plu_error_blocks_function, plu_error_blocks);

/* The same of impulses and velocities in single precision, in its units; slots are multiples of
 * PLU_WIDE. */
typedef plu_error_sums plu_error_single_function(const plu_single *single, int begin, int end,
                                                 double floor, plu_bound bound);
PLU_ISA_DECLARE(plu_error_single_function, plu_error_blocks_single);

/* v += M^-1 H p for the slots begin to end - 1 of one color; prefetches `coming` on the way. */
typedef void plu_apply_blocks_function(plu_problem *problem, int begin, int end,
                                       plu_coming *coming);
PLU_ISA_DECLARE(plu_apply_blocks_function, plu_apply_blocks);
PLU_ISA_DECLARE_ONE(plu_apply_blocks_function, plu_apply_blocks);

/* The same in single precision; slots are multiples of PLU_WIDE. */
typedef void plu_apply_single_function(plu_single *single, int begin, int end, plu_coming *coming);
PLU_ISA_DECLARE(plu_apply_single_function, plu_apply_blocks_single);

/* Work of the impulses of a step, 1/2 p . (y_{k+1} + y_k) (J); the largest overlap at its start, in
 * m and over the smaller diameter; and the number of contacts with r_N > 0. */
typedef struct plu_work {
    double impact, friction, rolling, pivoting;
    double depth, depth_ratio;
    int bearing;
} plu_work;

/* Data for the work and the overlaps at the end of a step. */
typedef struct plu_step_end {
    double (*v_start)[8]; /* rows before the step, given ones too */
    double step, theta;
    bool lands;              /* some bodies move with theta = 1 */
    double depth;            /* allowed overlap of a pair, over its smaller radius */
    unsigned char *too_deep; /* out, by block: a bit for each pair that the step may leave deeper */
    double (*each)[PLU_LANES]; /* out, unless NULL: the four works of each slot of a block; calls
                                * are then for one block each */
} plu_step_end;

/* For the slots begin to end - 1 of any colors. */
typedef plu_work plu_work_blocks_function(const plu_problem *problem,
                                          const plu_step_end *end_of_step, int begin, int end);
PLU_ISA_DECLARE(plu_work_blocks_function, plu_work_blocks);
PLU_ISA_DECLARE_ONE(plu_work_blocks_function, plu_work_blocks);

/* --- converts blocks between doubles and floats (blocks/single.h) --- */

/* Copies contacts and impulses of a block of doubles to the lanes k to k + 7 of a block of floats;
 * `still`: the row of zeros of the tile. */
typedef void plu_to_single_function(const plu_single *single, plu_block *from, plu_single_block *to,
                                    int k, int still);
PLU_ISA_DECLARE(plu_to_single_function, plu_to_single);

/* Copies the impulses of the lanes k to k + 7 back to a block of doubles. Friction impulses that
 * reach their limit up to the rounding of floats are scaled to the limit. */
typedef void plu_from_single_function(const plu_single *single, plu_single_block *from, int k,
                                      plu_block *to);
PLU_ISA_DECLARE(plu_from_single_function, plu_from_single);

#endif
