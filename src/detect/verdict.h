/* verdict.h: whether a contact with a wall counts (minimum.h), as long as its sphere has hardly
 * moved.
 *
 * What minimum.h says of a candidate stays true for a while: a triangle whose closest point is on
 * its border stays hidden behind the next one, and one whose closest point is well within it keeps
 * counting. How far the center may move until then is worked out when it is asked for, and kept
 * with the candidate. So of the small triangles below a sphere at rest one is looked at in a step,
 * not all. It changes no contact. */
#ifndef DETECT_VERDICT_H
#define DETECT_VERDICT_H

#include "detect/detector.h"

static inline bool plu_is_near_note(const plu_wall_note *note, const double x[3])
{
    double moved = 0.0;
    for (int k = 0; k < 3; k++)
        moved += (x[k] - note->center[k]) * (x[k] - note->center[k]);
    return moved < note->radius * note->radius;
}

static inline bool plu_verdict_holds(const plu_wall_note *note, const double x[3])
{
    return note->radius > 0.0 && plu_is_near_note(note, x);
}

/* Notes that contact c of candidate k with a wall was just kept from counting by candidate
 * `silencer`, or that it counts where that is k. */
void plu_note_verdict(plu_detector *detector, size_t k, size_t silencer, const plu_contact *c);

#endif
