/* jam.h: bodies between a boundary that moves and what does not give way. Sweeps press them a
 * little more each time, without end or until contacts yield (blocks/yield.h); here that is
 * foreseen. */
#ifndef SWEEP_JAM_H
#define SWEEP_JAM_H

#include "blocks/blocks.h"

/* Whether a boundary that a motion moves, or the strain of a cell, presses on a contact of the
 * island by several times what would make its body as fast, and by more than its servos push. */
bool plu_jam_presses(const plu_problem *problem, const plu_island *island);

#endif
