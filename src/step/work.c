/* Contacts after the solve: their impulses back to the list, their work for the energy balance,
 * their depths; one pass over the blocks for all, while they are in cache. With the mean velocity
 * of the step and y without its bias,
 *
 *     1/2 (v_k + v_{k+1}).M (v_{k+1} - v_k) = h F.v + 1/2 p.(y_k + y_{k+1})
 *     work_impact    r_N part      work_friction   r_T part
 *     work_rolling   m_R part      work_pivoting   m_P part
 *
 * (src/theory.md, "Energy balance"), so these sums close the balance of kinetic energy to rounding,
 * whatever the errors of the solve are. Steps in which their sum is positive have created energy,
 * which no law allows: it is counted, and created.c finds out by what. Strips that several islands
 * share add contact by contact, so that a sum does not depend on which contacts are beside each
 * other. */
#include "assemble/cohesion.h"
#include "base/vec3.h"
#include "blocks/parts.h"
#include "pluvia/scene.h"
#include "step/impacts.h"
#include "step/projection.h"
#include "step/stepper.h"
#include <string.h>

void plu_bear_wall(const plu_stepper *s, const double normal[3], double n, const double t[3],
                   plu_bearing *sum)
{
    sum->walls++;
    for (int k = 0; k < 3; k++)
        sum->load += (n * normal[k] + t[k]) * s->up[k];
}

static double attraction_at(const plu_stepper *s, int slot)
{
    const plu_contacts *list = s->contacts;
    return plu_attraction(s->world, list, list->live[s->problem.contact_of_slot[slot]]);
}

/* What a contact of a sphere that is fixed bears, as one with a wall. */
static void bear_fixed(const plu_stepper *s, int slot, plu_bearing *sum)
{
    const plu_contact_pair pair = s->problem.pair_of_slot[slot];
    const plu_world *w = s->world;
    const bool a = plu_is_fixed(w, pair.a), b = plu_is_fixed(w, pair.b);
    const plu_block *c = plu_block_of(&s->problem, slot);
    const int k = slot % PLU_LANES;
    if ((!a && !b) || !(c->p[0][k] > 0.0))
        return;
    const double side = a ? 1.0 : -1.0; /* impulses act on b */
    double normal[3], t[3];
    for (int i = 0; i < 3; i++) {
        normal[i] = side * c->normal[i][k];
        t[i] = side * c->p[1 + i][k];
    }
    plu_bear_wall(s, normal, c->p[0][k] - attraction_at(s, slot), t, sum);
}

/* Walls are few: they are looked for one by one. */
static plu_bearing bearing_of(const plu_stepper *s, const plu_work *work, int begin, int end)
{
    plu_bearing sum = {.contacts = work->bearing};
    for (int slot = begin; slot < end; slot++) {
        const int contact = s->problem.contact_of_slot[slot];
        if (contact >= 0 && contact < s->first_wall && s->world->fixed > 0)
            bear_fixed(s, slot, &sum);
        if (contact < s->first_wall)
            continue;
        const plu_block *c = plu_block_of(&s->problem, slot);
        const int k = slot % PLU_LANES;
        const double normal[3] = {c->normal[0][k], c->normal[1][k], c->normal[2][k]};
        const double t[3] = {c->p[1][k], c->p[2][k], c->p[3][k]};
        if (c->p[0][k] > 0.0)
            plu_bear_wall(s, normal, c->p[0][k] - attraction_at(s, slot), t, &sum);
    }
    return sum;
}

static void add_strip(const plu_strip_end *end, plu_exact sum[PLU_FINISH_SUMS])
{
    plu_exact_add(&sum[PLU_IMPACT], end->work.impact);
    plu_exact_add(&sum[PLU_FRICTION], end->work.friction);
    plu_exact_add(&sum[PLU_ROLLING], end->work.rolling);
    plu_exact_add(&sum[PLU_PIVOTING], end->work.pivoting);
    plu_exact_add(&sum[PLU_LOAD], end->bearing.load);
}

/* A block that islands share: their contacts are added one by one. */
static void finish_mixed_block(const plu_stepper *s, plu_step_end *step, int slot,
                               plu_strip_end *end, plu_exact sum[PLU_FINISH_SUMS])
{
    double each[PLU_PIVOTING + 1][PLU_LANES];
    step->each = each;
    const plu_work work = PLU_ISA_BEST(plu_work_blocks)(&s->problem, step, slot, slot + PLU_LANES);
    for (int k = 0; k < PLU_LANES; k++) {
        const plu_bearing bearing = bearing_of(s, &work, slot + k, slot + k + 1);
        const plu_strip_end one = {.work = {.impact = each[PLU_IMPACT][k],
                                            .friction = each[PLU_FRICTION][k],
                                            .rolling = each[PLU_ROLLING][k],
                                            .pivoting = each[PLU_PIVOTING][k]},
                                   .bearing = bearing};
        add_strip(&one, sum);
        end->bearing.walls += bearing.walls;
    }
    end->bearing.contacts += work.bearing;
    end->work.depth = plu_max(end->work.depth, work.depth);
    end->work.depth_ratio = plu_max(end->work.depth_ratio, work.depth_ratio);
}

static plu_strip_end finish_mixed(plu_stepper *s, const plu_strip *strip, plu_step_end *step)
{
    plu_strip_end end = {0};
    plu_exact own[PLU_FINISH_SUMS] = {0};
    for (int slot = strip->begin; slot < strip->end; slot += PLU_LANES)
        finish_mixed_block(s, step, slot, &end, own);
#pragma omp critical
    for (int k = 0; k < PLU_FINISH_SUMS; k++)
        plu_exact_join(&s->mixed[k], &own[k]);
    return end;
}

/* One pass over the blocks for all, while they are in cache. */
void plu_finish_strip(void *stepper, int number)
{
    plu_stepper *s = stepper;
    const plu_strip *strip = &s->problem.strips[number];
    const int begin = strip->begin, end = strip->end;
    plu_step_end step = {.v_start = s->world->bodies.row,
                         .step = s->world->step,
                         .theta = s->scene->theta,
                         .lands = s->world->lands,
                         .depth = 2.0 * PLU_SLOP_MARGIN * s->scene->slop,
                         .too_deep = s->too_deep};
    if (strip->mixed) {
        s->strip[number] = finish_mixed(s, strip, &step);
    } else { /* first, since it prefetches the blocks */
        const plu_work work = PLU_ISA_BEST(plu_work_blocks)(&s->problem, &step, begin, end);
        s->strip[number] = (plu_strip_end){work, bearing_of(s, &work, begin, end)};
    }
    plu_scatter_impulses(&s->problem, begin, end, s->contacts);
}

/* A step in which contacts do positive work, beyond what attraction takes at the same time, creates
 * energy. Where pairs store the energy of a bounce (assemble/rebound.h) they may return in this
 * step what the landings of the step before have dissipated, so that is subtracted. */
static void count_created(plu_stepper *s, double work)
{
    static const double rounding = 1e-12, noticeable = 1e-6;
    plu_totals *t = &s->totals;
    const double turned_over = fabs(t->initial) + fabs(t->inserted) + fabs(t->work_impact) +
                               fabs(t->work_friction) + fabs(t->work_rolling) +
                               fabs(t->work_pivoting) + fabs(t->work_cohesion) +
                               fabs(t->work_boundary);
    const double created = s->world->rebounds ? work + plu_min(t->last_work, 0.0) : work;
    if (created > rounding * turned_over) {
        t->created += created;
        t->creating++;
        if (created > noticeable * turned_over)
            plu_created_attribute(s, created);
    }
    t->last_work = work;
}

/* What images that move against their bodies do to those that touch them. */
static double work_of_images(const plu_stepper *s)
{
    const plu_contacts *list = s->contacts;
    plu_exact work = {0};
    for (int k = 0; k < list->live_count; k++) {
        const plu_contact *c = &list->contact[list->live[k]];
        const plu_impulse *p = &list->impulse[list->live[k]];
        const double *drift = s->world->space.drift[1][plu_side_image(c->a)];
        if (plu_side_image(c->a))
            plu_exact_add(&work, p->n * plu_dot(c->normal, drift) + plu_dot(p->t, drift));
    }
    return plu_exact_value(&work);
}

void plu_finish_contacts(plu_stepper *s, plu_step_info *info)
{
    const int strips = s->problem.strips_count;
    plu_exact *sum = s->mixed;
    plu_flow_end(&s->problem);
    s->bearing = s->sleeping;
    double attracted =
        plu_attraction_work(s->world, s->contacts, s->world->bodies.row, s->problem.v);
    s->totals.work_boundary += plu_boundary_work(s, &attracted);
    s->totals.work_cohesion += attracted;
    s->totals.work_cell += s->world->space.moves ? work_of_images(s) : 0.0;
    info->penetration = s->sleeping_depth;
    info->penetration_ratio = s->sleeping_ratio;
    for (int i = 0; i < strips; i++) {
        const plu_strip_end *end = &s->strip[i];
        add_strip(end, sum);
        info->penetration = plu_max(info->penetration, end->work.depth);
        info->penetration_ratio = plu_max(info->penetration_ratio, end->work.depth_ratio);
        s->bearing.contacts += end->bearing.contacts;
        s->bearing.walls += end->bearing.walls;
    }
    const double impact = plu_exact_value(&sum[PLU_IMPACT]),
                 friction = plu_exact_value(&sum[PLU_FRICTION]),
                 rolling = plu_exact_value(&sum[PLU_ROLLING]),
                 pivoting = plu_exact_value(&sum[PLU_PIVOTING]);
    s->totals.work_impact += impact;
    s->totals.work_friction += friction;
    s->totals.work_rolling += rolling;
    s->totals.work_pivoting += pivoting;
    s->bearing.load += plu_exact_value(&sum[PLU_LOAD]);
    if (s->scene->method != PLU_PENALTY) /* springs give back */
        count_created(s, impact + friction + rolling + pivoting + plu_min(attracted, 0.0) -
                             plu_created_by_moments(s));
    info->contacts = s->bearing.contacts;
    info->wall_contacts = s->bearing.walls;
    info->pairs = s->problem.contacts;
}
