/* The linear system of the global Newton methods (newton_loop.h has the unknowns). Linearized about
 * z, with p = P z, y = W p + q + eps D (p - center), f(z, y) = 0:
 *
 *     J dz = -f ,   J_rc = A_r (W + eps D)_rc P_c + B_r [r = c]
 *
 * W has blocks of d x d numbers, J blocks of k x k at the same places, k being the width of z. J is
 * kept by columns for the factorization (sparse/sparse.h), whose pattern is analysed once: a step
 * of Newton's method only fills in numbers.
 *
 * eps D is the shift of a proximal step: it makes J regular where impulses are not unique. */
#include "base/memory.h"
#include "general/newton_loop.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

double plu_newton_diagonal(const plu_contact_problem *problem, int c, int i)
{
    const int d = problem->rows, first = i == 0 ? 0 : 2 * ((i - 1) / 2) + 1;
    const double *w = problem->w.block + (size_t)problem->w.diagonal[c] * (size_t)(d * d);
    const double one = w[first * (d + 1)];
    if (i == 0)
        return one;
    const double two = w[(first + 1) * (d + 1)];
    return one > two ? one : two;
}

/* Columns of J from the block rows of W. */
static void lay_out(plu_newton_system *s, int *count)
{
    const plu_block_rows *w = &s->problem->w;
    const int k = s->width, contacts = s->problem->contacts;
    for (int b = 0; b < w->start[contacts]; b++)
        s->place[b] = count[w->column[b]]++;
    for (int c = 0, at = 0; c < contacts; c++)
        for (int i = 0; i < k; i++)
            s->j.start[c * k + i + 1] = at += k * count[c];
    for (int r = 0; r < contacts; r++)
        for (int b = w->start[r]; b < w->start[r + 1]; b++)
            for (int j = 0; j < k; j++) {
                int *row = s->j.row + s->j.start[w->column[b] * k + j] + k * s->place[b];
                for (int i = 0; i < k; i++)
                    row[i] = r * k + i;
            }
}

plu_status plu_newton_system_create(plu_newton_system *s, const plu_contact_problem *problem,
                                    int width, plu_stop *stop, plu_error *err)
{
    *s = (plu_newton_system){.problem = problem, .width = width};
    const size_t c = (size_t)problem->contacts, d = (size_t)problem->rows, k = (size_t)width;
    const size_t blocks = (size_t)problem->w.start[problem->contacts];
    if (blocks * k * k > INT_MAX)
        return plu_fail(err, PLU_IO, "out of memory: a Newton matrix of %zu blocks", blocks);
    s->p_of_z = plu_alloc(c * d * k, sizeof *s->p_of_z, err);
    s->a = plu_alloc(c * d * k, sizeof *s->a, err);
    s->b = plu_alloc(c * k * k, sizeof *s->b, err);
    s->place = plu_alloc(blocks, sizeof *s->place, err);
    int *count = plu_alloc(c, sizeof *count, err);
    plu_status status = plu_sparse_create(&s->j, (int)(c * k), (int)(blocks * k * k), err);
    if (status == PLU_OK && s->p_of_z && s->a && s->b && s->place && count) {
        lay_out(s, count);
        status = plu_lu_create(&s->lu, &s->j, PLU_LU_DIAGONAL, stop, err);
    } else {
        status = PLU_IO;
    }
    free(count);
    return status;
}

void plu_newton_system_free(plu_newton_system *s)
{
    free(s->p_of_z);
    free(s->a);
    free(s->b);
    free(s->place);
    plu_sparse_free(&s->j);
    plu_lu_destroy(s->lu);
    *s = (plu_newton_system){0};
}

/* out (m x o) = x (m x n) y (n x o) */
static void multiply(int m, int n, int o, const double *x, const double *y, double *out)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < o; j++) {
            double sum = 0.0;
            for (int l = 0; l < n; l++)
                sum += x[i * n + l] * y[l * o + j];
            out[i * o + j] = sum;
        }
}

static void fill_block(plu_newton_system *s, int r, int b, double eps)
{
    const plu_contact_problem *problem = s->problem;
    const int d = problem->rows, k = s->width, c = problem->w.column[b];
    double w[PLU_ROWS_MAX * PLU_ROWS_MAX], wp[PLU_ROWS_MAX * PLU_WIDTH_MAX];
    double block[PLU_WIDTH_MAX * PLU_WIDTH_MAX];
    memcpy(w, problem->w.block + (size_t)b * (size_t)(d * d), (size_t)(d * d) * sizeof *w);
    for (int i = 0; r == c && i < d; i++)
        w[i * (d + 1)] += eps * plu_newton_diagonal(problem, c, i);
    multiply(d, d, k, w, s->p_of_z + (size_t)c * (size_t)(d * k), wp);
    multiply(k, d, k, s->a + (size_t)r * (size_t)(d * k), wp, block);
    const double *own = s->b + (size_t)r * (size_t)(k * k);
    for (int j = 0; j < k; j++) {
        double *x = s->j.x + s->j.start[c * k + j] + k * s->place[b];
        for (int i = 0; i < k; i++)
            x[i] = block[i * k + j] + (r == c ? own[i * k + j] : 0.0);
    }
}

plu_status plu_newton_system_factorize(plu_newton_system *s, double eps, plu_error *err)
{
    const plu_block_rows *w = &s->problem->w;
    for (int r = 0; r < s->problem->contacts; r++)
        for (int b = w->start[r]; b < w->start[r + 1]; b++)
            fill_block(s, r, b, eps);
    return plu_lu_factorize(s->lu, &s->j, err);
}
