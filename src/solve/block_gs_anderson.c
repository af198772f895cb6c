/* Anderson acceleration of the general Gauss-Seidel sweep. */
#include "base/memory.h"
#include "cone/cone.h"
#include "solve/block_gs.h"
#include "solve/contact.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = PLU_BLOCK_DEPTH };
static const double tikhonov = 1e-12, growth = 4.0;

plu_status plu_block_anderson_start(plu_block_anderson *a, int n, plu_error *err)
{
    const size_t size = (size_t)n;
    *a = (plu_block_anderson){.memory = plu_alloc((2 + 2 * DEPTH) * size, sizeof *a->memory, err)};
    if (!a->memory)
        return PLU_IO;
    a->f = a->memory;
    a->g = a->memory + size;
    for (int j = 0; j < DEPTH; j++) {
        a->df[j] = a->memory + (size_t)(2 + 2 * j) * size;
        a->dg[j] = a->memory + (size_t)(3 + 2 * j) * size;
    }
    return PLU_OK;
}

void plu_block_anderson_free(plu_block_anderson *a)
{
    free(a->memory);
    a->memory = NULL;
}

static double product(int n, const double *weight, const double *x, const double *y)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += weight[i] * x[i] * y[i];
    return sum;
}

/* Takes in f = G(x) - x and G(x), and the differences to the sweep before; returns |f|^2. */
static double remember(plu_block_anderson *a, const plu_block_gs *g)
{
    const int n = g->n, k = a->next;
    for (int i = 0; i < n; i++) {
        const double f = g->p[i] - g->before[i];
        a->df[k][i] = f - a->f[i];
        a->dg[k][i] = g->p[i] - a->g[i];
        a->f[i] = f;
        a->g[i] = g->p[i];
    }
    if (a->started) {
        a->next = (k + 1) % DEPTH;
        a->depth = a->depth < DEPTH ? a->depth + 1 : DEPTH;
        for (int j = 0; j < a->depth; j++)
            a->gram[k][j] = a->gram[j][k] = product(n, g->weight, a->df[k], a->df[j]);
    }
    return product(n, g->weight, a->f, a->f);
}

/* gamma that minimises |f - dF gamma|; false when there is none. */
static bool weights(const plu_block_anderson *a, const plu_block_gs *g, double gamma[DEPTH])
{
    const int m = a->depth;
    double A[DEPTH * DEPTH], trace = 0.0;
    for (int i = 0; i < m; i++)
        trace += a->gram[i][i];
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++)
            A[i * m + j] = a->gram[i][j] + (i == j ? tikhonov * trace : 0.0);
        gamma[i] = product(g->n, g->weight, a->f, a->df[i]);
    }
    return plu_solve_dense(m, A, gamma);
}

/* p = G - dG gamma, projected. */
static void combine(const plu_block_anderson *a, plu_block_gs *g, const double gamma[DEPTH])
{
    for (int j = 0; j < a->depth; j++)
        for (int i = 0; i < g->n; i++)
            g->p[i] -= gamma[j] * a->dg[j][i];
    for (int c = 0; c < g->contacts; c++) {
        const plu_contact contact = {g->rows, NULL, NULL, {g->problem->mu[c], g->problem->mu_r[c]}};
        plu_contact_project(&contact, g->p + c * g->rows);
    }
}

void plu_block_anderson_next(plu_block_anderson *a, plu_block_gs *g)
{
    const bool before = a->started;
    const double ff = remember(a, g);
    const bool restart = before && ff > growth * a->last;
    a->started = true;
    a->last = ff;
    if (restart)
        a->depth = a->next = 0;
    double gamma[DEPTH];
    if (a->depth > 0 && weights(a, g, gamma)) {
        combine(a, g, gamma);
        plu_block_gs_refresh(g);
    }
    memcpy(g->before, g->p, (size_t)g->n * sizeof *g->p);
}
