/* Impacts that a body bears at once because they follow each other faster than steps. What is hit
 * hits what is beside it, over a gap that may be far below the way of a step; where both impacts
 * fall into one step, they take what one of them would have taken:
 *
 *     o  o  o ->| wall     one after the other, many times: most of the energy is lost
 *     o  o  o ->| in one step: e^2 of it is left, or more
 *
 * Unlike those of a crowd (crowd.c), which may be of bodies that bear one each, a few are enough.
 */
#include "base/vec3.h"
#include "pluvia/scene.h"
#include "step/levels.h"
#include "step/rules.h"
#include "step/stepper.h"
#include <math.h>
#include <string.h>

/* Of all spheres: as many may bear impacts at once. */
static const double share = 0.05;

/* Cosine: impacts that are more across each other do not change each other much. */
static const double along = 0.3;

/* What counts as an impulse: of so many weights of the body in the step. */
static const double weights = 10.0;

/* Touching bodies bear what they bear in one step at any step; what meets within a long stride has
 * the gap of that moment. */
static bool touches(const plu_stepper *s, int at)
{
    const plu_contact *c = &s->contacts->contact[at];
    const plu_swift *swift = s->contacts->swift_count > 0 ? plu_swift_of(s->contacts, at) : NULL;
    if (swift && !swift->fold)
        return false;
    const double d = 2.0 * plu_smaller_radius(s->world, c);
    return fabs(c->gap) <= PLU_CHAIN_RESTS * s->world->scene->slop * d &&
           fabs(c->approach) <= 2.0 * s->hit;
}

/* The bodies of a contact that may be hit; -1: it is a wall or fixed. */
static void bodies_of(const plu_world *w, const plu_contact *c, int body[2])
{
    body[0] = plu_owner(&w->spheres, c->b);
    body[1] = plu_side_is_sphere(c->a) ? plu_side_owner(w, c->a) : -1;
    for (int i = 0; i < 2; i++)
        if (body[i] >= 0 && plu_is_fixed(w, body[i]))
            body[i] = -1;
}

/* Whether contact `at` bears an impulse that counts for `body`, one that it would not have borne
 * yet, or no more, in a shorter step. */
static bool bears(const plu_stepper *s, int at, int body)
{
    const plu_world *w = s->world;
    return s->contacts->impulse[at].n * w->bodies.row[body][6] >
               weights * w->step * plu_norm(w->gravity) &&
           !touches(s, at);
}

static void count_bearing(const plu_stepper *s)
{
    const plu_world *w = s->world;
    memset(s->bears, 0, (size_t)w->bodies.count);
    for (int k = 0; k < s->contacts->live_count; k++) {
        const int at = s->contacts->live[k];
        int body[2];
        bodies_of(w, &s->contacts->contact[at], body);
        for (int i = 0; i < 2; i++)
            if (body[i] >= 0 && bears(s, at, body[i]))
                s->bears[body[i]] += s->bears[body[i]] < 2;
    }
}

/* Whether a body of impact `at` bears another contact along it, too. */
static bool is_shared(const plu_stepper *s, int at, int body)
{
    const plu_contacts *list = s->contacts;
    if (s->world->bodies.count >= PLU_FEW)
        return true; /* most of them do */
    for (int k = 0; k < list->live_count; k++) {
        const int also = list->live[k];
        const plu_contact *other = &list->contact[also];
        int of[2];
        bodies_of(s->world, other, of);
        if (also != at && (of[0] == body || of[1] == body) && bears(s, also, body) &&
            fabs(plu_dot(list->contact[at].normal, other->normal)) > along)
            return true;
    }
    return false;
}

double plu_rules_chain(const plu_stepper *s)
{
    const plu_world *w = s->world;
    const plu_contacts *list = s->contacts;
    plu_levels levels = {.limit = plu_rule_limit(PLU_RULE_CHAIN), .reached = s->reached};
    const bool few = w->bodies.count < PLU_FEW;
    const double least = few ? 0.0 : plu_levels_least(&levels);
    double most = 0.0;
    bool counted = false;
    if (!w->bounces)
        return 0.0;
    for (int k = 0; k < list->live_count; k++) {
        const int at = list->live[k];
        const plu_contact *c = &list->contact[at];
        const double way = -w->step * c->approach / (2.0 * plu_smaller_radius(w, c));
        int body[2];
        if (!(way > least) || !(list->impulse[at].n > 0.0) ||
            !(plu_law_of(w, c)->restitution > PLU_CHAIN_ELASTIC))
            continue;
        if (!counted) { /* the first impact: beds at rest have none */
            count_bearing(s);
            memset(s->reached, 0, (size_t)w->bodies.count);
            counted = true;
        }
        bodies_of(w, c, body);
        for (int i = 0; i < 2; i++) {
            if (body[i] < 0 || s->bears[body[i]] < 2 || !is_shared(s, at, body[i]))
                continue;
            plu_levels_mark(&levels, w, body[i], way);
            most = plu_max(most, way);
        }
    }
    return few ? most : plu_levels_of_share(&levels, w, share);
}
