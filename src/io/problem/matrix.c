#include "base/memory.h"
#include "io/problem/file_parts.h"
#include <stdbool.h>
#include <stdlib.h>

plu_status plu_matrix_add(plu_matrix *m, int i, int j, double x, plu_error *err)
{
    const plu_status status =
        plu_reserve(&m->entry, &m->capacity, m->count + 1, sizeof *m->entry, 1, err);
    if (status == PLU_OK)
        m->entry[m->count++] = (plu_entry){i, j, x};
    return status;
}

static int key(const plu_entry *e, bool by_row)
{
    return by_row ? e->i : e->j;
}

/* Stable counting sort of `from` into `to` by rows or by columns; `start` has room for one more
 * than the number of keys, and afterwards holds where each key begins. */
static void sort_by(const plu_matrix *m, bool by_row, const plu_entry *from, plu_entry *to,
                    size_t *start)
{
    const int keys = by_row ? m->rows : m->columns;
    for (int k = 0; k <= keys; k++)
        start[k] = 0;
    for (size_t e = 0; e < m->count; e++)
        start[key(&from[e], by_row) + 1]++;
    for (int k = 0; k < keys; k++)
        start[k + 1] += start[k];
    for (size_t e = 0; e < m->count; e++)
        to[start[key(&from[e], by_row)]++] = from[e];
    for (int k = keys; k > 0; k--)
        start[k] = start[k - 1];
    start[0] = 0;
}

/* Adds up what stands in the same place; `start` moves along. */
static void merge(plu_matrix *m)
{
    size_t kept = 0, e = 0;
    for (int i = 0; i < m->rows; i++) {
        const size_t begin = kept;
        m->start[i] = begin;
        for (; e < m->count && m->entry[e].i == i; e++) {
            if (kept > begin && m->entry[kept - 1].j == m->entry[e].j)
                m->entry[kept - 1].x += m->entry[e].x;
            else
                m->entry[kept++] = m->entry[e];
        }
    }
    m->start[m->rows] = kept;
    m->count = kept;
}

plu_status plu_matrix_sort(plu_matrix *m, plu_error *err)
{
    const size_t keys = (size_t)(m->rows > m->columns ? m->rows : m->columns) + 1;
    plu_entry *other = plu_alloc(m->count, sizeof *other, err);
    size_t *start = plu_alloc(keys, sizeof *start, err);
    if (!other || !start) {
        free(other);
        free(start);
        return PLU_IO;
    }
    if (m->count > 0) {
        sort_by(m, false, m->entry, other, start);
        sort_by(m, true, other, m->entry, start);
    }
    free(other);
    free(m->start);
    m->start = start;
    merge(m);
    return PLU_OK;
}

void plu_matrix_free(plu_matrix *m)
{
    free(m->entry);
    free(m->start);
    *m = (plu_matrix){0};
}
