/* touch_walls.h: narrow phase of candidates with walls. */
#ifndef DETECT_TOUCH_WALLS_H
#define DETECT_TOUCH_WALLS_H

#include "detect/detector.h"

/* Which of the candidates with walls from `from` on, at most 64, are contacts that count: bit k for
 * candidate from + k. contact[k], of 64 of them, has the contact then. Writes the notes of these
 * alone. */
uint64_t plu_touching_walls(plu_detector *detector, size_t from, int count, plu_contact *contact);

#endif
