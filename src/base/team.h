/* team.h: parallel loops without overhead for small problems.
 *
 * `omp parallel if(0)` still creates a team of one thread, and libgomp ends it with a system call;
 * ten of these took half the time of a step of one sphere. So the loop gets a function of its own,
 *
 *     static void free_velocities(assembler *a)
 *     {
 *     #pragma omp for schedule(static) nowait
 *         for (...)
 *     }
 *
 * and PLU_TEAM(plu_many(a->count, 4000), free_velocities(a)) calls it from every thread of a new
 * team, which share the loop, or calls it once without a team, where an `omp for` is a plain loop.
 * A reduction goes through a pointer: `reduction(max : depth[:1])`, or `omp atomic write` for a
 * flag. */
#ifndef BASE_TEAM_H
#define BASE_TEAM_H

#include <omp.h>
#include <stdbool.h>
#include <stdint.h>

/* Whether `count` items, more than `few`, are worth a team. Set by tests: any number is, so that
 * small scenes run the same code. */
extern bool plu_teams_for_few;
static inline bool plu_many(long long count, long long few)
{
    return count > few || plu_teams_for_few;
}

/* Inside a parallel region of the caller, an `omp for` would share the loop with threads that never
 * reach it. There the loop needs a team of its own, even of one thread. */
#define PLU_TEAM(many, call)                                                                       \
    do {                                                                                           \
        const int many_ = (many) && omp_get_max_threads() > 1;                                     \
        if (many_ || omp_get_level() > 0) {                                                        \
            _Pragma("omp parallel if (many_)") call;                                               \
        } else {                                                                                   \
            call;                                                                                  \
        }                                                                                          \
    } while (0)

/* Threads of a team share the numbers of some ranges, each by preference the same ones.
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

/* --- a thread waits for a number that another one stores --- */

/* Returns when *at is `value`, and what was written before that is seen. The store of `value` has
 * to release (__ATOMIC_RELEASE). A thread that waits for long gives up its core. */
void plu_wait_long(const int *at, int value);

static inline void plu_wait_for(const int *at, int value)
{
    if (__atomic_load_n(at, __ATOMIC_ACQUIRE) != value)
        plu_wait_long(at, value);
}

#endif
