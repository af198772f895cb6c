/* Servos between sweeps (servos.h has the law and why their mass is split): after each sweep
 *
 *     v_w = v_free - (1/m_w) sum_i a.(r_N n + r_T)_i          exact sum, in the order of contacts
 *     now = max(low, min(high, v_w))                          a limit of speed bounds one number
 *
 * `now` is written to the rows of its contacts, which no sweep writes. Of an edge of a periodic
 * cell the row is `drift`, the velocity of an image, and `lever` how often that edge lies between
 * the two. The block of a contact gets N times the bound of plu_servo_block: with c = |a.n|, t =
 * |a.t|,
 *
 *     (1/m_w) | c^2  c t |   <=   (1/m_w) | c (c + t)      0     |      since 2 c t x y <= c t (x^2
 *             | c t  t^2 |                |     0      t (c + t) |                       + y^2) */
#include "blocks/servos.h"
#include "base/exact.h"
#include "base/vec3.h"
#include "blocks/single.h"
#include <math.h>
#include <string.h>

double plu_servo_parts(const plu_problem *p, const plu_servo *s)
{
    const int visits = s->island >= 0 ? plu_sweeps_of(&p->islands[s->island]) : 1;
    return (double)visits * (s->end - s->begin);
}

void plu_servo_block(const plu_servo *s, const double n[3], double *wn, double *wt)
{
    const double c = fabs(plu_dot(s->axis, n)), t = sqrt(plu_max(0.0, 1.0 - c * c));
    /* an axis that is the normal but for rounding is the normal */
    const double across = t < 1e-6 ? 0.0 : t;
    *wn = s->inverse_mass * c * (c + across);
    *wt = s->inverse_mass * across * (c + across);
}

static int slot_of(const plu_problem *p, int i)
{
    return p->slot_of_contact[p->servo_contact[i].contact];
}

static int island_of_slot(const plu_problem *p, int slot)
{
    int low = 0, high = p->islands_count - 1;
    while (low < high) {
        const int middle = low + (high - low + 1) / 2;
        if (p->islands[middle].slot_begin <= slot)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static double limited(const plu_servo *s, double v)
{
    return plu_max(s->low, plu_min(v, s->high));
}

void plu_servos_place(plu_problem *p)
{
    for (int k = 0; k < p->servos_count; k++) {
        plu_servo *s = &p->servos[k];
        s->island = s->begin < s->end ? island_of_slot(p, slot_of(p, s->begin)) : -1;
        s->now = limited(s, s->free);
    }
}

static bool is_in(const plu_problem *p, const plu_servo *s, const plu_island *island)
{
    return s->island >= 0 && &p->islands[s->island] == island;
}

/* The velocity along its axis of contact i of a servo. */
static double velocity_of(const plu_problem *p, const plu_servo *s, int i)
{
    return p->servo_contact[i].own + p->servo_contact[i].lever * s->now;
}

static void set_rows(const plu_problem *p, const plu_servo *s)
{
    for (int i = s->begin; i < s->end; i++) {
        const int slot = slot_of(p, i);
        if (s->edge >= 0) {
            plu_block_of(p, slot)->crossing->drift[s->edge][slot % PLU_LANES] =
                velocity_of(p, s, i);
            continue;
        }
        double *row = p->v[p->pair_of_slot[slot].a];
        for (int k = 0; k < 3; k++)
            row[k] = s->now * s->axis[k];
    }
}

static void set_single_rows(const plu_problem *p, const plu_servo *s, const plu_single *single)
{
    for (int i = s->begin; i < s->end; i++) {
        const int slot = slot_of(p, i), number = p->pair_of_slot[slot].a;
        if (s->edge >= 0)
            plu_single_block_of(single, slot)->crossing->drift[s->edge][slot % PLU_WIDE] =
                (float)velocity_of(p, s, i);
        for (int k = 0; k < 3 && s->edge < 0; k++)
            single->v[number][k] = single->v_before[number][k] = (float)(s->now * s->axis[k]);
    }
}

/* What the impulses of its contacts push against its axis (N s). */
static double push_of(const plu_problem *p, const plu_servo *s)
{
    plu_exact sum = {0};
    for (int i = s->begin; i < s->end; i++) {
        const int slot = slot_of(p, i), k = slot % PLU_LANES;
        const plu_block *c = plu_block_of(p, slot);
        double along = 0.0;
        for (int j = 0; j < 3; j++)
            along += s->axis[j] * (c->p[0][k] * c->normal[j][k] + c->p[1 + j][k]);
        plu_exact_add(&sum, p->servo_contact[i].lever * along);
    }
    return plu_exact_value(&sum);
}

static double single_push_of(const plu_problem *p, const plu_servo *s, const plu_single *single)
{
    plu_exact sum = {0};
    for (int i = s->begin; i < s->end; i++) {
        const int slot = slot_of(p, i), k = slot % PLU_WIDE;
        const plu_single_block *c = plu_single_block_of(single, slot);
        double along = 0.0;
        for (int j = 0; j < 3; j++)
            along += s->axis[j] * ((double)c->p[0][k] * c->normal[j][k] + c->p[1 + j][k]);
        plu_exact_add(&sum, p->servo_contact[i].lever * along);
    }
    return plu_exact_value(&sum) * single->mass;
}

void plu_servos_apply(plu_problem *p, const plu_island *island)
{
    for (int k = 0; k < p->servos_count; k++) {
        plu_servo *s = &p->servos[k];
        if (!is_in(p, s, island))
            continue;
        s->pushed = s->free - s->inverse_mass * push_of(p, s);
        s->now = limited(s, s->pushed);
        set_rows(p, s);
    }
}

void plu_servos_apply_single(plu_single *single, plu_problem *p, const plu_island *island)
{
    for (int k = 0; k < p->servos_count; k++) {
        plu_servo *s = &p->servos[k];
        if (!is_in(p, s, island))
            continue;
        s->pushed = s->free - s->inverse_mass * single_push_of(p, s, single);
        s->now = limited(s, s->pushed);
        set_single_rows(p, s, single);
    }
}

void plu_servos_move_on(plu_problem *p, const plu_island *island, plu_single *single, double beta)
{
    for (int k = 0; k < p->servos_count; k++) {
        plu_servo *s = &p->servos[k];
        if (!is_in(p, s, island))
            continue;
        const double next = beta != 0.0 ? s->pushed + beta * (s->pushed - s->before) : s->pushed;
        s->before = s->pushed;
        s->now = limited(s, next);
        if (single)
            set_single_rows(p, s, single);
        else
            set_rows(p, s);
    }
}

/* By how much a further visit of all its contacts would change its velocity: their normal parts of
 * the Alart-Curnier function. */
static double unborne_of(const plu_problem *p, const plu_servo *s)
{
    plu_exact sum = {0};
    for (int i = s->begin; i < s->end; i++) {
        const int slot = slot_of(p, i), k = slot % PLU_LANES;
        const plu_block *c = plu_block_of(p, slot);
        const double n[3] = {c->normal[0][k], c->normal[1][k], c->normal[2][k]};
        double y[7];
        plu_slot_velocity(c, k, p->v[c->a[k]], p->v[c->b[k]], y);
        const double r = c->p[0][k], next = plu_max(0.0, r - y[0] * c->pair->inverse_wn[k]);
        plu_exact_add(&sum, (next - r) * p->servo_contact[i].lever * plu_dot(s->axis, n));
    }
    return fabs(plu_exact_value(&sum)) * s->inverse_mass;
}

plu_servo_sums plu_servos_sum(const plu_problem *p, const plu_island *island, bool unborne)
{
    plu_servo_sums sums = {0};
    for (int k = 0; k < p->servos_count; k++) {
        const plu_servo *s = &p->servos[k];
        if (!is_in(p, s, island))
            continue;
        sums.load += s->load;
        sums.mass += s->edge < 0 ? 1.0 / s->inverse_mass : 0.0;
        if (unborne && s->pushed >= s->low && s->pushed <= s->high)
            sums.unborne = plu_max(sums.unborne, unborne_of(p, s));
    }
    return sums;
}
