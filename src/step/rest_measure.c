#include "base/vec3.h"
#include "fill/build.h"
#include "step/stepper.h"
#include "world/motion.h"

static double of_bodies(const plu_world *w, double g)
{
    double worst = 0.0;
    for (int i = 0; i < w->bodies.count; i++)
        if (w->bodies.state[i] == PLU_ACTIVE)
            worst = plu_max(worst,
                            plu_dot(w->bodies.row[i], w->bodies.row[i]) / w->bodies.position[i][3]);
    return worst * 0.25 / g; /* 1/2 v^2 / (g 2 r) */
}

/* Whether the contact can oppose turns at all: without friction it bears no moment, and what spins
 * beside it does so for ever. */
static bool can_brake(const plu_block *block, int k)
{
    const plu_pair_constants *pair = block->pair;
    return pair->mu[k] > 0.0 || pair->mu_r[k] > 0.0 || pair->mu_p[k] > 0.0;
}

/* Rolling energy over m g d of the reduced mass, weighted by the load up to the weight of that
 * mass: neighbors that hardly touch may turn against each other for long, and nothing comes of it.
 */
static double of_contacts(const plu_stepper *s, double g)
{
    double worst = 0.0;
    for (int i = 0; i < s->contacts->live_count; i++) {
        const plu_contact *c = &s->contacts->contact[s->contacts->live[i]];
        const int slot = s->problem.slot_of_contact[i], k = slot % PLU_LANES;
        const plu_block *block = plu_block_of(&s->problem, slot);
        double y[7];
        if (!can_brake(block, k))
            continue;
        plu_slot_velocity(block, k, s->problem.v[block->a[k]], s->problem.v[block->b[k]], y);
        const double energy = 0.5 * plu_dot(y + 4, y + 4) / block->pair->wr[k];
        const double weight = g / block->pair->wn[k];
        const double load = plu_min(1.0, block->p[0][k] / (weight * s->world->step));
        worst = plu_max(worst, load * energy / (weight * 2.0 * plu_smaller_radius(s->world, c)));
    }
    return worst;
}

double plu_stepper_rest_measure(const plu_stepper *s)
{
    const double g = plu_norm(s->world->gravity);
    if (!s->contacts || s->world->waiting > s->world->reserved + plu_wait_for_stage(s->world) ||
        plu_motions_pending(s->world) || !(g > 0.0))
        return INFINITY;
    return plu_max(of_bodies(s->world, g), of_contacts(s, g));
}
