/* The exact solver for one contact by itself (compiled for a single lane, base/cpu.h). */
#include "local/exact_lanes.h"
#include <math.h>

void plu_local_exact(const plu_local *c, const double q[7], double p[7])
{
    const exact_terms w = {c->wt,
                           c->wr,
                           c->wc,
                           1.0 / c->wn,
                           1.0 / c->wt,
                           1.0 / c->wr,
                           c->mu,
                           c->mu_r,
                           c->mu_p,
                           true,
                           c->most > 0.0 ? c->most : HUGE_VAL};
    const vectors normal = {c->normal[0], c->normal[1], c->normal[2]};
    const impulses nothing = {0}, y = {q[0], {q[1], q[2], q[3]}, {q[4], q[5], q[6]}};
    const impulses found = c->mu_p > 0.0 ? solve(&w, normal, &y, &nothing, true)
                                         : solve(&w, normal, &y, &nothing, false);
    const double x[7] = {found.n, found.t.x, found.t.y, found.t.z, found.m.x, found.m.y, found.m.z};
    memcpy(p, x, sizeof x);
}
