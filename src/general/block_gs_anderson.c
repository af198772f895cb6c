/* Anderson acceleration of the general Gauss-Seidel sweep G (Walker & Ni 2011; sweep/anderson.c has
 * the derivation): with the last differences df of f = G(p) - p and dg of G(p),
 *
 *     gamma = argmin |f - dF gamma|_D ,   p <- P_K(G(p) - dG gamma) ,   D = diag W
 *
 * (of each disk the larger entry) by normal equations with a share of their trace on the diagonal.
 * Where |f|^2 has grown fourfold the differences are forgotten: contacts have changed between
 * sticking and slipping. */
#include "base/memory.h"
#include "base/strategy.h"
#include "cone/friction_cone.h"
#include "general/block_gs.h"
#include "local/contact.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = PLU_BLOCK_DEPTH };

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

/* Inner products with the newest f and with the newest df, in one pass over the vectors. */
typedef struct products {
    double ff, f_df[DEPTH], row[DEPTH];
} products;

/* Stores f = G(x) - x, G(x), and their differences to the last sweep; returns the inner products.
 * Differences that do not exist yet are zero. */
static products remember(plu_block_anderson *a, const plu_block_gs *g)
{
    const int k = a->next;
    double *df[DEPTH], *dg = a->dg[k];
    products s = {0};
    memcpy(df, a->df, sizeof df);
    for (int i = 0; i < g->n; i++) {
        const double f = g->p[i] - g->before[i], w = g->weight[i];
        const double change = a->started ? f - a->f[i] : 0.0;
        dg[i] = a->started ? g->p[i] - a->g[i] : 0.0;
        df[k][i] = change;
        a->f[i] = f;
        a->g[i] = g->p[i];
        s.ff += w * f * f;
        for (int j = 0; j < DEPTH; j++) {
            s.f_df[j] += w * f * df[j][i];
            s.row[j] += w * change * df[j][i];
        }
    }
    if (a->started) {
        a->next = (k + 1) % DEPTH;
        a->depth = a->depth < DEPTH ? a->depth + 1 : DEPTH;
        for (int j = 0; j < a->depth; j++)
            a->gram[k][j] = a->gram[j][k] = s.row[j];
    }
    return s;
}

/* Finds the gamma that minimizes |f - dF gamma|, zero for differences that do not exist; false: the
 * matrix is singular. */
static bool weights(const plu_block_anderson *a, const products *s, double gamma[DEPTH])
{
    const int m = a->depth;
    double A[DEPTH * DEPTH], trace = 0.0;
    for (int i = 0; i < m; i++)
        trace += a->gram[i][i];
    for (int i = 0; i < DEPTH; i++) {
        for (int j = 0; i < m && j < m; j++)
            A[i * m + j] = a->gram[i][j] + (i == j ? tikhonov * trace : 0.0);
        gamma[i] = i < m ? s->f_df[i] : 0.0;
    }
    return plu_solve_dense(m, A, gamma);
}

/* p = G - dG gamma, projected. */
static void combine(const plu_block_anderson *a, plu_block_gs *g, const double gamma[DEPTH])
{
    const double *dg[DEPTH];
    memcpy(dg, a->dg, sizeof dg);
    for (int i = 0; i < g->n; i++)
        for (int j = 0; j < DEPTH; j++)
            g->p[i] -= gamma[j] * dg[j][i];
    for (int c = 0; c < g->contacts; c++) {
        const plu_local_contact contact = {g->rows, NULL, NULL, PLU_CONTACT_SLOPES(g->problem, c)};
        plu_contact_project(&contact, g->p + c * g->rows);
    }
}

void plu_block_anderson_next(plu_block_anderson *a, plu_block_gs *g)
{
    const bool before = a->started;
    const products s = remember(a, g);
    const bool restart = before && s.ff > growth * a->last;
    a->started = true;
    a->last = s.ff;
    if (restart)
        a->depth = a->next = 0;
    double gamma[DEPTH];
    if (a->depth > 0 && weights(a, &s, gamma)) {
        combine(a, g, gamma);
        plu_block_gs_refresh(g);
    }
    memcpy(g->before, g->p, (size_t)g->n * sizeof *g->p);
}
