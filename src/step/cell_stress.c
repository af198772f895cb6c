/* The stress in a periodic cell. */
#include "assemble/cohesion.h"
#include "base/vec3.h"
#include "step/stepper.h"
#include <string.h>

/* Contacts: force times the way from a to b, which the normal has. */
static void add_contacts(const plu_stepper *s, plu_exact sum[9])
{
    const plu_world *w = s->world;
    const plu_contacts *list = s->contacts;
    for (int k = 0; k < list->count; k++) {
        const plu_contact *c = &list->contact[k];
        const plu_impulse *p = &list->impulse[k];
        if (plu_side_is_part(c->a))
            continue;
        const double length =
            w->spheres.at[plu_side_sphere(c->a)][3] + w->spheres.at[c->b][3] + c->gap;
        const double n = p->n - plu_attraction(w, list, k);
        for (int i = 0; i < 3 && (n != 0.0 || p->n != 0.0); i++)
            for (int j = 0; j < 3; j++)
                plu_exact_add(&sum[3 * i + j], (n * c->normal[i] + p->t[i]) / s->world->step *
                                                   length * c->normal[j]);
    }
}

/* The velocity of body b relative to the cell. */
static void relative(const plu_world *w, int b, double c[3])
{
    memcpy(c, w->bodies.row[b], 3 * sizeof *c);
    if (w->space.moves)
        plu_space_flow(&w->space, 1, -1.0, w->bodies.position[b], c);
}

/* The mean of these velocities, which is no stress. */
static void mean_velocity(const plu_world *w, double mean[3])
{
    plu_exact sum[4] = {0};
    for (int b = 0; b < w->bodies.count; b++) {
        double c[3];
        if (w->bodies.state[b] != PLU_ACTIVE)
            continue;
        relative(w, b, c);
        for (int k = 0; k < 3; k++)
            plu_exact_add(&sum[k], c[k] / w->bodies.row[b][6]);
        plu_exact_add(&sum[3], 1.0 / w->bodies.row[b][6]);
    }
    const double mass = plu_exact_value(&sum[3]);
    for (int k = 0; k < 3; k++)
        mean[k] = mass > 0.0 ? plu_exact_value(&sum[k]) / mass : 0.0;
}

static void add_bodies(const plu_world *w, plu_exact sum[9])
{
    double mean[3];
    mean_velocity(w, mean);
    for (int b = 0; b < w->bodies.count; b++) {
        if (w->bodies.state[b] != PLU_ACTIVE)
            continue;
        double c[3];
        relative(w, b, c);
        for (int k = 0; k < 3; k++)
            c[k] -= mean[k];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                plu_exact_add(&sum[3 * i + j], c[i] * c[j] / w->bodies.row[b][6]);
    }
}

void plu_stepper_cell_stress(const plu_stepper *s, double stress[3][3])
{
    plu_exact sum[9] = {0};
    const double volume = plu_space_volume(&s->world->space);
    if (s->contacts)
        add_contacts(s, sum);
    add_bodies(s->world, sum);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            stress[i][j] = 0.5 *
                           (plu_exact_value(&sum[3 * i + j]) + plu_exact_value(&sum[3 * j + i])) /
                           volume;
}
