/* extensions.h: the list behind pluvia/extension.h: what a program adds to the library by name. The
 * rows of a kind are made in one file (solve/portfolio.c, shape/own_shape.c). */
#ifndef BASE_EXTENSIONS_H
#define BASE_EXTENSIONS_H

#include "pluvia/extension.h"
#include <stddef.h>

typedef enum plu_extension_kind {
    PLU_EXTENSION_SOLVER,
    PLU_EXTENSION_LOCAL_SOLVER,
    PLU_EXTENSION_SHAPE,
    PLU_EXTENSION_KINDS /* how many there are */
} plu_extension_kind;

typedef struct plu_extension {
    plu_extension_kind kind;
    char name[64];
    void *row; /* owned: what its kind has for it */
    struct plu_extension *next;
} plu_extension;

/* The row of that name; NULL: there is none. `extensions` may be NULL. */
void *plu_extension_named(const plu_extensions *extensions, plu_extension_kind kind,
                          const char *name);

/* Adds a row of `size` bytes, all 0, under a name of which a copy is kept. `taken`: the library has
 * one of that name. PLU_OK, PLU_USAGE (no name, or taken) or PLU_IO. */
plu_status plu_extension_add(plu_extension **added, plu_extensions *extensions,
                             plu_extension_kind kind, const char *name, bool taken, size_t size,
                             plu_error *err);

/* Calls `visit` for the name of each row of a kind, in no order that means anything. */
void plu_extension_names(const plu_extensions *extensions, plu_extension_kind kind,
                         void (*visit)(void *user, const char *name), void *user);

#endif
