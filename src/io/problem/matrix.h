/* matrix.h: a sparse matrix as it comes out of a file, entry by entry. */
#ifndef IO_PROBLEM_MATRIX_H
#define IO_PROBLEM_MATRIX_H

#include "pluvia/status.h"

typedef struct plu_entry {
    int i, j;
    double x;
} plu_entry;

/* A zeroed struct is an empty matrix. Entries that are zero may be there or not. */
typedef struct plu_matrix {
    int rows, columns;
    size_t count, capacity;
    plu_entry *entry;
    size_t *start; /* [rows + 1] of the rows, once sorted; NULL before */
} plu_matrix;

/* Adds an entry; 0 <= i < rows, 0 <= j < columns. PLU_OK or PLU_IO. */
plu_status plu_matrix_add(plu_matrix *matrix, int i, int j, double x, plu_error *err);

/* Sorts by rows and in a row by columns, and adds up entries that stand in the same place, in the
 * order in which they came. PLU_OK or PLU_IO. */
plu_status plu_matrix_sort(plu_matrix *matrix, plu_error *err);

void plu_matrix_free(plu_matrix *matrix);

#endif
