/* shares.h: threads of a team share the numbers of some ranges, each by preference the same ones.
 *
 * What a thread has read or written is in its cache; another core gets it from there more slowly
 * than from its own, on processors of several chiplets or sockets several times so. Therefore each
 * thread of a team begins with the same part of a range in every pass, from its first number on.
 * When it is through, it helps the others, from their last numbers on, before it goes on to the
 * next range. No number is taken twice, and none is left out; who takes which must not matter.
 *
 *     plu_shares shares;
 *     plu_shares_begin(&shares);
 *     plu_shares_add(&shares, begin, end);
 *
 * once, then each thread of a team
 *
 *     int range = 0;
 *     for (int i; (i = plu_shares_take(&shares, &range)) >= 0;)
 *         visit(i); */
#ifndef BASE_SHARES_H
#define BASE_SHARES_H

#include <stdint.h>

enum {
    PLU_SHARERS = 64, /* threads with parts of their own; those beyond help these */
    PLU_RANGES = 9
};

/* The numbers that are left of a thread's part of each range, in cache lines of their own: the
 * first one, and in the upper half the one behind the last. */
typedef struct plu_shares_left {
    _Alignas(64) uint64_t left[PLU_RANGES];
} plu_shares_left;

typedef struct plu_shares {
    int sharers, ranges;
    plu_shares_left of[PLU_SHARERS];
} plu_shares;

/* For the largest team that the calling thread may begin. */
void plu_shares_begin(plu_shares *shares);

/* The numbers begin to end - 1; at most PLU_RANGES times. Numbers are at least 0. */
void plu_shares_add(plu_shares *shares, int begin, int end);

/* The next number of the calling thread; -1: none is left. *range: 0 for the first call. */
int plu_shares_take(plu_shares *shares, int *range);

#endif
