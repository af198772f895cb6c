/* Where contacts yield (blocks/yield.h has the law, src/theory.md, "Jams", the reasons): how much
 * one bears, how a jam is told from a heavy load, and how an island is prepared to be swept with
 * the bound.
 *
 *     | plate moves down, V prescribed         no p keeps both contacts from closing: each sweep
 *     v                                        adds the same impulse,
 *    ======
 *     (  )    <- r_N grows without end            r_N = r_0 + k W_NN^-1 V after k sweeps
 *    ------
 *     floor                                    until r_N = P, where u_N < 0 is allowed
 *
 * P is the larger of `yield.most` (h F) and of what an impact needs: the momentum of the heaviest
 * body and of a column of bodies, 4 sum m / sqrt(N) of N of them, at the fastest approach of the
 * island, `yield.impact` times. A jam is found before r_N comes to P where a boundary with a
 * prescribed motion presses on a contact with more than would stop the whole island, and than all
 * its servos press (plu_jam_presses); P is then 1.2 times the largest r_N so far, and grows from
 * step to step. */
#include "sweep/jam.h"
#include "base/strategy.h"
#include "base/vec3.h"
#include "blocks/yield.h"
#include <math.h>

/* The fastest approach of a pair of the island at the start of the step (m/s). */
static double fastest_approach(const plu_problem *p, const plu_island *island)
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
    const double column = plu_min(mass, impact_columns * mass / sqrt(plu_max(count, 1)));
    return plu_max(p->yield.most,
                   p->yield.impact * (heaviest + column) * fastest_approach(p, island));
}

bool plu_yields(const plu_problem *p, const plu_island *island)
{
    const plu_bound bound = {.most = most_of(p, island), .now = HUGE_VAL};
    bool any = false;
    for (int slot = island->slot_begin; slot < island->slot_end && !any; slot++)
        any = p->contact_of_slot[slot] >= 0 && !(plu_block_of(p, slot)->p[0][slot % PLU_LANES] <
                                                 bears_all * plu_slot_bears(p, slot, bound));
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
    bound->now = now ? jam_room * largest(p, island) : HUGE_VAL;
    for (int slot = island->slot_begin; slot < island->slot_end; slot++)
        if (p->contact_of_slot[slot] >= 0)
            cut_off(p, slot, plu_slot_bears(p, slot, *bound));
    bound->held = jam_held * largest(p, island);
    if (plu_norm(pull) > 0.0) /* of a column of bodies, which a contact may bear */
        bound->held = plu_min(bound->held, plu_problem_mass(p, island) * plu_norm(pull));
    plu_problem_apply(p, island);
}

/* Whether a force moves what side a is, and no motion. */
static bool is_servo(const plu_problem *p, int slot)
{
    for (int k = 0; k < p->servos_count; k++)
        for (int i = p->servos[k].begin; i < p->servos[k].end; i++)
            if (p->slot_of_contact[p->servo_contact[i].contact] == slot)
                return true;
    return false;
}

/* How fast the row moves along the normal, whatever forces act on it; 0: forces move it. */
static double prescribed(const plu_problem *p, int row, const double n[3])
{
    return p->v[row][6] == 0.0 ? plu_dot(p->v[row], n) : 0.0;
}

/* How fast one side of the contact, a boundary or a body that is fixed, is moved along the normal
 * against the other, whatever forces act on it. */
static double driven(const plu_problem *p, int slot)
{
    const plu_block *c = plu_block_of(p, slot);
    const int k = slot % PLU_LANES;
    const double n[3] = {c->normal[0][k], c->normal[1][k], c->normal[2][k]};
    double speed = prescribed(p, c->a[k], n) - prescribed(p, c->b[k], n);
    for (int i = 0; c->crossing && i < 3; i++)
        speed += c->crossing->drift[i][k] * n[i];
    return speed > 0.0 && !is_servo(p, slot) ? speed : 0.0;
}

bool plu_jam_presses(const plu_problem *p, const plu_island *island)
{
    const double hit = plu_problem_mass(p, island) * fastest_approach(p, island),
                 least = plu_max(hit, plu_servos_sum(p, island, false).load);
    bool any = false;
    for (int slot = island->slot_begin; slot < island->slot_end && !any; slot++)
        any = p->contact_of_slot[slot] >= 0 && driven(p, slot) > 0.0 &&
              plu_block_of(p, slot)->p[0][slot % PLU_LANES] > least;
    return any;
}
