/* loads.h: forces and moments on bodies from outside (pluvia/control.h). */
#ifndef WORLD_LOADS_H
#define WORLD_LOADS_H

#include "world/world.h"

struct plu_load {
    int body;
    double force[3], moment[3]; /* N, N m; world frame: as given */
    double drag, flow[3];       /* kg/s, m/s: drag (flow - velocity), as given */
    double acting[3];           /* N: force and drag of the last step */
    double before[6];           /* velocities at the start of the step */
    double free[3];             /* m/s: at its end without contacts */
    double pushed[3];           /* m/s: what contacts changed in the last step */
};

/* The load of a body; NULL: none. */
static inline const plu_load *plu_load_of(const plu_world *world, int body)
{
    const int at = world->loads_count ? world->load_of[body] : 0;
    return at ? &world->loads[at - 1] : NULL;
}

/* Sets force and moment of a body. PLU_OK or PLU_IO. */
plu_status plu_loads_set(plu_world *world, int body, const double force[3], const double moment[3],
                         plu_error *err);

/* Sets its drag. PLU_OK or PLU_IO. */
plu_status plu_loads_set_drag(plu_world *world, int body, double drag, const double flow[3],
                              plu_error *err);

/* Forgets loads of zero: after some were set. */
void plu_loads_clean(plu_world *world);

/* Nothing loads the body any longer. */
void plu_loads_drop(plu_world *world, int body);

/* The most that force and drag of a load come to with the velocity that its body has (N). */
double plu_load_size(const plu_world *world, const plu_load *load);

/* Adds what loads change in a step to the free velocities; `v` is a copy of these. The drag is that
 * of the velocity at the end of the step, with what contacts did in the step before: so it never
 * turns velocities round, and on a body that contacts hold it is that of a body at rest. */
void plu_loads_push(const plu_world *world, double (*v_free)[8], double (*v)[8]);

/* Notes the velocities at the start of a step. */
void plu_loads_begin(plu_world *world);

/* After the velocities of the step are those of the bodies: the work of all loads in it (J), half
 * of load times both velocities, in the order in which they were set;
 * notes what contacts did to their bodies. */
double plu_loads_work(plu_world *world);

/* Saves or sets all loads (base/state.h). */
void plu_loads_state(plu_world *world, plu_state *state);

void plu_loads_free(plu_world *world);

#endif
