/* state_copy.h: the state of a run (base/state.h) in memory, array by array in the order of the
 * calls, without names. */
#ifndef BASE_STATE_COPY_H
#define BASE_STATE_COPY_H

#include "base/state.h"

struct plu_state_array;

/* Begins as {0}; its memory is reused by the next state. plu_state_copy_free in any case. */
typedef struct plu_state_copy {
    size_t count, capacity;
    struct plu_state_array *array; /* owned */
} plu_state_copy;

/* A state that is saved to a copy, or loaded from it; `state` is handed to who lists arrays. */
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
