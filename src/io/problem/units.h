/* units.h: numbers of a problem in the units of its file, without L, and in the plane with
 * two or three rows a contact.
 *
 * A number y that came from a file is x * s there, rounded; what is given back is an x with just
 * this y, so that writing and reading again changes nothing. A y of other origin may be no rounded
 * x * s at all; then x is y / s, rounded. */
#ifndef IO_PROBLEM_UNITS_H
#define IO_PROBLEM_UNITS_H

#include "problem/contact_problem.h"

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
