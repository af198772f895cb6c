/* What the position projection does to energy (src/theory.md, "Position projection").
 *
 * It lifts and lowers bodies, whose velocities stay, by the potential energy m q. Where contacts
 * dissipate, the next impacts take that again. Bounces do not: it would become motion, in each of
 * them. There a body has the velocity along gravity that its parabola has at its new place,
 *
 *     v'^2 = v^2 - 2 q      where v^2 > 4 |q|
 *
 * as if it had moved there by itself. What rests, or is borne while it creeps, is left as it is. */
#include "base/team.h"
#include "base/vec3.h"
#include "pluvia/scene.h"
#include "step/projection.h"
#include "step/stepper.h"
#include <math.h>

static bool pays(const plu_stepper *s)
{
    const double *g = s->world->gravity;
    return s->height && s->scene->forecast == PLU_TOUCH && plu_dot(g, g) > 0.0;
}

/* Potential energy of a body by its mass (m^2/s^2). */
static double height_of(const plu_world *w, int body)
{
    return -plu_dot(w->gravity, w->bodies.position[body]);
}

static void note_heights(plu_stepper *s)
{
#pragma omp for schedule(static) nowait
    for (int i = 0; i < s->world->bodies.count; i++)
        s->height[i] = height_of(s->world, i);
}

void plu_lift_begin(plu_stepper *s)
{
    if (pays(s))
        PLU_TEAM(plu_many(s->world->bodies.count, 4000), note_heights(s));
}

/* What a body that was moved has more of kinetic energy (J): at most what it was lifted by less. */
static double pay(plu_stepper *s, int body)
{
    static const double fast = 4.0;
    plu_world *w = s->world;
    double *v = w->bodies.row[body];
    const double g = plu_norm(w->gravity), fall = plu_dot(v, w->gravity) / g;
    const double lifted = height_of(w, body) - s->height[body];
    if (!(fall * fall > fast * fabs(lifted)))
        return 0.0;
    const double then = copysign(sqrt(fall * fall - 2.0 * lifted), fall);
    plu_add_scaled(v, (then - fall) / g, w->gravity);
    return 0.5 / v[6] * (then * then - fall * fall);
}

/* What the projection did to the energy of a chunk of bodies; those that it moved are not at rest.
 */
static void lift_chunk(plu_stepper *s, int chunk, plu_exact *lifted)
{
    plu_world *w = s->world;
    const int begin = chunk * PLU_BODY_CHUNK, end = plu_chunk_end(w, chunk);
    bool any = false;
    for (int i = begin; i < end; i++) {
        any |= s->moved[i] != 0;
        w->bodies.rest[i] = s->moved[i] && !plu_is_fixed(w, i) ? 0 : w->bodies.rest[i];
    }
    if (!any)
        return;
    const bool some_pay = pays(s);
    plu_exact_join(lifted, &s->potential[chunk]);
    for (int i = begin; i < end; i++)
        if (w->bodies.state[i] == PLU_ACTIVE && plu_awake(w, i)) {
            plu_exact_add(lifted, 1.0 / w->bodies.row[i][6] * height_of(w, i));
            if (some_pay && s->moved[i])
                plu_exact_add(lifted, pay(s, i));
        }
}

static void lift_all(plu_stepper *s, int chunks, plu_exact *lifted)
{
    plu_exact own = {0};
#pragma omp for schedule(static) nowait
    for (int chunk = 0; chunk < chunks; chunk++)
        lift_chunk(s, chunk, &own);
#pragma omp critical
    plu_exact_join(lifted, &own);
}

static double lifted(plu_stepper *s)
{
    const int chunks = plu_body_chunks(s->world);
    plu_exact sum = {0};
    PLU_TEAM(plu_many(chunks, 4), lift_all(s, chunks, &sum));
    return plu_exact_value(&sum);
}

void plu_lift_end(plu_stepper *s)
{
    plu_totals *t = &s->totals;
    const double energy = lifted(s);
    t->projection += energy;
    t->projection_up += plu_max(energy, 0.0);
    if (energy <= t->projection_most)
        return;
    t->projection_most = energy;
    t->projection_time = s->world->time + s->world->step;
}
