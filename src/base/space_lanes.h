/* space_lanes.h: distances in a space (base/space.h) in SIMD lanes. */
#ifndef BASE_SPACE_LANES_H
#define BASE_SPACE_LANES_H

#include "base/rows.h"
#include "base/space.h"

/* The vectors from images of a to b (m), with the same bits as plu_apart_from. */
LANES_INLINE vectors apart_by_lanes(const plu_space *space, const int image[WIDTH], vectors a,
                                    vectors b)
{
    PLU_SPACES_ARE_KNOWN;
    const vectors apart = difference(b, a);
    if (space->kind == PLU_OPEN_SPACE)
        return apart;
    const double *row[WIDTH];
    lanes shift[4];
    for (int k = 0; k < WIDTH; k++)
        row[k] = space->shift[image[k]];
    load_short_rows(row, shift);
    return difference(apart, (vectors){shift[0], shift[1], shift[2]});
}

/* Their velocities relative to the images of a, which are as much faster than a as they drift. */
LANES_INLINE vectors rate_by_lanes(const plu_space *space, const int image[WIDTH], vectors a,
                                   vectors b)
{
    const vectors rate = difference(b, a);
    if (!space->moves)
        return rate;
    const double *row[WIDTH];
    lanes drift[4];
    for (int k = 0; k < WIDTH; k++)
        row[k] = space->drift[0][image[k]];
    load_short_rows(row, drift);
    return difference(rate, (vectors){drift[0], drift[1], drift[2]});
}

#endif
