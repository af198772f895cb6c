/* Impacts that follow each other faster than steps, the rule "crowd". Of a cluster that is hit the
 * impacts within go from sphere to sphere over gaps that are far below the way of a step: a step
 * takes them at once, or one for each pair, where there are many. Without restitution they then
 * take too much energy, with it too little. Single pairs do not matter; where a fifth of all
 * spheres are hit in one step by some way, most of them are hit again. The number is the |u_N| h /
 * d that more than a fifth are hit by, to a level (levels.h). */
#include "base/vec3.h"
#include "step/levels.h"
#include "step/rules.h"
#include "step/stepper.h"
#include <string.h>

static const double crowd = 0.2; /* of the spheres */

/* Heaps without restitution are right anyhow: what falls loses all it has. */
static bool counts(const plu_world *w, const plu_contact *c)
{
    return c->approach < 0.0 &&
           (plu_law_of(w, c)->restitution > 0.0 || !(plu_norm(w->gravity) > 0.0));
}

double plu_rules_crowd(const plu_stepper *s)
{
    const plu_world *w = s->world;
    const plu_contacts *list = s->contacts;
    plu_levels levels = {.limit = plu_rule_limit(PLU_RULE_CROWD), .reached = s->reached};
    const double least = plu_levels_least(&levels);
    if (w->bodies.count < PLU_FEW || (!w->bounces && plu_norm(w->gravity) > 0.0))
        return 0.0; /* none counts */
    memset(s->reached, 0, (size_t)w->bodies.count);
    for (int k = 0; k < list->live_count; k++) {
        const plu_contact *c = &list->contact[list->live[k]];
        const double way = -w->step * c->approach / (2.0 * plu_smaller_radius(w, c));
        if (!(way > least) || !(list->impulse[list->live[k]].n > 0.0) || !counts(w, c))
            continue;
        plu_levels_mark(&levels, w, plu_owner(&w->spheres, c->b), way);
        if (plu_side_is_sphere(c->a))
            plu_levels_mark(&levels, w, plu_side_owner(w, c->a), way);
    }
    return levels.hit[1] * 5 < PLU_FEW ? 0.0 : plu_levels_of_share(&levels, w, crowd);
}
