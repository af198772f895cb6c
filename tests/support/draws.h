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

#endif
