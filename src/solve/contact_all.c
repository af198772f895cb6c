/* All solutions of a single contact with Coulomb friction: take-off, sticking and sliding are tried
 * one after the other. Sliding solutions are roots of the quartic (cone/quartic.h); if the free
 * velocity does not close the contact, the quartic in the direction is used, because the one in the
 * multiplier cannot be scaled. */
#include "base/memory.h"
#include "cone/quartic.h"
#include "problem/contact_problem.h"
#include "solve/contact.h"
#include <math.h>
#include <string.h>

/* Solutions whose relative difference is smaller count as one. */
static const double same = 1e-8;

typedef struct list {
    const plu_contact *c;
    plu_single_solution *found;
    int count;
} list;

static void add_solution(list *l, plu_single_mode mode, const double p[3])
{
    if (l->count == PLU_SINGLE_SOLUTIONS)
        return;
    for (int i = 0; i < l->count; i++)
        if (plu_distance_n(3, l->found[i].r, p) <= same * plu_norm_n(3, p))
            return;
    plu_single_solution *s = &l->found[l->count++];
    s->mode = mode;
    memcpy(s->r, p, sizeof s->r);
    plu_contact_velocity(l->c, p, s->u);
    s->error = plu_contact_error(l->c, p);
}

static void add_sticking(list *l)
{
    const plu_contact *c = l->c;
    double a[9], p[3] = {-c->q[0], -c->q[1], -c->q[2]};
    memcpy(a, c->w, sizeof a);
    if (plu_solve_dense(3, a, p) && p[0] > 0.0 &&
        plu_plane_length(p + 1) <= c->mu[0] * p[0] * (1.0 + same))
        add_solution(l, PLU_SINGLE_STICK, p);
}

static void add_sliding(list *l)
{
    const plu_contact *c = l->c;
    double p[PLU_SLIDING_CANDIDATES][3] = {{-c->q[0] / c->w[0]}};
    if (c->mu[0] == 0.0) {
        if (c->q[0] < 0.0)
            add_solution(l, PLU_SINGLE_SLIDE, p[0]);
        return;
    }
    const int by_angle = plu_sliding_by_angle(c->w, c->q, c->mu[0], p);
    for (int i = 0; i < by_angle; i++)
        add_solution(l, PLU_SINGLE_SLIDE, p[i]);
    if (!(c->q[0] < 0.0))
        return;
    const int by_alpha = plu_sliding_by_alpha(c->w, c->q, c->mu[0], p);
    for (int i = 0; i < by_alpha; i++)
        add_solution(l, PLU_SINGLE_SLIDE, p[i]);
}

plu_status plu_contact_problem_all_solutions(const plu_contact_problem *problem,
                                             plu_single_solution found[PLU_SINGLE_SOLUTIONS],
                                             int *count, plu_error *err)
{
    *count = 0;
    if (problem->contacts != 1 || problem->rows != 3)
        return plu_fail(err, PLU_USAGE,
                        "all solutions can only be found for one contact with Coulomb friction; "
                        "this problem has %d contact%s of %d rows",
                        problem->contacts, problem->contacts == 1 ? "" : "s", problem->rows);
    const plu_contact c = {
        3, problem->w.block, problem->q, {plu_contact_slope(problem, 0, 0), 0.0}};
    list l = {.c = &c, .found = found};
    if (c.q[0] >= 0.0)
        add_solution(&l, PLU_SINGLE_TAKE_OFF, (double[3]){0.0, 0.0, 0.0});
    add_sticking(&l);
    add_sliding(&l);
    *count = l.count;
    return PLU_OK;
}
