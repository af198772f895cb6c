/* extension.h: registered solvers and shapes, which scenes and requests name like those of the
 * library.
 *
 * plu_extensions is a list of them, owned by the caller. It is passed to the functions that look up
 * names: plu_scene_read_with (shapes of boundaries), plu_stepper_create_with (solver.name,
 * solver.local, solver.fallback of a scene) and plu_solve_request.extensions. It must outlive
 * everything made with it. */
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

/* A problem y = W p + q as passed to a solver; n = rows * contacts. Rows of a contact: u_N, u_T
 * (2), then omega_R (2) with rolling friction, then omega_P and an idle row with pivoting friction;
 * p likewise r_N, r_T, m_R, m_P. SI units (of a file: its units), but all components of moments are
 * divided by the contact's length L, so that all of p is in N s and all of y in m/s. Valid until
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

/* A running solve; owned by the library. */
typedef struct plu_solve_run plu_solve_run;

/* A solver calls it after each iteration, and with 0 before the first: computes the residual
 * of p, keeps the best p of all calls, which is the result of the solve, and returns whether the
 * solver must return: the tolerance, the limit of iterations or of time is reached, or a number of
 * p is not finite (PLU_BREAKDOWN then). Costs one product with W. A solver that returns without any
 * call has found nothing: PLU_USAGE. */
bool plu_solve_run_stop(plu_solve_run *run, const double *p, int iterations);

/* Improves p [n], which contains the initial impulses, until plu_solve_run_stop returns true.
 * PLU_OK, also if the tolerance was not reached; another status ends the solve or the step with the
 * message in `err`. Several threads solve the islands of a step at the same time: the function must
 * allow that, and must call only the functions above from the library. Results stay the same for
 * any number of threads if they depend on `view` and p alone. */
typedef plu_status plu_own_solver(void *user, const plu_problem_view *view, plu_solve_run *run,
                                  double *p, plu_error *err);

/* Adds it under `name` (letters, digits and hyphens, at most 63); texts are copied. PLU_USAGE (the
 * name is empty, too long or taken) or PLU_IO. */
plu_status plu_extensions_add_solver(plu_extensions *extensions, const char *name,
                                     plu_own_solver *solve, void *user, plu_error *err);

/* --- a local solver, which "gs" calls for each contact in turn --- */

/* Solves y = W p + q of one contact: w [rows * rows] row by row, q [rows], slope as above. p [rows]
 * contains the current impulse and receives the new one. False: no solution was found; p is the
 * best. Numbers that are not finite leave the contact unchanged. Threads as above. */
typedef bool plu_own_local_solver(void *user, int rows, const double *w, const double *q,
                                  const double *slope, double *p);

/* As plu_extensions_add_solver. */
plu_status plu_extensions_add_local(plu_extensions *extensions, const char *name,
                                    plu_own_local_solver *solve, void *user, plu_error *err);

/* --- a shape of boundaries: `own = { type = "NAME"; numbers = [1.0, 0.2]; }` in a scene --- */

/* The numbers of a boundary, as its scene has them. */
typedef struct plu_own_numbers {
    int count;
    const double *value;
} plu_own_numbers;

enum { PLU_OWN_WHY = 200 };

/* The functions of a shape, in the frame of the shape (m). A scene may move and turn it:
 * the library handles `position`, `axis`, `angle` and `motion`. The functions are called by several
 * threads at the same time, and must not call the library. An error ends the reading of the scene,
 * the creation of the world or the step (PLU_BREAKDOWN), with a message that names the boundary and
 * the place. */
typedef struct plu_own_shape {
    /* The number of parts of such a boundary, 1 or more. A sphere touches each part at one point at
     * most, its closest one: so a part is convex where spheres meet it, or less curved than they
     * are. All parts together attract a sphere once (contacts.cohesion). If the numbers are
     * invalid: 0, and one sentence in `why`. */
    int (*parts)(void *user, const plu_own_numbers *numbers, char why[PLU_OWN_WHY]);
    /* A box around the part; infinite if the part is. */
    void (*bounds)(void *user, const plu_own_numbers *numbers, int part, double low[3],
                   double high[3]);
    /* Distance of the point x from the part, negative within a solid, and the unit vector from the
     * closest point of its surface to x (within a solid: out of it). It must be the exact distance:
     * a bound is not enough. For a thin part, which has two sides, it is never negative. */
    double (*distance)(void *user, const plu_own_numbers *numbers, int part, const double x[3],
                       double normal[3]);
    /* Triangles that pictures show, counterclockwise from outside: fills `corner` unless it is NULL
     * and returns their number, the same in each call. NULL: pictures omit the shape. */
    int (*triangles)(void *user, const plu_own_numbers *numbers, double (*corner)[3][3]);
} plu_own_shape;

/* Adds it under `name`, as plu_extensions_add_solver; the struct is copied. PLU_USAGE also where a
 * function other than the last one is missing. */
plu_status plu_extensions_add_shape(plu_extensions *extensions, const char *name,
                                    const plu_own_shape *shape, void *user, plu_error *err);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
