/* A periodic cell in time (base/space.h has its geometry; src/theory.md, "Periodic cells"). The
 * columns of H are its edges:
 *
 *     strain    H' = L H , L diagonal
 *     shear     c' = gamma' c_z e_x (Lees & Edwards 1972); once c leans by more than a/2 it is
 *               c - a, of the same lattice
 *     stress    L_k' = V, one unknown of the contact problem for each edge k,
 *
 *         V = V_k - (h sigma A - sum_c g_c r_c.e)/M ,  A = volume / L_k ,  |V| <= limit
 *
 * Bodies have velocities of their own, so that only contacts across the sides feel H'. A body that
 * leaves by S comes back at x - H S with v - H' S, the velocity of its image. Where the rate is a
 * flow that all share this costs nothing; what it takes of V, which is no flow, is momentum out of
 * nothing, and all bodies give it back together (`keep_momentum`). */
#include "world/cell.h"
#include "base/exact.h"
#include "pluvia/cell.h"
#include "pluvia/scene.h"
#include "world/body_energy.h"
#include "world/enclosure.h"
#include "world/groups.h"
#include <string.h>

/* Of strain rates along the axes. */
static void rates_of(const double strain[3], double shear, const double (*edge)[3],
                     double (*rate)[3])
{
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++)
            rate[k][i] = strain[i] * edge[k][i];
        rate[k][0] += shear * edge[k][2];
    }
}

void plu_cell_rates(const plu_cell_spec *cell, const double edge[3][3], double rate[3][3])
{
    rates_of(cell->strain_rate, cell->shear_rate, edge, rate);
}

/* Rates of the edges where those that a stress moves have these, along their axes (m/s). */
static void rates_with(const plu_world *w, const double yields[3], double rate[3][3])
{
    const plu_cell_spec *cell = w->scene->cell;
    double strain[3];
    for (int k = 0; k < 3; k++)
        strain[k] = cell->stress[k] > 0.0 ? yields[k] / w->space.edge[k][k] : cell->strain_rate[k];
    rates_of(strain, cell->shear_rate, (const double(*)[3])w->space.edge, rate);
}

/* Loads and free rates of the coming step. */
static void pull(plu_world *w, double now[3])
{
    const plu_cell_spec *cell = w->scene->cell;
    plu_stress_control *y = &w->stress_control;
    const double volume = plu_space_volume(&w->space);
    for (int k = 0; k < 3; k++) {
        y->load[k] = cell->stress[k] * volume / w->space.edge[k][k];
        y->free[k] = w->space.rate[1][k][k] - w->step * y->load[k] / y->mass;
        now[k] = plu_max(-y->limit, plu_min(y->free[k], y->limit));
    }
}

void plu_cell_begin(plu_world *w)
{
    double rate[3][3], driven[3][3], now[3] = {0.0, 0.0, 0.0};
    if (!w->space.moves)
        return;
    if (w->stress_control.mass > 0.0)
        pull(w, now);
    rates_of(w->scene->cell->strain_rate, w->scene->cell->shear_rate,
             (const double(*)[3])w->space.edge, driven);
    rates_with(w, now, rate);
    plu_space_begin(&w->space, (const double(*)[3])rate, (const double(*)[3])driven, w->step,
                    w->scene->theta);
}

void plu_cell_yield(plu_world *w, const double speed[3])
{
    double rate[3][3];
    if (w->stress_control.mass == 0.0)
        return;
    rates_with(w, speed, rate);
    plu_space_yield(&w->space, (const double(*)[3])rate, w->step, w->scene->theta);
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
    return plu_solid_fraction(w, plu_space_volume(&w->space));
}

double plu_cell_speed(const plu_world *w)
{
    const plu_cell_spec *cell = w->scene->cell;
    double speed = fabs(cell->shear_rate) * cell->size[2];
    for (int k = 0; k < 3; k++)
        speed += cell->size[k] * fabs(cell->strain_rate[k]) +
                 (cell->stress[k] > 0.0 ? w->stress_control.limit : 0.0);
    return speed;
}

/* What a body that comes back by other sides takes with it of the speed of edges that a stress
 * moves (N s). Those speeds are not that of a flow that all bodies share (plu_cell_begin), so that
 * it would set all of them adrift. */
static void count_momentum(const plu_world *w, int body, const int s[3], plu_exact momentum[3])
{
    for (int k = 0; k < 3; k++) {
        double yields[3];
        plu_sub(w->space.rate[1][k], w->space.driven[1][k], yields);
        for (int i = 0; i < 3; i++)
            plu_exact_add(&momentum[i], -s[k] / w->bodies.row[body][6] * yields[i]);
    }
}

/* All bodies take back what some of them took. Returns what that adds to the energy (J). */
static double keep_momentum(plu_world *w, const plu_exact taken[3])
{
    plu_exact energy = {0}, masses = {0};
    for (int i = 0; i < w->bodies.count; i++)
        if (w->bodies.state[i] == PLU_ACTIVE)
            plu_exact_add(&masses, 1.0 / w->bodies.row[i][6]);
    const double mass = plu_exact_value(&masses),
                 momentum[3] = {plu_exact_value(&taken[0]), plu_exact_value(&taken[1]),
                                plu_exact_value(&taken[2])};
    for (int i = 0; i < w->bodies.count; i++) {
        if (w->bodies.state[i] != PLU_ACTIVE)
            continue;
        plu_exact_add(&energy, -plu_energy_sum(plu_body_energy(w, i)));
        plu_add_scaled(w->bodies.row[i], -1.0 / mass, momentum);
        plu_exact_add(&energy, plu_energy_sum(plu_body_energy(w, i)));
    }
    return plu_exact_value(&energy);
}

/* Gives a body that was put back into the cell by `s` edges the velocity of its image there. */
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
    plu_exact momentum[3] = {0};
    if (w->wraps)
        memset(w->wrapped, 0, (size_t)w->bodies.count * sizeof *w->wrapped);
    w->wraps = 0;
    for (int i = 0; i < w->bodies.count; i++) {
        double *x = w->bodies.position[i];
        int s[3];
        if (w->bodies.state[i] != PLU_ACTIVE || !(plu_awake(w, i) || plu_group_moves(w, i)))
            continue;
        const double before = plu_energy_sum(plu_body_energy(w, i));
        if (!plu_space_wrap(&w->space, x, s))
            continue;
        plu_exact_add(&energy, -before);
        come_back(w, i, s, &energy);
        count_momentum(w, i, s, momentum);
    }
    const bool yields = w->stress_control.mass > 0.0 && w->wraps > 0;
    return plu_exact_value(&energy) + (yields ? keep_momentum(w, momentum) : 0.0);
}
