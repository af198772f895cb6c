/* draws.h: how often a long test repeats itself. The sanitizers look at memory and arithmetic,
 * which all repetitions use in one way: with them one draw is enough, and means are compared
 * without. */
#ifndef SUPPORT_DRAWS_H
#define SUPPORT_DRAWS_H

#if defined(__SANITIZE_ADDRESS__)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

static inline int draws(int wanted)
{
    return SANITIZED ? 1 : wanted;
}

/* The first line of a case whose numbers matter, and whose code other cases run with the sanitizers
 * in less time: with them it is skipped (a macro, for cmocka's skip() names the place). */
#define NUMBERS_ONLY()                                                                             \
    do {                                                                                           \
        if (SANITIZED)                                                                             \
            skip();                                                                                \
    } while (0)

#endif
