/* look_lanes.h: the narrow phase of spheres, several pairs at a time; plu_look_at_spheres to the
 * last bit. */
#ifndef DETECT_LOOK_LANES_H
#define DETECT_LOOK_LANES_H

#include "base/cpu.h"
#include "detect/detector.h"

/* Which of up to 64 candidates are contacts: bit k for pair[k]. */
typedef uint64_t plu_touching_function(const plu_sight *sight, const plu_pair *pair, int count);
PLU_ISA_DECLARE(plu_touching_function, plu_touching);

/* Writes those of up to 64 candidates that are contacts one after the other, and returns how many
 * they are. */
typedef int plu_find_function(const plu_sight *sight, const plu_pair *pair, int count,
                              plu_contact *contact);
PLU_ISA_DECLARE(plu_find_function, plu_find);

/* The contacts of pairs that touch. */
typedef void plu_touch_function(const plu_sight *sight, const plu_pair *pair, int count,
                                plu_contact *contact);
PLU_ISA_DECLARE(plu_touch_function, plu_touch);

#endif
