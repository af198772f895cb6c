#include "base/extensions.h"
#include "base/memory.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct plu_extensions {
    plu_extension *first;
};

static const char *const words[] = {"solver", "local solver", "shape"};
_Static_assert(sizeof words / sizeof *words == PLU_EXTENSION_KINDS, "a word for each kind");

plu_status plu_extensions_create(plu_extensions **extensions, plu_error *err)
{
    *extensions = plu_alloc(1, sizeof **extensions, err);
    return *extensions ? PLU_OK : PLU_IO;
}

void plu_extensions_destroy(plu_extensions *e)
{
    while (e && e->first) {
        plu_extension *first = e->first;
        e->first = first->next;
        free(first->row);
        free(first);
    }
    free(e);
}

void *plu_extension_named(const plu_extensions *e, plu_extension_kind kind, const char *name)
{
    for (const plu_extension *x = e ? e->first : NULL; x; x = x->next)
        if (x->kind == kind && strcmp(x->name, name) == 0)
            return x->row;
    return NULL;
}

void plu_extension_names(const plu_extensions *e, plu_extension_kind kind,
                         void (*visit)(void *user, const char *name), void *user)
{
    for (const plu_extension *x = e ? e->first : NULL; x; x = x->next)
        if (x->kind == kind)
            visit(user, x->name);
}

/* "none" is what scenes write for no solver. */
static bool is_name(const char *name, size_t size)
{
    const size_t length = strlen(name);
    bool plain = length > 0 && length < size && strcmp(name, "none") != 0;
    for (const char *c = name; plain && *c; c++)
        plain = isalnum((unsigned char)*c) || *c == '-';
    return plain;
}

plu_status plu_extension_add(plu_extension **added, plu_extensions *e, plu_extension_kind kind,
                             const char *name, bool taken, size_t size, plu_error *err)
{
    const size_t most = sizeof e->first->name;
    if (!is_name(name, most))
        return plu_fail(err, PLU_USAGE,
                        "\"%s\" is not a valid name of a %s: use at most %zu letters, digits and "
                        "hyphens, and not \"none\"",
                        name, words[kind], most - 1);
    if (taken || plu_extension_named(e, kind, name))
        return plu_fail(err, PLU_USAGE, "the %s \"%s\" exists already", words[kind], name);
    plu_extension *x = plu_alloc(1, sizeof *x, err);
    void *row = x ? plu_alloc(1, size, err) : NULL;
    if (!row) {
        free(x);
        return PLU_IO;
    }
    *x = (plu_extension){.kind = kind, .row = row, .next = e->first};
    memcpy(x->name, name, strlen(name) + 1);
    e->first = x;
    *added = x;
    return PLU_OK;
}
