/* What is left is estimated from the last tenth of the steps, not from the last seconds: single
 * steps may take a thousand times as long as others, and stages of a run differ. The first steps,
 * which set up their tables, count only while there is nothing else; and where bodies are added,
 * time goes with their number. */
#include "cli/run/eta.h"
#include <math.h>
#include <stdbool.h>

enum { FIRST = 2, ENOUGH = 20 }; /* steps left out, once there are as many as that */

void plu_eta_start(plu_eta *e, long made, long all, double wall)
{
    e->all = all;
    e->now = (plu_eta_mark){.wall = wall, .steps = made};
    e->mark[0] = e->now;
    e->marks = 1;
}

void plu_eta_step(plu_eta *e, double wall, int active)
{
    const long begun = e->mark[0].steps;
    e->now.steps++;
    e->now.wall = wall;
    e->now.bodies += active;
    const double part = (double)e->all / PLU_ETA_MARKS;
    const int room = (int)(sizeof e->mark / sizeof *e->mark);
    const bool first = e->now.steps == begun + FIRST;
    if (e->marks < room &&
        (first || floor((double)e->now.steps / part) > floor((double)(e->now.steps - 1) / part)))
        e->mark[e->marks++] = e->now;
}

/* From where on steps count. */
static const plu_eta_mark *since(const plu_eta *e)
{
    static const double share = 0.1; /* of all steps */
    const long begun = e->mark[0].steps, from = e->now.steps - (long)(share * (double)e->all);
    const plu_eta_mark *best = &e->mark[0];
    if (e->now.steps - begun >= ENOUGH && e->marks > 1)
        best = &e->mark[1];
    for (int k = 1; k < e->marks && e->mark[k].steps <= from; k++)
        best = &e->mark[k];
    return best->steps < e->now.steps ? best : &e->mark[0];
}

double plu_eta_left(const plu_eta *e, int active, int waiting)
{
    const plu_eta_mark *from = since(e);
    const double steps = (double)(e->now.steps - from->steps);
    const double bodies = (e->now.bodies - from->bodies) / steps; /* mean */
    if (!(steps > 0.0))
        return INFINITY;
    const double more = waiting > 0 && bodies > 0.0 ? (active + 0.5 * waiting) / bodies : 1.0;
    return (e->now.wall - from->wall) / steps * (double)(e->all - e->now.steps) * fmax(more, 1.0);
}
