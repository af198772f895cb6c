/* space_lanes.h: distances in a space (base/space.h) in SIMD lanes. */
#ifndef BASE_SPACE_LANES_H
#define BASE_SPACE_LANES_H

#include "base/lanes.h"
#include "base/space.h"

/* The vectors from a to b (m), with the same bits as plu_apart. */
LANES_INLINE vectors apart_by_lanes(const plu_space *space, vectors a, vectors b)
{
    PLU_SPACE_IS_OPEN;
    (void)space;
    return difference(b, a);
}

#endif
