/* work.h: contacts after the solve, while the world still has v_k: impulses, work, loads. */
#ifndef STEP_WORK_H
#define STEP_WORK_H

#include "blocks/problem_lanes.h"
#include "pluvia/step.h"

/* Contacts that bear something, those of them with boundaries, and what these bear against gravity
 * (N s). */
typedef struct plu_bearing {
    int contacts, walls;
    double load;
} plu_bearing;

/* What a strip of slots (blocks/parts.h) gives at the end of a step; of mixed ones the sums of
 * work and load are made contact by contact, and zero here. */
typedef struct plu_strip_end {
    plu_work work;
    plu_bearing bearing;
} plu_strip_end;

/* What is summed up over all contacts. */
enum { PLU_IMPACT, PLU_FRICTION, PLU_ROLLING, PLU_PIVOTING, PLU_LOAD, PLU_FINISH_SUMS };

/* Adds a wall contact with normal impulse `n` and tangential impulse `t`, which bears something. */
void plu_bear_wall(const plu_stepper *stepper, const double normal[3], double n, const double t[3],
                   plu_bearing *sum);

/* Before each solve: makes room for what plu_finish_strip finds. PLU_OK or PLU_IO. (finish.c)
 */
plu_status plu_finish_begin(plu_stepper *stepper, plu_error *err);

/* Finishes the slots of a strip, as the end of the problem's flow: copies the impulses to the
 * contact list, works out what they do, 1/2 p . (y_{k+1} + y_k), and marks the slots that the
 * position projection will have to look at. */
void plu_finish_strip(void *stepper, int number);

/* What boundaries that move do to the bodies in the step (J), before plu_integrate: 1/2 p . (V_k +
 * V_{k+1}) at each contact. What attracts is part of p; its work relative to the boundary is what
 * becomes of *attracted. (boundary_work.c) */
double plu_boundary_work(const plu_stepper *stepper, double *attracted);

/* Ends the flow. Adds work to the totals; counts and depths of the contacts to info. */
void plu_finish_contacts(plu_stepper *stepper, plu_step_info *info);

#endif
