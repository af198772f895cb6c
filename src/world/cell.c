#include "world/cell.h"
#include "base/exact.h"
#include "world/energy.h"
#include <string.h>

void plu_cell_begin(plu_world *w)
{
    const double rate[3][3] = {{0.0}, {0.0}, {w->scene->cell.shear_rate * w->space.edge[2][2]}};
    if (w->space.moves)
        plu_space_begin(&w->space, rate, w->scene->step, w->scene->theta);
}

void plu_cell_end(plu_world *w)
{
    w->flip = 0;
    if (!w->space.moves)
        return;
    plu_space_end(&w->space);
    w->flip = plu_space_flip(&w->space, 2, 0);
    for (int i = 0; i < w->bodies.count && w->flip; i++)
        w->image[i][0] += w->flip * w->image[i][2];
}

double plu_cell_speed(const plu_world *w)
{
    return fabs(w->scene->cell.shear_rate) * w->scene->cell.size[2];
}

/* Its velocity is that of its image. */
static void come_back(plu_world *w, int body, const int s[3], plu_exact *energy)
{
    double *v = w->bodies.row[body];
    for (int k = 0; k < 3; k++) {
        plu_add_scaled(v, -s[k], w->space.rate[1][k]);
        w->image[body][k] += s[k];
        w->wrapped[body][k] = s[k];
    }
    plu_exact_add(energy, plu_energy_sum(plu_body_energy(w, body)));
    w->wraps++;
}

double plu_cell_wrap(plu_world *w)
{
    PLU_SPHERES_ARE_BODIES; /* spheres go with their body */
    plu_exact energy = {0};
    if (w->wraps)
        memset(w->wrapped, 0, (size_t)w->bodies.count * sizeof *w->wrapped);
    w->wraps = 0;
    for (int i = 0; i < w->bodies.count; i++) {
        double *x = w->bodies.position[i];
        int s[3];
        if (w->bodies.state[i] != PLU_ACTIVE || !plu_awake(w, i))
            continue;
        const double before = plu_energy_sum(plu_body_energy(w, i));
        if (!plu_space_wrap(&w->space, x, s))
            continue;
        plu_exact_add(&energy, -before);
        come_back(w, i, s, &energy);
    }
    return plu_exact_value(&energy);
}
