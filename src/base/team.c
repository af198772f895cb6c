/* What threads of a team share, and how one waits for another. */
#include "base/team.h"
#include <omp.h>
#include <stdbool.h>
#include <time.h>

bool plu_teams_for_few;

static uint64_t pack(int begin, int end)
{
    return (uint64_t)(uint32_t)end << 32 | (uint32_t)begin;
}

static int begin_of(uint64_t left)
{
    return (int)(uint32_t)left;
}

static int end_of(uint64_t left)
{
    return (int)(left >> 32);
}

void plu_shares_begin(plu_shares *s)
{
    const int threads = omp_get_max_threads();
    s->sharers = threads < PLU_SHARERS ? threads : PLU_SHARERS;
    s->ranges = 0;
}

/* Rounding favors the first threads in one range and the last ones in the next. */
void plu_shares_add(plu_shares *s, int begin, int end)
{
    const int range = s->ranges++, rest = range % 2 ? s->sharers - 1 : 0;
    const int64_t count = end - begin;
    int from = begin;
    for (int k = 0; k < s->sharers; k++) {
        const int to = begin + (int)((count * (k + 1) + rest) / s->sharers);
        s->of[k].left[range] = pack(from, to);
        from = to;
    }
}

/* The first number of what is left, or the last one; -1: nothing is left. */
static int take_from(uint64_t *left, bool last)
{
    uint64_t now = __atomic_load_n(left, __ATOMIC_RELAXED);
    while (begin_of(now) < end_of(now)) {
        const int taken = last ? end_of(now) - 1 : begin_of(now);
        const uint64_t rest = last ? pack(begin_of(now), taken) : pack(taken + 1, end_of(now));
        if (__atomic_compare_exchange_n(left, &now, rest, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return taken;
    }
    return -1;
}

int plu_shares_take(plu_shares *s, int *range)
{
    const int me = omp_get_thread_num() % s->sharers;
    for (; *range < s->ranges; ++*range) {
        int taken = take_from(&s->of[me].left[*range], false);
        for (int k = 1; taken < 0 && k < s->sharers; k++)
            taken = take_from(&s->of[(me + k) % s->sharers].left[*range], true);
        if (taken >= 0)
            return taken;
    }
    return -1;
}

/* As often as waiting threads of a team look (cli/base/process.c): some tens of microseconds, the
 * time that a tile takes. */
enum { LOOKS = 2000 };

static void pause_core(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

void plu_wait_long(const int *at, int value)
{
    for (int k = 0; __atomic_load_n(at, __ATOMIC_ACQUIRE) != value; k++)
        if (k < LOOKS)
            pause_core();
        else
            nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
}
