#include "world/cell.h"
#include "base/exact.h"
#include "world/enclosure.h"
#include "world/energy.h"
#include <string.h>

void plu_cell_rates(const plu_cell_spec *cell, const double edge[3][3], double rate[3][3])
{
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++)
            rate[k][i] = cell->strain_rate[i] * edge[k][i];
        rate[k][0] += cell->shear_rate * edge[k][2];
    }
}

void plu_cell_begin(plu_world *w)
{
    double rate[3][3];
    if (!w->space.moves)
        return;
    plu_cell_rates(&w->scene->cell, (const double(*)[3])w->space.edge, rate);
    plu_space_begin(&w->space, (const double(*)[3])rate, w->scene->step, w->scene->theta);
}

static plu_status check_width(const plu_world *w, plu_error *err)
{
    for (int k = 0; k < 3; k++)
        if (w->space.periodic[k] && w->space.height[k] < 4.0 * w->largest * (1.0 - 1e-9))
            return plu_fail(err, PLU_BREAKDOWN,
                            "step %ld (t = %g s): the periodic cell has become %g m wide along %c, "
                            "less than two diameters of the largest sphere",
                            w->steps, w->time, w->space.height[k], "xyz"[k]);
    return PLU_OK;
}

plu_status plu_cell_end(plu_world *w, plu_error *err)
{
    w->flip = 0;
    if (!w->space.moves)
        return PLU_OK;
    plu_space_end(&w->space);
    w->flip = plu_space_flip(&w->space, 2, 0);
    for (int i = 0; i < w->bodies.count && w->flip; i++)
        w->image[i][0] += w->flip * w->image[i][2];
    return check_width(w, err);
}

double plu_cell_fraction(const plu_world *w)
{
    return plu_solid_volume(w) / plu_space_volume(&w->space);
}

double plu_cell_speed(const plu_world *w)
{
    const plu_cell_spec *cell = &w->scene->cell;
    double speed = fabs(cell->shear_rate) * cell->size[2];
    for (int k = 0; k < 3; k++)
        speed += cell->size[k] * fabs(cell->strain_rate[k]);
    return speed;
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
