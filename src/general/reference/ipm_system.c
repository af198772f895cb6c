/* Systems of an interior point, block by block (ipm_system.h has both forms, by bodies and by
 * contacts). Where blocks are is found once:
 *
 *     columns   | (0,0) |              start[c] ... start[c + 1]: the blocks of a column, rows
 *     of        | (2,0) (1,1)  |       rising, found by bisection; of a symmetric system the lower
 *     blocks    |       (2,1)  ...     triangle alone
 *
 * Before it is factorized the matrix is scaled from both sides to a unit diagonal: B ranges over
 * many decades, so that a regular matrix would look singular. */
#include "general/reference/ipm_system.h"
#include "base/memory.h"
#include "sparse/sparse.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct plu_ipm_system {
    const plu_contact_problem *problem;
    bool symmetric; /* a holds the lower triangle only */
    bool bodies;    /* unknowns are velocities of bodies, else impulses */
    int size;       /* of a square block of a */
    int columns;    /* of blocks */
    int *start;     /* [columns + 1]: blocks of a column, with rising rows */
    int *row;
    plu_sparse a;
    plu_lu *lu;
    plu_cholesky *cholesky;
    double (*root)[PLU_BLOCK_MAX];
    double (*slope)[PLU_ROWS_MAX]; /* NULL: T = I */
    double *scale;                 /* [columns * size]: of rows and columns of a */
    double *rhs, *velocity;        /* [columns * size] */
};

typedef struct place {
    int column, row;
} place;

static int by_column(const void *a, const void *b)
{
    const place *x = a, *y = b;
    return x->column != y->column ? x->column - y->column : x->row - y->row;
}

/* Where blocks are needed, both triangles, repeated or not; returns how many. `at` may be NULL. */
static size_t list_places(const plu_ipm_system *s, place *at)
{
    const plu_contact_problem *p = s->problem;
    size_t count = 0;
    for (int i = 0; s->bodies && i < p->body.bodies; i++, count++)
        if (at)
            at[count] = (place){i, i};
    for (int c = 0; s->bodies && c < p->contacts; c++) {
        const int *ends = p->body.pairs[c];
        for (int e = 0; e < 2 && ends[0] >= 0 && ends[1] >= 0; e++, count++)
            if (at)
                at[count] = (place){ends[e], ends[1 - e]};
    }
    for (int c = 0; !s->bodies && c < p->contacts; c++)
        for (int b = p->w.start[c]; b < p->w.start[c + 1]; b++, count += 2)
            if (at) {
                at[count] = (place){c, p->w.column[b]};
                at[count + 1] = (place){p->w.column[b], c};
            }
    return count;
}

/* Index in a.x of entry (i, j) of block k, which stands in block column c. */
static size_t entry(const plu_ipm_system *s, int c, int k, int i, int j)
{
    const size_t before = (size_t)(k - s->start[c]), size = (size_t)s->size;
    const size_t column = (size_t)s->a.start[c * s->size + j];
    if (!s->symmetric)
        return column + before * size + (size_t)i;
    return before == 0 ? column + (size_t)(i - j) : column + before * size + (size_t)(i - j);
}

static void fill_pattern(plu_ipm_system *s)
{
    int count = 0;
    for (int c = 0; c < s->columns; c++)
        for (int j = 0; j < s->size; j++) {
            s->a.start[c * s->size + j] = count;
            for (int k = s->start[c]; k < s->start[c + 1]; k++) {
                const int first = s->symmetric && s->row[k] == c ? j : 0;
                for (int i = first; i < s->size; i++)
                    s->a.row[count++] = s->row[k] * s->size + i;
            }
        }
    s->a.start[s->a.n] = count;
}

static plu_status lay_out(plu_ipm_system *s, plu_error *err)
{
    const size_t count = list_places(s, NULL);
    place *at = plu_alloc(count, sizeof *at, err);
    s->row = plu_alloc(count, sizeof *s->row, err);
    s->start = plu_alloc((size_t)s->columns + 1, sizeof *s->start, err);
    if (!at || !s->row || !s->start) {
        free(at);
        return PLU_IO;
    }
    list_places(s, at);
    qsort(at, count, sizeof *at, by_column);
    int kept = 0;
    for (size_t i = 0; i < count; i++) {
        if ((s->symmetric && at[i].row < at[i].column) ||
            (i > 0 && by_column(at + i - 1, at + i) == 0))
            continue;
        s->row[kept++] = at[i].row;
        s->start[at[i].column + 1] = kept;
    }
    free(at);
    const int diagonal = s->symmetric ? s->columns * (s->size * (s->size - 1) / 2) : 0;
    const plu_status status =
        plu_sparse_create(&s->a, s->columns * s->size, kept * s->size * s->size - diagonal, err);
    if (status == PLU_OK)
        fill_pattern(s);
    return status;
}

plu_status plu_ipm_system_create(plu_ipm_system **system, const plu_contact_problem *problem,
                                 bool sloped, plu_stop *stop, plu_error *err)
{
    plu_ipm_system *s = *system = plu_alloc(1, sizeof *s, err);
    if (!s)
        return PLU_IO;
    s->problem = problem;
    s->symmetric = !sloped && problem->symmetric;
    s->bodies = problem->body.bodies > 0;
    s->size = s->bodies ? PLU_BODY_ROWS : problem->rows;
    s->columns = s->bodies ? problem->body.bodies : problem->contacts;
    const size_t n = (size_t)s->columns * (size_t)s->size;
    s->scale = plu_alloc(n, sizeof *s->scale, err);
    s->rhs = plu_alloc(n, sizeof *s->rhs, err);
    s->velocity = plu_alloc(n, sizeof *s->velocity, err);
    plu_status status = s->scale && s->rhs && s->velocity ? lay_out(s, err) : PLU_IO;
    if (status == PLU_OK)
        status = s->symmetric ? plu_cholesky_create(&s->cholesky, &s->a, stop, err)
                              : plu_lu_create(&s->lu, &s->a, PLU_LU_DIAGONAL, stop, err);
    return status;
}

void plu_ipm_system_destroy(plu_ipm_system *s)
{
    if (!s)
        return;
    plu_lu_destroy(s->lu);
    plu_cholesky_destroy(s->cholesky);
    plu_sparse_free(&s->a);
    free(s->start);
    free(s->row);
    free(s->scale);
    free(s->rhs);
    free(s->velocity);
    free(s);
}

static int find_block(const plu_ipm_system *s, int row, int column)
{
    int low = s->start[column], high = s->start[column + 1];
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (s->row[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Adds a block, row by row, at (row, column); what lies above a triangle that is kept is left. */
static void add_block(plu_ipm_system *s, int row, int column, const double *block)
{
    if (s->symmetric && row < column)
        return;
    const int k = find_block(s, row, column);
    for (int j = 0; j < s->size; j++)
        for (int i = s->symmetric && row == column ? j : 0; i < s->size; i++)
            s->a.x[entry(s, column, k, i, j)] += block[i * s->size + j];
}

/* R T of contact c */
static void sloped_root(const plu_ipm_system *s, int c, double *rt)
{
    const int d = s->problem->rows;
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++)
            rt[i * d + j] =
                s->root[c][i * d + j] + (s->slope ? s->root[c][i * d] * s->slope[c][j] : 0.0);
}

/* left^T right of two d x columns matrices */
static void cross_product(int d, int columns, const double *left, const double *right, double *out)
{
    for (int i = 0; i < columns; i++)
        for (int j = 0; j < columns; j++) {
            double sum = 0.0;
            for (int k = 0; k < d; k++)
                sum += left[k * columns + i] * right[k * columns + j];
            out[i * columns + j] = sum;
        }
}

/* r h^T, d x 6 */
static void times_lever(int d, const double *r, const double *h, double *out)
{
    for (int i = 0; i < d; i++)
        for (int j = 0; j < 6; j++) {
            double sum = 0.0;
            for (int k = 0; k < d; k++)
                sum += r[i * d + k] * h[j * d + k];
            out[i * 6 + j] = sum;
        }
}

/* M + H B^-1 T H^T */
static void fill_bodies(plu_ipm_system *s)
{
    const plu_body_form *b = &s->problem->body;
    const int d = s->problem->rows;
    double rt[PLU_BLOCK_MAX], left[PLU_ROWS_MAX * 6], right[2][PLU_ROWS_MAX * 6], block[36];
    for (int k = 0; k < b->bodies; k++)
        add_block(s, k, k, b->mass[k]);
    for (int c = 0; c < s->problem->contacts; c++) {
        sloped_root(s, c, rt);
        for (int f = 0; f < 2; f++)
            times_lever(d, rt, b->h[c][f], right[f]);
        for (int e = 0; e < 2; e++) {
            times_lever(d, s->root[c], b->h[c][e], left);
            for (int f = 0; f < 2 && b->pairs[c][e] >= 0; f++) {
                if (b->pairs[c][f] < 0)
                    continue;
                cross_product(d, 6, left, right[f], block);
                add_block(s, b->pairs[c][e], b->pairs[c][f], block);
            }
        }
    }
}

/* out = a x b, or a x b^T, d x d */
static void multiply(int d, const double *a, const double *b, bool transposed, double *out)
{
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) {
            double sum = 0.0;
            for (int k = 0; k < d; k++)
                sum += a[i * d + k] * (transposed ? b[j * d + k] : b[k * d + j]);
            out[i * d + j] = sum;
        }
}

/* I + R T W R^T */
static void fill_contacts(plu_ipm_system *s)
{
    const plu_contact_problem *p = s->problem;
    const int d = p->rows;
    double rt[PLU_BLOCK_MAX], half[PLU_BLOCK_MAX], block[PLU_BLOCK_MAX];
    for (int c = 0; c < p->contacts; c++) {
        sloped_root(s, c, rt);
        for (int b = p->w.start[c]; b < p->w.start[c + 1]; b++) {
            const int column = p->w.column[b];
            multiply(d, rt, p->w.block + (size_t)b * (size_t)(d * d), false, half);
            multiply(d, half, s->root[column], true, block);
            for (int i = 0; column == c && i < d; i++)
                block[i * (d + 1)] += 1.0;
            add_block(s, c, column, block);
        }
    }
}

/* a becomes S a S with a unit diagonal: the entries of C range over many decades, which would make
 * a regular matrix look singular. */
static void equilibrate(plu_ipm_system *s)
{
    plu_sparse *a = &s->a;
    for (int j = 0; j < a->n; j++)
        for (int k = a->start[j]; k < a->start[j + 1]; k++)
            if (a->row[k] == j)
                s->scale[j] = a->x[k] != 0.0 ? 1.0 / sqrt(fabs(a->x[k])) : 1.0;
    for (int j = 0; j < a->n; j++)
        for (int k = a->start[j]; k < a->start[j + 1]; k++)
            a->x[k] *= s->scale[j] * s->scale[a->row[k]];
}

plu_status plu_ipm_system_factorize(plu_ipm_system *s, double (*root)[PLU_BLOCK_MAX],
                                    double (*slope)[PLU_ROWS_MAX], plu_error *err)
{
    s->root = root;
    s->slope = slope;
    memset(s->a.x, 0, (size_t)s->a.start[s->a.n] * sizeof *s->a.x);
    if (s->bodies)
        fill_bodies(s);
    else
        fill_contacts(s);
    equilibrate(s);
    return s->symmetric ? plu_cholesky_factorize(s->cholesky, &s->a, err)
                        : plu_lu_factorize(s->lu, &s->a, err);
}

static plu_status solve_sparse(plu_ipm_system *s, plu_error *err)
{
    for (int i = 0; i < s->a.n; i++)
        s->rhs[i] *= s->scale[i];
    const plu_status status = s->symmetric
                                  ? plu_cholesky_solve(s->cholesky, s->rhs, s->velocity, err)
                                  : plu_lu_solve(s->lu, &s->a, s->rhs, s->velocity, err);
    for (int i = 0; i < s->a.n; i++)
        s->velocity[i] *= s->scale[i];
    return status;
}

/* x = R z or x = R^T z, of contact c */
static void times_root(const plu_ipm_system *s, int c, bool transposed, const double *z, double *x)
{
    const int d = s->problem->rows;
    const double *r = s->root[c];
    for (int i = 0; i < d; i++) {
        x[i] = 0.0;
        for (int j = 0; j < d; j++)
            x[i] += (transposed ? r[j * d + i] : r[i * d + j]) * z[j];
    }
}

/* x = B^-1 b of contact c */
static void times_inverse(const plu_ipm_system *s, int c, const double *b, double *x)
{
    double z[PLU_ROWS_MAX];
    times_root(s, c, false, b, z);
    times_root(s, c, true, z, x);
}

static plu_status solve_bodies(plu_ipm_system *s, const double *b, double *x, plu_error *err)
{
    const plu_contact_problem *p = s->problem;
    const int d = p->rows;
    memset(s->rhs, 0, (size_t)s->a.n * sizeof *s->rhs);
    for (int c = 0; c < p->contacts; c++) {
        double t[PLU_ROWS_MAX];
        times_inverse(s, c, b + c * d, t);
        for (int e = 0; e < 2; e++)
            for (int i = 0; i < 6 * d && p->body.pairs[c][e] >= 0; i++)
                s->rhs[6 * p->body.pairs[c][e] + i / d] += p->body.h[c][e][i] * t[i % d];
    }
    const plu_status status = solve_sparse(s, err);
    for (int c = 0; status == PLU_OK && c < p->contacts; c++) {
        double t[PLU_ROWS_MAX], y[PLU_ROWS_MAX] = {0};
        for (int e = 0; e < 2; e++)
            for (int i = 0; i < 6 * d && p->body.pairs[c][e] >= 0; i++)
                y[i % d] += p->body.h[c][e][i] * s->velocity[6 * p->body.pairs[c][e] + i / d];
        for (int i = 0; i < d; i++) {
            y[0] += s->slope ? s->slope[c][i] * y[i] : 0.0; /* slope has no N */
            t[i] = b[c * d + i];
        }
        for (int i = 0; i < d; i++)
            t[i] -= y[i];
        times_inverse(s, c, t, x + c * d);
    }
    return status;
}

static plu_status solve_contacts(plu_ipm_system *s, const double *b, double *x, plu_error *err)
{
    const int d = s->problem->rows;
    for (int c = 0; c < s->problem->contacts; c++)
        times_root(s, c, false, b + c * d, s->rhs + c * d);
    const plu_status status = solve_sparse(s, err);
    for (int c = 0; status == PLU_OK && c < s->problem->contacts; c++)
        times_root(s, c, true, s->velocity + c * d, x + c * d);
    return status;
}

plu_status plu_ipm_system_solve(plu_ipm_system *s, const double *b, double *x, plu_error *err)
{
    return s->bodies ? solve_bodies(s, b, x, err) : solve_contacts(s, b, x, err);
}
