/* stop.h: whether what takes long is to be given up; what it leaves is then of no use. */
#ifndef BASE_STOP_H
#define BASE_STOP_H

#include <stdbool.h>

typedef struct plu_stop {
    bool (*call)(void *user); /* plu_stop_call (pluvia/control.h); NULL: nothing is given up */
    void *user;
    bool given_up; /* in this step: the call has said so once, and is not asked again */
} plu_stop;

/* Asks, by any thread; `stop` NULL: nothing is given up. */
static inline bool plu_stops(plu_stop *stop)
{
    if (!stop || !stop->call)
        return false;
    bool given_up = __atomic_load_n(&stop->given_up, __ATOMIC_RELAXED);
    if (!given_up && stop->call(stop->user)) {
        given_up = true;
        __atomic_store_n(&stop->given_up, true, __ATOMIC_RELAXED);
    }
    return given_up;
}

#endif
