#include "blocks/yield.h"
#include "base/vec3.h"
#include <math.h>

/* From this share of what it may bear on a contact counts as one that bears all: floats round. */
static const double nearly = 0.999;

/* How much more than in the sweeps that found no balance contacts may bear. */
static const double room = 1.2;

/* Of the largest impulse that contacts may have: what those of a jam have at least. */
static const double held = 0.1;

/* An impact is no jam: what stops at a single contact is the heaviest body, or a column of bodies,
 * of so many times the mass of all over the square root of their number. */
static const double columns = 4.0;

double plu_fastest_approach(const plu_problem *p, const plu_island *island)
{
    double most = 0.0;
    for (int slot = island->slot_begin; slot < island->slot_end; slot++)
        if (p->contact_of_slot[slot] >= 0)
            most = plu_max(most, -p->start[slot / PLU_LANES].approach[slot % PLU_LANES]);
    return most;
}

static double most_of(const plu_problem *p, const plu_island *island)
{
    double heaviest = 0.0, mass = 0.0;
    const int count = island->body_end - island->body_begin;
    for (int i = island->body_begin; i < island->body_end; i++) {
        const double inverse = p->v_free[p->island_body[i]][6];
        const double own = inverse > 0.0 ? 1.0 / inverse : 0.0;
        heaviest = plu_max(heaviest, own);
        mass += own;
    }
    const double column = plu_min(mass, columns * mass / sqrt(plu_max(count, 1)));
    return plu_max(p->yield.most,
                   p->yield.impact * (heaviest + column) * plu_fastest_approach(p, island));
}

static double bears(const plu_problem *p, int slot, plu_bound bound)
{
    const double own = plu_block_of(p, slot)->pair->strength[slot % PLU_LANES];
    return plu_min(own > 0.0 ? own * p->yield.step : bound.most, bound.now);
}

static const plu_island *island_of(const plu_problem *p, int slot)
{
    int low = 0, high = p->islands_count - 1;
    while (low < high) {
        const int middle = low + (high - low + 1) / 2;
        if (p->islands[middle].slot_begin <= slot)
            low = middle;
        else
            high = middle - 1;
    }
    return &p->islands[low];
}

double plu_slot_most(const plu_problem *p, int slot)
{
    const plu_bound bound = p->yield.least > 0.0 ? island_of(p, slot)->bound : (plu_bound){0};
    return bound.most > 0.0 ? bears(p, slot, bound) : 0.0;
}

bool plu_yields(const plu_problem *p, const plu_island *island)
{
    const plu_bound bound = {.most = most_of(p, island), .now = HUGE_VAL};
    bool any = false;
    for (int slot = island->slot_begin; slot < island->slot_end && !any; slot++)
        any = p->contact_of_slot[slot] >= 0 &&
              !(plu_block_of(p, slot)->p[0][slot % PLU_LANES] < nearly * bears(p, slot, bound));
    return any;
}

/* Shortens a vector to at most `radius`. */
static void shorten(double *x, double radius)
{
    const double length = plu_norm(x);
    for (int i = 0; length > radius && i < 3; i++)
        x[i] *= radius / length;
}

static void cut_off(const plu_problem *p, int slot, double most)
{
    plu_block *c = plu_block_of(p, slot);
    const int k = slot % PLU_LANES;
    if (c->p[0][k] <= most)
        return;
    double t[3], m[3];
    for (int i = 0; i < 3; i++) {
        t[i] = c->p[1 + i][k];
        m[i] = c->p[4 + i][k];
    }
    shorten(t, plu_slot_slope(c, k) * most);
    shorten(m, plu_max(plu_slot_slope_r(c, k), plu_slope_of(plu_slot_mu_p(c, k))) * most);
    c->p[0][k] = most;
    for (int i = 0; i < 3; i++) {
        c->p[1 + i][k] = t[i];
        c->p[4 + i][k] = m[i];
    }
}

/* The largest normal impulse. */
static double largest(const plu_problem *p, const plu_island *island)
{
    double most = 0.0;
    for (int slot = island->slot_begin; slot < island->slot_end; slot++)
        if (p->contact_of_slot[slot] >= 0)
            most = plu_max(most, plu_block_of(p, slot)->p[0][slot % PLU_LANES]);
    return most;
}

void plu_yield_begin(plu_problem *p, plu_island *island, const double pull[3], bool now)
{
    plu_bound *bound = &island->bound;
    bound->most = most_of(p, island);
    bound->now = now ? room * largest(p, island) : HUGE_VAL;
    for (int slot = island->slot_begin; slot < island->slot_end; slot++)
        if (p->contact_of_slot[slot] >= 0)
            cut_off(p, slot, bears(p, slot, *bound));
    bound->held = held * largest(p, island);
    if (plu_norm(pull) > 0.0) /* of a column of bodies, which a contact may bear */
        bound->held = plu_min(bound->held, plu_problem_mass(p, island) * plu_norm(pull));
    plu_problem_apply(p, island);
}
