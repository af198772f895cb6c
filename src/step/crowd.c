/* Impacts that follow each other faster than steps, the rule "crowd". Of a cluster that is hit the
 * impacts within go from sphere to sphere over gaps that are far below the way of a step: a step
 * takes them at once, or one for each pair, where there are many. Without restitution they then
 * take too much energy, with it too little. Single pairs do not matter; where a fifth of all
 * spheres are hit in one step by some way, most of them are hit again.
 *
 *     way of an impact   |u_N| h / d
 *     levels             way_l = limit 2^((l - 4)/2) ; a sphere has the level of its largest impact
 *     number             the largest way_l that more than a fifth of the spheres reach
 *
 * so that one count for each level is enough to find the quantile, in any order of the contacts. */
#include "base/vec3.h"
#include "step/rules.h"
#include "step/stepper.h"
#include <math.h>
#include <string.h>

enum { LEVELS = 14, LIMIT = 4 }; /* a level is a factor of sqrt(2), LIMIT the limit */

static const double crowd = 0.2; /* of the spheres */

static double way_of(int level)
{
    return plu_rule_limit(PLU_RULE_CROWD) * exp2(0.5 * (level - LIMIT));
}

/* How many levels the way |u_N| h / d of an impact exceeds. */
static int level_of(double way)
{
    int level = 0;
    while (level < LEVELS && way > way_of(level + 1))
        level++;
    return level;
}

/* Heaps without restitution are right anyhow: what falls loses all it has. */
static bool counts(const plu_world *w, const plu_contact *c)
{
    return c->approach < 0.0 &&
           (plu_law_of(w, c)->restitution > 0.0 || !(plu_norm(w->gravity) > 0.0));
}

static void mark(const plu_stepper *s, int body, int level, int hit[LEVELS + 1])
{
    if (plu_is_fixed(s->world, body) || s->bears[body] >= level)
        return;
    for (int k = s->bears[body] + 1; k <= level; k++)
        hit[k]++;
    s->bears[body] = (unsigned char)level;
}

static int spheres_of(const plu_world *w)
{
    int count = 0;
    for (int i = 0; i < w->bodies.count; i++)
        count += w->bodies.state[i] == PLU_ACTIVE && !plu_is_fixed(w, i);
    return count;
}

double plu_rules_crowd(const plu_stepper *s)
{
    const plu_world *w = s->world;
    const plu_contacts *list = s->contacts;
    const double least = way_of(1);
    int hit[LEVELS + 1] = {0}, level = LEVELS;
    if (w->bodies.count < PLU_FEW || (!w->bounces && plu_norm(w->gravity) > 0.0))
        return 0.0; /* none counts */
    memset(s->bears, 0, (size_t)w->bodies.count);
    for (int k = 0; k < list->live_count; k++) {
        const plu_contact *c = &list->contact[list->live[k]];
        const double way = -w->step * c->approach / (2.0 * plu_smaller_radius(w, c));
        if (!(way > least) || !(list->impulse[list->live[k]].n > 0.0) || !counts(w, c))
            continue;
        mark(s, plu_owner(&w->spheres, c->b), level_of(way), hit);
        if (plu_side_is_sphere(c->a))
            mark(s, plu_side_owner(w, c->a), level_of(way), hit);
    }
    if (hit[1] * 5 < PLU_FEW)
        return 0.0;
    const double many = crowd * spheres_of(w);
    while (level > 0 && !(hit[level] > many))
        level--;
    return level > 0 ? way_of(level) * exp2(0.25) : 0.0; /* the middle of the level */
}
