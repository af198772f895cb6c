/* body_energy.h: mechanical energy of one body. */
#ifndef WORLD_BODY_ENERGY_H
#define WORLD_BODY_ENERGY_H

#include "base/vec3.h"
#include "world/world.h"

static inline plu_energy plu_body_energy(const plu_world *world, int body)
{
    if (plu_is_fixed(world, body)) /* as a boundary has none */
        return (plu_energy){.potential = 0.0};
    PLU_SPHERES_ARE_BODIES; /* the moment of inertia is the same about all axes */
    const double *x = world->bodies.position[body], *v = world->bodies.row[body];
    const double mass = 1.0 / v[6], inertia = 1.0 / v[7];
    return (plu_energy){.translation = 0.5 * mass * plu_dot(v, v),
                        .rotation = 0.5 * inertia * plu_dot(v + 3, v + 3),
                        .potential = -mass * plu_dot(world->gravity, x)};
}

static inline double plu_energy_sum(plu_energy energy)
{
    return energy.translation + energy.rotation + energy.potential;
}

#endif
