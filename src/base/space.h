/* space.h: the space in which bodies lie. It alone says how far one is from another: who wants to
 * know asks plu_apart, or apart_by_lanes (base/space_lanes.h), and subtracts no positions. */
#ifndef BASE_SPACE_H
#define BASE_SPACE_H

#include "base/vec3.h"

/* A zeroed one is open. */
typedef struct plu_space {
    enum plu_space_kind { PLU_OPEN_SPACE, PLU_SPACE_KINDS } kind;
} plu_space;

/* Stands where distances are worked out without a look at the kind, which is free. */
#define PLU_SPACE_IS_OPEN                                                                          \
    _Static_assert(PLU_SPACE_KINDS == 1, "a new kind of space has its own distances: a case here")

/* d: the shortest way from a to b (m), positions in this space. */
static inline void plu_apart(const plu_space *space, const double a[3], const double b[3],
                             double d[3])
{
    PLU_SPACE_IS_OPEN;
    (void)space;
    plu_sub(b, a, d);
}

#endif
