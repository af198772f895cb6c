/* Texts of Siconos, with sparse blocks or triplets; siconos.c reads them and describes the format.
 *
 *   storage 1   1, rows, columns, blocks, block rows, block columns, where each ends,
 *               start of each block row, column of each block, then block by block, column-major
 *   storage 2   triplets as CSparse prints them: "row column : x"
 *
 * Five rows a contact are written as triplets, since Siconos 4.4 stops at an assertion otherwise.
 */
#include "base/memory.h"
#include "io/problem/file_parts.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A matrix of `blocks` blocks in `rows` block rows of `height` rows each, and what asks for the
 * entry (i, j) of a block. */
typedef struct blocks {
    int blocks, rows, columns, height, width;
    const int *start, *column;
    double (*entry)(const struct blocks *m, int row, int block, int i, int j);
    const plu_contact_problem *problem;
    const int *end; /* of H: which end of its contact a block is */
} blocks;

static void put_ints(FILE *file, int count, const int *x)
{
    for (int k = 0; k < count; k++)
        fprintf(file, "%d%c", x[k], k + 1 < count ? '\t' : '\n');
    if (count == 0)
        fputc('\n', file);
}

static void put_ends(FILE *file, int count, int step)
{
    for (int k = 1; k <= count; k++)
        fprintf(file, "%d%c", k * step, k < count ? '\t' : '\n');
}

static void put_reals(FILE *file, size_t count, const double *x)
{
    for (size_t k = 0; k < count; k++)
        fprintf(file, "%.17g%c", x[k], k + 1 < count ? '\t' : '\n');
}

/* Storage 1. */
static void put_blocks(FILE *file, const blocks *m)
{
    fprintf(file, "1\n%d\n%d\n%d\n%d\n%d\n", m->rows * m->height, m->columns * m->width, m->blocks,
            m->rows, m->columns);
    put_ends(file, m->rows, m->height);
    put_ends(file, m->columns, m->width);
    fprintf(file, "%d\n%d\n", m->rows + 1, m->blocks);
    put_ints(file, m->rows + 1, m->start);
    put_ints(file, m->blocks, m->column);
    for (int r = 0; r < m->rows; r++)
        for (int b = m->start[r]; b < m->start[r + 1]; b++) {
            fprintf(file, "%d\n", b);
            for (int j = 0; j < m->width; j++)
                for (int i = 0; i < m->height; i++)
                    fprintf(file, "%.17g\n", m->entry(m, r, b, i, j));
        }
}

/* Storage 2, as triplets (1), in the words of CSparse. */
static void put_triplets(FILE *file, const blocks *m)
{
    const long rows = (long)m->rows * m->height, columns = (long)m->columns * m->width;
    const long count = (long)m->blocks * m->height * m->width;
    fprintf(file,
            "2\n%ld\n%ld\n1\nCSparse Version 3.2.0, Sept 12, 2017.  Copyright (c) Timothy A. "
            "Davis, 2006-2016\n",
            rows, columns);
    fprintf(file, "triplet: %ld-by-%ld, nzmax: %ld nnz: %ld\n", rows, columns, count, count);
    for (int r = 0; r < m->rows; r++)
        for (int b = m->start[r]; b < m->start[r + 1]; b++)
            for (int j = 0; j < m->width; j++)
                for (int i = 0; i < m->height; i++)
                    fprintf(file, "    %d %d : %.17g\n", r * m->height + i,
                            m->column[b] * m->width + j, m->entry(m, r, b, i, j));
}

/* Siconos 4.4 takes no sparse blocks with five rows: it stops at an assertion. */
static void put_matrix(FILE *file, const blocks *m)
{
    if (m->problem->rows == 5)
        put_triplets(file, m);
    else
        put_blocks(file, m);
}

static double entry_of_w(const blocks *m, int row, int block, int i, int j)
{
    return plu_file_w(m->problem, row, block, i, j);
}

static void put_w(FILE *file, const plu_contact_problem *p)
{
    const int d = plu_outer_rows(p);
    put_matrix(file, &(blocks){p->w.start[p->contacts], p->contacts, p->contacts, d, d, p->w.start,
                               p->w.column, entry_of_w, p, NULL});
}

static double entry_of_m(const blocks *m, int row, int block, int i, int j)
{
    (void)block;
    return m->problem->body.mass[row][6 * i + j];
}

static void put_m(FILE *file, const plu_contact_problem *p, const int *rising)
{
    const int bodies = p->body.bodies;
    put_matrix(file, &(blocks){bodies, bodies, bodies, 6, 6, rising, rising, entry_of_m, p, NULL});
}

static double entry_of_h(const blocks *m, int row, int block, int i, int j)
{
    (void)row;
    return plu_file_h(m->problem, m->column[block], m->end[block], i, j);
}

/* Block rows of H are bodies. `start` [bodies + 2], `column` and `end` [2 * contacts] are room. */
static void put_h(FILE *file, const plu_contact_problem *p, int *start, int *column, int *end)
{
    const plu_body_form *b = &p->body;
    for (int c = 0; c < p->contacts; c++)
        for (int e = 0; e < 2; e++)
            if (b->pairs[c][e] >= 0)
                start[b->pairs[c][e] + 2]++;
    for (int k = 0; k < b->bodies; k++)
        start[k + 2] += start[k + 1];
    for (int c = 0; c < p->contacts; c++)
        for (int e = 0; e < 2; e++)
            if (b->pairs[c][e] >= 0) {
                const int block = start[b->pairs[c][e] + 1]++;
                column[block] = c;
                end[block] = e;
            }
    put_matrix(file, &(blocks){start[b->bodies], b->bodies, p->contacts, 6, p->rows, start, column,
                               entry_of_h, p, end});
}

static plu_status put_bodies(FILE *file, const plu_contact_problem *p, plu_error *err)
{
    const size_t bodies = (size_t)p->body.bodies, ends = 2 * (size_t)p->contacts;
    int *start = plu_alloc(bodies + 2, sizeof *start, err);
    int *rising = plu_alloc(bodies + 1, sizeof *rising, err);
    int *column = plu_alloc(ends, sizeof *column, err), *end = plu_alloc(ends, sizeof *end, err);
    const bool room = start && rising && column && end;
    if (room) {
        for (int k = 0; k <= p->body.bodies; k++)
            rising[k] = k;
        put_m(file, p, rising);
        put_h(file, p, start, column, end);
        for (int k = 0; k < p->body.bodies; k++) {
            double f[6];
            plu_file_force(p, k, f);
            put_reals(file, 6, f);
        }
    }
    free(start);
    free(rising);
    free(column);
    free(end);
    return room ? PLU_OK : PLU_IO;
}

static plu_status put_contacts(FILE *file, const plu_contact_problem *p, bool global,
                               plu_error *err)
{
    const size_t n = (size_t)plu_outer_rows(p) * (size_t)p->contacts;
    double *q = plu_file_vector(p, global ? p->body.w : p->q, PLU_OF_VELOCITY, err);
    if (!q)
        return PLU_IO;
    put_reals(file, n, q);
    free(q);
    put_reals(file, (size_t)p->contacts, p->mu);
    if (p->rows != 5)
        return PLU_OK;
    for (int c = 0; c < p->contacts; c++)
        fprintf(file, "%.17g%c", plu_file_mu_r(p, c), c + 1 < p->contacts ? '\t' : '\n');
    fputs("length\n", file);
    put_reals(file, (size_t)p->contacts, p->length);
    return PLU_OK;
}

plu_status plu_siconos_write(const plu_contact_problem *p, const char *part, const char *path,
                             bool global, plu_error *err)
{
    FILE *file = fopen(part, "wxe");
    if (!file)
        return plu_fail(err, PLU_IO, "cannot write %s: %s", path, strerror(errno));
    plu_status status = PLU_OK;
    fprintf(file, "%d\n%d\n", plu_outer_rows(p), p->contacts);
    if (global)
        status = put_bodies(file, p, err);
    else
        put_w(file, p);
    if (status == PLU_OK)
        status = put_contacts(file, p, global, err);
    const bool failed = ferror(file) != 0;
    if ((fclose(file) != 0 || failed) && status == PLU_OK)
        status = plu_fail(err, PLU_IO, "cannot write %s: %s", path, strerror(errno));
    return status;
}
