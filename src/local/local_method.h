/* local_method.h: the interface of the solvers of one contact of a general problem. Each has its
 * own file and an entry in the table of portfolio.c. */
#ifndef LOCAL_LOCAL_METHOD_H
#define LOCAL_LOCAL_METHOD_H

#include "local/local.h"
#include "problem/contact_problem.h"

/* Solves one contact with a general positive (semi)definite block: K* contains (W p + q)^ , which
 * is orthogonal to p in K. rows = 3, 5 or 7; w is rows x rows, row by row; `mu` has the slopes of
 * the one, two or three disks; p holds the present impulse and receives the new one. *state is a
 * number of the contact that is kept from sweep to sweep (a step length, for example), 0 at first.
 * False: no solution was found, and p is the best impulse. */
typedef bool plu_local_method_solve(int rows, const double *w, const double *q, const double *mu,
                                    double *p, double *state);

/* The same for a visit within a sweep, by local methods that iterate: stops as soon as a step is at
 * most `tolerance` |p|. */
typedef bool plu_local_method_near(int rows, const double *w, const double *q, const double *mu,
                                   double tolerance, double *p, double *state);

typedef struct plu_local_method {
    const char *name, *summary;
    int rows; /* at most: 3 (Coulomb friction only), 5 (no pivoting) or PLU_ROWS_MAX */
    plu_local_method_solve *solve; /* NULL: from outside (own_solver.h) */
    plu_local_method_near *near;   /* for sweeps; NULL: `solve` is used */
    plu_local_solve *sphere;       /* specialized for the block of two spheres; NULL: none */
} plu_local_method;

#endif
