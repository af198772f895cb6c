/* ball_shape.h: a shape from outside that is what `sphere` of a scene is: numbers = [radius]. */
#ifndef TESTS_BALL_SHAPE_H
#define TESTS_BALL_SHAPE_H

#include "pluvia/extension.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static inline int ball_parts(void *user, const plu_own_numbers *n, char why[PLU_OWN_WHY])
{
    (void)user;
    snprintf(why, PLU_OWN_WHY, "a ball has one number, its radius");
    return n->count == 1;
}

static inline void ball_bounds(void *user, const plu_own_numbers *n, int part, double low[3],
                               double high[3])
{
    (void)user, (void)part;
    for (int k = 0; k < 3; k++) {
        low[k] = -n->value[0];
        high[k] = n->value[0];
    }
}

static inline double ball_distance(void *user, const plu_own_numbers *n, int part,
                                   const double x[3], double normal[3])
{
    const double from = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    (void)user, (void)part;
    for (int k = 0; k < 3; k++)
        normal[k] = from > 0.0 ? x[k] / from : (double)(k == 2);
    return from - n->value[0];
}

/* An octahedron. */
static inline int ball_triangles(void *user, const plu_own_numbers *n, double (*corner)[3][3])
{
    (void)user;
    for (int t = 0; t < 8 && corner; t++) {
        const int odd = (t & 1) ^ (t >> 1 & 1) ^ (t >> 2);
        memset(corner[t], 0, sizeof corner[t]);
        for (int k = 0; k < 3; k++)
            corner[t][odd ? 2 - k : k][k] = t >> k & 1 ? -n->value[0] : n->value[0];
    }
    return 8;
}

static const plu_own_shape ball_shape = {ball_parts, ball_bounds, ball_distance, ball_triangles};

#endif
