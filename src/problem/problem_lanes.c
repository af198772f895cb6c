/* apply.c and residual.c for eight contacts at a time (compiled for each instruction set,
 * base/cpu.h). */
#include "problem/problem_lanes.h"
#include "problem/block_lanes.h"

typedef struct sums {
    lanes f_scaled, p_scaled, f_natural, p, y, q;
} sums;

static inline lanes square(impulses x)
{
    return x.n * x.n + dot(x.t, x.t) + dot(x.m, x.m);
}

/* Squared length of p - x when x is first brought into the disk of that radius. */
static inline lanes off_disk(vectors p, vectors x, lanes radius)
{
    const vectors d = difference(p, into_disk(x, radius));
    return dot(d, d);
}

static inline void add_scaled(plu_block *c, const impulses *p, const impulses *y, sums *s)
{
    const lanes trial = larger(p->n - y->n * load(c->inverse_wn), all(0.0)), fn = p->n - trial;
    const vectors t = difference(p->t, scaled(load(c->inverse_wt), y->t));
    const vectors m = difference(p->m, scaled(load(c->inverse_wr), y->m));
    const lanes il = load(c->inverse_length), g = il * il;
    s->f_scaled += fn * fn + off_disk(p->t, t, load(c->mu) * trial) +
                   g * off_disk(p->m, m, load(c->mu_r) * trial);
    s->p_scaled += p->n * p->n + dot(p->t, p->t) + g * dot(p->m, p->m);
}

static inline void add_natural(plu_block *c, const impulses *p, const impulses *y, sums *s)
{
    const lanes mu = load(c->mu), mu_r = load(c->mu_r), one = all(1.0);
    const vectors t = difference(p->t, y->t), m = difference(p->m, y->m);
    const lanes x = p->n - (y->n + mu * norm(y->t) + mu_r * norm(y->m));
    const lanes lt = norm(t), lm = norm(m);
    const lanes slide = (x + mu * lt) / (one + mu * mu);
    const lanes roll = (x + mu_r * lm) / (one + mu_r * mu_r);
    const lanes both = (x + mu * lt + mu_r * lm) / (one + mu * mu + mu_r * mu_r);
    const lanes n = larger(larger(all(0.0), x), larger(larger(slide, roll), both));
    s->f_natural +=
        (p->n - n) * (p->n - n) + off_disk(p->t, t, mu * n) + off_disk(p->m, m, mu_r * n);
}

plu_residual_sums PLU_ISA(plu_residual_blocks)(const plu_problem *problem, int begin, int end)
{
    const lanes zero = all(0.0);
    sums s = {zero, zero, zero, zero, zero, zero};
    for (int slot = begin; slot < end; slot += PLU_LANES) {
        plu_block *c = &problem->blocks[slot / PLU_LANES];
        const vectors normal = load3(c->normal);
        const impulses p = read_impulses(c);
        bodies a = read_rows(problem->v, c->a), b = read_rows(problem->v, c->b);
        impulses y = relative_velocity(c, normal, &a, &b);
        y.n += load(c->bias);
        add_scaled(c, &p, &y, &s);
        add_natural(c, &p, &y, &s);
        s.p += square(p);
        s.y += square(y);
        a = read_rows(problem->v_free, c->a);
        b = read_rows(problem->v_free, c->b);
        y = relative_velocity(c, normal, &a, &b);
        y.n += load(c->bias);
        s.q += square(y);
    }
    return (plu_residual_sums){total(s.f_scaled), total(s.p_scaled), total(s.f_natural),
                               total(s.p),        total(s.y),        total(s.q)};
}

void PLU_ISA(plu_apply_blocks)(plu_problem *problem, int begin, int end)
{
    for (int slot = begin; slot < end; slot += PLU_LANES) {
        plu_block *c = &problem->blocks[slot / PLU_LANES];
        const impulses p = read_impulses(c);
        bodies a = read_rows(problem->v, c->a), b = read_rows(problem->v, c->b);
        apply_impulses(c, load3(c->normal), &p, &a, &b);
        write_rows(problem->v, c->a, &a);
        write_rows(problem->v, c->b, &b);
    }
}

static inline bodies mean_rows(double (*before)[8], double (*after)[8], const int32_t index[8])
{
    const bodies a = read_rows(before, index), b = read_rows(after, index);
    const lanes half = all(0.5);
    return (bodies){combined(half, a.v, half, b.v), combined(half, a.w, half, b.w), a.inverse_mass,
                    a.inverse_inertia};
}

/* The gap goes along with the normal velocity: distances to convex bodies grow at least as their
 * first-order change, so that no pair that gets too deep is missed (inside a tube the next step
 * sees what is missing). */
static inline void mark_deep(plu_block *c, const plu_step_end *e, lanes mean, unsigned char *out)
{
    const lanes approach = load(c->approach), after = mean + mean - approach;
    const lanes motion = all(e->step) * (all(e->theta) * after + all(1.0 - e->theta) * approach);
    const mask deep = (load(c->gap) + motion) * load(c->inverse_length) < all(-e->depth);
    for (int k = 0; k < PLU_LANES; k++)
        out[k] = deep[k] != 0;
}

plu_work PLU_ISA(plu_work_blocks)(const plu_problem *problem, const plu_step_end *e, int begin,
                                  int end)
{
    lanes impact = all(0.0), friction = impact, rolling = impact;
    for (int slot = begin; slot < end; slot += PLU_LANES) {
        plu_block *c = &problem->blocks[slot / PLU_LANES];
        const impulses p = read_impulses(c);
        const bodies a = mean_rows(e->v_start, problem->v, c->a);
        const bodies b = mean_rows(e->v_start, problem->v, c->b);
        const impulses y = relative_velocity(c, load3(c->normal), &a, &b);
        impact += p.n * y.n;
        friction += dot(p.t, y.t);
        rolling += dot(p.m, y.m);
        mark_deep(c, e, y.n, e->too_deep + slot);
    }
    return (plu_work){total(impact), total(friction), total(rolling)};
}
