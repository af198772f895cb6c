/* space_lanes.h: distances in a space (base/space.h) by lanes. */
#ifndef BASE_SPACE_LANES_H
#define BASE_SPACE_LANES_H

#include "base/lanes.h"
#include "base/space.h"

/* As plu_apart, to the bit. */
LANES_INLINE vectors apart_by_lanes(const plu_space *space, vectors a, vectors b)
{
    PLU_SPACE_IS_OPEN;
    (void)space;
    return difference(b, a);
}

#endif
