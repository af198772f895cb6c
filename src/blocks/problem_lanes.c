/* residual.c, and the end of a step, for eight contacts at a time (compiled for each instruction
 * set, base/cpu.h). One pass has of each contact its impulse p, the rows of its bodies and so y:
 *
 *     scaled     |F|^2 over |p|^2, F = p - P(p - y / W_ii) by parts, moments over L
 *     natural    |p - P_K(p - y^)|^2, y^ = y + (mu |y_T| + mu_r |y_R|) e_N       (SI units)
 *     work       p . (y_k + y_{k+1}) / 2 by parts, y without bias
 *     too deep   gap + h (theta u_N + (1 - theta) u_N,k) < -depth L: pairs that the position
 *                projection has to look at; a first-order prediction, which a convex distance never
 *                falls below */
#include "blocks/problem_lanes.h"
#include "blocks/pass_lanes.h"
#include <math.h>

typedef struct sums {
    parts f_scaled, p_scaled, f_natural, p, y, q;
} sums;

static inline lanes square(impulses x)
{
    return x.n * x.n + dot(x.t, x.t) + dot(x.m, x.m);
}

LANES_INLINE void add_scaled(plu_block *c, int k, vectors normal, const impulses *p,
                             const impulses *y, bool pivots, lanes most, sums *s)
{
    const lanes trial =
                    smaller(larger(p->n - y->n * load(c->pair->inverse_wn + k), all(0.0)), most),
                fn = p->n - trial;
    const vectors t = take_times(p->t, load(c->pair->inverse_wt + k), y->t);
    const vectors m = take_times(p->m, load(c->pair->inverse_wr + k), y->m);
    const lanes il = load(c->pair->inverse_length + k), g = il * il;
    const lanes t_off = square_of(off_disk(p->t, t, sliding(c, k) * trial));
    const lanes m_off = square_of(difference(p->m, moment_within(c, k, m, normal, trial, pivots)));
    add(&s->f_scaled, k, fn * fn + t_off + g * m_off);
    add(&s->p_scaled, k, p->n * p->n + dot(p->t, p->t) + g * dot(p->m, p->m));
}

/* off_disk with the length of x given. */
static inline lanes off_disk_at(vectors p, vectors x, lanes length, lanes radius)
{
    const vectors d = take_times(p, disk_factor(length, radius), x);
    return dot(d, d);
}

static inline void add_natural(plu_block *c, int k, const impulses *p, const impulses *y,
                               lanes most, sums *s)
{
    const lanes mu = sliding(c, k), mu_r = rolling(c, k);
    const vectors t = difference(p->t, y->t), m = difference(p->m, y->m);
    const lanes x = p->n - (y->n + lift(mu, norm(y->t)) + lift(mu_r, norm(y->m)));
    const lanes lt = norm(t), lm = norm(m);
    const lanes n = smaller(cone_normal(x, lt, lm, mu, mu_r), most), fn = p->n - n;
    add(&s->f_natural, k,
        fn * fn + off_disk_at(p->t, t, lt, mu * n) + off_disk_at(p->m, m, lm, mu_r * n));
}

static inline void add_natural_pivoting(plu_block *c, int k, vectors normal, const impulses *p,
                                        const impulses *y, lanes most, sums *s)
{
    const lanes mu = sliding(c, k), mu_r = rolling(c, k), mu_p = pivoting(c, k);
    const vectors t = difference(p->t, y->t), m = difference(p->m, y->m);
    const lanes mp = dot(m, normal), wp = dot(y->m, normal);
    const vectors mr = take_times(m, mp, normal), wr = take_times(y->m, wp, normal);
    const lanes lift_all =
        lift(mu, norm(y->t)) + lift(mu_r, norm(wr)) + lift(mu_p, larger(wp, -wp));
    const lanes lt = norm(t), lm = norm(mr);
    const lanes n = smaller(
        cone_normal_pivoting(p->n - (y->n + lift_all), lt, lm, larger(mp, -mp), mu, mu_r, mu_p),
        most);
    const vectors moment =
        add_times(scaled(disk_factor(lm, mu_r * n), mr), into_interval(mp, mu_p * n), normal);
    const vectors off = difference(p->m, moment);
    const lanes fn = p->n - n;
    add(&s->f_natural, k, fn * fn + off_disk_at(p->t, t, lt, mu * n) + dot(off, off));
}

LANES_INLINE void add_contacts(const plu_problem *problem, plu_block *c, int k,
                               plu_residual_parts wanted, bool pivots, plu_bound bound, sums *s)
{
    const lanes limit = bound.most > 0.0 ? most_of(problem, c, k, bound) : all(HUGE_VAL);
    const vectors normal = load3(c->normal, k);
    const impulses p = read_impulses(c, k);
    bodies a = read_rows(problem->v, c->a + k), b = read_rows(problem->v, c->b + k);
    impulses y = relative_velocity(c, k, normal, &a, &b, pivots);
    y.n += load(c->bias + k);
    add_scaled(c, k, normal, &p, &y, pivots, limit, s);
    add(&s->p_scaled, k, noise(c, k, &b));
    if (wanted == PLU_SUM_SCALED)
        return;
    if (pivots)
        add_natural_pivoting(c, k, normal, &p, &y, limit, s);
    else
        add_natural(c, k, &p, &y, limit, s);
    add(&s->p, k, square(p));
    add(&s->y, k, square(y));
    if (wanted == PLU_SUM_NATURAL)
        return;
    a = read_rows(problem->v_free, c->a + k);
    b = read_rows(problem->v_free, c->b + k);
    y = relative_velocity(c, k, normal, &a, &b, pivots);
    y.n += load(c->bias + k);
    add(&s->q, k, square(y));
}

LANES_INLINE void add_blocks(const plu_problem *problem, int begin, int end,
                             plu_residual_parts wanted, bool pivots, plu_bound bound, sums *s)
{
    for (int slot = begin; slot < end; slot += STRIDE) {
        fetch_ahead(problem, wanted == PLU_SUM_ALL ? problem->v_free : NULL, slot);
        for (int k = FIRST_LANE(slot); k < FIRST_LANE(slot) + STRIDE; k += WIDTH)
            add_contacts(problem, &problem->blocks[slot / PLU_LANES], k, wanted, pivots, bound, s);
    }
}

plu_residual_sums PLU_ISA(plu_residual_blocks)(const plu_problem *problem, int begin, int end,
                                               plu_residual_parts wanted, plu_bound bound)
{
    sums s = {0};
    if (problem->pivots)
        add_blocks(problem, begin, end, wanted, true, bound, &s);
    else if (wanted == PLU_SUM_SCALED)
        add_blocks(problem, begin, end, PLU_SUM_SCALED, false, bound, &s);
    else
        add_blocks(problem, begin, end, wanted, false, bound, &s);
    return (plu_residual_sums){total(&s.f_scaled), total(&s.p_scaled), total(&s.f_natural),
                               total(&s.p),        total(&s.y),        total(&s.q)};
}

static inline bodies mean_rows(double (*before)[8], double (*after)[8], const int32_t *index)
{
    const bodies a = read_rows(before, index), b = read_rows(after, index);
    const lanes half = all(0.5);
    return (bodies){combined(half, a.v, half, b.v), combined(half, a.w, half, b.w), a.inverse_mass,
                    a.inverse_inertia};
}

/* Predicts the gap from the normal velocity. The distance to a convex body is at least its
 * first-order prediction, so that no pair that gets too deep is missed (inside a tube, which is not
 * convex, the next step sees it). */
static inline unsigned too_deep(const plu_block *c, const plu_block_start *start, int k,
                                const plu_step_end *e, lanes mean)
{
    const lanes approach = load(start->approach + k), after = mean + mean - approach;
    lanes motion = all(e->step) * (all(e->theta) * after + all(1.0 - e->theta) * approach);
    if (e->lands)
        motion = smaller(motion, all(e->step) * after);
    const mask deep =
        (load(start->gap + k) + motion) * load(c->pair->inverse_length + k) < all(-e->depth);
    return bits(deep) << k;
}

typedef struct works {
    parts impact, friction, rolling, pivoting, depth, depth_ratio;
    int bearing;
} works;

static inline void note_depth(const plu_block *c, const plu_block_start *start, int k, works *w)
{
    const lanes depth = -load(start->gap + k);
    raise(&w->depth, k, depth);
    raise(&w->depth_ratio, k, all(0.5) * depth * load(c->pair->inverse_length + k));
}

/* Adds the work of a block's lanes; returns a bit for each pair that will be too deep. */
LANES_INLINE unsigned add_work(const plu_problem *problem, const plu_step_end *e, int slot, int k,
                               bool pivots, works *w)
{
    plu_block *c = &problem->blocks[slot / PLU_LANES];
    const impulses p = read_impulses(c, k);
    const bodies a = mean_rows(e->v_start, problem->v, c->a + k);
    const bodies b = mean_rows(e->v_start, problem->v, c->b + k);
    const vectors normal = load3(c->normal, k);
    const impulses y = relative_velocity(c, k, normal, &a, &b, pivots);
    const lanes impact = p.n * y.n, friction = dot(p.t, y.t), turning = dot(p.m, y.m);
    const lanes along = pivots ? dot(p.m, normal) * dot(y.m, normal) : all(0.0);
    const lanes rolls = pivots ? turning - along : turning;
    add(&w->impact, k, impact);
    add(&w->friction, k, friction);
    add(&w->rolling, k, rolls);
    if (pivots)
        add(&w->pivoting, k, along);
    if (e->each) {
        store(e->each[0] + k, impact);
        store(e->each[1] + k, friction);
        store(e->each[2] + k, rolls);
        store(e->each[3] + k, along);
    }
    note_depth(c, &problem->start[slot / PLU_LANES], k, w);
    w->bearing += __builtin_popcount(bits(p.n > all(0.0)));
    return too_deep(c, &problem->start[slot / PLU_LANES], k, e, y.n);
}

LANES_INLINE void add_works(const plu_problem *problem, const plu_step_end *e, int begin, int end,
                            bool pivots, works *w)
{
    for (int slot = begin; slot < end; slot += PLU_LANES) {
        unsigned deep = 0;
        fetch_ahead(problem, e->v_start, slot);
        for (int k = 0; k < PLU_LANES; k += WIDTH)
            deep |= add_work(problem, e, slot, k, pivots, w);
        e->too_deep[slot / PLU_LANES] = (unsigned char)deep;
    }
}

plu_work PLU_ISA(plu_work_blocks)(const plu_problem *problem, const plu_step_end *e, int begin,
                                  int end)
{
    works w = {0};
    if (problem->pivots)
        add_works(problem, e, begin, end, true, &w);
    else
        add_works(problem, e, begin, end, false, &w);
    return (plu_work){total(&w.impact),   total(&w.friction), total(&w.rolling),
                      total(&w.pivoting), largest(&w.depth),  largest(&w.depth_ratio),
                      w.bearing};
}
