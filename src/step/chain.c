/* Impacts of few spheres that follow each other faster than steps. A body that is hit hits what is
 * beside it, over a gap that may be far below the way of a step; where both impacts fall into one
 * step it bears them at once, and what should have lost energy in many impacts loses it in one:
 *
 *     o  o  o ->| floor     one after the other: most of the energy is lost
 *     o  o  o ->| in a step: e^2 of it is left, or more
 *
 * Among many spheres single ones do not matter (crowd.c). */
#include "base/vec3.h"
#include "pluvia/scene.h"
#include "step/rules.h"
#include "step/stepper.h"
#include <math.h>

/* Cosine: impacts that are more across each other do not change each other much. */
static const double along = 0.3;

/* What counts as an impulse: of so many weights of the body in the step. */
static const double weights = 10.0;

/* Restitution: below, all that an impact may leave is less than 4 % of its energy. */
static const double elastic = 0.2;

/* Of what rests: overlaps, over those that the projection leaves. */
static const double rests = 2.0;

/* Touching bodies bear what they bear in one step at any step. */
static bool touches(const plu_stepper *s, const plu_contact *c)
{
    const double d = 2.0 * plu_smaller_radius(s->world, c);
    return fabs(c->gap) <= rests * s->world->scene->slop * d && fabs(c->approach) <= 2.0 * s->hit;
}

/* A body that moves and that two contacts have in common; -1: there is none. */
static int common(const plu_world *w, const plu_contact *c, const plu_contact *other)
{
    const plu_contact *of[2] = {c, other};
    int body[2][2];
    for (int k = 0; k < 2; k++) {
        body[k][0] = plu_owner(&w->spheres, of[k]->b);
        body[k][1] = plu_side_is_sphere(of[k]->a) ? plu_side_owner(w, of[k]->a) : -1;
    }
    for (int i = 0; i < 4; i++)
        if (body[0][i / 2] == body[1][i % 2] && body[0][i / 2] >= 0 &&
            !plu_is_fixed(w, body[0][i / 2]))
            return body[0][i / 2];
    return -1;
}

/* Whether a body of impact `at` bears another contact as well that it would not have borne yet, or
 * no more, in a shorter step. */
static bool is_shared(const plu_stepper *s, int at)
{
    const plu_world *w = s->world;
    const plu_contacts *list = s->contacts;
    const plu_contact *c = &list->contact[at];
    for (int k = 0; k < list->live_count; k++) {
        const int also = list->live[k];
        const plu_contact *other = &list->contact[also];
        const int body = also != at && list->impulse[also].n > 0.0 ? common(w, c, other) : -1;
        if (body >= 0 && !touches(s, other) && fabs(plu_dot(c->normal, other->normal)) > along &&
            list->impulse[also].n * w->bodies.row[body][6] >
                weights * w->step * plu_norm(w->gravity))
            return true;
    }
    return false;
}

double plu_rules_chain(const plu_stepper *s)
{
    const plu_world *w = s->world;
    const plu_contacts *list = s->contacts;
    double most = 0.0;
    if (!w->bounces || w->bodies.count >= PLU_FEW)
        return 0.0;
    for (int k = 0; k < list->live_count; k++) {
        const int at = list->live[k];
        const plu_contact *c = &list->contact[at];
        const double way = -w->step * c->approach / (2.0 * plu_smaller_radius(w, c));
        if (way > most && list->impulse[at].n > 0.0 && plu_law_of(w, c)->restitution > elastic &&
            is_shared(s, at))
            most = way;
    }
    return most;
}
