/* Bonds that turn as they are hit.
 *
 * A contact lasts on a curved way by the velocities of the start of the step (detect/curve.h). A
 * bond of which one sphere is hit turns by those of its end, which nobody knew: its spheres go on
 * along the tangent and part by L a^2 / 2, with a the angle, though no force pulls them apart.
 *
 *        b ------> u h                       b
 *        |      /                     _ -
 *      L |    /  L + gap      ->   _-      L      moved together along the line that they end on
 *        |  /                    -
 *        a                     a
 */
#include "step/bonds.h"
#include "base/team.h"
#include "base/vec3.h"
#include "step/stepper.h"
#include <math.h>

/* Over the smaller diameter: what opens by less stays within the least range of attraction
 * (world/reach.c) and is closed by the next step. */
static const double slight = 5e-4;

/* Over the distance of the centers: what opens by more has turned by more than 0.3 rad, which is a
 * rule of the step (rule_contacts.c). */
static const double most = 0.05;

static double gap_of(const plu_world *w, const plu_contact *c, const double apart[3])
{
    return plu_norm(apart) - w->spheres.at[plu_side_sphere(c->a)][3] - w->spheres.at[c->b][3];
}

/* What does not move by the solve keeps its velocity. */
static const double *fresh_of(const plu_stepper *s, int body)
{
    return plu_awake(s->world, body) ? s->problem.v[body] : s->world->bodies.row[body];
}

/* The velocity at the end of the step of b relative to a. */
static void new_rate(const plu_stepper *s, const plu_contact *c, double rate[3])
{
    const plu_spheres *spheres = &s->world->spheres;
    plu_rate_from(&s->world->space, plu_side_image(c->a),
                  fresh_of(s, plu_owner(spheres, plu_side_sphere(c->a))),
                  fresh_of(s, plu_owner(spheres, c->b)), rate);
}

/* That at its start. */
static void old_rate(const plu_world *w, const plu_contact *c, double rate[3])
{
    plu_rate_from(&w->space, plu_side_image(c->a), plu_sphere_velocity(w, plu_side_sphere(c->a)),
                  plu_sphere_velocity(w, c->b), rate);
}

static void apart_of(const plu_world *w, const plu_contact *c, double apart[3])
{
    plu_apart_from(&w->space, plu_side_image(c->a), w->spheres.at[plu_side_sphere(c->a)],
                   w->spheres.at[c->b], apart);
}

/* Whether two spheres press each other that attract each other. */
static bool may_hold(const plu_stepper *s, int at)
{
    const plu_contact *c = &s->contacts->contact[at];
    return plu_side_is_sphere(c->a) && s->contacts->impulse[at].n > 0.0 &&
           plu_law_of(s->world, c)->cohesion > 0.0;
}

/* Whether the attraction holds one at the other, as far as velocities tell. `rate`: the velocity at
 * the end of the step of b relative to a, if it may. */
static bool is_bond(const plu_stepper *s, int at, double rate[3])
{
    const plu_contact *c = &s->contacts->contact[at];
    if (!may_hold(s, at))
        return false;
    new_rate(s, c, rate);
    return s->world->step * plu_dot(rate, c->normal) <=
           0.1 * slight * 2.0 * plu_smaller_radius(s->world, c);
}

double plu_bond_turn(const plu_stepper *s, int at)
{
    const plu_world *w = s->world;
    const plu_contact *c = &s->contacts->contact[at];
    double before[3], after[3], apart[3];
    if (!may_hold(s, at))
        return 0.0;
    old_rate(w, c, before);
    new_rate(s, c, after);
    apart_of(w, c, apart);
    plu_sub(after, before, after);
    plu_add_scaled(after, -plu_dot(after, c->normal), c->normal);
    return w->step * plu_norm(after) / plu_norm(apart);
}

static bool opens(const plu_world *w, const plu_contact *c, double gap)
{
    return gap > slight * 2.0 * plu_smaller_radius(w, c);
}

/* Whether the pair may be open after it has moved by its velocity at the end of the step, or by the
 * mean of that and the one at its start. */
static bool will_open(const plu_stepper *s, const plu_contact *c, const double rate[3])
{
    const plu_world *w = s->world;
    double before[3], apart[3];
    apart_of(w, c, apart);
    old_rate(w, c, before);
    plu_add_scaled(apart, w->step, rate);
    if (opens(w, c, gap_of(w, c, apart)))
        return true;
    plu_sub(before, rate, before);
    plu_add_scaled(apart, 0.5 * w->step, before);
    return opens(w, c, gap_of(w, c, apart));
}

static void look(const plu_stepper *s, bool *any)
{
    const plu_contacts *list = s->contacts;
    bool some = false;
#pragma omp for schedule(static) nowait
    for (int k = 0; k < list->live_count; k++) {
        double rate[3];
        some |=
            is_bond(s, list->live[k], rate) && will_open(s, &list->contact[list->live[k]], rate);
    }
    if (some) {
#pragma omp atomic write
        *any = true;
    }
}

bool plu_bonds_open(const plu_stepper *s)
{
    bool any = false;
    if (s->world->coheres)
        PLU_TEAM(plu_many(s->contacts->live_count, 4000), look(s, &any));
    return any;
}

/* 1/kg; 0: it stays. */
static double weight(const plu_world *w, int body)
{
    return plu_awake(w, body) ? w->bodies.row[body][6] : 0.0;
}

static bool close_one(plu_stepper *s, const plu_contact *c)
{
    PLU_SPHERES_ARE_BODIES; /* to move the sphere is to move its body, without a turn */
    plu_world *w = s->world;
    double apart[3];
    apart_of(w, c, apart);
    const double length = plu_norm(apart), gap = gap_of(w, c, apart);
    const int a = plu_side_sphere(c->a),
              body[2] = {plu_owner(&w->spheres, a), plu_owner(&w->spheres, c->b)};
    const double of_a = weight(w, body[0]), of_b = weight(w, body[1]);
    if (!opens(w, c, gap) || gap > most * length || !(of_a + of_b > 0.0))
        return false;
    const double way = gap / (of_a + of_b) / length;
    plu_add_scaled(w->spheres.at[a], way * of_a, apart);
    plu_add_scaled(w->spheres.at[c->b], -way * of_b, apart);
    s->moved[body[0]] |= of_a > 0.0;
    s->moved[body[1]] |= of_b > 0.0;
    return true;
}

bool plu_bonds_close(plu_stepper *s)
{
    enum { PASSES = 5 };
    const plu_contacts *list = s->contacts;
    bool any = false, now = s->world->coheres;
    for (int pass = 0; pass < PASSES && now; pass++) {
        now = false;
        for (int k = 0; k < list->live_count; k++) {
            double rate[3];
            if (is_bond(s, list->live[k], rate))
                now |= close_one(s, &list->contact[list->live[k]]);
        }
        any |= now;
    }
    return any;
}
