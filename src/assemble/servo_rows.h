/* servo_rows.h: the servos of the world (world/servo.h) and the edges of its cell that a stress
 * moves (world/cell.h) as servos of a contact problem (blocks/servos.h), those of the cell behind
 * the others in the order of its edges. */
#ifndef ASSEMBLE_SERVO_ROWS_H
#define ASSEMBLE_SERVO_ROWS_H

#include "blocks/blocks.h"
#include "detect/detect.h"

/* What the problem points to; all zero at first. */
typedef struct plu_servo_rows {
    plu_servo *servos;
    plu_servo_contact *contact;
    plu_contact_pair *link;
    int count; /* of servos */
    size_t servos_capacity, contact_capacity, link_capacity;
} plu_servo_rows;

/* Finds the live contacts of each servo, and sets the servos of the problem and the bodies that
 * they link. PLU_OK or PLU_IO (no memory). */
plu_status plu_servo_rows_make(plu_servo_rows *rows, const plu_world *world,
                               const plu_contacts *contacts, plu_problem *problem, plu_error *err);

/* Adds what servos do to the constants of a block: those become its own if it has contacts with
 * some. `contact`: of its lanes, NULL where they are spare. */
void plu_servo_constants(const plu_world *world, const plu_problem *problem,
                         const plu_contact *const contact[PLU_LANES], plu_block *block,
                         plu_pair_constants *own);

void plu_servo_rows_free(plu_servo_rows *rows);

/* Rows of velocities of boundaries that move: one for each live contact with a wall, behind the row
 * that stands still, in the order of the contacts. */

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
