/* The contacts of the last step, as others want to see them. */
#include "base/vec3.h"
#include "step/stepper.h"
#include <string.h>

int plu_stepper_contacts(const plu_stepper *s)
{
    return s->contacts ? s->contacts->count : 0;
}

/* A limit counts as reached only when there is motion that it resists. */
static plu_contact_mode mode_of(double mu, double mu_r, const plu_contact_row *row)
{
    const double n = row->impulse_normal * (1.0 - 1e-9);
    if (row->impulse_normal <= 0.0)
        return PLU_MODE_OPEN;
    double slip[3];
    memcpy(slip, row->velocity, sizeof slip);
    plu_add_scaled(slip, -plu_dot(slip, row->normal), row->normal);
    const bool slides = plu_norm(row->impulse_tangent) >= mu * n && plu_norm(slip) > 0.0;
    const bool rolls = plu_norm(row->impulse_moment) >= mu_r * n && plu_norm(row->spin) > 0.0;
    return slides ? (rolls ? PLU_MODE_SLIDE_ROLL : PLU_MODE_SLIDE)
                  : (rolls ? PLU_MODE_ROLL : PLU_MODE_STICK);
}

void plu_stepper_contact(const plu_stepper *s, int i, plu_contact_row *row)
{
    const plu_world *w = s->world;
    const plu_contact *c = &s->contacts->contact[i];
    const plu_impulse *p = &s->contacts->impulse[i];
    const int slot = s->problem.slot_of_contact[i];
    const plu_block *block = plu_block_of(&s->problem, slot);
    double y[7];
    plu_slot_velocity(block, slot % PLU_LANES, c->a >= 0 ? s->problem.v[c->a] : plu_fixed_row,
                      s->problem.v[c->b], y);
    memset(row, 0, sizeof *row);
    row->a = c->a;
    row->b = c->b;
    row->gap = c->gap;
    row->impulse_normal = p->n;
    for (int k = 0; k < 3; k++) {
        row->normal[k] = c->normal[k];
        row->point[k] = w->position[c->b][k] - w->position[c->b][3] * c->normal[k];
        row->impulse_tangent[k] = p->t[k];
        row->impulse_moment[k] = p->m[k];
        row->velocity[k] = (y[0] - block->bias[slot % PLU_LANES]) * c->normal[k] + y[1 + k];
        row->spin[k] = y[4 + k];
    }
    row->law = plu_law_of(w, c)->index;
    row->mode =
        (unsigned char)mode_of(block->mu[slot % PLU_LANES], block->mu_r[slot % PLU_LANES], row);
}

void plu_stepper_forces(const plu_stepper *s, double (*force)[3])
{
    memset(force, 0, (size_t)s->world->count * sizeof *force);
    const double per_step = 1.0 / s->scene->step;
    for (int i = 0; i < plu_stepper_contacts(s); i++) {
        const plu_contact *c = &s->contacts->contact[i];
        const plu_impulse *p = &s->contacts->impulse[i];
        for (int k = 0; k < 3; k++) {
            const double f = per_step * (p->n * c->normal[k] + p->t[k]);
            force[c->b][k] += f;
            if (c->a >= 0)
                force[c->a][k] -= f;
        }
    }
}
