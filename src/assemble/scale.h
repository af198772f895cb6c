/* scale.h: what tiles and floats are measured with. From the bodies as the scene makes them, so
 * that it is the same in the whole run and after a restart, and for any contacts. */
#ifndef ASSEMBLE_SCALE_H
#define ASSEMBLE_SCALE_H

#include "world/world.h"

typedef struct plu_scale {
    double edge; /* of the cells that tiles are made of (m) */
    /* Powers of two near the mass (kg) and the radius of gyration (m) of a body: the mean over all
     * bodies of their logarithms. */
    double mass, length;
} plu_scale;

plu_scale plu_scale_of(const plu_world *world);

#endif
