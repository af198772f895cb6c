/* team.h: loops for many threads that cost nothing where there is little to do.
 *
 * `omp parallel if(0)` still makes a team, of one thread, and libgomp ends it with a system call;
 * ten of them took half the time of a step of one sphere. So the loop gets a function of its own,
 *
 *     static void free_velocities(assembler *a)
 *     {
 *     #pragma omp for schedule(static) nowait
 *         for (...)
 *     }
 *
 * and PLU_TEAM(a->count > 4000, free_velocities(a)) calls it by a team that shares the loop, or
 * just calls it: an `omp for` without a team is a plain loop. What it reduces is behind a pointer:
 * `reduction(max : depth[:1])`, or `omp atomic write` for a flag. */
#ifndef BASE_TEAM_H
#define BASE_TEAM_H

#include <omp.h>

/* Within a parallel region of the caller's the loop would be shared with threads that never come
 * to it: there it does need a team of its own. */
#define PLU_TEAM(many, call)                                                                       \
    do {                                                                                           \
        const int many_ = (many) && omp_get_max_threads() > 1;                                     \
        if (many_ || omp_get_level() > 0) {                                                        \
            _Pragma("omp parallel if (many_)") call;                                               \
        } else {                                                                                   \
            call;                                                                                  \
        }                                                                                          \
    } while (0)

#endif
