/* extension.h: solvers of one's own, which scenes and requests name like those of the library.
 *
 * plu_extensions is a list of them, owned by the caller. It is given to whoever looks for a name:
 * plu_stepper_create_with (solver.name, solver.local, solver.fallback of a scene) and
 * plu_solve_request.extensions. It must outlive what was made with it. */
#ifndef PLUVIA_EXTENSION_H
#define PLUVIA_EXTENSION_H

#include "pluvia/status.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* what the library exports */

typedef struct plu_extensions plu_extensions;

/* An empty list. PLU_OK or PLU_IO. */
plu_status plu_extensions_create(plu_extensions **extensions, plu_error *err);
void plu_extensions_destroy(plu_extensions *extensions); /* accepts NULL */

/* --- a solver of a whole contact problem --- */

/* A problem y = W p + q as a solver sees it; n = rows * contacts. Rows of a contact: u_N, u_T (2),
 * then omega_R (2) with rolling friction, then omega_P and an idle row with pivoting friction; p
 * likewise r_N, r_T, m_R, m_P. SI units (of a file: its units), but all that belongs to moments is
 * divided by the contact's length L, so that all of p is in N s and all of y in m/s. Borrowed until
 * the solver returns. */
typedef struct plu_problem_view {
    int rows; /* a contact: 3 (Coulomb friction), 5 (rolling) or 7 (pivoting) */
    int contacts;
    const int *start;         /* [contacts + 1]: W by block rows; row c has blocks start[c] .. */
    const int *column;        /* [start[contacts]]: contact of each block; they rise within a row */
    const double *block;      /* [start[contacts]][rows * rows], each row by row */
    const double *q;          /* [n] */
    const double (*slope)[3]; /* [contacts]: |r_T| <= slope[0] r_N, of m_R slope[1], of m_P [2] */
} plu_problem_view;

/* y = W p + q, [n] each. */
void plu_problem_view_velocity(const plu_problem_view *view, const double *p, double *y);

/* A solve that is going on; of the library. */
typedef struct plu_solve_run plu_solve_run;

/* To be called by a solver after each iteration, and with 0 before the first: computes the residual
 * of p, keeps the best p of all calls, which is the result of the solve, and says whether the
 * solver has to return: the tolerance, the most iterations or the time is reached. Costs one
 * product with W. */
bool plu_solve_run_stop(plu_solve_run *run, const double *p, int iterations);

/* Improves p [n], which holds the impulses to start from, until plu_solve_run_stop says so. PLU_OK,
 * also where the tolerance was not reached; another status ends the solve or the step with the
 * message in `err`. Islands of a step are solved by several threads at once: the function must
 * allow that, and call nothing of the library but the functions above. Results stay the same for
 * any number of threads if they depend on `view` and p alone. */
typedef plu_status plu_own_solver(void *user, const plu_problem_view *view, plu_solve_run *run,
                                  double *p, plu_error *err);

/* Adds it under `name` (letters, digits and hyphens, at most 63); texts are copied. PLU_USAGE (the
 * name is empty, too long or taken) or PLU_IO. */
plu_status plu_extensions_add_solver(plu_extensions *extensions, const char *name,
                                     plu_own_solver *solve, void *user, plu_error *err);

/* --- a local solver, which "gs" calls for each contact in turn --- */

/* Solves y = W p + q of one contact: w [rows * rows] row by row, q [rows], slope as above. p [rows]
 * holds the present impulse and receives the new one. False: none was found; p is the best.
 * Numbers that are not finite leave the contact as it was. Threads as above. */
typedef bool plu_own_local_solver(void *user, int rows, const double *w, const double *q,
                                  const double *slope, double *p);

/* As plu_extensions_add_solver. */
plu_status plu_extensions_add_local(plu_extensions *extensions, const char *name,
                                    plu_own_local_solver *solve, void *user, plu_error *err);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
