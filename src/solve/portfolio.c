/* The tables of methods and of local methods, by which all of them are found by name, and to which
 * programs add their own (pluvia/extension.h). A method has a function for problems of a step
 * (blocks), one for general problems, or both.
 *
 *   solver.name = "gs"          row {name, summary, refuses, step, solve, ...}
 *                               step: islands of a step, sweeps on blocks     solve: any problem
 *   solver.local = "exact"      row {name, summary, most rows, general, near, spheres}
 *
 * Names are looked for among those of the program first, then here, then among reference methods,
 * which a build may lack: that is said, with the option that brings them. */
#include "base/extensions.h"
#include "general/own_solver.h"
#include "general/reference/reference.h"
#include "general/solver.h"
#include "local/contact.h"
#include "pluvia/tool/solver.h"
#include "solve/solve.h"
#include "sweep/settings.h"
#include <stdio.h>
#include <string.h>

/* Behind them come those of reference/reference_table.c. */
static const plu_portfolio_solver solvers[] = {
    {"gs", "colored Gauss-Seidel over contacts, with momentum, Anderson acceleration and islands",
     NULL, plu_blocks_gs, plu_solve_gs, false, false},
    {"prox-newton", "proximal primal-dual semismooth Newton: hyperstatic and rolling piles", NULL,
     plu_prox_newton, NULL, false, false},
    {"fixed-point", "projected iteration on all contacts, self-adaptive step length", NULL,
     plu_fixed_point, NULL, false, false},
    {"extragradient", "predictor and corrector of the projected iteration on all contacts", NULL,
     plu_extragradient, NULL, false, false},
    {"newton", "semismooth Newton on all contacts, function of Alart and Curnier, proximal steps",
     NULL, plu_newton, NULL, false, false},
    {"newton-fb", "semismooth Newton on all contacts, Fischer-Burmeister function of the cones",
     NULL, plu_newton_fb, NULL, false, true},
};

static const plu_local_method local_methods[] = {
    {"exact",
     "closed forms and scalar root finding; for general bodies Newton with a safeguarding search",
     PLU_ROWS_MAX, plu_contact_exact, NULL, plu_local_exact},
    {"projection", "fixed point by projection on the cone, self-adaptive step length", PLU_ROWS_MAX,
     plu_contact_projection, plu_contact_projection_near, plu_local_projection},
    {"extragradient", "predictor and corrector of the projected iteration", PLU_ROWS_MAX,
     plu_contact_extragradient, plu_contact_extragradient_near, NULL},
    {"newton", "semismooth Newton of Alart and Curnier with line search", PLU_ROWS_MAX,
     plu_contact_newton, NULL, NULL},
    {"fischer-burmeister", "Newton on the Fischer-Burmeister function of the cones", 5,
     plu_contact_fb, NULL, NULL},
    {"quartic-angle", "quartic in the direction of sliding (Coulomb)", 3, plu_contact_quartic_angle,
     NULL, NULL},
    {"quartic-alpha", "quartic in the multiplier of sliding (Coulomb)", 3,
     plu_contact_quartic_alpha, NULL, NULL},
};

enum {
    SOLVERS = sizeof solvers / sizeof *solvers,
    LOCAL_METHODS = sizeof local_methods / sizeof *local_methods
};

static const plu_portfolio_solver *solver_at(int i)
{
    return i < SOLVERS ? &solvers[i] : &plu_reference_solvers[i - SOLVERS];
}

const plu_portfolio_solver *plu_portfolio_find(const char *name)
{
    for (int i = 0; i < plu_solvers_count(); i++)
        if (strcmp(solver_at(i)->name, name) == 0)
            return solver_at(i);
    return NULL;
}

void plu_portfolio_unknown(const char *name, char why[256])
{
    const char *format = "unknown solver \"%s\" (`pluvia solvers` lists them)";
    for (int i = 0; plu_reference_absent[i]; i++)
        if (strcmp(plu_reference_absent[i], name) == 0)
            format = "this build has no solver \"%s\"; to use it, configure the build with "
                     "-Dportfolio=enabled";
    snprintf(why, 256, format, name);
}

const plu_local_method *plu_local_method_find(const char *name)
{
    for (int i = 0; i < LOCAL_METHODS; i++)
        if (strcmp(local_methods[i].name, name) == 0)
            return &local_methods[i];
    return NULL;
}

int plu_solvers_count(void)
{
    return SOLVERS + plu_reference_solvers_count;
}

const char *plu_solver_name(int i)
{
    return solver_at(i)->name;
}

const char *plu_solver_summary(int i)
{
    return solver_at(i)->summary;
}

int plu_local_solvers_count(void)
{
    return LOCAL_METHODS;
}

const char *plu_local_solver_name(int i)
{
    return local_methods[i].name;
}

const char *plu_local_solver_summary(int i)
{
    return local_methods[i].summary;
}

/* --- solvers by their names --- */

const plu_portfolio_solver *plu_solver_named(const plu_extensions *e, const char *name)
{
    const plu_own_row *own = plu_extension_named(e, PLU_EXTENSION_SOLVER, name);
    return own ? &own->row : plu_portfolio_find(name);
}

const plu_local_method *plu_local_named(const plu_extensions *e, const char *name)
{
    const plu_own_local_row *own = plu_extension_named(e, PLU_EXTENSION_LOCAL_SOLVER, name);
    return own ? &own->row : plu_local_method_find(name);
}

plu_status plu_extensions_add_solver(plu_extensions *e, const char *name, plu_own_solver *solve,
                                     void *user, plu_error *err)
{
    plu_extension *added;
    const plu_status status =
        plu_extension_add(&added, e, PLU_EXTENSION_SOLVER, name, plu_portfolio_find(name) != NULL,
                          sizeof(plu_own_row), err);
    if (status != PLU_OK)
        return status;
    plu_own_row *own = added->row;
    own->row = (plu_portfolio_solver){.name = added->name, .summary = "from outside"};
    own->solve = solve;
    own->user = user;
    return PLU_OK;
}

plu_status plu_extensions_add_local(plu_extensions *e, const char *name,
                                    plu_own_local_solver *solve, void *user, plu_error *err)
{
    plu_extension *added;
    const plu_status status =
        plu_extension_add(&added, e, PLU_EXTENSION_LOCAL_SOLVER, name,
                          plu_local_method_find(name) != NULL, sizeof(plu_own_local_row), err);
    if (status != PLU_OK)
        return status;
    plu_own_local_row *own = added->row;
    own->row =
        (plu_local_method){.name = added->name, .summary = "from outside", .rows = PLU_ROWS_MAX};
    own->solve = solve;
    own->user = user;
    return PLU_OK;
}
