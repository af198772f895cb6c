/* The solvers of this folder, in the order in which `pluvia solvers` lists them behind the others.
 */
#include "general/reference/reference.h"

const plu_portfolio_solver plu_reference_solvers[] = {
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
const int plu_reference_solvers_count =
    sizeof plu_reference_solvers / sizeof *plu_reference_solvers;

const char *const plu_reference_absent[] = {NULL};
