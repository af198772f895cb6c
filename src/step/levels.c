/* By how much a share of all bodies is hit in a step (levels.h): bodies are counted by level,
 *
 *     way_l = limit 2^((l - 4)/2) ,   hit_l = bodies with a way above way_l
 *
 * and the number is the largest way_l with hit_l above the share, in the middle of its level. */
#include "step/levels.h"
#include <math.h>

enum { LIMIT = 4 };

static double way_of(const plu_levels *l, int level)
{
    return l->limit * exp2(0.5 * (level - LIMIT));
}

double plu_levels_least(const plu_levels *l)
{
    return way_of(l, 1);
}

/* The levels that a way exceeds. */
static int level_of(const plu_levels *l, double way)
{
    int level = 0;
    while (level < PLU_LEVELS && way > way_of(l, level + 1))
        level++;
    return level;
}

void plu_levels_mark(plu_levels *l, const plu_world *w, int body, double way)
{
    const int level = level_of(l, way);
    if (plu_is_fixed(w, body) || l->reached[body] >= level)
        return;
    for (int k = l->reached[body] + 1; k <= level; k++)
        l->hit[k]++;
    l->reached[body] = (unsigned char)level;
}

static int spheres_of(const plu_world *w)
{
    int count = 0;
    for (int i = 0; i < w->bodies.count; i++)
        count += w->bodies.state[i] == PLU_ACTIVE && !plu_is_fixed(w, i);
    return count;
}

double plu_levels_of_share(const plu_levels *l, const plu_world *w, double share)
{
    int level = PLU_LEVELS;
    if (l->hit[1] == 0)
        return 0.0;
    const double many = share * spheres_of(w);
    while (level > 0 && !(l->hit[level] > many))
        level--;
    return level > 0 ? way_of(l, level) * exp2(0.25) : 0.0; /* the middle of the level */
}
