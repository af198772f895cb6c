/* The text files of Siconos (frictionContact, rollingFrictionContact and their global forms):
 *
 *   dimension (2, 3, 5)   contacts   W  q  mu  [mu_r]            local
 *   dimension             contacts   M  H  f  w  mu  [mu_r]      global
 *
 * and after that at most one flag, a whole number whose meaning is not documented. A file of pluvia
 * may end in the word "length" and L of each contact, which Siconos does not read.
 *
 * Rolling friction in the plane: dimension 3 for normal, tangent and moment, and mu_r behind mu; of
 * one contact, mu_r would pass for a flag, but Siconos writes it as a real number.              */
#include "base/memory.h"
#include "io/problem/file_parts.h"
#include "io/problem/text_numbers.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 600 };

static void siconos_add(plu_text *t, plu_matrix *m, int i, int j, double x)
{
    if (t->status == PLU_OK)
        t->status = plu_matrix_add(m, i, j, x, t->err);
}

/* Rows and columns once more, then all numbers, column by column; zeros are left out. */
static void read_dense(plu_text *t, plu_matrix *m)
{
    plu_text_int(t, m->rows, m->rows, "the number of rows");
    plu_text_int(t, m->columns, m->columns, "the number of columns");
    for (int j = 0; j < m->columns && t->status == PLU_OK; j++)
        for (int i = 0; i < m->rows && t->status == PLU_OK; i++) {
            const double x = plu_text_real(t, "an entry of the matrix");
            if (x != 0.0)
                siconos_add(t, m, i, j, x);
        }
}

/* `count` rising numbers that end in `total`: where the block rows or columns end. */
static int *read_ends(plu_text *t, int count, int total, const char *what)
{
    int *end = t->status == PLU_OK ? plu_alloc((size_t)count + 1, sizeof *end, t->err) : NULL;
    if (!end) {
        t->status = t->status == PLU_OK ? PLU_IO : t->status;
        return NULL;
    }
    for (int k = 0; k < count && t->status == PLU_OK; k++)
        end[k + 1] = plu_text_int(t, end[k] + 1, total, what);
    if (t->status == PLU_OK && end[count] != total)
        plu_text_bad(t, "the blocks end at row or column %d, but the matrix at %d", end[count],
                     total);
    return end;
}

/* Where the blocks of a matrix stand. Block b: column[b], and in row i if start[i] <= b. */
typedef struct blocks {
    int count, rows, columns;
    int *row_end, *column_end; /* from [0] = 0 on */
    int *start, *column;
    int starts;
} blocks;

static int *read_ints(plu_text *t, int count, int high, const char *what)
{
    int *x = t->status == PLU_OK ? plu_alloc((size_t)count, sizeof *x, t->err) : NULL;
    if (!x)
        t->status = t->status == PLU_OK ? PLU_IO : t->status;
    for (int k = 0; x && k < count && t->status == PLU_OK; k++)
        x[k] = plu_text_int(t, 0, high, what);
    return x;
}

static void read_block_pattern(plu_text *t, const plu_matrix *m, blocks *b)
{
    b->count = plu_text_int(t, 0, plu_text_most(t), "the number of blocks");
    b->rows = plu_text_int(t, 1, m->rows, "the number of block rows");
    b->columns = plu_text_int(t, 1, m->columns, "the number of block columns");
    b->row_end = read_ends(t, b->rows, m->rows, "the end of a block row");
    b->column_end = read_ends(t, b->columns, m->columns, "the end of a block column");
    b->starts = plu_text_int(t, 1, b->rows + 1, "the number of row pointers");
    plu_text_int(t, b->count, b->count, "the number of column indices");
    b->start = read_ints(t, b->starts, b->count, "a row pointer");
    b->column = read_ints(t, b->count, b->columns - 1, "the column of a block");
    for (int i = 0; t->status == PLU_OK && i < b->starts; i++)
        if (b->start[i] < (i == 0 ? 0 : b->start[i - 1]) || (i == 0 && b->start[0] != 0))
            plu_text_bad(t, "the row pointers do not increase from 0");
    if (t->status == PLU_OK && b->start[b->starts - 1] != b->count)
        plu_text_bad(t, "the row pointers end at %d, but there are %d blocks",
                     b->start[b->starts - 1], b->count);
}

/* A block: its number, then its entries column by column. */
static void read_block(plu_text *t, plu_matrix *m, const blocks *b, int number, int row)
{
    const int column = b->column[number];
    plu_text_int(t, number, number, "the number of the block");
    for (int j = b->column_end[column]; j < b->column_end[column + 1]; j++)
        for (int i = b->row_end[row]; i < b->row_end[row + 1] && t->status == PLU_OK; i++)
            siconos_add(t, m, i, j, plu_text_real(t, "an entry of a block"));
}

static void read_sparse_blocks(plu_text *t, plu_matrix *m)
{
    blocks b = {0};
    read_block_pattern(t, m, &b);
    for (int row = 0; t->status == PLU_OK && row + 1 < b.starts; row++)
        for (int k = b.start[row]; k < b.start[row + 1] && t->status == PLU_OK; k++)
            read_block(t, m, &b, k, row);
    free(b.row_end);
    free(b.column_end);
    free(b.start);
    free(b.column);
}

/* "n-by-m, nzmax: a nnz: b[, 1-norm: c]"; returns b, -1 where %g has rounded it. */
static long read_cs_sizes(plu_text *t, const plu_matrix *m)
{
    char line[256];
    double rows = 0, columns = 0, most = 0, count = -1;
    plu_text_skip(t);
    plu_text_rest_of_line(t, line, sizeof line);
    if (t->status == PLU_OK &&
        (sscanf(line, " %lf-by-%lf, nzmax: %lf nnz: %lf", &rows, &columns, &most, &count) != 4 ||
         rows != m->rows || columns != m->columns || !(count >= 0)))
        plu_text_bad(t, "expected \"%d-by-%d, nzmax: ... nnz: ...\" of a CSparse matrix", m->rows,
                     m->columns);
    return t->status == PLU_OK && count < 1e6 ? (long)count : -1;
}

/* "i j : x" as long as there are such. */
static void read_cs_triplets(plu_text *t, plu_matrix *m)
{
    while (plu_text_ahead(t, 2, ":")) {
        const int i = plu_text_int(t, 0, m->rows - 1, "the row of an entry");
        const int j = plu_text_int(t, 0, m->columns - 1, "the column of an entry");
        plu_text_word(t, ":");
        siconos_add(t, m, i, j, plu_text_real(t, "an entry of the matrix"));
    }
}

/* "col j : locations a to b" and lines "i : x" for each column. */
static void read_cs_columns(plu_text *t, plu_matrix *m)
{
    for (int j = 0; j < m->columns && t->status == PLU_OK; j++) {
        char rest[64];
        if (!plu_text_word(t, "col"))
            plu_text_bad(t, "expected \"col %d : locations ...\"", j);
        plu_text_int(t, j, j, "the number of the column");
        if (!plu_text_word(t, ":") || !plu_text_word(t, "locations"))
            plu_text_bad(t, "expected \"col %d : locations ...\"", j);
        plu_text_rest_of_line(t, rest, sizeof rest);
        while (plu_text_ahead(t, 1, ":") && !plu_text_ahead(t, 0, "col")) {
            const int i = plu_text_int(t, 0, m->rows - 1, "the row of an entry");
            plu_text_word(t, ":");
            siconos_add(t, m, i, j, plu_text_real(t, "an entry of the matrix"));
        }
    }
}

/* What cs_print of CSparse writes; numbers have six digits. */
static void read_cs_print(plu_text *t, plu_matrix *m)
{
    char line[256];
    plu_text_int(t, 0, 3, "the origin of the sparse matrix");
    if (!plu_text_word(t, "CSparse"))
        plu_text_bad(t, "expected \"CSparse Version ...\"");
    plu_text_rest_of_line(t, line, sizeof line);
    const bool triplets = plu_text_word(t, "triplet:");
    const long count = read_cs_sizes(t, m);
    if (triplets)
        read_cs_triplets(t, m);
    else
        read_cs_columns(t, m);
    if (t->status == PLU_OK && count >= 0 && (long)m->count != count)
        plu_text_bad(t, "the matrix has %zu entries up to here, but it announces %ld", m->count,
                     count);
}

/* Storage code, rows, columns and the entries. `columns` 0: as many as rows. */
static void read_matrix(plu_text *t, plu_matrix *m, int low, int high, int columns)
{
    const int code = plu_text_int(t, 0, 2,
                                  "the storage of the matrix (0 dense, 1 sparse blocks, "
                                  "2 CSparse)");
    m->rows = plu_text_int(t, low, high, "the number of rows");
    m->columns = columns > 0 ? columns : m->rows;
    plu_text_int(t, m->columns, m->columns, "the number of columns");
    if (t->status != PLU_OK)
        return;
    if (code == 0)
        read_dense(t, m);
    else if (code == 1)
        read_sparse_blocks(t, m);
    else
        read_cs_print(t, m);
}

static double *read_vector(plu_text *t, int count, bool nonnegative, const char *what)
{
    if (t->status != PLU_OK)
        return NULL;
    double *x = plu_alloc((size_t)count, sizeof *x, t->err);
    if (!x)
        t->status = PLU_IO;
    for (int k = 0; x && k < count && t->status == PLU_OK; k++) {
        x[k] = plu_text_real(t, what);
        if (nonnegative && x[k] < 0.0)
            plu_text_bad(t, "%s is %g; it must not be negative", what, x[k]);
    }
    return x;
}

/* Behind M of a global file comes H. A local file of the same sizes continues with q and mu, and
 * then it has as many words left as those have numbers, which a global file never has. */
static bool is_global(plu_text *t, const plu_problem_parts *p, int order)
{
    const size_t n = (size_t)p->rows * (size_t)p->contacts;
    const size_t local = n + (size_t)p->contacts * (p->rows == 5 ? 2 : 1);
    char sizes[2][24];
    snprintf(sizes[0], sizeof sizes[0], "%d", order);
    snprintf(sizes[1], sizeof sizes[1], "%zu", n);
    const bool sizes_follow = plu_text_ahead(t, 1, sizes[0]) && plu_text_ahead(t, 2, sizes[1]);
    if ((size_t)order == n)
        return sizes_follow && plu_text_left(t, local + 2) > local + 1;
    if (!sizes_follow)
        plu_text_bad(t,
                     "the matrix has %d rows, but %d contacts of dimension %d have %zu, and no "
                     "second matrix follows",
                     order, p->contacts, p->rows, n);
    return sizes_follow;
}

/* `name`: room for the path and the line where the matrix begins */
static void read_body(plu_text *t, plu_problem_parts *p, char name[NAME])
{
    plu_text_expect_number(
        t, "the dimension (2, 3 or 5)",
        "not a contact problem (scenes are for pluvia run and check; trajectories end in .h5md)");
    p->rows = plu_text_int(t, 2, 5, "the dimension (2, 3 or 5)");
    if (p->rows == 4)
        plu_text_bad(t, "the dimension is 4; it must be 2, 3 or 5");
    p->contacts = plu_text_int(t, 1, plu_text_most(t), "the number of contacts");
    if (t->status != PLU_OK)
        return;
    const int n = p->rows * p->contacts;
    plu_text_skip(t);
    snprintf(name, NAME, "%s:%d", t->path, t->line);
    p->name = name;
    read_matrix(t, &p->w, 1, plu_text_most(t), 0);
    p->format = PLU_SICONOS_LOCAL;
    if (t->status == PLU_OK && is_global(t, p, p->w.rows)) {
        p->format = PLU_SICONOS_GLOBAL;
        p->m = p->w;
        p->w = (plu_matrix){0};
        p->freedom = p->m.rows;
        read_matrix(t, &p->h, p->freedom, p->freedom, n);
        p->f = read_vector(t, p->freedom, false, "a number of f");
    }
    p->q = read_vector(t, n, false, p->freedom ? "a number of w" : "a number of q");
    p->mu = read_vector(t, p->contacts, true, "the friction of a contact");
    if (p->rows == 5)
        p->mu_r = read_vector(t, p->contacts, true, "the rolling friction of a contact");
}

/* Whether a number of each contact follows as mu_r, to the end or to the word "length" and as many;
 * one whole number is a flag. */
static bool is_rolling_in_plane(const plu_text *t, const plu_problem_parts *p)
{
    const size_t contacts = (size_t)p->contacts, left = plu_text_left(t, 2 * contacts + 2);
    if (t->status != PLU_OK || p->rows != 3)
        return false;
    if (left == 2 * contacts + 1)
        return plu_text_ahead(t, p->contacts, "length");
    return left == contacts && (contacts > 1 || !plu_text_ahead_is_whole(t));
}

static void read_end(plu_text *t, plu_problem_parts *p)
{
    if (is_rolling_in_plane(t, p))
        p->mu_r = read_vector(t, p->contacts, true, "the rolling friction of a contact");
    if (plu_text_word(t, "length")) {
        p->length = read_vector(t, p->contacts, true, "the length of a contact");
    } else if (plu_text_left(t, 1) > 0) {
        plu_text_int(t, INT_MIN, INT_MAX, "the flag at the end");
    }
    plu_text_skip(t);
    if (t->status == PLU_OK && t->at < t->end)
        plu_text_bad(t, "the file contains more than a problem of %d contacts needs", p->contacts);
}

plu_status plu_siconos_read(plu_contact_problem **problem, const char *path, plu_error *err)
{
    plu_text t;
    char name[NAME];
    plu_problem_parts p = {.name = path};
    if (plu_text_open(&t, path, err) == PLU_OK) {
        p.bytes = t.end - t.data;
        read_body(&t, &p, name);
        read_end(&t, &p);
    }
    plu_text_close(&t);
    plu_status status = t.status;
    if (status == PLU_OK)
        status = plu_problem_build(problem, &p, err);
    plu_problem_parts_free(&p);
    return status;
}
