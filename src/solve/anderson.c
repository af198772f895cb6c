#include "solve/anderson.h"
#include "base/memory.h"
#include "base/vec3.h"
#include "cone/cone.h"
#include <stdlib.h>
#include <string.h>

enum { DEPTH = PLU_ANDERSON_DEPTH };
static const double tikhonov = 1e-12, growth = 4.0;

static int first_slot(const plu_problem *problem, const plu_island *island)
{
    return problem->color_start[island->color_begin];
}

static int slot_count(const plu_problem *problem, const plu_island *island)
{
    const int last = island->color_end - 1;
    return problem->color_start[last] + problem->color_count[last] - first_slot(problem, island);
}

/* Vectors in memory: 0 and 1 are g and f of the sweep before, then the differences. */
static double *vector(const plu_anderson *a, int which, int slots)
{
    return a->memory + (size_t)which * 7 * (size_t)slots;
}

plu_status plu_anderson_start(plu_anderson *a, const plu_problem *problem, const plu_island *island,
                              plu_error *err)
{
    a->depth = a->next = 0;
    a->started = false;
    const size_t need = (size_t)(2 + 2 * DEPTH) * 7 * (size_t)slot_count(problem, island);
    return plu_reserve(&a->memory, &a->capacity, need, sizeof *a->memory, 0, err);
}

void plu_anderson_free(plu_anderson *a)
{
    free(a->memory);
    a->memory = NULL;
}

/* <x, y> weighted by the diagonal of W, in chunks of slots whose sums are added in their order. */
static double dot(const plu_problem *problem, const plu_island *island, const double *x,
                  const double *y)
{
    const int first = first_slot(problem, island), slots = slot_count(problem, island);
    const int chunks = (slots + PLU_SUM_CHUNK - 1) / PLU_SUM_CHUNK;
    double small[1], *part = island->large ? problem->sums : small, total = 0.0;
#pragma omp parallel for schedule(static) if (island->large)
    for (int chunk = 0; chunk < chunks; chunk++) {
        double sum = 0.0;
        const int end = (chunk + 1) * PLU_SUM_CHUNK < slots ? (chunk + 1) * PLU_SUM_CHUNK : slots;
        for (int s = chunk * PLU_SUM_CHUNK; s < end; s++) {
            const int k = (first + s) % PLU_LANES;
            const plu_block *c = plu_block_of(problem, first + s);
            const double *u = x + 7 * (size_t)s, *v = y + 7 * (size_t)s;
            sum += c->wn[k] * u[0] * v[0] + c->wt[k] * plu_dot(u + 1, v + 1) +
                   c->wr[k] * plu_dot(u + 4, v + 4);
        }
        if (island->large)
            part[chunk] = sum;
        else
            total += sum;
    }
    for (int chunk = 0; island->large && chunk < chunks; chunk++)
        total += part[chunk];
    return total;
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

/* Stores the difference to the sweep before and makes this one the sweep before. */
static void remember(plu_anderson *a, const plu_problem *problem, const plu_island *island)
{
    const int first = first_slot(problem, island), slots = slot_count(problem, island);
    double *g = vector(a, 0, slots), *f = vector(a, 1, slots);
    double *dg = vector(a, 2 + a->next, slots), *df = vector(a, 2 + DEPTH + a->next, slots);
#pragma omp parallel for schedule(static) if (island->large)
    for (int s = 0; s < slots; s++) {
        const int k = (first + s) % PLU_LANES;
        const plu_block *c = plu_block_of(problem, first + s);
        for (int i = 0; i < 7; i++) {
            const size_t at = 7 * (size_t)s + (size_t)i;
            const double now = c->p[i][k], step = now - c->before[i][k];
            if (a->started) {
                dg[at] = now - g[at];
                df[at] = step - f[at];
            }
            g[at] = now;
            f[at] = step;
        }
    }
    if (!a->started)
        return;
    const int row = a->next;
    a->next = (a->next + 1) % DEPTH;
    a->depth = a->depth < DEPTH ? a->depth + 1 : DEPTH;
    for (int i = 0; i < a->depth; i++)
        a->gram[row][i] = a->gram[i][row] =
            dot(problem, island, df, vector(a, 2 + DEPTH + i, slots));
}

static void project(plu_block *c, int k, double p[7])
{
    const double t = plu_norm(p + 1), m = plu_norm(p + 4), L = 1.0 / c->inverse_length[k];
    const double n = plu_rolling_cone_normal(p[0], t, m / L, c->mu[k], c->mu_r[k] / L);
    const double ft = plu_disk_factor(t, c->mu[k] * n), fm = plu_disk_factor(m, c->mu_r[k] * n);
    c->p[0][k] = n;
    for (int i = 1; i < 4; i++) {
        c->p[i][k] = ft * p[i];
        c->p[3 + i][k] = fm * p[3 + i];
    }
}

/* x = G - dG gamma, projected on the cones. */
static void combine(const plu_anderson *a, plu_problem *problem, const plu_island *island,
                    const double gamma[DEPTH])
{
    const int first = first_slot(problem, island), slots = slot_count(problem, island);
#pragma omp parallel for schedule(static) if (island->large)
    for (int s = 0; s < slots; s++) {
        if (problem->contact_of_slot[first + s] < 0)
            continue;
        double p[7];
        for (int i = 0; i < 7; i++) {
            const size_t at = 7 * (size_t)s + (size_t)i;
            p[i] = vector(a, 0, slots)[at];
            for (int j = 0; j < a->depth; j++)
                p[i] -= gamma[j] * vector(a, 2 + j, slots)[at];
        }
        project(plu_block_of(problem, first + s), (first + s) % PLU_LANES, p);
    }
}

void plu_anderson_next(plu_anderson *a, plu_problem *problem, const plu_island *island)
{
    const int slots = slot_count(problem, island);
    remember(a, problem, island);
    const double *f = vector(a, 1, slots), size = dot(problem, island, f, f);
    const bool restart = a->started && size > growth * a->last;
    a->started = true;
    a->last = size;
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
        gamma[i] = dot(problem, island, vector(a, 2 + DEPTH + i, slots), f);
    }
    if (!solve_small(a->depth, A, gamma))
        return;
    combine(a, problem, island, gamma);
    plu_problem_apply(problem, island);
}
