/* problem_parts.h: what a problem file says, in its units, before and after a problem is made of
 * it.
 *
 * d rows a contact (2, 3 or 5), n = d * contacts.
 *   local:   u = W r + q
 *   global:  M v = f + H r ,  u = H^T v + w ,  f and v of length `freedom`                    */
#ifndef IO_PROBLEM_PARTS_H
#define IO_PROBLEM_PARTS_H

#include "io/problem_matrix.h"
#include "problem/contact_problem.h"

typedef struct plu_problem_parts {
    const char *name; /* of the file and, in texts, the line of the matrix; begins messages */
    long long bytes;  /* size of the file: what is made of it stays in proportion */
    plu_problem_format format;
    char title[PLU_PROBLEM_TITLE];
    int rows; /* d */
    int contacts;
    int freedom;          /* 0: local */
    plu_matrix w;         /* local: n x n */
    plu_matrix m, h;      /* global: freedom x freedom, freedom x n */
    double *f;            /* global: [freedom] */
    double *q;            /* [n]: q of a local problem, w of a global one */
    double *mu;           /* [contacts] */
    double *mu_r;         /* [contacts]; NULL unless d = 5 */
    double *length;       /* [contacts]: L; NULL: not given */
    double *guess, *best; /* [n]: impulses to start from, of the solution; NULL: not given */
} plu_problem_parts;

void plu_problem_parts_free(plu_problem_parts *parts);

/* Makes the problem: bodies where the structure allows it, W by blocks, scaled moments, all of it
 * checked. PLU_OK, PLU_BAD_INPUT, PLU_IO. Sorts the matrices of `parts`. */
plu_status plu_problem_build(plu_contact_problem **problem, plu_problem_parts *parts,
                             plu_error *err);

/* --- the formats --- */

/* Texts of Siconos, local and global. */
plu_status plu_siconos_read(plu_contact_problem **problem, const char *path, plu_error *err);

/* --- steps of plu_problem_build --- */

/* W of a local problem by blocks of d x d numbers, in the plane as three rows. */
plu_status plu_problem_of_blocks(plu_contact_problem **problem, plu_problem_parts *parts,
                                 plu_error *err);

#endif
