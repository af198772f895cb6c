/* errors.h: the error of the impulses of an island, expressed as velocities (src/solving.md, "When
 * a step is solved"). A residual that is divided by the norm of the impulses would accept a heavy
 * body that falls through the light ones below it, or a deep bed that sinks.
 *
 * F is the Alart-Curnier function of a contact, rho = 1 / W_ii. The velocity error of a contact is
 *   e_c = sqrt((W_N F_N)^2 + (W_T |F_T|)^2 + (L W_R |F_R|)^2) ,
 * the change of its velocity that solves it alone. It is compared with the change that the step
 * itself causes,
 *   s_c = max(g h, |v - v_free| of its two bodies) . */
#ifndef BLOCKS_ERRORS_H
#define BLOCKS_ERRORS_H

#include "blocks/single.h"

typedef struct plu_errors {
    int contacts;
    bool lone;       /* the island is one body, which boundaries hold */
    bool driven;     /* a servo, a stress or a group of fixed bodies presses the island, or without
                      * gravity friction takes far more than impacts */
    double velocity; /* root mean square over contacts of e_c / s_c */
    double worst;    /* the largest e_c / s_c */
    double heavy;    /* as velocity, but contacts are weighted by the mass of the heavier moving
                      * body: one boulder counts as much as the grains that bear it; at least what
                      * a servo (servos.h) would gain from its contacts in a further visit */
    double closing;  /* largest -y_N / L (1/s): times h / 2 it is the overlap, over the smaller
                      * diameter, that the errors would cause in this step */
    double opening; /* largest W_N F_N of a contact that holds (m/s): times h it is the gap that the
                     * errors would leave between two bodies that press or hold each other */
    double sinking; /* sum |p . e| / (g h sum m) (m/s): mean speed at which loads sink; without
                     * gravity divided by the momentum that the step changes, beyond rounding */
    double pressed; /* sum W_N p_N^2 / (g h sum m) (m/s): `sinking` if all impulses were errors */
    double change;  /* root mean square over bodies of |v - v_free| (m/s); without gravity at least
                     * what rounding of velocities is */
    double speed;   /* the same of min(|v| before the step, |v| after it, PLU_FAST g h) */
    double drift;   /* as speed, but bodies are weighted by mass */
    double raw;     /* root mean square of |v| after the step, without a limit */
    double bounce;  /* largest -w_N (m/s): the separation speed that an impact is to leave */
    double fall;    /* scale of velocities (m/s): g h, or what the forces of servos would give the
                     * island and them in the step, if nothing bore it, where that is more */
    double work;    /* sum |p . e| (J) */
    double net;     /* sum p_N e_N (J): of errors that cancel nothing is left; < 0 lets bodies
                     * overlap: beds get denser */
    double rubbed;  /* work of friction and rolling friction in the step, -sum (p_T . u_T + m_R .
                     * omega_R) (J) */
    double struck;  /* sum m |v - v_free|^2 (J): about what impacts take */
    double held;    /* sum p_N d, d: twice the smaller radius of the pair (N s m) */
    double span;    /* sum m d^2 (kg m^2), of spheres: ten times their moments of inertia */
    double strain;  /* sum W_N p_N^2 (J) */
    double weight;  /* sum m g h (N s) */
    double pull;    /* g h (m/s) */
    double scaled;  /* e_s of plu_residuals, for output only */
} plu_errors;

/* In units of g h: a body with a higher speed is not at rest, and counts with this speed. */
#define PLU_FAST (1.0 / 0.3)

/* The errors of an island from p and v = v_free + M^-1 H p; `pull`: the vector h g (m/s); `last` as
 * in plu_problem_residual. Writes to problem->change. */
plu_errors plu_problem_errors(const plu_problem *problem, plu_island *island, const double pull[3],
                              bool last);

/* The same for an island that is being swept in single precision, from its floats: an estimate at a
 * quarter of the cost. */
plu_errors plu_single_errors(const plu_single *single, const plu_island *island,
                             const double pull[3]);

#endif
