/* servos.h: boundaries that a force moves along an axis, as bodies of the contact problem of a
 * step, by mass splitting (Tonge, Benevolenski & Voroshilov 2012).
 *
 * A servo has one velocity v along its unit axis a, and a mass m. Its contacts push it:
 *   v = v_free - (1/m) sum_i a . (r_N n + r_T)_i ,   low <= v <= high .
 * Any number of contacts may share it, so no color can. Each contact has a given row (blocks.h)
 * with the velocity v a, which no sweep writes; between two sweeps v is computed anew from all
 * impulses, in the order of the contacts. A visit of a contact counts on all N of them (twice that
 * where a tile is swept twice between) to change as it does: N/m is added to its own block. Because
 * (sum_i p_i)^2 <= N sum_i p_i^2, that is a bound of the true coupling, the energy of the step
 * falls in every sweep, and where the sweeps end v is exact: the momentum of a servo is balanced
 * for any impulses. */
#ifndef BLOCKS_SERVOS_H
#define BLOCKS_SERVOS_H

#include <stdbool.h>

struct plu_problem;
struct plu_island;
struct plu_single;
struct plu_block;

/* The edges of a periodic cell that a stress moves are servos, too (src/world/cell.h): their
 * contacts are those across its sides, which have the velocity of the image in plu_crossing.drift
 * instead of a given row. A contact may have several. */
typedef struct plu_servo_contact {
    int contact;
    double lever; /* of its velocity along the axis, and of its push, over those of the servo */
    double own;   /* m/s: of its image along the axis beside; of cells */
} plu_servo_contact;

typedef struct plu_servo {
    double axis[3];
    int edge;            /* of the cell, which lies along its axis; -1: it is a boundary */
    double inverse_mass; /* 1/kg */
    double free;         /* velocity along the axis without contacts (m/s) */
    double low, high; /* of its velocity (m/s): the limit of its speed, or bodies that are fixed */
    double load;      /* |impulse of its force and weight| in the step (N s) */
    int begin, end;   /* its contacts: plu_problem.servo_contact */
    int island;       /* of these; -1: it has none */
    double now;       /* v */
    double pushed;    /* v without the limits of `low` and `high`: linear in the impulses */
    double before;    /* `pushed` one sweep earlier, for the momentum */
} plu_servo;

/* What the visit of a contact with a servo and the lever 1 adds to W_NN and W_TT of its block,
 * normal `n`. The block (1/m) G G^T, G = (a.n, a.t), couples both where the axis is oblique; the
 * diagonal taken here bounds it, and is W_NN = 1/m alone where the axis is the normal. */
void plu_servo_block(const plu_servo *servo, const double n[3], double *wn, double *wt);

/* Sets the islands of servos, and in how many parts their masses are split; after the layout. */
void plu_servos_place(struct plu_problem *problem);

/* In how many parts the mass of a servo is split. */
double plu_servo_parts(const struct plu_problem *problem, const plu_servo *servo);

/* Velocities of the servos of an island, and of the rows of their contacts, from the impulses in
 * the blocks. */
void plu_servos_apply(struct plu_problem *problem, const struct plu_island *island);
/* The same from the impulses in floats; the rows are those in floats, too. */
void plu_servos_apply_single(struct plu_single *single, struct plu_problem *problem,
                             const struct plu_island *island);

/* Momentum, as plu_momentum: v + beta (v - v_before). `single`: NULL, or whose rows get it. */
void plu_servos_move_on(struct plu_problem *problem, const struct plu_island *island,
                        struct plu_single *single, double beta);

/* Sum of the loads of the servos of an island (N s), of the masses of those that are boundaries
 * (kg; the mass of an edge of the cell is a fiction, which must not set the scale of errors), and
 * the largest change of velocity that its contacts would give one of them in a further visit (m/s):
 * the share of the load that nothing bears. */
typedef struct plu_servo_sums {
    double load, mass, unborne;
} plu_servo_sums;

plu_servo_sums plu_servos_sum(const struct plu_problem *problem, const struct plu_island *island,
                              bool unborne);

#endif
