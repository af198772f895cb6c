/* Bodies that are fixed or taken out while a run lasts, by a call or where they left the domain. */
#include "world/body_edit.h"
#include "base/exact.h"
#include "pluvia/scene.h"
#include "world/body_energy.h"
#include <string.h>

double plu_world_take_out(plu_world *w, int body)
{
    const double energy = plu_energy_sum(plu_body_energy(w, body));
    memset(w->bodies.row[body], 0, 6 * sizeof(double));
    w->bodies.state[body] = PLU_REMOVED;
    w->asleep -= plu_asleep(w, body);
    w->fixed -= plu_is_fixed(w, body);
    w->bodies.rest[body] = 0;
    w->active--;
    w->removed++;
    w->generation++;
    return energy;
}

void plu_world_fix(plu_world *w, int body, bool fixed)
{
    if (plu_is_fixed(w, body) == fixed)
        return;
    if (plu_asleep(w, body))
        plu_wake(w, body);
    memset(w->bodies.row[body], 0, 6 * sizeof(double));
    w->bodies.rest[body] = fixed ? PLU_FIXED : 0;
    w->fixed += fixed ? 1 : -1;
    w->wakings++; /* other contacts are live */
    w->generation++;
}

bool plu_world_removes(const plu_world *world, int body, const double x[3])
{
    const plu_scene *scene = world->scene;
    for (int k = 0; k < 3; k++)
        if (x[k] < scene->domain[0][k] || x[k] > scene->domain[1][k])
            return scene->has_domain && scene->outside == PLU_REMOVE && !plu_is_fixed(world, body);
    return false;
}

void plu_world_remove_outside(plu_world *world, double *removed)
{
    const plu_scene *scene = world->scene;
    if (!scene->has_domain || scene->outside != PLU_REMOVE)
        return;
    plu_exact energy = {0};
    for (int b = 0; b < world->bodies.count; b++)
        if (world->bodies.state[b] == PLU_ACTIVE &&
            plu_world_removes(world, b, world->bodies.position[b]))
            plu_exact_add(&energy, plu_world_take_out(world, b));
    *removed += plu_exact_value(&energy);
}
