/* Friction of a pair that closes within the step (landing.h). One step has one impulse, but two
 * things press the pair: the impact, whose whole impulse J acts at the touch, and what rests on it,
 * F, which acts from the touch on only:
 *
 *     t_k                 touch                    t_k+1
 *      |--------------------|------------------------|
 *           gap > 0             s h, in contact              s = 1 - gap / (h |u_N|)
 *
 *     r_N of the step = J + F ,  may rub with  J + s F  =>  phi = s + (1 - s) J / (J + F)
 *
 * F is not known before the solve: the largest r_N that one of the two bodies bore in the step
 * before stands in for it. It is the maximum of bit patterns (positive doubles are in the order of
 * their bits), which threads raise in any order; bodies of a thread's own share without atomic
 * operations, the few others in a second pass (pair_share.h). */
#include "assemble/landing.h"
#include "base/exact.h"
#include "base/memory.h"
#include "base/team.h"
#include "base/vec3.h"
#include "blocks/pair_share.h"
#include <stdlib.h>

struct plu_landing {
    const plu_world *world;
    bool rubs;         /* some pair that lands has friction */
    uint64_t *bearing; /* by body: the bits of the largest r_N, which are in the order of numbers */
};

/* A contact open by less than this share of the smaller radius has landed. */
static const double landed = 1e-6;

plu_landing *plu_landing_create(const plu_world *world, plu_error *err)
{
    plu_landing *l = plu_alloc(1, sizeof *l, err);
    if (!l)
        return NULL;
    l->world = world;
    for (int i = 0; i < world->materials * world->materials; i++)
        l->rubs |= world->laws[i].lands &&
                   (world->laws[i].friction > 0.0 || world->laws[i].rolling_friction > 0.0 ||
                    world->laws[i].pivoting_friction > 0.0);
    l->bearing = plu_alloc(l->rubs ? (size_t)world->bodies.count : 1, sizeof *l->bearing, err);
    if (!l->bearing) {
        free(l);
        return NULL;
    }
    return l;
}

void plu_landing_destroy(plu_landing *l)
{
    if (!l)
        return;
    free(l->bearing);
    free(l);
}

/* The bits of r_N that live contact i starts from; 0: it bears nothing. */
static inline uint64_t bits_of(const plu_contacts *list, int i)
{
    const plu_impulse *p = plu_warm_start(list, list->live[i]);
    const double n = p ? plu_max(p->n, 0.0) : 0.0;
    return n > 0.0 ? plu_bits_of(n) : 0;
}

/* The bodies of a contact; that of a wall twice. */
static inline plu_contact_pair bodies_of(const plu_world *w, plu_contact_pair pair)
{
    return (plu_contact_pair){pair.a < w->bodies.count ? pair.a : pair.b, pair.b};
}

/* The passes of pair_share.h. Which contacts bear is a coin's throw to the processor: nothing
 * branches on it in the first pass. The largest of some numbers is the same in any order. */
static void find_loads(plu_landing *l, const plu_contacts *list, const plu_contact_pair *pairs)
{
    const plu_pair_share own = plu_pair_share_of(list->live_count, l->world->bodies.count, pairs);
    int later = own.end, last = own.begin - 1; /* the second pass: later to last */
    for (int i = own.low; i < own.high; i++)
        l->bearing[i] = 0;
    for (int i = own.begin; i < own.end; i++) {
        const uint64_t bits = bits_of(list, i);
        const plu_contact_pair body = bodies_of(l->world, pairs[i]);
        if (plu_pair_within(&own, body)) {
            plu_raise(&l->bearing[body.a], bits);
            plu_raise(&l->bearing[body.b], bits);
        } else {
            later = i < later ? i : later;
            last = i;
        }
    }
#pragma omp barrier
    for (int i = later; i <= last; i++) {
        const uint64_t bits = bits_of(list, i);
        const plu_contact_pair body = bodies_of(l->world, pairs[i]);
        if (bits == 0 || plu_pair_within(&own, body))
            continue;
        plu_raise_shared(&l->bearing[body.a], bits);
        plu_raise_shared(&l->bearing[body.b], bits);
    }
}

void plu_landing_loads(plu_landing *l, const plu_contacts *contacts, const plu_contact_pair *pairs)
{
    if (l->rubs)
        PLU_TEAM(plu_many(l->world->bodies.count, 4000), find_loads(l, contacts, pairs));
}

static double share_of(const plu_landing *l, const plu_contact *c, double wn)
{
    const double h = l->world->step, u = plu_max(-c->approach, 0.0);
    const double s = c->gap < h * u ? 1.0 - c->gap / (h * u) : 0.0, j = u / wn;
    const plu_world *w = l->world;
    const int b = plu_owner(&w->spheres, c->b);
    uint64_t bits = plu_is_fixed(w, b) ? 0 : l->bearing[b]; /* a boundary has no load either */
    if (plu_side_is_sphere(c->a) && !plu_side_fixed(w, c->a) &&
        l->bearing[plu_side_owner(w, c->a)] > bits)
        bits = l->bearing[plu_side_owner(w, c->a)];
    const double f = plu_of_bits(bits);
    return j + f > 0.0 ? s + (1.0 - s) * j / (j + f) : s;
}

void plu_landing_share(const plu_landing *l, const plu_contact *const contact[PLU_LANES],
                       plu_block *block)
{
    const plu_world *w = l->world;
    for (int k = 0; l->rubs && k < PLU_LANES; k++) {
        const plu_contact *c = contact[k];
        if (!c || c->gap * block->pair->inverse_length[k] <= landed || block->p[0][k] > 0.0)
            continue;
        if (!w->bounces || plu_law_of(w, c)->lands)
            block->friction[k] = share_of(l, c, block->pair->wn[k]);
    }
}
