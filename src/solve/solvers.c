#include "pluvia/solver.h"
#include "solve/solve.h"
#include <string.h>

static const plu_solver solvers[] = {
    {"gs", "coloured Gauss-Seidel over contacts, with momentum, Anderson acceleration and islands",
     plu_solve_gs},
};

static const plu_local_solver local_solvers[] = {
    {"exact", "spheres: closed forms and one scalar root", plu_local_exact},
    {"projection", "fixed point by projection on the cone, self-adaptive step length",
     plu_local_projection},
};

enum {
    SOLVERS = sizeof solvers / sizeof *solvers,
    LOCAL_SOLVERS = sizeof local_solvers / sizeof *local_solvers
};

const plu_solver *plu_solver_find(const char *name)
{
    for (int i = 0; i < SOLVERS; i++)
        if (strcmp(solvers[i].name, name) == 0)
            return &solvers[i];
    return NULL;
}

const plu_local_solver *plu_local_solver_find(const char *name)
{
    for (int i = 0; i < LOCAL_SOLVERS; i++)
        if (strcmp(local_solvers[i].name, name) == 0)
            return &local_solvers[i];
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
    return LOCAL_SOLVERS;
}

const char *plu_local_solver_name(int i)
{
    return local_solvers[i].name;
}

const char *plu_local_solver_summary(int i)
{
    return local_solvers[i].summary;
}
