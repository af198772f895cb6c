/* state.h: the state of a run as named arrays, to be saved to a checkpoint and restored from it.
 *
 * Each module that keeps data from one step to the next has one function that lists all of its
 * arrays. The function serves both directions: when saving, the arrays are read; when loading, they
 * are filled. Data that follow from the scene or from other arrays are left out. The first failure
 * is kept in `status`, and later calls do nothing; a state that was loaded in part must not be
 * used. */
#ifndef BASE_STATE_H
#define BASE_STATE_H

#include "pluvia/status.h"
#include <stdbool.h>
#include <stddef.h>

typedef enum plu_state_type {
    PLU_STATE_REAL,         /* double */
    PLU_STATE_INT,          /* int */
    PLU_STATE_LONG,         /* long, 64 bit */
    PLU_STATE_BYTE,         /* unsigned char */
    PLU_STATE_REAL_OR_NONE, /* double; NAN: not known yet */
    PLU_STATE_TYPES         /* how many there are */
} plu_state_type;

typedef struct plu_state plu_state;

struct plu_state {
    bool loading;       /* true: fill the arrays; false: save them */
    const char *source; /* file name, for messages */
    plu_status status;
    plu_error *err;
    /* Saves an array of `rows` rows of `columns` numbers, or loads exactly as many. Set by the
     * creator of the state (io/run/checkpoint.h). */
    void (*array)(plu_state *state, const char *name, plu_state_type type, size_t rows,
                  size_t columns, void *data);
};

size_t plu_state_size(plu_state_type type); /* bytes of a number */

/* `name` is "folder/array", unique in a run. */
void plu_state_real(plu_state *state, const char *name, size_t rows, size_t columns, double *data);
void plu_state_real_or_none(plu_state *state, const char *name, size_t rows, size_t columns,
                            double *data);
void plu_state_int(plu_state *state, const char *name, size_t rows, size_t columns, int *data);
void plu_state_long(plu_state *state, const char *name, size_t rows, size_t columns, long *data);
void plu_state_byte(plu_state *state, const char *name, size_t rows, size_t columns,
                    unsigned char *data);

/* Notes that the state does not fit: "SOURCE: WHAT", PLU_BAD_INPUT. */
void plu_state_refuse(plu_state *state, const char *format, ...) PLU_PRINTF(2, 3);

/* --- a copy of a state in memory: array by array in the order of the calls, without names --- */

struct plu_state_array;

/* Begins as {0}; its memory is reused by the next state. plu_state_copy_free in any case. */
typedef struct plu_state_copy {
    size_t count, capacity;
    struct plu_state_array *array; /* owned */
} plu_state_copy;

/* A state that is saved to a copy, or loaded from it; `state` is what lists of arrays take. */
typedef struct plu_state_copier {
    plu_state state; /* first, so that it is found from its state */
    plu_state_copy *copy;
    const char *misfit; /* what a copy of other arrays is refused with */
    size_t next;        /* array */
} plu_state_copier;

plu_state_copier plu_state_copier_begin(plu_state_copy *copy, bool loading, const char *source,
                                        const char *misfit, plu_error *err);
void plu_state_copy_free(plu_state_copy *copy);

#endif
