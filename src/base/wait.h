/* wait.h: a thread waits for a number that another one stores. */
#ifndef BASE_WAIT_H
#define BASE_WAIT_H

/* Returns when *at is `value`, and what was written before that is seen. The store of `value` has
 * to release (__ATOMIC_RELEASE). A thread that waits for long gives up its core. */
void plu_wait_long(const int *at, int value);

static inline void plu_wait_for(const int *at, int value)
{
    if (__atomic_load_n(at, __ATOMIC_ACQUIRE) != value)
        plu_wait_long(at, value);
}

#endif
