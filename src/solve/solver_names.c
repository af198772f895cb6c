#include "solve/solver_names.h"
#include "base/extensions.h"
#include "general/own_solver.h"

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
