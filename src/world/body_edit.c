#include "world/body_energy.h"
#include "world/edit.h"
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
