/* residual_lanes.h: sums of the residual over whole blocks, eight contacts at a time. */
#ifndef PROBLEM_RESIDUAL_LANES_H
#define PROBLEM_RESIDUAL_LANES_H

#include "problem/problem.h"

typedef struct plu_residual_sums {
    double f_scaled, p_scaled; /* squares: Alart-Curnier function and impulse, moments / L */
    double f_natural, p, y, q; /* squares, SI */
} plu_residual_sums;

typedef plu_residual_sums plu_residual_blocks(const plu_problem *problem, int begin, int end);

/* The same source for three instruction sets; [plu_cpu_isa()] is the one to call. */
plu_residual_blocks plu_residual_blocks_plain, plu_residual_blocks_avx2, plu_residual_blocks_avx512;

#endif
