/* loads.h: forces and moments on bodies from outside (pluvia/control.h). */
#ifndef WORLD_LOADS_H
#define WORLD_LOADS_H

#include "world/world.h"

struct plu_load {
    int body;
    double force[3], moment[3]; /* N, N m; world frame */
    double before[6];           /* velocities at the start of the step */
};

/* The load of a body; NULL: none. */
static inline const plu_load *plu_load_of(const plu_world *world, int body)
{
    const int at = world->loads_count ? world->load_of[body] : 0;
    return at ? &world->loads[at - 1] : NULL;
}

/* Sets the load of a body, zero: none. PLU_OK or PLU_IO. */
plu_status plu_loads_set(plu_world *world, int body, const double force[3], const double moment[3],
                         plu_error *err);

/* Adds what loads change in a step to the free velocities; `v` is a copy of these. */
void plu_loads_push(const plu_world *world, double (*v_free)[8], double (*v)[8]);

/* Notes the velocities at the start of a step. */
void plu_loads_begin(plu_world *world);

/* After the velocities of the step are those of the bodies: the work of all loads in it (J), half
 * of load times both velocities, in the order in which they were set. */
double plu_loads_work(const plu_world *world);

void plu_loads_free(plu_world *world);

#endif
