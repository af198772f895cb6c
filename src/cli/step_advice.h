/* step_advice.h: which time step suits a scene, from how fast its spheres can meet. */
#ifndef CLI_STEP_ADVICE_H
#define CLI_STEP_ADVICE_H

#include "simulation.h"

/* Impacts within a step leave overlaps that grow with the way v h of a step over the smaller
 * diameter d. Where contacts are looked for half a step or a step ahead (or bounce by Newton's law)
 * up to v h / 2 is left; where they land (time.forecast = "touch") 0.1, 1, 3 and 10 % of d were
 * measured on the paper's pile for v h / d = 0.1, 0.3, 0.6 and 1. */
typedef struct plu_step_advice {
    double speed;    /* m/s, largest: that at the start, and the free fall; 0: nothing moves */
    double drop;     /* m, longest fall onto what lies below, at most until time.end */
    double diameter; /* m, of the smallest sphere */
    double way;      /* v h / d with the step of the scene */
    double step;     /* s, proposed: overlaps of impacts up to about 1 % */
    bool deep;       /* with the step of the scene impacts overlap by 5 % and more */
} plu_step_advice;

plu_step_advice plu_step_advise(const plu_simulation *simulation);

/* 1, 2 or 5 times a power of ten, not above `step`. */
double plu_step_rounded(double step);

#endif
