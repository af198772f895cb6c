/* step_advice.h: which time step suits a scene, from how fast its spheres can meet. */
#ifndef CLI_RUN_STEP_ADVICE_H
#define CLI_RUN_STEP_ADVICE_H

#include "cli/run/simulation.h"

#define PLU_DEEP_OVERLAP 0.05 /* of the smaller diameter: overlaps that call for a shorter step */

/* Impacts leave overlaps that grow with v h / d, the distance v h traveled in a step over the
 * smaller diameter d. If contacts are detected half a step or a step ahead (or bounce by Newton's
 * law), overlaps of up to v h / 2 remain. If all contacts land (time.forecast = "touch", no bounce
 * by Newton's law), what a step would leave deeper than 2 % is found after its solve
 * (src/theory.md, "Touch"): measured on the paper's pile 0.1 to 2 % of d at v h / d from 0.1 to 2,
 * in a box of 2,000 spheres of radii 1:2 2 % from 0.35 to 2.6, and in one of 150 spheres 1.7,
 * 1.9, 2.2, 4.6 and 14 % at 0.55, 0.83, 1.1, 1.4 and 2.2. */
typedef struct plu_step_advice {
    double speed;    /* m/s, largest at which spheres can meet: by the start, and by free fall; 0:
                      * nothing moves */
    double drop;     /* m, longest fall onto what lies below, at most until time.end */
    double diameter; /* m, of the smallest sphere */
    double way;      /* v h / d with the step of the scene */
    double turn;     /* rad: contacts of few spheres may turn by this with the step of the scene */
    double step;     /* s, proposed */
    double share;    /* of a diameter: impacts overlap by at most about this with that step */
    bool shorter;    /* it is below the step of the scene */
    bool deep;       /* with the step of the scene impacts may overlap by PLU_DEEP_OVERLAP */
} plu_step_advice;

/* The advice for a simulation before its first step. */
plu_step_advice plu_step_advise(const plu_simulation *simulation);

/* The time step (s) to be used after a run with this advice and the time step `step`, whose largest
 * overlap was `overlap` diameters. 0: the step may stay. Else the step proposed before the run if
 * that is shorter, or a step that is shorter in proportion to the overlap. */
double plu_step_after(const plu_step_advice *advice, double step, double overlap);

/* 1, 2 or 5 times a power of ten, not above `step`. */
double plu_step_rounded(double step);

#endif
