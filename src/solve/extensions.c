#include "solve/extensions.h"
#include "base/memory.h"
#include "solve/own.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct plu_extensions {
    plu_own_row *solvers;
    plu_own_local_row *locals;
};

plu_status plu_extensions_create(plu_extensions **extensions, plu_error *err)
{
    *extensions = plu_alloc(1, sizeof **extensions, err);
    return *extensions ? PLU_OK : PLU_IO;
}

void plu_extensions_destroy(plu_extensions *e)
{
    while (e && e->solvers) {
        plu_own_row *first = e->solvers;
        e->solvers = first->next;
        free(first);
    }
    while (e && e->locals) {
        plu_own_local_row *first = e->locals;
        e->locals = first->next;
        free(first);
    }
    free(e);
}

const plu_portfolio_solver *plu_solver_named(const plu_extensions *e, const char *name)
{
    for (const plu_own_row *own = e ? e->solvers : NULL; own; own = own->next)
        if (strcmp(own->name, name) == 0)
            return &own->row;
    return plu_portfolio_find(name);
}

const plu_local_method *plu_local_named(const plu_extensions *e, const char *name)
{
    for (const plu_own_local_row *own = e ? e->locals : NULL; own; own = own->next)
        if (strcmp(own->name, name) == 0)
            return &own->row;
    return plu_local_method_find(name);
}

/* Whether `name` may be a new one; `taken`: there is one already. */
static plu_status check_name(const char *name, bool taken, plu_error *err)
{
    const size_t length = strlen(name);
    bool plain = length > 0 && length < PLU_OWN_NAME && strcmp(name, "none") != 0;
    for (const char *c = name; plain && *c; c++)
        plain = isalnum((unsigned char)*c) || *c == '-';
    if (!plain)
        return plu_fail(err, PLU_USAGE,
                        "\"%s\" is no name of a solver: at most %d letters, digits and hyphens, "
                        "and not \"none\"",
                        name, PLU_OWN_NAME - 1);
    return taken ? plu_fail(err, PLU_USAGE, "there is a solver \"%s\" already", name) : PLU_OK;
}

plu_status plu_extensions_add_solver(plu_extensions *e, const char *name, plu_own_solver *solve,
                                     void *user, plu_error *err)
{
    plu_status status = check_name(name, plu_solver_named(e, name) != NULL, err);
    plu_own_row *own = status == PLU_OK ? plu_alloc(1, sizeof *own, err) : NULL;
    if (!own)
        return status == PLU_OK ? PLU_IO : status;
    memcpy(own->name, name, strlen(name) + 1);
    own->row = (plu_portfolio_solver){.name = own->name, .summary = "from outside"};
    own->solve = solve;
    own->user = user;
    own->next = e->solvers;
    e->solvers = own;
    return PLU_OK;
}

plu_status plu_extensions_add_local(plu_extensions *e, const char *name,
                                    plu_own_local_solver *solve, void *user, plu_error *err)
{
    plu_status status = check_name(name, plu_local_named(e, name) != NULL, err);
    plu_own_local_row *own = status == PLU_OK ? plu_alloc(1, sizeof *own, err) : NULL;
    if (!own)
        return status == PLU_OK ? PLU_IO : status;
    memcpy(own->name, name, strlen(name) + 1);
    own->row =
        (plu_local_method){.name = own->name, .summary = "from outside", .rows = PLU_ROWS_MAX};
    own->solve = solve;
    own->user = user;
    own->next = e->locals;
    e->locals = own;
    return PLU_OK;
}
