/* given_rows.h: rows of velocities of boundaries that move: one for each live contact with a wall,
 * behind the row that stands still, in the order of the contacts. */
#ifndef ASSEMBLE_GIVEN_ROWS_H
#define ASSEMBLE_GIVEN_ROWS_H

#include "detect/detect.h"

/* Where walls begin among the live contacts. */
int plu_first_live_wall(const plu_contacts *contacts);

/* How many rows there are: 0 where nothing moves. */
int plu_given_rows(const plu_world *world, const plu_contacts *contacts);

/* Writes them (src/world/motion.h): `before` gets V_c,k and Omega_k, where the contact is at the
 * start of the step, v and v_free V_c,k+1 and Omega_k+1, where it is at the time of V_k+1; all of
 * them by row. Those of parts that stand still are zero. */
void plu_fill_given(const plu_world *world, const plu_contacts *contacts, double (*before)[8],
                    double (*v_free)[8], double (*v)[8]);

/* Rows of bodies that are fixed, without masses: the velocities at the end of the step of those
 * that move with their group (world/groups.h). */
void plu_fill_fixed(const plu_world *world, double (*v_free)[8], double (*v)[8]);

#endif
