/* solver.h: the interface of the solvers of general contact problems. Each method has its own
 * file and an entry in the table of portfolio.c, or in that of reference/reference_table.c.
 *
 * A method starts from p = problem->guess (or zero), calls plu_monitor_stop once an iteration with
 * its present p, which is in K or near it, and returns when that is true. The monitor computes the
 * residual from p alone, keeps the best p, records the history and decides when to stop, so that
 * all methods are stopped by the same rule. */
#ifndef GENERAL_SOLVER_H
#define GENERAL_SOLVER_H

#include "base/stop.h"
#include "local/local_method.h"
#include "problem/contact_problem.h"

typedef struct plu_solve_settings plu_solve_settings; /* of a step: settings.h */
typedef struct plu_workspace plu_workspace;

/* The equations that "newton" solves: the function of Alart and Curnier with the derivative of
 * primal-dual methods (the default), the same with its exact derivative, or the natural map. */
typedef enum plu_newton_map {
    PLU_NEWTON_PRIMAL_DUAL,
    PLU_NEWTON_ALART_CURNIER,
    PLU_NEWTON_NATURAL,
    PLU_NEWTON_MAPS /* how many there are */
} plu_newton_map;

typedef struct plu_portfolio_settings {
    bool natural; /* stop on the natural map instead of the scaled residual */
    bool fits;    /* stop only if plu_contact_fits holds too */
    double tolerance;
    int min_iterations;        /* least number, unless the start has a residual of at most 1e-12 */
    int max_iterations;        /* 0: no limit */
    double max_seconds;        /* 0: no limit */
    bool from_zero;            /* ignore the guess */
    bool natural_order;        /* gs: contacts in the order of the problem instead of by colors */
    bool momentum;             /* gs: Nesterov momentum and Anderson acceleration */
    plu_newton_map newton_map; /* newton */
    bool full_steps;           /* newton, newton-fb, newton-glocker: no line search */
    bool plain; /* as published: these without sweeps before and without shift, convex without a
                   start from prox-newton */
    const plu_local_method *local;               /* gs: local solver; NULL: exact */
    const struct plu_portfolio_solver *fallback; /* gs: method to use when it stalls; NULL: none */
    bool history;                                /* record residuals by iteration */
    bool (*stop)(void *user);                    /* true: give up; by any thread; NULL: never */
    void *stop_user;
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
    int before;     /* iterations of the method that was tried first, if this is the fallback */
    bool converged, out_of_time;
    plu_residuals now, best;
    double aim; /* where a p met the tolerance and did not fit (plu_contact_fits): the residual at
                 * which it would, by proportion, which is smaller; HUGE_VAL before */
    double *best_p;            /* [n] */
    double *y;                 /* [n]: W p + q of the last call */
    plu_history_point *points; /* NULL without history */
    int points_count, points_capacity;
    double infeasibility; /* convex: of the last outer iteration; < 0: not applicable */
    int factorizations;   /* of a sparse matrix, by methods that make some */
    char note[200];       /* a remark of the method for the report; may be empty */
    plu_stop stop;        /* what takes long within an iteration asks: plu_monitor_expired */
    plu_error *err;
    plu_status status; /* PLU_IO: out of memory, and plu_monitor_stop is true */
} plu_monitor;

plu_status plu_monitor_start(plu_monitor *monitor, const plu_contact_problem *problem,
                             const plu_portfolio_settings *settings, plu_error *err);

/* Records the present p after `iterations_done` iterations (0 at the start). True if the method has
 * to return: converged, out of iterations or time, or out of memory. Costs one product with W; a
 * method whose iterations are cheaper than that calls it every few iterations. */
bool plu_monitor_stop(plu_monitor *monitor, const double *p, int iterations_done);

/* Whether the limit of iterations or time is reached; computes no residual. For inner loops. */
bool plu_monitor_expired(const plu_monitor *monitor, int iterations_done);

void plu_monitor_free(plu_monitor *monitor);

typedef struct plu_portfolio_solver {
    const char *name, *summary;
    /* One sentence why the method cannot solve this problem with these settings, or NULL if it
     * can. NULL instead of a function: it can solve all. */
    const char *(*refuses)(const plu_contact_problem *problem,
                           const plu_portfolio_settings *settings);
    /* PLU_OK even if the tolerance was not reached; PLU_STOPPED: monitor->stop said so; PLU_IO: out
     * of memory. NULL: of a solver from outside, which plu_solver_call of own_solver.h calls as all
     * others. */
    plu_status (*solve)(const plu_contact_problem *problem, const plu_portfolio_settings *settings,
                        plu_monitor *monitor, plu_error *err);

    /* The method's specialized solver for a step of spheres; NULL: `solve` for each island. */
    plu_status (*step)(plu_problem *problem, const plu_solve_settings *settings,
                       plu_workspace *workspace, plu_error *err);
    bool associated;  /* can solve the associated law, too */
    bool no_pivoting; /* cannot solve problems of seven rows */
} plu_portfolio_solver;

/* The solvers with `associated`, for messages. */
#define PLU_ASSOCIATED_SOLVERS "convex, apgd and admm"

/* The methods, one in each file; those of the folder `reference` and their table are declared in
 * reference.h. */
#define PLU_METHOD(function)                                                                       \
    plu_status function(const plu_contact_problem *problem,                                        \
                        const plu_portfolio_settings *settings, plu_monitor *monitor,              \
                        plu_error *err)
PLU_METHOD(plu_blocks_gs);     /* block_gs.c */
PLU_METHOD(plu_fixed_point);   /* fixed_point.c */
PLU_METHOD(plu_extragradient); /* fixed_point.c */
PLU_METHOD(plu_newton);        /* newton.c */
PLU_METHOD(plu_newton_fb);     /* newton_fb.c */
PLU_METHOD(plu_prox_newton);   /* prox_newton.c */

#endif
