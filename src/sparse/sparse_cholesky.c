/* Cholesky factors L L^T, row by row, in an order of minimum degree (AMD). Row k of L solves a
 * triangular system with what is there already,
 *
 *     L_{0..k-1} l_k = a_k ,   l_kk = sqrt(a_kk - l_k.l_k)
 *
 * and its pattern is known before: column i of L, with its first entry below the diagonal in row
 * parent(i), passes its fill on to that column. So the entries of row k are what is met on the ways
 * from the entries of a_k up the elimination tree, until k (`reach`):
 *
 *             7             a_7 has entries 1 and 4, so row 7 of L has those on
 *          .' `.
 *         6     5               1 -> 3 -> 6 -> (7) ,    4 -> 6 (met before: stop)
 *       .' `.
 *      3     4              in an order in which each comes after those that change it
 *    .'
 *   1
 *
 * (J. W. H. Liu, The role of elimination trees in sparse factorization, SIAM J. Matrix Anal. Appl.
 * 11, 1990; T. A. Davis, Direct Methods for Sparse Linear Systems, SIAM 2006, chapter 4). */
#include "base/memory.h"
#include "sparse/sparse.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/amd.h>

struct plu_cholesky {
    int n;
    int *order, *rank; /* [n]: row of the matrix at each place of the order, and the inverse */
    /* Upper triangle of the ordered matrix by columns: rows, and entries of `a` they come from. */
    int *start, *row, *from;
    int *parent;         /* [n]: elimination tree; -1: a root */
    int *mark, *pattern; /* [n] each, of reach */
    /* L by columns, the diagonal first. next: where the next entry of a column goes. */
    size_t *l_start, *next;
    int *l_row;
    double *l, *work; /* work: [n], zero but within a function */
    bool ready;
    plu_stop *stop;
};

static bool take(plu_cholesky *c, const plu_sparse *a, plu_error *err)
{
    const size_t n = (size_t)a->n, entries = (size_t)a->start[a->n];
    c->n = a->n;
    c->order = plu_alloc(n, sizeof *c->order, err);
    c->rank = plu_alloc(n, sizeof *c->rank, err);
    c->start = plu_alloc(n + 2, sizeof *c->start, err);
    c->row = plu_alloc(entries, sizeof *c->row, err);
    c->from = plu_alloc(entries, sizeof *c->from, err);
    c->parent = plu_alloc(n, sizeof *c->parent, err);
    c->mark = plu_alloc(n, sizeof *c->mark, err);
    c->pattern = plu_alloc(n, sizeof *c->pattern, err);
    c->l_start = plu_alloc(n + 1, sizeof *c->l_start, err);
    c->next = plu_alloc(n, sizeof *c->next, err);
    c->work = plu_alloc(n, sizeof *c->work, err);
    return c->order && c->rank && c->start && c->row && c->from && c->parent && c->mark &&
           c->pattern && c->l_start && c->next && c->work;
}

/* The ordered matrix: entry (i, j) stands in the column of the later of the two. */
static void place_entries(plu_cholesky *c, const plu_sparse *a)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < a->n; j++)
            for (int e = a->start[j]; e < a->start[j + 1]; e++) {
                const int r = c->rank[a->row[e]], s = c->rank[j], column = r > s ? r : s;
                if (pass == 0) {
                    c->start[column + 2]++;
                    continue;
                }
                const int at = c->start[column + 1]++;
                c->row[at] = r > s ? s : r;
                c->from[at] = e;
            }
        for (int k = 0; pass == 0 && k < a->n; k++)
            c->start[k + 2] += c->start[k + 1];
    }
}

/* Columns of L with an entry in row k, each after those that change it: pattern[top .. n - 1]. The
 * ways up the tree end at what was met before. */
static int reach(plu_cholesky *c, int k)
{
    int top = c->n;
    c->mark[k] = k;
    for (int e = c->start[k]; e < c->start[k + 1]; e++) {
        int length = 0;
        for (int i = c->row[e]; c->mark[i] != k; i = c->parent[i]) {
            if (c->parent[i] < 0)
                c->parent[i] = k; /* first time that its column has an entry below */
            c->pattern[length++] = i;
            c->mark[i] = k;
        }
        while (length > 0)
            c->pattern[--top] = c->pattern[--length];
    }
    return top;
}

/* Counts the columns of L and makes room for them. */
static bool lay_out(plu_cholesky *c, plu_error *err)
{
    for (int k = 0; k < c->n; k++) {
        c->parent[k] = -1;
        c->mark[k] = -1;
    }
    for (int k = 0; k < c->n; k++) {
        c->l_start[k + 1]++;
        for (int t = reach(c, k); t < c->n; t++)
            c->l_start[c->pattern[t] + 1]++;
    }
    for (int k = 0; k < c->n; k++)
        c->l_start[k + 1] += c->l_start[k];
    c->l_row = plu_alloc(c->l_start[c->n], sizeof *c->l_row, err);
    c->l = plu_alloc(c->l_start[c->n], sizeof *c->l, err);
    return c->l_row && c->l;
}

plu_status plu_cholesky_create(plu_cholesky **out, const plu_sparse *a, plu_stop *stop,
                               plu_error *err)
{
    *out = NULL;
    plu_cholesky *c = plu_alloc(1, sizeof *c, err);
    if (!c)
        return PLU_IO;
    c->stop = stop;
    plu_status status = take(c, a, err) ? PLU_OK : PLU_IO;
    if (status == PLU_OK && amd_order(a->n, a->start, a->row, c->order, NULL, NULL) < AMD_OK)
        status = plu_fail(err, PLU_IO, "out of memory for the order of a sparse matrix");
    if (status == PLU_OK) {
        for (int k = 0; k < a->n; k++)
            c->rank[c->order[k]] = k;
        place_entries(c, a);
        status = lay_out(c, err) ? PLU_OK : PLU_IO;
    }
    if (status != PLU_OK) {
        plu_cholesky_destroy(c);
        return status;
    }
    *out = c;
    return PLU_OK;
}

/* Row k of L; false where its pivot is not positive. */
static bool factorize_row(plu_cholesky *c, const plu_sparse *a, int k)
{
    const int top = reach(c, k);
    for (int e = c->start[k]; e < c->start[k + 1]; e++)
        c->work[c->row[e]] += a->x[c->from[e]];
    double pivot = c->work[k];
    c->work[k] = 0.0;
    for (int t = top; t < c->n; t++) {
        const int i = c->pattern[t];
        const double entry = c->work[i] / c->l[c->l_start[i]];
        c->work[i] = 0.0;
        for (size_t e = c->l_start[i] + 1; e < c->next[i]; e++)
            c->work[c->l_row[e]] -= c->l[e] * entry;
        pivot -= entry * entry;
        c->l_row[c->next[i]] = k;
        c->l[c->next[i]++] = entry;
    }
    c->l_row[c->l_start[k]] = k;
    c->l[c->l_start[k]] = sqrt(pivot);
    c->next[k] = c->l_start[k] + 1;
    return pivot > 0.0 && isfinite(pivot);
}

plu_status plu_cholesky_factorize(plu_cholesky *c, const plu_sparse *a, plu_error *err)
{
    c->ready = false;
    for (int k = 0; k < c->n; k++)
        c->mark[k] = -1;
    for (int k = 0; k < c->n; k++) {
        if (plu_stops(c->stop))
            return plu_fail(err, PLU_STOPPED, "the factors of a sparse matrix were given up");
        if (!factorize_row(c, a, k))
            return plu_fail(err, PLU_BREAKDOWN,
                            "a sparse matrix of order %d is not positive definite (pivot %d)", c->n,
                            k);
    }
    c->ready = true;
    return PLU_OK;
}

plu_status plu_cholesky_solve(plu_cholesky *c, const double *b, double *x, plu_error *err)
{
    if (!c->ready)
        return plu_fail(err, PLU_BREAKDOWN, "a sparse matrix has no factor yet to solve with");
    double *const y = c->work;
    for (int k = 0; k < c->n; k++)
        y[k] = b[c->order[k]];
    for (int k = 0; k < c->n; k++) {
        y[k] /= c->l[c->l_start[k]];
        for (size_t e = c->l_start[k] + 1; e < c->l_start[k + 1]; e++)
            y[c->l_row[e]] -= c->l[e] * y[k];
    }
    for (int k = c->n - 1; k >= 0; k--) {
        for (size_t e = c->l_start[k] + 1; e < c->l_start[k + 1]; e++)
            y[k] -= c->l[e] * y[c->l_row[e]];
        y[k] /= c->l[c->l_start[k]];
    }
    for (int k = 0; k < c->n; k++)
        x[c->order[k]] = y[k];
    memset(y, 0, (size_t)c->n * sizeof *y);
    return PLU_OK;
}

void plu_cholesky_destroy(plu_cholesky *c)
{
    if (!c)
        return;
    free(c->order);
    free(c->rank);
    free(c->start);
    free(c->row);
    free(c->from);
    free(c->parent);
    free(c->mark);
    free(c->pattern);
    free(c->l_start);
    free(c->next);
    free(c->l_row);
    free(c->l);
    free(c->work);
    free(c);
}
