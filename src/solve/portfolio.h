/* portfolio.h: what the solvers of general contact problems share: one file a method, each an entry
 * of the table in portfolio.c.
 *
 * A method starts from p = problem->guess (or zero), calls plu_monitor_stop once an iteration with
 * its present p in K or near it, and returns when that says true. The monitor computes the one
 * residual from p alone, keeps the best p, notes the history and decides: method and judge are
 * apart. */
#ifndef SOLVE_PORTFOLIO_H
#define SOLVE_PORTFOLIO_H

#include "problem/contact_problem.h"
#include "solve/local.h"

typedef struct plu_local_method plu_local_method;
typedef struct plu_solve_settings plu_solve_settings; /* of a step: solve.h */
typedef struct plu_workspace plu_workspace;

/* How "newton" writes the law: the function of Alart and Curnier with directions as in primal-dual
 * methods (the default), the same with its own derivative, or the natural map. */
typedef enum plu_newton_map {
    PLU_NEWTON_PRIMAL_DUAL,
    PLU_NEWTON_PLAIN,
    PLU_NEWTON_NATURAL,
    PLU_NEWTON_MAPS /* how many there are */
} plu_newton_map;

typedef struct plu_portfolio_settings {
    bool natural; /* stop on the natural map instead of the scaled residual */
    bool fits;    /* and not before plu_contact_fits */
    double tolerance;
    int min_iterations;        /* made in any case, unless the start is exact to 1e-12 */
    int max_iterations;        /* 0: none but the time */
    double max_seconds;        /* 0: none */
    bool from_zero;            /* leave the guess aside */
    bool natural_order;        /* gs: contacts in the order of the problem instead of by colors */
    bool momentum;             /* gs: Nesterov momentum and Anderson acceleration */
    plu_newton_map newton_map; /* newton */
    bool full_steps;           /* newton and its kin: without line search */
    const plu_local_method *local;               /* gs: NULL: exact */
    const struct plu_portfolio_solver *fallback; /* of "gs", when it stalls; NULL: none */
    bool history;                                /* keep one */
} plu_portfolio_settings;

typedef struct plu_history_point {
    int iteration;
    double seconds;
    plu_residuals residuals;
} plu_history_point;

typedef struct plu_monitor {
    const plu_contact_problem *problem;
    const plu_portfolio_settings *settings;
    double started; /* omp_get_wtime */
    int iterations; /* done so far; the start counts as 0 */
    int before;     /* those of a method that handed over to the one at work */
    bool converged, out_of_time;
    plu_residuals now, best;
    double *best_p;            /* [n] */
    double *y;                 /* [n]: W p + q of the last call */
    plu_history_point *points; /* NULL without history */
    int points_count, points_capacity;
    double infeasibility; /* convex: of the last outer iteration; < 0: not applicable */
    int factorizations;   /* of a sparse matrix, by methods that make some */
    char note[200];       /* what a method wants to be said in the report; empty: nothing */
    plu_error *err;
    plu_status status; /* PLU_IO when memory ran out: then stop says true */
} plu_monitor;

plu_status plu_monitor_start(plu_monitor *monitor, const plu_contact_problem *problem,
                             const plu_portfolio_settings *settings, plu_error *err);

/* Takes in the present p. True when the method has to return: converged, out of iterations or time,
 * or out of memory. Costs one product with W; a method whose iteration is cheaper than that calls
 * it every few. The iteration number is `iterations_done` (0 at the start). */
bool plu_monitor_stop(plu_monitor *monitor, const double *p, int iterations_done);

/* Has the limit of time or iterations been passed (without looking at a residual)? For inner loops.
 */
bool plu_monitor_expired(const plu_monitor *monitor, int iterations_done);

void plu_monitor_free(plu_monitor *monitor);

typedef struct plu_portfolio_solver {
    const char *name, *summary;
    /* NULL, or why this method cannot solve this problem with these settings: one sentence. NULL
     * function: takes all. */
    const char *(*refuses)(const plu_contact_problem *problem,
                           const plu_portfolio_settings *settings);
    /* PLU_OK also when the tolerance was not reached; PLU_IO for want of memory. */
    plu_status (*solve)(const plu_contact_problem *problem, const plu_portfolio_settings *settings,
                        plu_monitor *monitor, plu_error *err);

    /* The method's own way to solve a step of spheres; NULL: island by island by `solve`. */
    plu_status (*step)(plu_problem *problem, const plu_solve_settings *settings,
                       plu_workspace *workspace, plu_error *err);
    bool associated;  /* knows the associated law, too */
    bool no_pivoting; /* takes no problems of seven rows */
} plu_portfolio_solver;

/* For messages: who knows the associated law. */
#define PLU_ASSOCIATED_SOLVERS "convex, apgd and admm"

/* One contact with a general positive (semi)definite block: K* contains (W p + q)^ , orthogonal to
 * p in K. rows = 3, 5 or 7; w is rows x rows, row by row; `mu`: slopes of the disks, one, two or
 * three; p holds the present impulse and receives the
 * new one. `state` is one number a contact, kept from sweep to sweep (a step length, say), 0 at
 * first. Returns false where it found no solution; p is then its best. */
typedef bool plu_local_method_solve(int rows, const double *w, const double *q, const double *mu,
                                    double *p, double *state);

/* The same as a visit of a sweep, for methods that iterate: ends where a step is `tolerance` |p|.
 */
typedef bool plu_local_method_near(int rows, const double *w, const double *q, const double *mu,
                                   double tolerance, double *p, double *state);

struct plu_local_method {
    const char *name, *summary;
    int rows; /* the most that it takes: 3, Coulomb only, 5, no pivoting, or PLU_ROWS_MAX */
    plu_local_method_solve *solve;
    plu_local_method_near *near; /* NULL: `solve` serves */
    plu_local_solve *sphere;     /* the same for the block of two spheres; NULL: none */
};

/* NULL when there is none of that name. */
const plu_portfolio_solver *plu_portfolio_find(const char *name);
const plu_local_method *plu_local_method_find(const char *name);

/* The methods, one a file; those of the room `reference` stand in its header. */
#define PLU_METHOD(function)                                                                       \
    plu_status function(const plu_contact_problem *problem,                                        \
                        const plu_portfolio_settings *settings, plu_monitor *monitor,              \
                        plu_error *err)
PLU_METHOD(plu_blocks_gs);     /* block_gs.c */
PLU_METHOD(plu_fixed_point);   /* fixed_point.c */
PLU_METHOD(plu_extragradient); /* fixed_point.c or extragradient.c */
PLU_METHOD(plu_newton);        /* newton.c */
PLU_METHOD(plu_newton_fb);     /* newton_fb.c */
PLU_METHOD(plu_prox_newton);   /* prox_newton.c */

#endif
