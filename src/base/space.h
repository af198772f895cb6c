/* space.h: the space in which bodies lie. It alone defines distances: code that needs the distance
 * of two bodies calls plu_apart, or apart_by_lanes (base/space_lanes.h) for SIMD lanes, and never
 * subtracts positions itself. */
#ifndef BASE_SPACE_H
#define BASE_SPACE_H

#include "base/vec3.h"

/* Open space (no periodic boundary) is the only kind yet, and what a zeroed plu_space is. */
typedef struct plu_space {
    enum plu_space_kind { PLU_OPEN_SPACE, PLU_SPACE_KINDS } kind;
} plu_space;

/* Marks code that computes distances without checking the kind of space. It costs nothing, and
 * stops the compilation there once a second kind exists. */
#define PLU_SPACE_IS_OPEN                                                                          \
    _Static_assert(PLU_SPACE_KINDS == 1, "a new kind of space has its own distances: a case here")

/* d: the shortest vector from the position a to the position b (m). */
static inline void plu_apart(const plu_space *space, const double a[3], const double b[3],
                             double d[3])
{
    PLU_SPACE_IS_OPEN;
    (void)space;
    plu_sub(b, a, d);
}

#endif
