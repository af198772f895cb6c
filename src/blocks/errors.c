/* The errors of an island as velocities (errors.h), by two passes:
 *
 *     bodies     |v - v_free|^2 by row (`change`), mass, speeds before and after
 *        |
 *        v       s_c^2 = max(floor, change of a, change of b)
 *     contacts   F = p - P_K(p - y / diag W)      Alart & Curnier, CMAME 92 (1991) 353
 *                e_N = W_N F_N , e_T = W_T |F_T| , e_R = W_R |F_R|        m/s, rad/s
 *                e_c^2 / s_c^2, |p . e_c|, ...    sums and maxima (errors_lanes.c)
 *
 * e_c is by how much the contact's velocity would change if it were solved alone: an error that has
 * the meaning of a speed, whatever the masses. Velocities are compared with s_c, works with the
 * weight that the step has to bear. The same code reads doubles or, as an estimate, the floats of
 * the sweeps (`single`), whose sums are converted to SI. Partial sums are by cell and by tile,
 * joined exactly. */
#include "blocks/errors.h"
#include "base/strategy.h"
#include "base/team.h"
#include "base/vec3.h"
#include "blocks/parts.h"
#include "blocks/problem_lanes.h"
#include "cone/friction_cone.h"
#include <math.h>
#include <stddef.h>

typedef plu_error_sums contact_sums;

enum {
    CONTACT_SUMS = 10,
    BODY_SUMS = 8
}; /* the first fields, so many, are sums, the others maxima */

/* Sums over the moving bodies. */
typedef struct body_sums {
    double count, mass, weighted;              /* sum m |v - v_free|^2 */
    double change, speed, raw;                 /* squares */
    double drift;                              /* sum m |v|^2 */
    double inertia;                            /* sum of moments of inertia */
    double most_change, most_speed, most_pull; /* most_pull: by attraction alone */
    double most_prescribed;                    /* largest change of those that no force moves */
} body_sums;

_Static_assert(offsetof(plu_error_sums, worst) == CONTACT_SUMS * sizeof(double) &&
                   offsetof(body_sums, most_change) == BODY_SUMS * sizeof(double),
               "sums come first");
_Static_assert(sizeof(plu_error_sums) <= PLU_SUMS * sizeof(double) &&
                   sizeof(body_sums) <= PLU_SUMS * sizeof(double),
               "room for a partial sum");

/* The smaller of the squared speeds before and after the step: a body that errors of a single step
 * have set in motion does not count as flowing. */
static double lesser_speed(const double after[3], const double free[3], const double pull[3])
{
    double before[3];
    plu_sub(free, pull, before);
    return plu_min(plu_dot(after, after), plu_dot(before, before));
}

/* The impulses and velocities to be summed up: those of the problem or, if `single` is not NULL,
 * those of the sweeps in single precision. */
typedef struct state {
    const plu_problem *problem;
    const plu_island *island;
    const plu_single *single;
} state;

/* The square of the speed that attraction would give: velocities are what impulses leave of it, and
 * have its rounding. */
static double pull_of(const plu_problem *p, int row)
{
    return p->attracted ? plu_dot(p->attracted[row], p->attracted[row]) : 0.0;
}

static void add_body(const state *x, int row, const double pull[3], double cap, body_sums *s)
{
    const plu_problem *p = x->problem;
    const double *free = p->v_free[row];
    double v[3], d[3];
    for (int k = 0; k < 3; k++)
        v[k] = x->single ? (double)x->single->v[row][k] : p->v[row][k];
    double loose[3] = {free[0], free[1], free[2]}; /* v_free without attraction */
    for (int k = 0; p->attracted && k < 3; k++)
        loose[k] -= p->attracted[row][k];
    plu_sub(v, loose, d);
    const double change = plu_dot(d, d), speed = plu_dot(v, v);
    p->change[row] = change;
    s->most_change = plu_max(s->most_change, change);
    s->most_pull = plu_max(s->most_pull, pull_of(p, row));
    s->most_speed = plu_max(s->most_speed, plu_max(speed, s->most_pull));
    if (!(free[6] > 0.0)) {
        s->most_prescribed = plu_max(s->most_prescribed, speed);
        return;
    }
    const double mass = 1.0 / free[6];
    s->count += 1.0;
    s->mass += mass;
    s->weighted += change * mass;
    s->change += change;
    const double least = lesser_speed(v, loose, pull),
                 counted = cap > 0.0 ? plu_min(least, cap) : least;
    s->speed += counted;
    s->drift += counted * mass;
    s->raw += speed;
    s->inertia += free[7] > 0.0 ? 1.0 / free[7] : 0.0;
}

PLU_FETCH void fetch_body(const state *x, int k)
{
    const plu_problem *p = x->problem;
    if (x->single)
        plu_fetch_body(p, x->island, x->single->v, sizeof *x->single->v, k);
    else
        plu_fetch_body(p, x->island, p->v, sizeof *p->v, k);
    plu_fetch_body(p, x->island, p->v_free, sizeof *p->v_free, k);
}

static void share_bodies(const state *x, const double pull[3], double cap, plu_shares *shares,
                         body_sums *part)
{
    int range = 0;
    for (int i; (i = plu_shares_take(shares, &range)) >= 0;) {
        const plu_body_part at = plu_body_part_of(x->problem, x->island, i);
        body_sums own = {0};
        for (int k = at.begin; k < at.end; k++) {
            fetch_body(x, k);
            add_body(x, x->problem->island_body[k], pull, cap, &own);
        }
        part[i] = own;
    }
}

static body_sums sum_bodies(const state *x, const double pull[3], double fall)
{
    const plu_island *island = x->island;
    const double cap = PLU_FAST * PLU_FAST * fall * fall;
    body_sums sum = {0}, *part = (body_sums *)(void *)x->problem->sums;
    if (!island->large) {
        for (int k = island->body_begin; k < island->body_end; k++)
            add_body(x, x->problem->island_body[k], pull, cap, &sum);
        return sum;
    }
    const int parts = plu_body_parts(island);
    plu_shares shares;
    plu_share_bodies(&shares, island);
    PLU_TEAM(true, share_bodies(x, pull, cap, &shares, part));
    plu_join_parts(island, part, parts, sizeof *part, BODY_SUMS, &sum.count);
    for (int i = 0; i < parts; i++) {
        sum.most_change = plu_max(sum.most_change, part[i].most_change);
        sum.most_speed = plu_max(sum.most_speed, part[i].most_speed);
        sum.most_pull = plu_max(sum.most_pull, part[i].most_pull);
        sum.most_prescribed = plu_max(sum.most_prescribed, part[i].most_prescribed);
    }
    return sum;
}

static contact_sums sum_range(const plu_problem *p, const plu_island *island, int begin, int end,
                              double floor)
{
    return island->padded ? PLU_ISA_BEST(plu_error_blocks)(p, begin, end, floor, island->bound)
                          : plu_error_blocks_one(p, begin, end, floor, island->bound);
}

static contact_sums join_contacts(const plu_island *island, const contact_sums *part, int parts)
{
    contact_sums sum = {0};
    plu_join_parts(island, part, parts, sizeof *part, CONTACT_SUMS, &sum.square);
    for (int i = 0; i < parts; i++) {
        sum.worst = plu_max(sum.worst, part[i].worst);
        sum.bounce = plu_max(sum.bounce, part[i].bounce);
        sum.closing = plu_max(sum.closing, part[i].closing);
        sum.opening = plu_max(sum.opening, part[i].opening);
    }
    return sum;
}

static void share_contacts(const plu_problem *p, const plu_island *island, double floor,
                           bool hands_on, plu_shares *shares, contact_sums *part)
{
    int range = 0;
    for (int i; (i = plu_shares_take(shares, &range)) >= 0;) {
        const plu_strip *strip = &p->strips[i];
        part[i - island->strip_begin] = sum_range(p, island, strip->begin, strip->end, floor);
        if (hands_on)
            plu_flow_done(p, i);
    }
}

static contact_sums sum_contacts(const plu_problem *p, const plu_island *island, double floor,
                                 bool hands_on)
{
    contact_sums *part = (contact_sums *)(void *)p->sums;
    if (!island->large)
        return sum_range(p, island, island->slot_begin, island->slot_end, floor);
    plu_shares shares;
    plu_share_strips(&shares, p, island);
    PLU_TEAM(true, share_contacts(p, island, floor, hands_on, &shares, part));
    return join_contacts(island, part, island->strip_end - island->strip_begin);
}

/* Converts sums from the units of single precision to SI. */
static contact_sums in_si(const plu_single *s, contact_sums c)
{
    c.heavy *= s->mass;
    c.mass *= s->mass;
    c.work *= s->mass;
    c.pressed *= s->mass;
    c.net *= s->mass;
    c.rubbed *= s->mass;
    c.held *= s->mass * s->length;
    c.closing /= s->length;
    c.f_scaled *= s->mass * s->mass;
    c.p_scaled *= s->mass * s->mass;
    return c;
}

static void share_tiles(const plu_single *single, int first, double floor, plu_shares *shares,
                        contact_sums *part)
{
    const plu_problem *p = single->problem;
    int range = 0;
    for (int t; (t = plu_shares_take(shares, &range)) >= 0;)
        part[t - first] = PLU_ISA_BEST(plu_error_blocks_single)(
            single, p->color_start[p->tiles[t].color_begin], plu_tile_end(p, &p->tiles[t]), floor,
            (plu_bound){0});
}

/* As share_tiles, over the strips of an island that is not tiled. */
static void share_floats(const plu_single *single, const plu_island *island, double floor,
                         contact_sums *part)
{
    const plu_strip *strips = single->problem->strips;
#pragma omp for schedule(static) nowait
    for (int i = island->strip_begin; i < island->strip_end; i++)
        part[i - island->strip_begin] = PLU_ISA_BEST(plu_error_blocks_single)(
            single, strips[i].begin, strips[i].end, floor, (plu_bound){0});
}

static contact_sums sum_single(const plu_single *single, const plu_island *island, double floor)
{
    const plu_problem *p = single->problem;
    const int first = p->group_start[island->group_begin], end = p->group_start[island->group_end];
    const double least = 1e-30; /* this and its inverse are in the range of a float */
    contact_sums *part = (contact_sums *)(void *)p->sums;
    if (!island->large)
        return in_si(single, PLU_ISA_BEST(plu_error_blocks_single)(
                                 single, island->slot_begin, plu_padded_end(island),
                                 plu_max(floor, least), (plu_bound){0}));
    if (!island->tiled) {
        PLU_TEAM(true, share_floats(single, island, plu_max(floor, least), part));
        return in_si(single, join_contacts(island, part, island->strip_end - island->strip_begin));
    }
    plu_shares shares;
    plu_share_tiles(&shares, p, island);
    PLU_TEAM(true, share_tiles(single, first, plu_max(floor, least), &shares, part));
    return in_si(single, join_contacts(island, part, end - first));
}

/* Over the largest speed: what changes by less does so by rounding. */
static const double rounding = 1e-12;

/* The least s_c^2: from g h, or without gravity from a share of the largest change; never
 * below the rounding of velocities. */
static double floor_of(const body_sums *b, double fall)
{
    const double share = fall > 0.0 ? 0.0 : change_share;
    return plu_max(fall * fall,
                   plu_max(share * share * b->most_change, rounding * rounding * b->most_speed)) +
           1e-200;
}

static double mass_of(const plu_problem *p, const plu_island *island)
{
    double mass = 0.0;
    for (int k = island->body_begin; k < island->body_end; k++) {
        const double inverse = p->v_free[p->island_body[k]][6];
        mass += inverse > 0.0 ? 1.0 / inverse : 0.0;
    }
    return mass;
}

/* Where contacts yield bodies may stay at rest between boundaries that move: a share of the speed
 * of the fastest of these counts, too. */
static double driven_floor(const plu_problem *p)
{
    double most = 0.0;
    for (int row = p->moving; row < p->moving + p->given; row++)
        most = plu_max(most, plu_dot(p->v[row], p->v[row]));
    return boundary_share * boundary_share * most;
}

/* NaN if x is. */
static double beyond(double x, double least)
{
    return x <= least ? 0.0 : x - least;
}

/* Impulses that hold bodies against their attraction have work by rounding, where nothing else
 * happens: of errors and of friction. */
static void leave_rounding(const body_sums *b, contact_sums *c)
{
    const double least = rounding * b->mass * b->most_pull;
    c->work = beyond(c->work, least);
    c->net = copysign(beyond(fabs(c->net), least), c->net);
    c->rubbed = beyond(c->rubbed, least);
}

static plu_errors errors_of(const state *x, const double pull[3], bool hands_on)
{
    const plu_island *island = x->island;
    const plu_servo_sums servo = plu_servos_sum(x->problem, island, !x->single);
    double fall = plu_norm(pull);
    if (servo.load > 0.0)
        fall = plu_max(fall, servo.load / (servo.mass + mass_of(x->problem, island)));
    const body_sums b = sum_bodies(x, pull, fall);
    const double floor =
        plu_max(floor_of(&b, fall), island->bound.most > 0.0 ? driven_floor(x->problem) : 0.0);
    contact_sums c = x->single ? sum_single(x->single, island, floor)
                               : sum_contacts(x->problem, island, floor, hands_on);
    if (b.most_pull > 0.0 && !(fall > 0.0))
        leave_rounding(&b, &c);
    const double count = plu_max(b.count, 1.0), contacts = island->contacts;
    const double load = b.mass * plu_norm(pull) + servo.load,
                 least = load > 0.0 ? 0.0 : rounding * sqrt(b.most_speed),
                 turned = load > 0.0 ? load : plu_max(sqrt(b.weighted * b.mass), b.mass * least);
    const double heavy = c.mass > 0.0 ? sqrt(c.heavy / c.mass) : 0.0;
    return (plu_errors){
        .contacts = island->contacts,
        .lone = island->body_end - island->body_begin == 1,
        .velocity = sqrt(c.square / contacts),
        .worst = sqrt(c.worst),
        .closing = c.closing,
        .opening = c.opening,
        .heavy = plu_max(heavy, fall > 0.0 ? servo.unborne / fall : 0.0),
        .sinking = c.work > 0.0 ? c.work / plu_max(turned, 1e-300) : 0.0,
        .pressed = c.pressed > 0.0 ? c.pressed / plu_max(turned, 1e-300) : 0.0,
        .change = plu_max(sqrt(b.change / count), least),
        .speed = sqrt(b.speed / count),
        .drift = b.mass > 0.0 ? sqrt(b.drift / b.mass) : 0.0,
        .raw = sqrt(b.raw / count),
        .bounce = c.bounce,
        .driven = servo.load > 0.0 || b.most_prescribed > 0.0 ||
                  (!(plu_norm(pull) > 0.0) && c.rubbed > strained_slowly * b.weighted),
        .weight = b.mass * plu_norm(pull),
        .pull = plu_norm(pull),
        .struck = b.weighted,
        .held = c.held,
        .span = 10.0 * b.inertia,
        .strain = c.pressed,
        .work = c.work,
        .net = c.net,
        .rubbed = c.rubbed,
        .fall = fall,
        .scaled = plu_scaled_residual(c.f_scaled, c.p_scaled),
    };
}

plu_errors plu_problem_errors(const plu_problem *problem, plu_island *island, const double pull[3],
                              bool last)
{
    const bool hands_on = last && plu_flow_hands_on(problem, island);
    const plu_errors errors = errors_of(&(state){problem, island, NULL}, pull, hands_on);
    if (hands_on)
        plu_flow_handed_on(island);
    return errors;
}

plu_errors plu_single_errors(const plu_single *single, const plu_island *island,
                             const double pull[3])
{
    return errors_of(&(state){single->problem, island, single}, pull, false);
}
