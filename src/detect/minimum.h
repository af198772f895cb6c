/* minimum.h: what makes walls that touch each other one surface.
 *
 * A sphere meets the union of all walls where its distance from their points has a local minimum.
 * The closest point of one part is no minimum of the union where it lies on another part that has a
 * point nearer still: the edge of a triangle that continues in the next, or of a plate that lies
 * flush with others. Such a contact does not count. Parts that are equally near there count once,
 * by the smaller number. (minimum.c has the tolerances; shape.h: a part has one closest point; its
 * distance has no other local minimum.) */
#ifndef DETECT_MINIMUM_H
#define DETECT_MINIMUM_H

#include "detect/detector.h"

/* In radii: a point nearer to a part lies on it, and a part that is farther by less is not farther.
 * Far below the slop, and above the rounding of corners in files (floats, a thousand radii from
 * their origin): surfaces with so low a step between them are one, too. */
#define PLU_ON_PART 1e-4

/* What was found of candidates `from` to `end` - 1 with walls: of these the gap counts, infinite
 * for one that is too far to matter, and NAN for one that is not known. */
typedef struct plu_looked {
    size_t from, end;
    const double *gap; /* gap[k - from] (m) */
} plu_looked;

/* The candidates with walls of the sphere of candidate k: from *first to *end - 1. */
void plu_walls_beside(const plu_pairs *walls, size_t k, size_t *first, size_t *end);

/* Which candidate with a wall keeps the contact c, which is candidate k, from counting; k: it
 * counts. All candidates of its sphere are asked, in contact or not: one that is nearer has a gap
 * that is smaller, so that it is listed. */
size_t plu_silencer(const plu_detector *detector, size_t k, const plu_contact *c,
                    const plu_looked *looked);

#endif
