/* levels.h: by how much a share of all bodies is hit in a step, without sorting them: levels of a
 * factor of sqrt(2), of which LIMIT is the limit of a rule. */
#ifndef STEP_LEVELS_H
#define STEP_LEVELS_H

#include "world/world.h"

enum { PLU_LEVELS = 14 };

typedef struct plu_levels {
    double limit;            /* |u_N| h / d */
    int hit[PLU_LEVELS + 1]; /* bodies that reach each level */
    unsigned char *reached;  /* by body */
} plu_levels;

/* The first level begins here. */
double plu_levels_least(const plu_levels *levels);

/* `body` is hit by that way over its diameter; what is fixed does not count. */
void plu_levels_mark(plu_levels *levels, const plu_world *world, int body, double way);

/* The way that more than this share of the bodies exceed, to a level; 0: the first one is not
 * reached by as many. */
double plu_levels_of_share(const plu_levels *levels, const plu_world *world, double share);

#endif
