/* The tables of methods and of local methods. */
#include "solve/portfolio.h"
#include "pluvia/solver.h"
#include "solve/contact.h"
#include "solve/reference/reference.h"
#include "solve/solve.h"
#include <string.h>

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
    {"newton-glocker", "semismooth Newton on all contacts, complementarity form of Glocker", NULL,
     plu_newton_glocker, NULL, false, false},
    {"convex", "Cadoux: cone programs with s as parameter, damped Newton on s", NULL, plu_convex,
     NULL, true, false},
    {"ipm", "interior-point method for the contact problem, s updated in every iteration", NULL,
     plu_ipm, NULL, false, false},
    {"apgd", "accelerated projected gradient descent, s updated in every iteration", NULL, plu_apgd,
     NULL, true, false},
    {"admm", "alternating direction method of multipliers, one factorization, balanced penalty",
     NULL, plu_admm, NULL, true, false},
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

const plu_portfolio_solver *plu_portfolio_find(const char *name)
{
    for (int i = 0; i < SOLVERS; i++)
        if (strcmp(solvers[i].name, name) == 0)
            return &solvers[i];
    return NULL;
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
    return SOLVERS;
}

const char *plu_solver_name(int i)
{
    return solvers[i].name;
}

const char *plu_solver_summary(int i)
{
    return solvers[i].summary;
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
