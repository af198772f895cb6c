/* W = H^T M^-1 H by blocks and q = H^T v_free + w, from the bodies; the scaling of moments.
 *
 *     bodies   1 --c0-- 2 --c1-- 3 --c2-- 4       W_cc' is not zero where c and c' share a body:
 *
 *     W_cc' = sum over shared bodies k            | x x . |
 *             of H_ck^T M_k^-1 H_c'k              | x x x |
 *                                                 | . x x |
 *
 * Each row of blocks is sorted by contact. Moments are m / L, rolling velocities L omega, with the
 * contact's length L: without that the block of a sphere of 1 cm has a condition number above 1e4.
 */
#include "base/memory.h"
#include "problem/contact_problem.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Contacts of each body: those of body k are list[start[k]] to list[start[k + 1] - 1], increasing.
 */
typedef struct incidence {
    int *start, *list;
} incidence;

static plu_status find_incidence(const plu_contact_problem *p, incidence *in, plu_error *err)
{
    const plu_body_form *b = &p->body;
    in->start = plu_alloc((size_t)b->bodies + 2, sizeof *in->start, err);
    in->list = plu_alloc(2 * (size_t)p->contacts, sizeof *in->list, err);
    if (!in->start || !in->list)
        return PLU_IO;
    for (int c = 0; c < p->contacts; c++)
        for (int e = 0; e < 2; e++)
            if (b->pairs[c][e] >= 0)
                in->start[b->pairs[c][e] + 2]++;
    for (int k = 0; k < b->bodies; k++)
        in->start[k + 2] += in->start[k + 1];
    for (int c = 0; c < p->contacts; c++)
        for (int e = 0; e < 2; e++)
            if (b->pairs[c][e] >= 0)
                in->list[in->start[b->pairs[c][e] + 1]++] = c;
    return PLU_OK;
}

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* The contacts that share a body with c, itself included, sorted; returns how many. */
static int neighbors(const plu_contact_problem *p, const incidence *in, int c, int *found)
{
    int count = 1;
    found[0] = c;
    for (int e = 0; e < 2; e++) {
        const int k = p->body.pairs[c][e];
        for (int i = k >= 0 ? in->start[k] : 0; k >= 0 && i < in->start[k + 1]; i++)
            found[count++] = in->list[i];
    }
    qsort(found, (size_t)count, sizeof *found, ascending);
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (kept == 0 || found[kept - 1] != found[i])
            found[kept++] = found[i];
    return kept;
}

/* An upper bound of the number of blocks in a row of W. */
static int widest(const plu_contact_problem *p, const incidence *in)
{
    int most = 0;
    for (int k = 0; k < p->body.bodies; k++)
        most = in->start[k + 1] - in->start[k] > most ? in->start[k + 1] - in->start[k] : most;
    return 2 * most + 1;
}

static plu_status lay_out(plu_contact_problem *p, const incidence *in, plu_error *err)
{
    plu_block_rows *w = &p->w;
    int *found = plu_alloc((size_t)widest(p, in), sizeof *found, err);
    w->start = plu_alloc((size_t)p->contacts + 1, sizeof *w->start, err);
    w->diagonal = plu_alloc((size_t)p->contacts, sizeof *w->diagonal, err);
    if (!found || !w->start || !w->diagonal) {
        free(found);
        return PLU_IO;
    }
    for (int c = 0; c < p->contacts; c++)
        w->start[c + 1] = w->start[c] + neighbors(p, in, c, found);
    const size_t blocks = (size_t)w->start[p->contacts], d = (size_t)p->rows;
    w->column = plu_alloc(blocks, sizeof *w->column, err);
    w->block = plu_alloc(blocks * d * d, sizeof *w->block, err);
    for (int c = 0; w->column && w->block && c < p->contacts; c++) {
        const int count = neighbors(p, in, c, found);
        memcpy(w->column + w->start[c], found, (size_t)count * sizeof *found);
        for (int i = 0; i < count; i++)
            if (found[i] == c)
                w->diagonal[c] = w->start[c] + i;
    }
    free(found);
    return w->column && w->block ? PLU_OK : PLU_IO;
}

/* block += h^T M^-1 g */
static void add_product(int d, const double *h, const double *inverse_mass, const double *g,
                        double *block)
{
    double x[6 * PLU_ROWS_MAX];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < d; j++) {
            x[i * d + j] = 0.0;
            for (int k = 0; k < 6; k++)
                x[i * d + j] += inverse_mass[6 * i + k] * g[k * d + j];
        }
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) {
            double sum = 0.0;
            for (int k = 0; k < 6; k++)
                sum += h[k * d + i] * x[k * d + j];
            block[i * d + j] += sum;
        }
}

static void fill_row(plu_contact_problem *p, int c)
{
    const plu_body_form *b = &p->body;
    const int d = p->rows;
    for (int i = p->w.start[c]; i < p->w.start[c + 1]; i++) {
        const int other = p->w.column[i];
        for (int e = 0; e < 2; e++)
            for (int f = 0; f < 2; f++)
                if (b->pairs[c][e] >= 0 && b->pairs[c][e] == b->pairs[other][f])
                    add_product(d, b->h[c][e], b->inverse_mass[b->pairs[c][e]], b->h[other][f],
                                p->w.block + (size_t)i * (size_t)(d * d));
    }
    double *own = p->w.block + (size_t)p->w.diagonal[c] * (size_t)(d * d);
    if (d == 7) /* the idle row */
        own[6 * d + 6] = own[5 * d + 5];
    for (int j = 0; j < d; j++)
        p->q[c * d + j] = b->w[c * d + j];
    for (int e = 0; e < 2; e++)
        for (int i = 0; b->pairs[c][e] >= 0 && i < 6; i++)
            for (int j = 0; j < d; j++)
                p->q[c * d + j] += b->h[c][e][i * d + j] * b->v_free[b->pairs[c][e]][i];
}

plu_status plu_contact_problem_assemble(plu_contact_problem *p, plu_error *err)
{
    incidence in = {0};
    plu_status status = find_incidence(p, &in, err);
    if (status == PLU_OK)
        status = lay_out(p, &in, err);
    for (int c = 0; status == PLU_OK && c < p->contacts; c++)
        fill_row(p, c);
    free(in.start);
    free(in.list);
    return status;
}

/* The length that makes W_RR comparable to W_NN. For equal spheres it is the radius r, because they
 * have W_NN = 2/m, W_RR = 5/(m r^2). */
static double natural_length(const plu_contact_problem *p, int c)
{
    const double *block = p->w.block + (size_t)p->w.diagonal[c] * 25;
    const double rolling = 0.5 * (block[18] + block[24]);
    return rolling > 0.0 && block[0] > 0.0 ? sqrt(2.5 * block[0] / rolling) : 1.0;
}

/* Multiplies row i of a block by row[i], column j by column[j]. */
static void scale_block(double *block, const double *row, const double *column)
{
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++)
            block[5 * i + j] *= row[i] * column[j];
}

static void scale_rows(const plu_contact_problem *p, int c, double *x, bool velocity)
{
    if (!x)
        return;
    const double s = velocity ? p->length[c] : 1.0 / p->length[c];
    x[5 * c + 3] *= s;
    x[5 * c + 4] *= s;
}

void plu_contact_problem_plane(plu_contact_problem *p)
{
    const int d = p->rows;
    p->planar = true;
    for (int c = 0; c < p->contacts; c++) {
        double *block = p->w.block + (size_t)p->w.diagonal[c] * (size_t)(d * d);
        for (int i = 2; i < d; i += 2)
            block[i * (d + 1)] = block[(i - 1) * (d + 1)];
    }
}

void plu_contact_problem_scale(plu_contact_problem *p, const double *length)
{
    if (p->rows != 5)
        return;
    for (int c = 0; c < p->contacts; c++)
        p->length[c] = length ? length[c] : natural_length(p, c);
    for (int c = 0; c < p->contacts; c++) {
        const double l = p->length[c], row[5] = {1, 1, 1, l, l};
        for (int b = p->w.start[c]; b < p->w.start[c + 1]; b++) {
            const double m = p->length[p->w.column[b]], column[5] = {1, 1, 1, m, m};
            scale_block(p->w.block + 25 * (size_t)b, row, column);
        }
        p->mu_r[c] /= l;
        scale_rows(p, c, p->q, true);
        scale_rows(p, c, p->guess, false);
        scale_rows(p, c, p->solution, false);
        if (p->body.bodies == 0)
            continue;
        scale_rows(p, c, p->body.w, true);
        for (int e = 0; e < 2; e++)
            for (int i = 0; i < 6; i++) {
                p->body.h[c][e][5 * i + 3] *= l;
                p->body.h[c][e][5 * i + 4] *= l;
            }
    }
}
