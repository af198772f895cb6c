/* What contacts bear at most in the coming step (blocks/yield.h), where the scene does not say. */
#include "base/vec3.h"
#include "pluvia/material.h"
#include "pluvia/scene.h"
#include "step/jams.h"
#include "step/stepper.h"
#include "world/cell.h"
#include "world/loads.h"
#include "world/motion.h"
#include "world/servo.h"

/* Of the heaviest body: times its weight, and times what gives it the speed of the fastest
 * boundary, or that of a cell, in a step: forces of a cell are stresses, which are looked for. */
static const double weights = 1e4, pushes = 1e2, strains = 1e4;

/* Times all that presses on the bodies together, whose forces may meet at one contact; times an
 * attraction; times the momentum of what an impact stops (plu_yield.impact). */
static const double presses = 10.0, attractions = 100.0, impacts = 2.0;

void plu_strength_weigh(plu_stepper *s)
{
    const plu_world *w = s->world;
    plu_strength *t = &s->strength;
    t->heaviest = t->mass = t->attraction = 0.0;
    for (int i = 0; i < w->bodies.count; i++) { /* also those that wait */
        const double inverse = plu_lightness(w, i), mass = inverse > 0.0 ? 1.0 / inverse : 0.0;
        t->heaviest = plu_max(t->heaviest, mass);
        t->mass += mass;
    }
    for (int l = 0; l < s->scene->laws_count; l++)
        t->attraction = plu_max(t->attraction, s->scene->laws[l].cohesion);
}

void plu_strength_begin(plu_stepper *s)
{
    plu_strength_weigh(s);
    plu_strength_drive(s);
}

void plu_strength_drive(plu_stepper *s)
{
    s->strength.speed = plu_max(s->strength.speed, plu_motions_fastest(s->world));
}

/* What presses on the bodies in the coming step (N). */
static double pressing(const plu_stepper *s)
{
    const plu_world *w = s->world;
    double sum = s->strength.mass * plu_norm(w->gravity);
    for (int k = 0; k < w->servos_count; k++)
        sum += w->servos[k].active ? fabs(w->servos[k].load) : 0.0;
    for (int k = 0; k < 3; k++)
        sum += fabs(w->stress_control.load[k]);
    for (int k = 0; k < w->loads_count; k++)
        sum += plu_load_size(w, &w->loads[k]);
    return sum;
}

double plu_stepper_strength(const plu_stepper *s)
{
    const plu_strength *t = &s->strength;
    const double weight = weights * t->heaviest * plu_norm(s->world->gravity);
    const double speed = pushes * t->speed + strains * plu_cell_speed(s->world);
    const double pushed = speed * t->heaviest / s->world->step;
    return plu_max(plu_max(weight, pushed),
                   plu_max(presses * pressing(s), attractions * t->attraction));
}

plu_yield plu_strength_now(const plu_stepper *s)
{
    const double h = s->world->step;
    plu_yield yield = {.step = h, .most = h * plu_stepper_strength(s), .impact = impacts};
    bool all = s->scene->laws_count > 0;
    double least = HUGE_VAL;
    for (int l = 0; l < s->scene->laws_count; l++) {
        const double own = s->scene->laws[l].strength;
        all = all && own > 0.0;
        least = own > 0.0 ? plu_min(least, own * h) : least;
    }
    if (yield.most == 0.0) /* nothing drives the bodies */
        yield.most = HUGE_VAL;
    if (!all)
        least = plu_min(least, yield.most);
    yield.least = least < HUGE_VAL ? least : 0.0;
    return yield;
}
