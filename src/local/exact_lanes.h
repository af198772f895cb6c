/* exact_lanes.h: the exact local solver for spheres (AB21 (67)), in SIMD lanes of the width for
 * which the including file is compiled. src/solving.md, "One contact: the exact solver", has the
 * conditions of each set of active disks.
 *
 * Only the normal part feels the normal impulse, since the block of two spheres has W_NT = W_NR =
 * 0, and Coulomb's law is that of an associated one in the plane of constant r_N:
 *
 * The normal decouples: r_N <- (r_N - y_N / wn)+. With the radii Rt = a r_N and Rm = b r_N of the
 * disks (cone/law.h), x = r_T, y = J m_R, a = q_T and b = J q_R, where q = y - W p, the rest is the
 * strictly convex problem
 *   min 1/2 wt |x|^2 + 1/2 wr |y|^2 + wc x.y + a.x + b.y ,  |x| <= Rt , |y| <= Rm
 * (wt wr > wc^2), unique for all radii. Four sets of active disks are possible,
 *
 *        |x| < Rt             |x| = Rt
 *      +------------------+-----------------+
 *      | stick: 2 x 2     | slip: y follows | |y| < Rm
 *      +------------------+-----------------+
 *      | roll: x follows  | slip and roll:  | |y| = Rm
 *      |                  | a scalar root   |
 *      +------------------+-----------------+
 *
 * and the first whose answer keeps to its disks is the solution. Where wc = 0, as for two equal
 * spheres, it falls apart: r_T <- P(r_T - u_T / wt) ,  m_R <- P(m_R - omega_R / wr) .
 *
 * Pivoting is coupled to nothing: m_P <- P(m_P - omega_P / wr), the interval c r_N. */
#ifndef LOCAL_EXACT_LANES_H
#define LOCAL_EXACT_LANES_H

#include "blocks/block_lanes.h"
#include "local/local.h"

#if defined(PLU_SINGLE)
#define SMALL 1e-6  /* of the root's function, over its terms */
#define NARROW 2e-7 /* of its interval */
#define POINT 1e-12 /* PLU_POINT, in the units of blocks/single.h */
#else
#define SMALL 2e-15
#define NARROW 4e-16
#define POINT PLU_POINT
#endif

/* Local Delassus blocks and slopes of the cones. */
typedef struct exact_terms {
    lanes wt, wr, wc, per_wn, per_wt, per_wr, slide, roll, pivot; /* pivot: if it pivots */
    bool yields; /* a constant of the caller: impulses along the normal end at `most` */
    lanes most;
} exact_terms;

/* Lanes that slip and roll: the multiplier lambda >= wt of the slip disk is the root of the
 * strictly decreasing f(lambda) = |a + wc y| - lambda Rt, y = -Rm v/|v|, v = lambda b - wc a.
 * Newton, kept in its bracket by bisection, from the lambda that `y` (the last one) would have;
 * lanes that are done keep their values. */
LANES_INLINE void slip_and_roll(const exact_terms *w, mask todo, vectors a, vectors b, lanes rt,
                                lanes rm, vectors *x, vectors *y)
{
    const lanes wc = w->wc, zero = all(0.0), one = all(1.0);
    const lanes safe_rt = choose(todo, rt, one), awc = choose(wc < zero, -wc, wc);
    const lanes aa = dot(a, a), na = root(aa), swing = awc * rm, scale = na + swing;
    const lanes bend = wc * wc * rm;
    const mask sought = todo;
    vectors z = add_times(a, wc, *y);
    lanes low = larger(w->wt, (na - swing) / safe_rt), high = larger(low, scale / safe_rt);
    lanes lambda = smaller(larger(norm(z) / safe_rt, low), high);
    for (int iteration = 0; iteration < 80 && any(todo); iteration++) {
        const vectors v = combined(lambda, b, -wc, a);
        const lanes nv = norm(v);
        const lanes inverse_nv = choose(nv > zero, one / nv, zero);
        const vectors fresh = scaled(-rm * inverse_nv, v), end = add_times(a, wc, fresh);
        const lanes nz = norm(end), f = nz - lambda * safe_rt;
        *y = choose3(todo, fresh, *y);
        z = choose3(todo, end, z);
        todo &= opposite((mask)(choose(f < zero, -f, f) <= all(SMALL) * scale) |
                         (high - low <= all(NARROW) * high));
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

/* What the coupled problem is made of: its linear terms and the radii of the disks. */
typedef struct coupled_terms {
    vectors a, b;
    lanes rt, rm;
} coupled_terms;

/* The terms of contacts whose normal impulses are n, from p and the velocities there. */
LANES_INLINE coupled_terms coupled_terms_of(const exact_terms *w, vectors normal, lanes n,
                                            const impulses *velocity, const impulses *p)
{
    const vectors nt = cross(normal, p->t), nm = cross(normal, p->m);
    const vectors a = add_times(take_times(velocity->t, w->wt, p->t), w->wc, nm);
    const vectors qr = take_times(take_times(velocity->m, w->wr, p->m), w->wc, nt);
    /* The coupling multiplies a rounding error along the normal from sweep to sweep: take it off.
     */
    return (coupled_terms){take_times(a, dot(a, normal), normal), cross(qr, normal), w->slide * n,
                           w->roll * n};
}

/* The minimum without regard to the disks: stick without rolling. */
LANES_INLINE void stick(const exact_terms *w, const coupled_terms *c, vectors *x, vectors *y)
{
    const lanes per_det = all(1.0) / (w->wt * w->wr - w->wc * w->wc);
    *x = scaled(per_det, combined(-w->wr, c->a, w->wc, c->b));
    *y = scaled(per_det, combined(w->wc, c->a, -w->wt, c->b));
}

/* A step towards the solution of `coupled` that costs a third of it and has the same fixed point:
 * the solution where it sticks without rolling, else the best tangential impulse beside the present
 * moment, then the best moment beside that. */
LANES_INLINE impulses descended(const exact_terms *w, vectors normal, lanes n,
                                const impulses *velocity, const impulses *p)
{
    const coupled_terms c = coupled_terms_of(w, normal, n, velocity, p);
    vectors x, y;
    stick(w, &c, &x, &y);
    const mask sticks = (mask)(dot(x, x) <= c.rt * c.rt) & (mask)(dot(y, y) <= c.rm * c.rm);
    const vectors now = cross(p->m, normal);
    const vectors xs = into_disk(scaled(-w->per_wt, add_times(c.a, w->wc, now)), c.rt);
    const vectors ys = into_disk(scaled(-w->per_wr, add_times(c.b, w->wc, xs)), c.rm);
    return (impulses){n, choose3(sticks, x, xs), cross(normal, choose3(sticks, y, ys))};
}

/* Tangential and rolling impulses of coupled contacts whose normal ones are n, from p and the
 * velocities y there. Active sets in turn: stick without rolling, slip, roll, both. The first whose
 * answer keeps to its disks is the solution, because the problem is strictly convex. */
LANES_INLINE impulses coupled(const exact_terms *w, vectors normal, lanes n,
                              const impulses *velocity, const impulses *p)
{
    const lanes wt = w->wt, wr = w->wr, wc = w->wc, zero = all(0.0), one = all(1.0);
    const coupled_terms terms = coupled_terms_of(w, normal, n, velocity, p);
    const vectors a = terms.a, b = terms.b;
    const lanes rt = terms.rt, rm = terms.rm, det = wt * wr - wc * wc;
    vectors x, y;
    stick(w, &terms, &x, &y);
    const mask point =
        (mask)(rt <= all(POINT)) | (rm <= all(POINT)); /* one disk is a point: the other is alone */
    if (any(point)) {
        x = choose3(point, into_disk(scaled(-w->per_wt, a), rt), x);
        y = choose3(point, into_disk(scaled(-w->per_wr, b), rm), y);
    }
    const mask slips = opposite(point) & (dot(x, x) > rt * rt),
               rolls = opposite(point) & (dot(y, y) > rm * rm);
    mask todo = slips | rolls;
    if (any(todo)) {
        const vectors at = take_times(a, wc * w->per_wr, b), bt = take_times(b, wc * w->per_wt, a);
        const lanes la = norm(at), lb = norm(bt);
        const vectors xs = scaled(-rt / choose(la > zero, la, one), at);
        const vectors ys = scaled(-w->per_wr, add_times(b, wc, xs));
        const vectors yr = scaled(-rm / choose(lb > zero, lb, one), bt);
        const vectors xr = scaled(-w->per_wt, add_times(a, wc, yr));
        const mask slip = slips & (la * wr >= rt * det) & (dot(ys, ys) <= rm * rm);
        const mask roll = rolls & opposite(slip) & (lb * wt >= rm * det) & (dot(xr, xr) <= rt * rt);
        x = choose3(slip, xs, choose3(roll, xr, x));
        y = choose3(slip, ys, choose3(roll, yr, y));
        todo &= opposite(slip | roll);
        if (any(todo)) {
            y = choose3(todo, cross(p->m, normal), y);
            slip_and_roll(w, todo, a, b, rt, rm, &x, &y);
        }
    }
    return (impulses){n, x, cross(normal, y)};
}

/* The normal impulse; y->n includes the bias. */
LANES_INLINE lanes normal_impulse(const exact_terms *w, const impulses *y, const impulses *p)
{
    const lanes n = larger(sub_mul(p->n, y->n, w->per_wn), all(0.0));
    return w->yields ? smaller(n, w->most) : n;
}

LANES_INLINE impulses decoupled(const exact_terms *w, vectors normal, const impulses *y,
                                const impulses *p, bool pivots)
{
    const lanes n = normal_impulse(w, y, p);
    const vectors t = take_times(p->t, w->per_wt, y->t), m = take_times(p->m, w->per_wr, y->m);
    if (!pivots)
        return (impulses){n, into_disk(t, w->slide * n), into_disk(m, w->roll * n)};
    return (impulses){n, into_disk(t, w->slide * n),
                      bounded_moment(m, normal, w->roll * n, w->pivot * n)};
}

/* The local solution. Contacts with and without coupling are solved by separate formulas and then
 * selected, so that the result of a lane does not depend on the other lanes, and all instruction
 * sets give the same bits. */
LANES_INLINE impulses solve(const exact_terms *w, vectors normal, const impulses *y,
                            const impulses *p, bool pivots)
{
    const mask couples = w->wc != all(0.0);
    if (!any(couples))
        return decoupled(w, normal, y, p, pivots);
    impulses both = coupled(w, normal, normal_impulse(w, y, p), y, p);
    if (pivots) {
        const lanes along = dot(take_times(p->m, w->per_wr, y->m), normal);
        both.m = add_times(both.m, into_interval(along, w->pivot * both.n), normal);
    }
    if (!any(opposite(couples)))
        return both;
    impulses alone = decoupled(w, normal, y, p, pivots);
    alone.t = choose3(couples, both.t, alone.t);
    alone.m = choose3(couples, both.m, alone.m);
    return alone;
}

/* What a visit of a sweep takes: the local solution, but of pairs of spheres (`pairs`) that are
 * coupled a step towards it. They slip and roll in part of the lanes nearly always, and the visits
 * of their neighbors change the local problem by more than the step leaves open. Without pivoting.
 */
LANES_INLINE impulses visited(const exact_terms *w, mask pairs, vectors normal, const impulses *y,
                              const impulses *p)
{
    const mask steps = pairs & (w->wc != all(0.0));
    if (!any(steps))
        return solve(w, normal, y, p, false);
    impulses found = descended(w, normal, normal_impulse(w, y, p), y, p);
    if (!any(opposite(steps)))
        return found;
    const impulses other = solve(w, normal, y, p, false);
    found.t = choose3(steps, found.t, other.t);
    found.m = choose3(steps, found.m, other.m);
    return found;
}

#endif
