/* Rule of turns where attraction bends the way of what passes by:
 *
 *          . - o          held: o goes around while F_c bears m u^2 / L, and flies off beyond
 *        o-->   \ F_c
 *          ( )           open: F_c pulls along the line at the start of the step, all of it
 *
 * A step that turns the line between the two by too much lets a held sphere go, or makes one turn
 * that would fly on: the rule gives the angle of the turn, over what is right (pluvia/rules.h).
 * Where F_c is near to m u^2 / L, or several bonds hold a sphere, smaller angles decide, and count
 * as larger ones. */
#include "assemble/cohesion.h"
#include "base/vec3.h"
#include "step/passes.h"
#include "step/rules.h"
#include "step/stepper.h"
#include <math.h>

/* A passage changes the way of a pair by this share at least. */
static const double bends = 0.1;

/* Over m u^2 / L: between these F_c hardly holds, or hardly does not, and whether the angle at
 * which the pair parts is right to 0.2 rad takes turns that are so many times shorter. */
static const double weak = 0.5, holds = 1.1, finer = 5.0;

/* Bonds of a sphere that is held from several sides: what hits it goes on through all of them, and
 * where it goes to is right for turns that are so many times shorter. */
enum { SIDES = 3 };
static const double in_clump = 10.0;

/* Whether b gets within the range of its attraction to a sphere on its way. */
static bool meets_sphere(const plu_world *w, const plu_contact *c, double range, const double u[3])
{
    const double apart = w->spheres.at[plu_side_sphere(c->a)][3] + w->spheres.at[c->b][3];
    double nearest[3] = {0.0, 0.0, 0.0};
    plu_add_scaled(nearest, apart + c->gap, c->normal);
    const double when = -plu_dot(nearest, u) / plu_dot(u, u);
    plu_add_scaled(nearest, plu_max(0.0, plu_min(when, w->step)), u);
    return plu_norm(nearest) <= apart + range;
}

/* ... to a wall, at the start or at the end of it. */
static bool meets_wall(const plu_world *w, const plu_contact *c, double range, const double u[3])
{
    const double *x = w->spheres.at[c->b];
    double there[4] = {x[0], x[1], x[2], x[3]}, normal[3];
    plu_add_scaled(there, w->step, u);
    return c->gap <= range || plu_part_gap(plu_side_surface(w, c->a), there, normal) <= range;
}

/* 0 where the attraction hardly bends the way: the speed that it gives in a passage, along the
 * chord of its range, is far below u. */
static double past_of(const plu_world *w, const plu_contact *c, const plu_pair_law *law,
                      const double u[3])
{
    const bool sphere = plu_side_is_sphere(c->a);
    const double range = law->cohesion_range, r = w->spheres.at[c->b][3],
                 apart = sphere ? w->spheres.at[plu_side_sphere(c->a)][3] + r : r;
    const double chord = 2.0 * sqrt(2.0 * apart * range);
    if (!(law->cohesion * plu_pair_lightness(w, c->a, c->b) * chord > bends * plu_dot(u, u)))
        return 0.0;
    return (sphere ? meets_sphere(w, c, range, u) : meets_wall(w, c, range, u))
               ? plu_pass_turn(w, c, false, u)
               : 0.0;
}

/* 0 where what holds the pair is far more, or far less, than it takes to go around. */
static double edge_of(const plu_world *w, const plu_contact *c, const plu_pair_law *law,
                      const double u[3])
{
    const double along = plu_dot(u, c->normal),
                 across = sqrt(plu_max(plu_dot(u, u) - along * along, 0.0));
    if (c->curve < 0.0 || !(across > 0.0)) /* pressed on what is hollow */
        return 0.0;
    const double angle = plu_pass_turn(w, c, false, u);
    const double needs = across * angle,
                 has = w->step * law->cohesion * plu_pair_lightness(w, c->a, c->b);
    return weak * needs < has && has < holds * needs ? finer * angle : 0.0;
}

double plu_rules_attracted(const plu_stepper *s, int at, const double u[3])
{
    const plu_contact *c = &s->contacts->contact[at];
    const plu_pair_law *law = plu_law_of(s->world, c);
    const plu_swift *swift = s->contacts->swift_count > 0 ? plu_swift_of(s->contacts, at) : NULL;
    if (!(law->cohesion > 0.0) || !(plu_dot(u, u) > 0.0) || (swift && swift->fold))
        return 0.0;
    return s->contacts->impulse[at].n > 0.0 ? edge_of(s->world, c, law, u)
                                            : past_of(s->world, c, law, u);
}

static int bonds_of(const plu_stepper *s, int body)
{
    const plu_world *w = s->world;
    const plu_contacts *list = s->contacts;
    int count = 0;
    for (int k = 0; k < list->live_count; k++) {
        const plu_contact *c = &list->contact[list->live[k]];
        count += plu_side_is_sphere(c->a) && list->impulse[list->live[k]].n > 0.0 &&
                 plu_law_of(w, c)->cohesion > 0.0 &&
                 (plu_owner(&w->spheres, c->b) == body || plu_side_owner(w, c->a) == body);
    }
    return count;
}

double plu_rules_clump(const plu_stepper *s, int at)
{
    const plu_world *w = s->world;
    const plu_contact *c = &s->contacts->contact[at];
    if (w->bodies.count >= PLU_FEW)
        return 1.0;
    return bonds_of(s, plu_owner(&w->spheres, c->b)) >= SIDES ||
                   bonds_of(s, plu_side_owner(w, c->a)) >= SIDES
               ? in_clump
               : 1.0;
}
