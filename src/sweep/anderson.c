/* Anderson acceleration of sweeps, type II (D. G. Anderson, J. ACM 12 (1965) 547; Walker & Ni, SIAM
 * J. Numer. Anal. 49 (2011) 1715). A sweep is a map x -> G(x), and f = G(x) - x is zero at the end:
 *
 *     sweep      x_{k-1} -> g_{k-1}      f_{k-1} = g_{k-1} - x_{k-1}
 *     sweep      x_k     -> g_k          f_k     = g_k     - x_k
 *     columns    dg = g_k - g_{k-1} ,    df = f_k - f_{k-1}        the last five are kept (`next`)
 *
 *     gamma      = argmin |f_k - dF gamma|_D ,  D = diag W         5 unknowns, by normal equations
 *     x_{k+1}    = g_k - dG gamma, projected on the cones
 *
 * Were G affine, f at x_k - dX gamma would be f_k - dF gamma, and x_{k+1} is a sweep from there.
 * The Gram matrix dF^T D dF changes by the row and column of the newest df only (`remember`), so
 * that a sweep costs one pass over the impulses, and a second one to write x_{k+1} (`combine`, in
 * SIMD lanes: anderson_lanes.c). Two guards: a multiple of the trace on the diagonal, for columns
 * that are nearly alike, and a restart without columns where |f|^2 has grown: contacts have changed
 * between sticking and slipping, and G has a kink there. Velocities are computed anew from x_{k+1}
 * (plu_problem_apply). */
#include "sweep/anderson.h"
#include "base/memory.h"
#include "base/strategy.h"
#include "base/team.h"
#include "blocks/parts.h"
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = PLU_ANDERSON_DEPTH, CHUNK = PLU_SUM_CHUNK / PLU_LANES /* blocks */ };

static int first_block(const plu_island *island)
{
    return island->slot_begin / PLU_LANES;
}

static int block_count(const plu_island *island)
{
    return (island->slot_end + PLU_LANES - 1) / PLU_LANES - first_block(island);
}

/* Zeroes `before`: the blocks between tiles are not swept, so nothing else writes it there. */
static void forget(plu_problem *problem, const plu_island *island)
{
    memset(&problem->before[first_block(island)], 0,
           (size_t)block_count(island) * sizeof *problem->before);
}

plu_status plu_anderson_start(plu_anderson *a, plu_problem *problem, const plu_island *island,
                              plu_error *err)
{
    a->depth = a->next = 0;
    a->started = false;
    const size_t size = (size_t)block_count(island) * PLU_VECTOR;
    const plu_status s =
        plu_reserve(&a->memory, &a->capacity, (2 + 2 * DEPTH) * size, sizeof *a->memory, 0, err);
    if (s != PLU_OK)
        return s;
    a->vectors.g = a->memory;
    a->vectors.f = a->memory + size;
    for (int j = 0; j < DEPTH; j++) {
        a->vectors.dg[j] = a->memory + (size_t)(2 + 2 * j) * size;
        a->vectors.df[j] = a->memory + (size_t)(3 + 2 * j) * size;
    }
    forget(problem, island);
    return PLU_OK;
}

void plu_anderson_free(plu_anderson *a)
{
    free(a->memory);
    a->memory = NULL;
    a->capacity = 0;
}

/* Solves the small symmetric system by Cholesky; false when it is not positive definite. */
static bool solve_small(int n, double A[DEPTH][DEPTH], double b[DEPTH])
{
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < j; k++)
            A[j][j] -= A[j][k] * A[j][k];
        if (!(A[j][j] > 0.0))
            return false;
        A[j][j] = sqrt(A[j][j]);
        for (int i = j + 1; i < n; i++) {
            for (int k = 0; k < j; k++)
                A[i][j] -= A[i][k] * A[j][k];
            A[i][j] /= A[j][j];
        }
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            b[i] -= A[i][k] * b[k];
        b[i] /= A[i][i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            b[i] -= A[k][i] * b[k];
        b[i] /= A[i][i];
    }
    return true;
}

/* The blocks of a strip, counted from the first one of the island. */
static plu_anderson_products remember_strip(const plu_anderson *a, const plu_problem *problem,
                                            const plu_island *island, int strip, int newest)
{
    const int first = first_block(island), blocks = block_count(island);
    const int begin = problem->strips[strip].begin / PLU_LANES - first;
    const int end = problem->strips[strip].end / PLU_LANES - first;
    return PLU_ISA_BEST(plu_anderson_remember)(problem, first, begin, end < blocks ? end : blocks,
                                               &a->vectors, newest, a->depth);
}

static void remember_strips(const plu_anderson *a, const plu_problem *problem,
                            const plu_island *island, int newest, plu_anderson_products *part)
{
#pragma omp for schedule(static) nowait
    for (int i = island->strip_begin; i < island->strip_end; i++)
        part[i - island->strip_begin] = remember_strip(a, problem, island, i, newest);
}

/* Stores the differences of this sweep to the last one, and returns their inner products. */
static plu_anderson_products remember(plu_anderson *a, const plu_problem *problem,
                                      const plu_island *island)
{
    enum { COLUMNS = sizeof(plu_anderson_products) / sizeof(double) };
    _Static_assert(sizeof(plu_anderson_products) <= PLU_SUMS * sizeof(double),
                   "room for a partial sum");
    const int newest = a->started ? a->next : -1;
    if (a->started) {
        a->next = (a->next + 1) % DEPTH;
        a->depth = a->depth < DEPTH ? a->depth + 1 : DEPTH;
    }
    plu_anderson_products sum = {0}, small[PLU_LARGE / PLU_SUM_CHUNK + PLU_COLORS];
    plu_anderson_products *part =
        island->large ? (plu_anderson_products *)(void *)problem->sums : small;
    PLU_TEAM(island->large, remember_strips(a, problem, island, newest, part));
    plu_join_parts(island, part, island->strip_end - island->strip_begin, sizeof *part, COLUMNS,
                   (double *)(void *)&sum);
    for (int j = 0; newest >= 0 && j < a->depth; j++)
        a->gram[newest][j] = a->gram[j][newest] = sum.row[j];
    return sum;
}

/* x_{k+1} = g_k - dG gamma on the cones, written over the impulses; each chunk for itself. */
static void combine(const plu_anderson *a, const plu_problem *problem, const plu_island *island,
                    const double gamma[DEPTH])
{
    const int first = first_block(island), blocks = block_count(island);
#pragma omp for schedule(static) nowait
    for (int begin = 0; begin < blocks; begin += CHUNK)
        PLU_ISA_BEST(plu_anderson_combine)
    (problem, first, begin, begin + CHUNK < blocks ? begin + CHUNK : blocks, &a->vectors, a->depth,
     gamma);
}

/* After each sweep. Without columns (the first sweep, or a restart) x_{k+1} = g_k: the sweep stays
 * as it is. The same holds where the Gram matrix is not positive definite in spite of its
 * diagonal: then rounding is larger than the newest differences, and they say nothing. */
void plu_anderson_next(plu_anderson *a, plu_problem *problem, plu_island *island)
{
    const bool before = a->started;
    const plu_anderson_products sum = remember(a, problem, island);
    const bool restart = before && sum.ff > growth * a->last;
    a->started = true;
    a->last = sum.ff;
    if (restart)
        a->depth = a->next = 0;
    if (a->depth == 0)
        return;
    double A[DEPTH][DEPTH], gamma[DEPTH], trace = 0.0;
    for (int i = 0; i < a->depth; i++)
        trace += a->gram[i][i];
    for (int i = 0; i < a->depth; i++) {
        memcpy(A[i], a->gram[i], sizeof A[i]);
        A[i][i] += tikhonov * trace;
        gamma[i] = sum.f_df[i];
    }
    if (!solve_small(a->depth, A, gamma))
        return;
    PLU_TEAM(island->large, combine(a, problem, island, gamma));
    plu_problem_apply(problem, island);
}
