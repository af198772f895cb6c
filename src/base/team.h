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
 * and PLU_TEAM(a->count > 4000, free_velocities(a)) calls it from every thread of a new team, which
 * share the loop, or calls it once without a team, where an `omp for` is a plain loop. A reduction
 * goes through a pointer: `reduction(max : depth[:1])`, or `omp atomic write` for a flag. */
#ifndef BASE_TEAM_H
#define BASE_TEAM_H

#include <omp.h>

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

#endif
