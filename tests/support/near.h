/* near.h: assertions on doubles that print what was found (cmocka only compares floats). */
#ifndef SUPPORT_NEAR_H
#define SUPPORT_NEAR_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static inline void near_check(double got, double want, double tolerance, const char *what,
                              const char *file, int line)
{
    if (!(fabs(got - want) <= tolerance)) {
        fprintf(stderr, "%s:%d: %s = %.17g, expected %.17g within %.3g (off by %.3g)\n", file, line,
                what, got, want, tolerance, got - want);
        fail();
    }
}

/* |got - want| <= tolerance; NaN fails. Never inside a parallel region (cmocka leaves by longjmp).
 */
#define assert_near(got, want, tolerance)                                                          \
    near_check((got), (want), (tolerance), #got, __FILE__, __LINE__)

#endif
