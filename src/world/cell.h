/* cell.h: a periodic cell (base/space.h) in time: how it moves, and how bodies stay in it. */
#ifndef WORLD_CELL_H
#define WORLD_CELL_H

#include "world/world.h"

/* How the cell moves in the coming step; nothing where it stands still. */
void plu_cell_begin(plu_world *world);

/* The edges that a stress moves do so with these speeds along their axes (m/s), which the contact
 * problem has found. An edge of length L along its axis has a mass m, by default that of all bodies
 * (a fictive one, as that of Parrinello and Rahman, 1980), and the rate
 *   V = V_k - (h sigma A - sum_i r_i . a S_i)/m
 * at the end of the step: A is the area across it, the sum is over contacts with images by S_i.
 * Bodies keep their own velocities, so only contacts across its sides move it. */
void plu_cell_yield(plu_world *world, const double speed[3]);

/* What a stress of the scene moves edges by. */
void plu_cell_let_yield(plu_world *world);

/* It has moved. world->flip says by how many edges a its edge c was set back. PLU_OK, or
 * PLU_BREAKDOWN where it has become too narrow. */
plu_status plu_cell_end(plu_world *world, plu_error *err);

/* How fast its motion makes bodies, at most (m/s). */
double plu_cell_speed(const plu_world *world);

/* Bodies that have left the cell by one side come back by the opposite one: positions, velocities
 * where the cell moves, and world->image change; world->wrapped and wraps say whose. Returns what
 * that adds to the energy (J): of a cell that moves, or one along gravity. */
double plu_cell_wrap(plu_world *world);

#endif
