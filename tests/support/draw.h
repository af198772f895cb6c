/* draw.h: random numbers for tests, the same in every run. */
#ifndef SUPPORT_DRAW_H
#define SUPPORT_DRAW_H

#include "base/rng.h"
#include <math.h>

typedef struct draw {
    uint64_t count;
} draw;

static inline double draw_uniform(draw *d, double low, double high)
{
    return low + (high - low) * plu_rng_uniform((plu_rng){42, 99}, d->count++, 0);
}

/* Spread evenly over the decades from low to high. */
static inline double draw_log(draw *d, double low, double high)
{
    return exp(draw_uniform(d, log(low), log(high)));
}

static inline void draw_direction(draw *d, double n[3])
{
    double length = 0.0;
    do {
        for (int i = 0; i < 3; i++)
            n[i] = draw_uniform(d, -1.0, 1.0);
        length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    } while (length > 1.0 || length < 0.1);
    for (int i = 0; i < 3; i++)
        n[i] /= length;
}

#endif
