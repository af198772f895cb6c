/* The tables of methods and of local methods for general contact problems. */
#include "solve/portfolio.h"
#include <string.h>

static const plu_portfolio_solver solvers[] = {
    {NULL, NULL, NULL, NULL},
};

static const plu_local_method local_methods[] = {
    {NULL, NULL, 0, NULL},
};

const plu_portfolio_solver *plu_portfolio_find(const char *name)
{
    for (int i = 0; solvers[i].name; i++)
        if (strcmp(solvers[i].name, name) == 0)
            return &solvers[i];
    return NULL;
}

const plu_local_method *plu_local_method_find(const char *name)
{
    for (int i = 0; local_methods[i].name; i++)
        if (strcmp(local_methods[i].name, name) == 0)
            return &local_methods[i];
    return NULL;
}
