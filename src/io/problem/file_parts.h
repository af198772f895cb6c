/* file_parts.h: the numbers of a problem file, in its units, on their way to a problem and back.
 *
 * d rows a contact (2, 3 or 5), n = d * contacts; with mu_r 5 or, in the plane, 3: normal, tangent,
 * moment.
 *   local:   u = W r + q
 *   global:  M v = f + H r ,  u = H^T v + w ,  f and v of length `freedom`                    */
#ifndef IO_PROBLEM_FILE_PARTS_H
#define IO_PROBLEM_FILE_PARTS_H

#include "pluvia/status.h"
#include "problem/contact_problem.h"

/* --- a sparse matrix as it comes out of a file, entry by entry --- */

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

typedef struct plu_problem_parts {
    const char *name; /* of the file and, in texts, the line of the matrix; begins messages */
    long long bytes;  /* size of the file: what is made of it stays in proportion */
    plu_problem_format format;
    char title[PLU_PROBLEM_TITLE];
    int rows; /* d */
    int contacts;
    bool planar;          /* set by plu_problem_build */
    int freedom;          /* 0: local */
    plu_matrix w;         /* local: n x n */
    plu_matrix m, h;      /* global: freedom x freedom, freedom x n */
    double *f;            /* global: [freedom] */
    double *q;            /* [n]: q of a local problem, w of a global one */
    double *mu;           /* [contacts] */
    double *mu_r;         /* [contacts]; NULL: no rolling friction */
    double *length;       /* [contacts]: L; NULL: not given */
    double *guess, *best; /* [n]: impulses to start from, of the solution; NULL: not given */
} plu_problem_parts;

void plu_problem_parts_free(plu_problem_parts *parts);

/* Makes the problem: bodies where the structure allows it, W by blocks, scaled moments, all of it
 * checked. PLU_OK, PLU_BAD_INPUT, PLU_IO. Sorts the matrices of `parts`. */
plu_status plu_problem_build(plu_contact_problem **problem, plu_problem_parts *parts,
                             plu_error *err);

/* --- the formats --- */

/* How the description of an FCLIB file begins that pluvia wrote; its version follows. */
#define PLU_FCLIB_WRITTEN_BY "written by pluvia "

/* Texts of Siconos and HDF5 files of FCLIB, local and global. */
plu_status plu_siconos_read(plu_contact_problem **problem, const char *path, plu_error *err);
plu_status plu_fclib_read(plu_contact_problem **problem, const char *path, plu_error *err);

/* --- steps of plu_problem_build --- */

/* What a problem may take (bytes) however small its file is. */
#define PLU_PROBLEM_MEMORY 1e9

/* PLU_OK when that many blocks of W are in proportion to the file, else PLU_BAD_INPUT. */
plu_status plu_problem_check_blocks(const plu_problem_parts *parts, double blocks, plu_error *err);

/* The body form of a global problem whose matrices are sorted, with W and q; in the plane W and q
 * alone. `fits` is false, and `*problem` not made, where the structure does not allow that. PLU_OK,
 * PLU_BAD_INPUT, PLU_IO. */
plu_status plu_problem_of_bodies(plu_contact_problem **problem, const plu_problem_parts *parts,
                                 bool *fits, plu_error *err);

/* Makes a global problem with sorted matrices a local one: fills `w` and turns `q` from w into q.
 * PLU_OK, PLU_BAD_INPUT, PLU_IO. */
plu_status plu_problem_condense(plu_problem_parts *parts, plu_error *err);

/* W and q of a local problem by blocks of d x d numbers, in the plane with the rows by themselves.
 */
plu_status plu_problem_of_blocks(plu_contact_problem **problem, plu_problem_parts *parts,
                                 plu_error *err);

/* --- the writers of the formats, into a file that is not yet in its place --- */

/* `part`: the file to write; `path`: how messages call it. PLU_OK or PLU_IO. */
plu_status plu_siconos_write(const plu_contact_problem *problem, const char *part, const char *path,
                             bool global, plu_error *err);
plu_status plu_fclib_write(const plu_contact_problem *problem, const char *part, const char *path,
                           plu_problem_format format, const char *title, plu_error *err);

/* Numbers of a problem in the units of its file, without L, and in the plane with
 * two or three rows a contact.
 *
 * A number y that came from a file is x * s there, rounded; what is given back is an x with just
 * this y, so that writing and reading again changes nothing. A y of other origin may be no rounded
 * x * s at all; then x is y / s, rounded. */

typedef enum plu_kind { PLU_OF_IMPULSE, PLU_OF_VELOCITY } plu_kind;

/* The vector x [problem->rows * contacts] as [outer rows * contacts]; the caller frees it. NULL: no
 * memory. */
double *plu_file_vector(const plu_contact_problem *problem, const double *x, plu_kind kind,
                        plu_error *err);

double plu_file_mu_r(const plu_contact_problem *problem, int c);

/* Entry (i, j), rows of the file, of block b of W, which stands in row c; of H of contact c at its
 * end e. */
double plu_file_w(const plu_contact_problem *problem, int c, int b, int i, int j);
double plu_file_h(const plu_contact_problem *problem, int c, int e, int i, int j);

/* f = M v_free of body k. */
void plu_file_force(const plu_contact_problem *problem, int k, double f[6]);

#endif
