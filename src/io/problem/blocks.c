/* W of a local problem by blocks, and q. Files have W entry by entry; here the entries of a
 * contact's rows are gathered into d x d blocks by contact, the diagonal one always among them.
 * How much memory that takes is known before it is taken, and is compared with the size of the
 * file: a small file cannot ask for much.
 *
 *   entries (i, j, x) of rows c d ... c d + d - 1        blocks of contact c
 *     (0,0) (0,4) (1,1) (2,5) ...    with d = 3   ->     column 0: 3 x 3, column 1: 3 x 3, ...
 *
 * The contacts of a row are found by marks, mark[k] = c + 1 meaning "seen for row c", which need
 * no clearing between rows. Two passes: the first one counts, so that all is allocated at once. */
#include "base/memory.h"
#include "io/problem/file_parts.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* More than INT_MAX blocks cannot be numbered; memory up to PLU_PROBLEM_MEMORY, or up to a hundred
 * times the size of the file, is given. */
plu_status plu_problem_check_blocks(const plu_problem_parts *p, double blocks, plu_error *err)
{
    const double d = p->rows, bytes = blocks * d * d * sizeof(double);
    if (blocks < INT_MAX / 2 && (bytes <= PLU_PROBLEM_MEMORY || bytes <= 100.0 * (double)p->bytes))
        return PLU_OK;
    return plu_fail(err, PLU_BAD_INPUT,
                    "%s: W would take at least %.3g GB, too much for a file of %.3g MB", p->name,
                    1e-9 * bytes, 1e-6 * (double)p->bytes);
}

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* The contacts that contact c's rows of W have entries for, and c, rising; returns how many.
 * `mark` is c + 1 where a contact was found for c. */
static int columns_of(const plu_problem_parts *p, int c, int *mark, int *found)
{
    const int d = p->rows;
    int count = 1;
    found[0] = c;
    mark[c] = c + 1;
    for (size_t e = p->w.start[c * d]; e < p->w.start[(c + 1) * d]; e++) {
        const int k = p->w.entry[e].j / d;
        if (mark[k] != c + 1)
            found[count++] = k;
        mark[k] = c + 1;
    }
    qsort(found, (size_t)count, sizeof *found, ascending);
    return count;
}

/* Block row c and its q; the row begins at block `first`; `place` is room for where each contact's
 * block is. */
static void fill_row(plu_contact_problem *problem, const plu_problem_parts *p, int c, int first,
                     int count, const int *found, int *place)
{
    const int d = p->rows, rows = problem->rows;
    plu_block_rows *w = &problem->w;
    for (int k = 0; k < count; k++) {
        w->column[first + k] = found[k];
        place[found[k]] = first + k;
        if (found[k] == c)
            w->diagonal[c] = first + k;
    }
    for (size_t e = p->w.start[c * d]; e < p->w.start[(c + 1) * d]; e++) {
        const plu_entry *x = &p->w.entry[e];
        const size_t block = (size_t)place[x->j / d] * (size_t)(rows * rows);
        const int i = plu_inner_row(p->planar, x->i % d), j = plu_inner_row(p->planar, x->j % d);
        w->block[block + (size_t)(i * rows + j)] = x->x;
    }
    for (int i = 0; i < d; i++)
        problem->q[c * rows + plu_inner_row(p->planar, i)] = p->q[c * d + i];
}

/* Counts the blocks of all rows. */
static size_t count_blocks(const plu_problem_parts *p, int *mark, int *found)
{
    size_t blocks = 0;
    for (int c = 0; c < p->contacts; c++)
        blocks += (size_t)columns_of(p, c, mark, found);
    memset(mark, 0, (size_t)p->contacts * sizeof *mark);
    return blocks;
}

static plu_status blocks_fill(plu_contact_problem **problem, const plu_problem_parts *p, int *mark,
                              int *found, plu_error *err)
{
    const size_t blocks = count_blocks(p, mark, found);
    if (blocks > INT_MAX)
        return plu_fail(err, PLU_BAD_INPUT, "%s: W has more than %d blocks, which is too many",
                        p->name, INT_MAX);
    int *place = plu_alloc((size_t)p->contacts, sizeof *place, err);
    plu_status status = place ? plu_contact_problem_create(problem, p->mu_r ? 5 : 3, p->contacts,
                                                           (int)blocks, 0, err)
                              : PLU_IO;
    if (status == PLU_OK) {
        plu_contact_problem *made = *problem;
        for (int c = 0; c < p->contacts; c++) {
            const int count = columns_of(p, c, mark, found);
            fill_row(made, p, c, made->w.start[c], count, found, place);
            made->w.start[c + 1] = made->w.start[c] + count;
        }
        if (p->planar)
            plu_contact_problem_plane(made);
    }
    free(place);
    return status;
}

plu_status plu_problem_of_blocks(plu_contact_problem **problem, plu_problem_parts *p,
                                 plu_error *err)
{
    plu_status status = plu_matrix_sort(&p->w, err);
    if (status != PLU_OK)
        return status;
    int *mark = plu_alloc((size_t)p->contacts, sizeof *mark, err);
    int *found = plu_alloc((size_t)p->contacts, sizeof *found, err);
    status = mark && found ? blocks_fill(problem, p, mark, found, err) : PLU_IO;
    free(mark);
    free(found);
    return status;
}
