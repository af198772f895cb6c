/* penalty_limit.h: the longest step that the springs of a scene allow. */
#ifndef STEP_PENALTY_LIMIT_H
#define STEP_PENALTY_LIMIT_H

#include "world/world.h"

/* PLU_OK, or PLU_BAD_INPUT and the longest step, with the law that sets it, where the scene's step
 * is longer; PLU_IO. Each law is tried with the lightest bodies that can meet under it, present or
 * still to come. */
plu_status plu_penalty_check_step(const plu_world *world, plu_error *err);

#endif
