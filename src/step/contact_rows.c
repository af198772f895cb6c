/* The contacts of the last step, as others want to see them: impulses without what attracts,
 * velocities after the step, and the mode, open, sliding, rolling or sticking, by the limits that
 * are reached,
 *
 *     |p_T| >= mu p_N and |u_T| > 0 ,   |m_R| >= mu_r p_N and |w_R| > 0 ,   to 1e-9 of p_N .
 *
 * p_N is the load on the cone, with what attracts. Contacts that sleep have no block; their
 * velocity is 0. */
#include "assemble/cohesion.h"
#include "base/exact.h"
#include "base/vec3.h"
#include "pluvia/scene.h"
#include "step/stepper.h"
#include <stdlib.h>
#include <string.h>

int plu_stepper_contacts(const plu_stepper *s)
{
    return s->contacts ? s->contacts->count : 0;
}

bool plu_stepper_touches(const plu_stepper *s, int i)
{
    return s->scene->forecast != PLU_TOUCH || s->contacts->impulse[i].n > 0.0 ||
           s->contacts->contact[i].gap <= 0.0 || plu_attraction(s->world, s->contacts, i) > 0.0;
}

double plu_stepper_boundary_load(const plu_stepper *s)
{
    const plu_world *w = s->world;
    plu_exact masses = {0};
    for (int i = 0; i < w->bodies.count; i++)
        if (w->bodies.state[i] == PLU_ACTIVE && !plu_is_fixed(w, i))
            plu_exact_add(&masses, 1.0 / w->bodies.row[i][6]);
    const double weight = plu_exact_value(&masses) * plu_norm(s->world->gravity) * s->world->step;
    return weight > 0.0 ? s->bearing.load / weight : 0.0;
}

/* `normal`: with what attracts. A limit counts as reached only when there is motion that it
 * resists. Without rolling friction there is no limit that rolling could reach; that of pivoting is
 * not reported. */
static plu_contact_mode mode_of(double mu, double mu_r, double normal, const plu_contact_row *row)
{
    const double n = normal * (1.0 - 1e-9);
    if (normal <= 0.0)
        return PLU_MODE_OPEN;
    double slip[3];
    memcpy(slip, row->velocity, sizeof slip);
    plu_add_scaled(slip, -plu_dot(slip, row->normal), row->normal);
    const bool slides = plu_norm(row->impulse_tangent) >= mu * n && plu_norm(slip) > 0.0;
    double moment[3], spin[3];
    plu_tangential(row->impulse_moment, row->normal, moment);
    plu_tangential(row->spin, row->normal, spin);
    const bool rolls = mu_r > 0.0 && plu_norm(moment) >= mu_r * n && plu_norm(spin) > 0.0;
    return slides ? (rolls ? PLU_MODE_SLIDE_ROLL : PLU_MODE_SLIDE)
                  : (rolls ? PLU_MODE_ROLL : PLU_MODE_STICK);
}

static int compare(const void *x, const void *y)
{
    const int *a = x, *b = y;
    return (*a > *b) - (*a < *b);
}

/* The block and place in it of a contact; NULL for one that sleeps. */
static const plu_block *block_of(const plu_stepper *s, int contact, int *k)
{
    const plu_contacts *list = s->contacts;
    const int *live = list->live_count > 0 ? bsearch(&contact, list->live, (size_t)list->live_count,
                                                     sizeof contact, compare)
                                           : NULL; /* then there is no array either */
    if (!live)
        return NULL;
    const int slot = s->problem.slot_of_contact[live - list->live];
    *k = slot % PLU_LANES;
    return plu_block_of(&s->problem, slot);
}

void plu_stepper_contact(const plu_stepper *s, int i, plu_contact_row *row)
{
    const plu_world *w = s->world;
    const plu_contact *c = &s->contacts->contact[i];
    const plu_impulse *p = &s->contacts->impulse[i];
    const plu_pair_law *law = plu_law_of(w, c);
    double y[7] = {0.0}, mu = law->friction, mu_r = law->rolling_friction;
    int k = 0;
    const plu_block *block = block_of(s, i, &k);
    if (block) {
        plu_slot_velocity(block, k, s->problem.v[block->a[k]], s->problem.v[block->b[k]], y);
        y[0] -= block->bias[k];
        mu = plu_slot_slope(block, k);
        mu_r = plu_slot_slope_r(block, k);
    }
    memset(row, 0, sizeof *row);
    row->a = c->a;
    row->b = c->b;
    row->gap = c->gap;
    row->impulse_normal = p->n - plu_attraction(w, s->contacts, i);
    for (int j = 0; j < 3; j++) {
        row->normal[j] = c->normal[j];
        row->point[j] = w->spheres.at[c->b][j] - w->spheres.at[c->b][3] * c->normal[j];
        row->impulse_tangent[j] = p->t[j];
        row->impulse_moment[j] = p->m[j];
        row->velocity[j] = y[0] * c->normal[j] + y[1 + j];
        row->spin[j] = y[4 + j];
    }
    row->law = law->index;
    row->mode = (unsigned char)mode_of(mu, mu_r, p->n, row);
}

void plu_stepper_forces(const plu_stepper *s, double (*force)[3])
{
    memset(force, 0, (size_t)s->world->bodies.count * sizeof *force);
    const double per_step = 1.0 / s->world->step;
    for (int i = 0; i < plu_stepper_contacts(s); i++) {
        const plu_contact *c = &s->contacts->contact[i];
        const plu_impulse *p = &s->contacts->impulse[i];
        const double n = p->n - plu_attraction(s->world, s->contacts, i);
        for (int k = 0; k < 3; k++) {
            const double f = per_step * (n * c->normal[k] + p->t[k]);
            force[plu_owner(&s->world->spheres, c->b)][k] += f;
            if (plu_side_is_sphere(c->a))
                force[plu_side_owner(s->world, c->a)][k] -= f;
        }
    }
}
