/* errors.c for a whole block at a time (compiled for each instruction set, base/cpu.h, and for both
 * precisions, blocks/precision.h). Of each contact, with y its velocity and p its impulse:
 *
 *     F_N = p_N - max(0, p_N - y_N / W_N) = min(y_N / W_N, p_N)    the second form does not cancel
 *     F_T = p_T - P(p_T - y_T / W_T) ,  radius mu max(0, p_N - y_N / W_N) ,  F_R alike
 *     e   = W F by parts ,  e_c^2 = e_N^2 + e_T^2 + (L e_R)^2
 *     s_c^2 = max(floor, |dv_a|^2, |dv_b|^2)
 *
 * summed up as e_c^2 / s_c^2, as |p . e| and p_N e_N (works), and by their maxima. A contact that
 * bears all it may (yield.h) has F_N = p_N - P, which is no error where it closes on. */
#include "blocks/pass_lanes.h"
#include "blocks/problem_lanes.h"

typedef struct sums {
    parts square, heavy, mass, work, pressed, f_scaled, p_scaled, net, rubbed, held, worst, bounce,
        closing, opening;
} sums;

static inline lanes absolute(lanes x)
{
    return larger(x, -x);
}

/* The larger |v - v_free|^2 of the two bodies. */
static inline lanes change_of(const swept *problem, const swept_block *c, int k)
{
    real most[WIDTH];
    for (int i = 0; i < WIDTH; i++) {
        const real ca = change_of_row(problem, c->a[k + i]);
        const real cb = change_of_row(problem, c->b[k + i]);
        most[i] = ca > cb ? ca : cb;
    }
    return load(most);
}

/* Mass of the heavier moving body, from the inverse masses a and b; 0: none moves. */
static inline lanes heavier(lanes a, lanes b)
{
    const lanes zero = all(0.0);
    const lanes least = choose((a > zero) & ((a < b) | opposite(b > zero)), a, b);
    return choose(least > zero, all(1.0) / choose(least > zero, least, all(1.0)), zero);
}

LANES_INLINE void add_contacts(const swept *problem, swept_block *c, int k, double floor,
                               bool pivots, bool yields, plu_bound bound, sums *s)
{
    const vectors normal = load3(c->normal, k);
    const impulses p = read_impulses(c, k);
    const bodies a = read_rows(problem->v, c->a + k), b = read_rows(problem->v, c->b + k);
    impulses y = relative_velocity(c, k, normal, &a, &b, pivots);
    const lanes bias = load(c->bias + k), il = load(c->pair->inverse_length + k), g = il * il;
    y.n += bias;
    const lanes step = y.n * load(c->pair->inverse_wn + k), free = larger(p.n - step, all(0.0)),
                least =
                    smaller(step, p.n); /* p_N - free, also where floats cannot tell them apart */
    const lanes limit = yields ? most_of(problem, c, k, bound) : all(0.0);
    const lanes trial = yields ? smaller(free, limit) : free,
                fn = yields ? larger(least, p.n - limit) : least;
    const vectors t = take_times(p.t, load(c->pair->inverse_wt + k), y.t);
    const vectors m = take_times(p.m, load(c->pair->inverse_wr + k), y.m);
    const lanes tt = square_of(off_disk(p.t, t, sliding(c, k) * trial));
    const lanes mm = square_of(difference(p.m, moment_within(c, k, m, normal, trial, pivots)));
    const lanes en = load(c->pair->wn + k) * fn, et = load(c->pair->wt + k) * root(tt),
                er = load(c->pair->wr + k) * root(mm);
    const lanes scale = larger(all(floor), change_of(problem, c, k));
    const lanes error = (en * en + et * et + er * er / g) / scale;
    const lanes work = absolute(p.n * en) + norm(p.t) * et + norm(p.m) * er;
    const lanes mass = heavier(a.inverse_mass, b.inverse_mass);
    add(&s->square, k, error);
    add(&s->work, k, yields ? choose((mask)(p.n > all(bound.held)), all(0.0), work) : work);
    add(&s->net, k, p.n * en);
    add(&s->rubbed, k, -dot(p.t, y.t) - dot(p.m, y.m));
    add(&s->held, k, all(2.0) * p.n / il);
    add(&s->pressed, k, load(c->pair->wn + k) * p.n * p.n);
    raise(&s->worst, k, error);
    add(&s->mass, k, mass);
    add(&s->heavy, k, mass * error);
    raise(&s->bounce, k, -bias);
    if (yields)
        raise(&s->closing, k, choose((mask)(free >= limit), all(0.0), -(y.n * il)));
    else
        raise(&s->closing, k, -y.n * il);
    raise(&s->opening, k, en);
    add(&s->f_scaled, k, fn * fn + tt + g * mm);
    add(&s->p_scaled, k, p.n * p.n + square_of(p.t) + g * square_of(p.m) + noise(c, k, &b));
}

LANES_INLINE void add_blocks(const swept *problem, int begin, int end, double floor, bool pivots,
                             bool yields, plu_bound bound, sums *s)
{
    for (int slot = begin; slot < end; slot += STRIDE) {
        fetch_ahead(problem, NULL, slot);
        for (int k = FIRST_LANE(slot); k < FIRST_LANE(slot) + STRIDE; k += WIDTH)
            add_contacts(problem, &problem->blocks[slot / BLOCK], k, floor, pivots, yields, bound,
                         s);
    }
}

static __attribute__((noinline)) void add_yielding(const swept *problem, int begin, int end,
                                                   double floor, plu_bound bound, sums *s)
{
    if (pivots_of(problem))
        add_blocks(problem, begin, end, floor, true, true, bound, s);
    else
        add_blocks(problem, begin, end, floor, false, true, bound, s);
}

plu_error_sums PLU_ISA(plu_error_blocks)(const swept *problem, int begin, int end, double floor,
                                         plu_bound bound)
{
    sums s = {0};
    if (bound.most > 0.0)
        add_yielding(problem, begin, end, floor, bound, &s);
    else if (pivots_of(problem))
        add_blocks(problem, begin, end, floor, true, false, (plu_bound){0}, &s);
    else
        add_blocks(problem, begin, end, floor, false, false, (plu_bound){0}, &s);
    return (plu_error_sums){total(&s.square),    total(&s.heavy),    total(&s.mass),
                            total(&s.work),      total(&s.pressed),  total(&s.f_scaled),
                            total(&s.p_scaled),  total(&s.net),      total(&s.rubbed),
                            total(&s.held),      largest(&s.worst),  largest(&s.bounce),
                            largest(&s.closing), largest(&s.opening)};
}
