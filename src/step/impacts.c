/* Which hits of a step (assemble/hits.h) count, and by which theta their bodies move. A hit is
 * exact for a pair alone. In a bed its normal and its moment are wrong for the other contacts of
 * its bodies, so that hits of pairs that land are tried, and taken back:
 *
 *     find hits -> those in doubt are revoked -> solve -> a body of a hit bears something else?
 *                                                 ^          yes: revoke, at most ROUNDS times,
 *                                                 |          then all that count alone only
 *                                                 '----------'
 *
 * How a body moves that is hit at the share t/h of the step, from x with v to v':
 *
 *     x_k ----- v ----- * (touch)               x_{k+1} = x_k + t v + (h - t) v'
 *                        \ v'                           = x_k + h (theta v' + (1 - theta) v)
 *                         \                     theta   = 1 - t/h
 *                          x_k+1
 *
 * A body that bears several contacts gets the mean of their theta, weighed by their impulses. */
#include "step/impacts.h"
#include "base/memory.h"
#include "base/vec3.h"
#include "step/integrate.h"
#include "step/marks.h"
#include "step/stepper.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 3 }; /* after which all hits are revoked that count alone only */

/* Over the smaller radius: how deep a hit may leave the other contacts of its bodies. */
static const double deep = 1e-3;

/* Over the radius: what is open by more lands; and what flies farther after a hit may meet others,
 * that nobody has looked for. */
static const double open = 1e-6, far = 2.0;

static plu_status create(plu_stepper *s, plu_error *err)
{
    const size_t count = (size_t)s->world->bodies.count;
    struct plu_impacts *m = plu_alloc(1, sizeof *m, err);
    s->impacts = m;
    if (!m)
        return PLU_IO;
    m->of = plu_alloc(count, sizeof *m->of, err);
    m->marked_at = plu_alloc(count, sizeof *m->marked_at, err);
    for (size_t i = 0; m->of && i < count; i++)
        m->of[i].share = NAN;
    s->hit_theta = m->of ? &m->of[0].share : NULL;
    s->hit_marked = m->marked_at;
    return m->of && m->marked_at ? PLU_OK : PLU_IO;
}

void plu_impacts_free(plu_stepper *s)
{
    struct plu_impacts *m = s->impacts;
    plu_created_free(s);
    plu_hits_free(&s->hits);
    if (!m)
        return;
    free(m->mark);
    free(m->marked_at);
    free(m->kept);
    free(m->of);
    free(m);
}

static bool any_alone(const plu_hits *hits)
{
    int k = 0;
    while (k < hits->count && !hits->hit[k].alone)
        k++;
    return k < hits->count;
}

/* Whether a contact beside a hit of one of its bodies is likely to bear something that the hit
 * would move: another hit, what closes in the step, and what bears already along the way of the
 * hit. */
static bool is_in_doubt(const plu_stepper *s, int at, const plu_hit *own, const plu_hit *hit)
{
    static const double across = 0.3; /* cosine */
    static const double near = 0.02;  /* over the smaller radius */
    const plu_contact *c = &s->contacts->contact[at];
    if (own && !own->misses)
        return true;
    const double radius = plu_smaller_radius(s->world, c), h = s->world->step;
    if (c->gap > open * radius)
        return !own && c->gap + h * c->approach < near * radius + h * s->hit;
    const plu_impulse *p = plu_warm_start(s->contacts, at);
    return p && p->n > 0.0 && fabs(plu_dot(c->normal, plu_contact_of_hit(s, hit)->normal)) > across;
}

/* Hit k is the one of the body that others are judged by: the nearest one that stops something,
 * whatever the order in which they were found. */
static void judge_by(struct plu_impacts *m, const plu_hit *hits, int body, int k)
{
    const plu_hit *hit = &hits[k],
                  *other = &hits[m->marked_at[body] ? (int)m->of[body].weighed : k];
    if (hit != other &&
        (hit->misses != other->misses ? hit->misses : hit->was.gap >= other->was.gap))
        return;
    plu_mark(m, body, isnan(hit->share) ? 1.0 : hit->share);
    m->of[body].sum = 0.0;
    m->of[body].weighed = k;
}

static void judge_all(const plu_stepper *s)
{
    for (int k = 0; k < s->hits.count; k++) {
        const plu_contact_pair pair = plu_moved_of(s, s->hits.hit[k].key);
        judge_by(s->impacts, s->hits.hit, pair.a, k);
        judge_by(s->impacts, s->hits.hit, pair.b, k);
    }
}

/* Revokes the hits that are not likely to count alone, before the step is solved with them. */
static void drop_doubtful(plu_stepper *s, plu_hits *hits)
{
    struct plu_impacts *m = s->impacts;
    judge_all(s);
    for (int k = 0; k < s->contacts->live_count; k++) {
        const int at = s->contacts->live[k];
        const plu_contact_pair pair = plu_moved_of(s, s->contacts->key[at]);
        if (!plu_is_marked(m, pair))
            continue;
        const plu_hit *own = plu_hit_of(hits, s->contacts->key[at]);
        const int body[2] = {pair.a, pair.b};
        for (int i = 0; i < 2; i++) {
            if (isnan(m->of[body[i]].share))
                continue;
            const plu_hit *hit = &hits->hit[(int)m->of[body[i]].weighed];
            if (hit != own && is_in_doubt(s, at, own, hit))
                m->of[body[i]].sum = NAN;
        }
    }
    for (int k = hits->count - 1; k >= 0; k--) {
        const plu_contact_pair pair = plu_moved_of(s, hits->hit[k].key);
        if (hits->hit[k].alone && isnan(m->of[pair.a].sum + m->of[pair.b].sum))
            plu_hits_revoke(hits, k, s->contacts);
    }
    plu_marks_forget(m);
}

plu_status plu_impacts_begin(plu_stepper *s, plu_error *err)
{
    plu_hits *hits = &s->hits;
    plu_status status = s->impacts ? PLU_OK : create(s, err);
    s->contacts->hits = hits;
    if (status == PLU_OK)
        status = plu_hits_find(hits, s->world, s->contacts, err);
    if (status != PLU_OK)
        return status;
    plu_marks_forget(s->impacts);
    s->impacts->rounds = 0;
    status = plu_reserve(&s->impacts->mark, &s->impacts->marks, 2 * (size_t)hits->count + 1,
                         sizeof *s->impacts->mark, 0, err);
    if (status == PLU_OK)
        status = plu_reserve(&s->impacts->kept, &s->impacts->keeps, s->impacts->marks,
                             sizeof *s->impacts->kept, 0, err);
    if (status == PLU_OK && any_alone(hits))
        drop_doubtful(s, hits);
    return status;
}

static void change_of(const plu_stepper *s, int body, double change[3])
{
    plu_sub(s->problem.v[body], s->world->bodies.row[body], change);
}

/* How much deeper the contact is left where its bodies move by their theta than with theta = 1. */
static double depth_left(const plu_stepper *s, const plu_contact *c, plu_contact_pair pair)
{
    const plu_marked *of = s->impacts->of;
    if (s->world->fixed > 0)
        pair = plu_owners_of(s, c->a, c->b);
    double change[3], depth = 0.0;
    change_of(s, pair.b, change);
    if (!isnan(of[pair.b].share))
        depth += (1.0 - of[pair.b].share) * plu_dot(c->normal, change);
    if (!plu_side_is_sphere(c->a))
        return s->world->step * depth;
    change_of(s, pair.a, change);
    if (!isnan(of[pair.a].share))
        depth -= (1.0 - of[pair.a].share) * plu_dot(c->normal, change);
    return s->world->step * depth;
}

/* The gap at the end of the step, by the normal of its start, of a contact that bears nothing. */
static double gap_left(const plu_stepper *s, const plu_contact *c, plu_contact_pair pair)
{
    if (s->world->fixed > 0)
        pair = plu_owners_of(s, c->a, c->b);
    double rate[3] = {s->problem.v[pair.b][0], s->problem.v[pair.b][1], s->problem.v[pair.b][2]};
    if (plu_side_is_sphere(c->a))
        plu_sub(rate, s->problem.v[pair.a], rate);
    return c->gap + s->world->step * plu_dot(c->normal, rate) - depth_left(s, c, pair);
}

/* Whether what the contact bears beside a hit of one of its bodies is not as it should be where
 * that body moves as the hit wants it. */
static bool suffers(const plu_stepper *s, const plu_contact *c, plu_contact_pair pair,
                    const plu_hit *hit)
{
    const double radius = plu_smaller_radius(s->world, c);
    return hit || c->gap > open * radius || depth_left(s, c, pair) > deep * radius;
}

/* Counts in `sum` the hits that bodies bear; NAN: hits of the body must not count. */
static void find_borne(const plu_stepper *s, const plu_hits *hits)
{
    struct plu_impacts *m = s->impacts;
    for (int k = 0; k < s->contacts->live_count; k++) {
        const int at = s->contacts->live[k];
        const plu_contact_pair pair = plu_moved_of(s, s->contacts->key[at]);
        if (!plu_is_marked(m, pair))
            continue;
        const plu_contact *c = &s->contacts->contact[at];
        const plu_hit *hit = plu_hit_of(hits, s->contacts->key[at]);
        if (!(plu_live_impulse(s, k) > 0.0)) {
            const double least = -deep * plu_smaller_radius(s->world, c);
            if (hit ? !hit->misses : gap_left(s, c, pair) < least)
                m->of[pair.a].sum = m->of[pair.b].sum = NAN;
        } else if (hit && !isnan(hit->share)) {
            m->of[pair.a].sum += 1.0;
            m->of[pair.b].sum += pair.a != pair.b ? 1.0 : 0.0;
        } else if (suffers(s, c, pair, hit)) {
            m->of[pair.a].sum = m->of[pair.b].sum = NAN;
        }
    }
}

static bool flies_far(const plu_stepper *s, int body, double share)
{
    const double *v = s->problem.v[body], r = s->world->bodies.position[body][3];
    return s->world->step * share * plu_norm(v) > far * r;
}

/* Whether a hit that counts alone only does. */
static bool is_alone(const plu_stepper *s, const plu_hit *hit)
{
    const struct plu_impacts *m = s->impacts;
    const plu_contact_pair pair = plu_moved_of(s, hit->key);
    return m->of[pair.a].sum <= 1.0 && m->of[pair.b].sum <= 1.0 &&
           (hit->misses || !(flies_far(s, pair.a, hit->share) || flies_far(s, pair.b, hit->share)));
}

bool plu_impacts_check(plu_stepper *s)
{
    plu_hits *hits = &s->hits;
    struct plu_impacts *m = s->impacts;
    bool again = plu_impacts_join(s);
    if (!any_alone(hits))
        return again;
    plu_marks_forget(m);
    judge_all(s);
    find_borne(s, hits);
    const bool all = m->rounds++ >= ROUNDS;
    for (int k = hits->count - 1; k >= 0; k--)
        if (hits->hit[k].alone && !is_alone(s, &hits->hit[k])) {
            again = true;
            plu_hits_revoke(hits, k, s->contacts);
        }
    for (int k = hits->count - 1; again && all && k >= 0; k--)
        if (hits->hit[k].alone)
            plu_hits_revoke(hits, k, s->contacts);
    plu_marks_forget(m);
    return again;
}

static void weigh(struct plu_impacts *m, int body, double impulse, double share)
{
    m->of[body].sum += impulse;
    m->of[body].weighed += impulse * share;
}

/* Sums up, by body, the theta of its contacts weighed by impulses: a hit has its own. */
static void weigh_contacts(const plu_stepper *s, const plu_hits *hits)
{
    struct plu_impacts *m = s->impacts;
    for (int k = 0; k < s->contacts->live_count; k++) {
        const int at = s->contacts->live[k];
        const plu_contact_pair pair = plu_moved_of(s, s->contacts->key[at]);
        const double n = plu_live_impulse(s, k);
        if (!plu_is_marked(m, pair) || !(n > 0.0))
            continue;
        const plu_hit *hit = plu_hit_of(hits, s->contacts->key[at]);
        const bool counts = hit && !isnan(hit->share);
        if (!isnan(m->of[pair.b].share))
            weigh(m, pair.b, n, counts ? hit->share : m->of[pair.b].share);
        if (pair.a != pair.b && !isnan(m->of[pair.a].share))
            weigh(m, pair.a, n, counts ? hit->share : m->of[pair.a].share);
    }
}

void plu_impacts_share(plu_stepper *s)
{
    const plu_hits *hits = &s->hits;
    struct plu_impacts *m = s->impacts;
    plu_marks_forget(m);
    for (int k = 0; k < hits->count; k++) {
        if (isnan(hits->hit[k].share))
            continue;
        const plu_contact_pair pair = plu_moved_of(s, hits->hit[k].key);
        plu_mark(m, pair.a, 0.0);
        plu_mark(m, pair.b, 0.0);
    }
    for (int k = 0; k < m->marked; k++) {
        const int body = m->mark[k];
        double change[3];
        change_of(s, body, change);
        m->of[body].share = NAN; /* for the rule of all others */
        m->of[body].share = plu_theta_of(s, body, change);
        m->of[body].sum = m->of[body].weighed = 0.0;
    }
    if (m->marked > 0)
        weigh_contacts(s, hits);
    for (int k = 0; k < m->marked; k++) {
        const int body = m->mark[k];
        if (m->of[body].sum > 0.0)
            m->of[body].share = m->of[body].weighed / m->of[body].sum;
    }
    for (int k = 0; k < hits->count; k++) { /* nothing else counts there: plu_impacts_check */
        const plu_hit *hit = &hits->hit[k];
        if (!(hit->alone || hit->joined) || isnan(hit->share))
            continue;
        const plu_contact_pair pair = plu_moved_of(s, hit->key);
        m->of[pair.a].share = m->of[pair.b].share = hit->share;
    }
}

void plu_impacts_end(plu_stepper *s)
{
    for (int k = 0; k < s->hits.count; k++) {
        const plu_hit *hit = &s->hits.hit[k];
        s->contacts->contact[plu_contact_place(s->contacts, hit->key, 0)].gap = hit->was.gap;
    }
}

/* Exchanges the new velocities of the bodies of hits for those with which they would go their way
 * in one stretch. */
static void swap_ways(plu_stepper *s, bool back)
{
    struct plu_impacts *m = s->impacts;
    for (int k = 0; k < m->marked; k++) {
        const int body = m->mark[k];
        const double theta = m->of[body].share, *old = s->world->bodies.row[body];
        double *fresh = s->problem.v[body];
        for (int i = 0; i < 3; i++) {
            if (!back)
                m->kept[k][i] = fresh[i];
            fresh[i] = back ? m->kept[k][i] : theta * fresh[i] + (1.0 - theta) * old[i];
        }
    }
}

plu_status plu_impacts_look(plu_stepper *s, int *times, bool *found, plu_error *err)
{
    plu_impacts_share(s);
    swap_ways(s, false);
    const plu_status status =
        plu_detect_unforeseen(s->detector, (const double(*)[8])s->problem.v, found, err);
    swap_ways(s, true);
    *times += *found;
    return status;
}
