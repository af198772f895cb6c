/* own_solver.h: solvers and local solvers from outside (pluvia/extension.h), and how any is called.
 * A row of solver.h whose `solve` is NULL is the first member of one of these. */
#ifndef GENERAL_OWN_SOLVER_H
#define GENERAL_OWN_SOLVER_H

#include "general/solver.h"
#include "pluvia/extension.h"

typedef struct plu_own_row {
    plu_portfolio_solver row;
    plu_own_solver *solve;
    void *user;
} plu_own_row;

typedef struct plu_own_local_row {
    plu_local_method row;
    plu_own_local_solver *solve;
    void *user;
} plu_own_local_row;

/* Calls a solver, of the table or from outside. */
plu_status plu_solver_call(const plu_portfolio_solver *solver, const plu_contact_problem *problem,
                           const plu_portfolio_settings *settings, plu_monitor *monitor,
                           plu_error *err);

/* Calls a local solver within a sweep, by its `near` where it has one. */
bool plu_local_call(const plu_local_method *local, int rows, const double *w, const double *q,
                    const double *slope, double tolerance, double *p, double *state);

#endif
