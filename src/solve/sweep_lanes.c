/* Eight contacts of one colour at a time (compiled for each instruction set, base/cpu.h).
 *
 * A body is one row of 64 bytes: the sixteen rows of a block are loaded whole and transposed in
 * registers, which beats gathering single numbers. Where all eight contacts are decoupled (wc = 0:
 * equal spheres) the update needs no local Delassus block but its inverse diagonal:
 *   r_N <- (r_N - u_N / wn)+ ,  r_T <- P(r_T - u_T / wt) ,  m_R <- P(m_R - omega_R / wr) . */
#include "solve/sweep_lanes.h"
#include "problem/block_lanes.h"

#if defined(PLU_SINGLE)
#define SMALL 1e-6   /* of the root's function, over its terms */
#define NARROW 2e-7  /* of its interval */
#define POINT 1e-12  /* PLU_POINT, in the units of problem/single.h */
#define SWAPPED true /* v and v_before change places, which saves writing one of them */
#else
#define SMALL 2e-15
#define NARROW 4e-16
#define POINT PLU_POINT
#define SWAPPED false
#endif

/* Lanes that slip and roll: the root of |a + wc y| = lambda Rt, y = -Rm v/|v|, v = lambda b - wc a,
 * as in local_exact.c, from the lambda that `y` (the last one) would have; lanes that are done keep
 * their values. */
static void slip_and_roll(swept_block *c, int k, mask todo, vectors a, vectors b, lanes rt,
                          lanes rm, vectors *x, vectors *y)
{
    const lanes wt = load(c->pair->wt + k), wc = load(c->pair->wc + k), zero = all(0.0),
                one = all(1.0);
    const lanes safe_rt = choose(todo, rt, one), awc = choose(wc < zero, -wc, wc);
    const lanes aa = dot(a, a), na = root(aa), swing = awc * rm, scale = na + swing;
    const lanes bend = wc * wc * rm;
    const mask sought = todo;
    vectors z = add_times(a, wc, *y);
    lanes low = larger(wt, (na - swing) / safe_rt), high = larger(low, scale / safe_rt);
    lanes lambda = smaller(larger(norm(z) / safe_rt, low), high);
    for (int iteration = 0; iteration < 80 && any(todo); iteration++) {
        const vectors v = combined(lambda, b, -wc, a);
        const lanes nv = norm(v);
        const lanes inverse_nv = choose(nv > zero, one / nv, zero);
        const vectors fresh = scaled(-rm * inverse_nv, v), end = add_times(a, wc, fresh);
        const lanes nz = norm(end), f = nz - lambda * safe_rt;
        *y = choose3(todo, fresh, *y);
        z = choose3(todo, end, z);
        todo &=
            ~((choose(f < zero, -f, f) <= all(SMALL) * scale) | (high - low <= all(NARROW) * high));
        low = choose(todo & (f > zero), lambda, low);
        high = choose(todo & (f <= zero), lambda, high);
        const lanes along = dot(a, v) * inverse_nv;
        const lanes across = larger(aa - along * along, zero), steep = lambda * nz;
        const lanes next = lambda + f * steep / (bend * across * inverse_nv + safe_rt * steep);
        lambda = choose((next > low) & (next < high), next, all(0.5) * (low + high));
    }
    const lanes nz = norm(z);
    *x = choose3(sought, scaled(choose(nz > zero, -rt / nz, zero), z), *x);
}

/* Tangential and rolling impulses of coupled contacts: the active sets of local_exact.c in turn. */
static impulses coupled(swept_block *c, int k, vectors normal, lanes n, const impulses *velocity,
                        const impulses *p)
{
    const lanes wt = load(c->pair->wt + k), wr = load(c->pair->wr + k), wc = load(c->pair->wc + k),
                zero = all(0.0), one = all(1.0);
    const lanes per_wt = load(c->pair->inverse_wt + k), per_wr = load(c->pair->inverse_wr + k);
    const vectors nt = cross(normal, p->t), nm = cross(normal, p->m);
    vectors a = add_times(take_times(velocity->t, wt, p->t), wc, nm);
    a = take_times(a, dot(a, normal), normal); /* as in local_exact.h */
    const vectors qr = take_times(take_times(velocity->m, wr, p->m), wc, nt);
    const vectors b = cross(qr, normal);
    const lanes rt = sliding(c, k) * n, rm = rolling(c, k) * n, det = wt * wr - wc * wc,
                per_det = one / det;
    vectors x = scaled(per_det, combined(-wr, a, wc, b)),
            y = scaled(per_det, combined(wc, a, -wt, b));
    const mask point =
        (rt <= all(POINT)) | (rm <= all(POINT)); /* one disk is a point: the other is alone */
    if (any(point)) {
        x = choose3(point, into_disk(scaled(-per_wt, a), rt), x);
        y = choose3(point, into_disk(scaled(-per_wr, b), rm), y);
    }
    const mask slips = ~point & (dot(x, x) > rt * rt), rolls = ~point & (dot(y, y) > rm * rm);
    mask todo = slips | rolls;
    if (any(todo)) {
        const vectors at = take_times(a, wc * per_wr, b), bt = take_times(b, wc * per_wt, a);
        const lanes la = norm(at), lb = norm(bt);
        const vectors xs = scaled(-rt / choose(la > zero, la, one), at);
        const vectors ys = scaled(-per_wr, add_times(b, wc, xs));
        const vectors yr = scaled(-rm / choose(lb > zero, lb, one), bt);
        const vectors xr = scaled(-per_wt, add_times(a, wc, yr));
        const mask slip = slips & (la * wr >= rt * det) & (dot(ys, ys) <= rm * rm);
        const mask roll = rolls & ~slip & (lb * wt >= rm * det) & (dot(xr, xr) <= rt * rt);
        x = choose3(slip, xs, choose3(roll, xr, x));
        y = choose3(slip, ys, choose3(roll, yr, y));
        todo &= ~(slip | roll);
        if (any(todo)) {
            y = choose3(todo, cross(p->m, normal), y);
            slip_and_roll(c, k, todo, a, b, rt, rm, &x, &y);
        }
    }
    return (impulses){n, x, cross(normal, y)};
}

/* The impulses that the visit starts from, carried on by momentum. */
LANES_INLINE impulses start(swept_block *c, swept_before *b, int k, bool momentum, lanes beta,
                            impulses *last)
{
    *last = read_impulses(c, k);
    if (!momentum)
        return *last;
    const impulses before = {load(b->p[0] + k), load3(b->p + 1, k), load3(b->p + 4, k)};
    return (impulses){mul_add(beta, last->n - before.n, last->n),
                      add_times(last->t, beta, difference(last->t, before.t)),
                      add_times(last->m, beta, difference(last->m, before.m))};
}

LANES_INLINE lanes normal_impulse(swept_block *c, int k, const impulses *y, const impulses *p)
{
    return larger(sub_mul(p->n, y->n + load(c->bias + k), load(c->pair->inverse_wn + k)), all(0.0));
}

LANES_INLINE impulses decoupled(swept_block *c, int k, const impulses *y, const impulses *p)
{
    const lanes n = normal_impulse(c, k, y, p);
    const vectors t = take_times(p->t, load(c->pair->inverse_wt + k), y->t);
    const vectors m = take_times(p->m, load(c->pair->inverse_wr + k), y->m);
    return (impulses){n, into_disk(t, sliding(c, k) * n), into_disk(m, rolling(c, k) * n)};
}

/* The local solution. Contacts with and without coupling are solved each in their way, so that a
 * lane's result does not depend on its neighbours: all instruction sets give the same. */
LANES_INLINE impulses solve(swept_block *c, int k, vectors normal, const impulses *y,
                            const impulses *p)
{
    const mask couples = load(c->pair->wc + k) != all(0.0);
    if (!any(couples))
        return decoupled(c, k, y, p);
    const impulses both = coupled(c, k, normal, normal_impulse(c, k, y, p), y, p);
    if (!any(~couples))
        return both;
    impulses alone = decoupled(c, k, y, p);
    alone.t = choose3(couples, both.t, alone.t);
    alone.m = choose3(couples, both.m, alone.m);
    return alone;
}

typedef struct sums { /* of plu_sweep */
    parts change, size, momentum, rounding;
} sums;

/* Squared, moments over lengths of which g is 1 / L^2. */
LANES_INLINE lanes size_of(const impulses *x, lanes g)
{
    return mul_add(g, dot(x->m, x->m), mul_add(x->n, x->n, dot(x->t, x->t)));
}

/* What the change d to `fresh` adds to the sums of a sweep. */
LANES_INLINE void add_change(swept_block *c, int k, const impulses *fresh, const impulses *d,
                             lanes floor, sums *s)
{
    const lanes il = load(c->pair->inverse_length + k), g = il * il;
    add(&s->change, k, size_of(d, g));
    const lanes size = size_of(fresh, g);
#if defined(PLU_SINGLE)
    add(&s->size, k, size);
    add(&s->rounding, k, floor);
#else
    add(&s->size, k, size + floor);
#endif
}

/* The change d after momentum brought `last` to p. */
LANES_INLINE void add_momentum(swept_block *c, int k, const impulses *last, const impulses *p,
                               const impulses *d, sums *s)
{
    const vectors t = difference(p->t, last->t), m = difference(p->m, last->m);
    add(&s->momentum, k,
        load(c->pair->wn + k) * d->n * (p->n - last->n) + load(c->pair->wt + k) * dot(d->t, t) +
            load(c->pair->wr + k) * dot(d->m, m));
}

LANES_INLINE void write_impulses(real (*p)[BLOCK], int k, const impulses *x)
{
    store(p[0] + k, x->n);
    store3(p + 1, k, x->t);
    store3(p + 4, k, x->m);
}

/* Whether these contacts are decoupled and between bodies that move, as most are. In spare slots
 * both sides stand still. */
LANES_INLINE bool are_plain(const swept *problem, const swept_block *c, int k)
{
    return all_written(problem, c->a + k) && !any(load(c->pair->wc + k) != all(0.0));
}

/* What a visit does: nothing but its change; keeps the old impulses, too; with sums, the change
 * alone; keeps the old impulses; starts from momentum and keeps them. */
typedef enum visits { AGAIN, KEEP_UNSEEN, PLAIN, KEEP, MOMENTUM } visits;

LANES_INLINE void visit(swept *problem, swept_block *c, int k, bool plain, visits how, lanes beta,
                        sums *s)
{
    swept_before *before = &problem->before[c - problem->blocks];
    const vectors normal = load3(c->normal, k);
    bodies a = read_rows(problem->v, c->a + k), b = read_rows(problem->v, c->b + k);
    impulses last;
    const impulses p = start(c, before, k, how == MOMENTUM, beta, &last);
    const impulses y = relative_velocity(c, k, normal, &a, &b);
    const impulses fresh = plain ? decoupled(c, k, &y, &p) : solve(c, k, normal, &y, &p);
    const impulses d = {fresh.n - p.n, difference(fresh.t, p.t), difference(fresh.m, p.m)};
    const lanes floor = noise(c, k, &b);
    apply_impulses(c, k, normal, &d, &a, &b);
    write_rows(problem, c->a + k, plain, &a);
    write_rows(problem, c->b + k, plain, &b);
    write_impulses(c->p, k, &fresh);
    if (how == KEEP_UNSEEN || how >= KEEP)
        write_impulses(before->p, k, &last);
    if (how < PLAIN)
        return;
    add_change(c, k, &fresh, &d, floor, s);
    if (how == MOMENTUM)
        add_momentum(c, k, &last, &p, &d, s);
}

/* A function of its own keeps the path of the plain ones short. */
static __attribute__((noinline)) void visit_any(swept *problem, swept_block *c, int k, visits how,
                                                lanes beta, sums *s)
{
    visit(problem, c, k, false, how, beta, s);
}

enum { AHEAD = 4 }; /* blocks that are asked for before their turn */

PLU_FETCH void fetch_ahead(const swept *problem, const swept_block *c, visits how)
{
    plu_fetch_record(c + AHEAD, sizeof *c);
    if (how == MOMENTUM)
        plu_fetch_record(&problem->before[c - problem->blocks + AHEAD], sizeof *problem->before);
}

LANES_INLINE void visit_all(swept *problem, int begin, int end, visits how, lanes beta,
                            plu_coming *coming, sums *s)
{
    for (int slot = begin; slot < end; slot += BLOCK) {
        swept_block *c = &problem->blocks[slot / BLOCK];
        if (coming)
            fetch_coming(problem, coming);
        else
            fetch_ahead(problem, c, how);
        for (int k = 0; k < BLOCK; k += WIDTH) {
            if (are_plain(problem, c, k))
                visit(problem, c, k, true, how, beta, s);
            else
                visit_any(problem, c, k, how, beta, s);
        }
    }
}

plu_sweep PLU_ISA(plu_sweep_blocks)(swept *problem, int begin, int end, const plu_sweep_way *way)
{
    sums s = {0};
    if (way->beta != 0.0)
        visit_all(problem, begin, end, MOMENTUM, all(way->beta), NULL, &s);
    else if (way->keep && way->judged)
        visit_all(problem, begin, end, KEEP, all(0.0), NULL, &s);
    else if (way->keep)
        visit_all(problem, begin, end, KEEP_UNSEEN, all(0.0), NULL, &s);
    else if (way->judged)
        visit_all(problem, begin, end, PLAIN, all(0.0), NULL, &s);
    else
        visit_all(problem, begin, end, AGAIN, all(0.0), NULL, &s);
    return (plu_sweep){total(&s.change), total(&s.size), total(&s.momentum), total(&s.rounding)};
}

void PLU_ISA(plu_sweep_again)(swept *problem, int begin, int end, plu_coming *coming)
{
    sums none = {0};
    visit_all(problem, begin, end, AGAIN, all(0.0), coming, &none);
}

/* As much of a row as a register holds. */
typedef real part
    __attribute__((vector_size(PLU_REGISTER < 8 * PLU_REAL ? PLU_REGISTER : 8 * PLU_REAL)));

static inline part load_part(const real *at)
{
    part x;
    memcpy(&x, at, sizeof x);
    return x;
}

void PLU_ISA(plu_move_on)(swept *problem, const int *body, int count, double beta)
{
    for (int i = 0; i < count; i++) {
        real *v = problem->v[body[i]], *before = problem->v_before[body[i]];
        for (size_t j = 0; j < 8; j += sizeof(part) / sizeof(real)) {
            const part now = load_part(v + j);
            part next = now;
            if (beta != 0.0)
                next += (real)beta * (now - load_part(before + j));
            memcpy(SWAPPED ? before + j : v + j, &next, sizeof next);
            if (!SWAPPED)
                memcpy(before + j, &now, sizeof now);
        }
    }
}
