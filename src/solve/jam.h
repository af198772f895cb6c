/* jam.h: bodies between a boundary that moves and what does not give way. Sweeps press them a
 * little more each time, without end or until contacts yield (problem/yield.h); here that is
 * foreseen. */
#ifndef SOLVE_JAM_H
#define SOLVE_JAM_H

#include "problem/problem.h"

/* Whether a boundary that a motion moves, or the strain of a cell, presses on a contact of the
 * island by several times what would make its body as fast, and by more than its servos push. */
bool plu_jam_presses(const plu_problem *problem, const plu_island *island);

#endif
