/* open_lanes.h: the local solver of the associated law (contact_problem.h) in SIMD lanes, for the
 * impulses of a start (sweep/initial_impulses.h).
 *
 * A contact minimizes 1/2 p.W p + q.p over its cone. Where sliding and rolling are coupled, W is
 * replaced by a diagonal that is no smaller, about the present p: the energy of the step falls all
 * the same. With c = w p - y of the normal, c_i = w_i p_i - y_i of the disks and their slopes a_i,
 * r_N is the root of
 *   g(n) = wn n - c - sum_i a_i (|c_i| - w_i a_i n)+ ,
 * which increases, is concave, and is linear in pieces. From the left Newton's method meets it
 * exactly after as many steps as there are pieces. */
#ifndef LOCAL_OPEN_LANES_H
#define LOCAL_OPEN_LANES_H

#include "local/exact_lanes.h"

enum { OPEN_PIECES = 3 }; /* of two disks, sliding and rolling; pivoting adds one */

/* Contacts use this share of their friction. Impulses on the border of the cones would bear the
 * load as well, but then contacts slip in one of the next steps. */
#define OPEN_SHARE 0.9

typedef struct open_disk {
    lanes w, slope, size; /* size: |c_i| */
} open_disk;

/* Adds the disk to the line that g has at n. */
LANES_INLINE void add_disk(const open_disk *d, lanes n, lanes *load, lanes *steep)
{
    const mask slides = (mask)(d->size > d->w * d->slope * n);
    *load = choose(slides, *load + d->slope * d->size, *load);
    *steep = choose(slides, *steep + d->w * d->slope * d->slope, *steep);
}

/* The diagonals that W is replaced by, and their inverses. */
typedef struct open_diagonal {
    lanes wt, wr, per_wt, per_wr;
} open_diagonal;

LANES_INLINE open_diagonal open_diagonal_of(const exact_terms *w, bool coupled)
{
    if (!coupled)
        return (open_diagonal){w->wt, w->wr, w->per_wt, w->per_wr};
    const lanes coupling = choose(w->wc < all(0.0), -w->wc, w->wc);
    const lanes ratio = root(w->wt * w->per_wr);
    const lanes wt = w->wt + coupling * ratio, wr = w->wr + coupling / ratio;
    return (open_diagonal){wt, wr, all(1.0) / wt, all(1.0) / wr};
}

/* `y` includes the bias; wn: W_NN; `coupled`: wc may not be 0; `pivots`: so may w->pivot. */
LANES_INLINE impulses solve_open(const exact_terms *w, lanes wn, vectors normal, const impulses *y,
                                 const impulses *p, bool coupled, bool pivots)
{
    const lanes zero = all(0.0), share = all(OPEN_SHARE);
    const open_diagonal d = open_diagonal_of(w, coupled);
    const vectors t = take_times(p->t, d.per_wt, y->t), m = take_times(p->m, d.per_wr, y->m);
    const lanes along = dot(m, normal), size = choose(along < zero, -along, along);
    const open_disk slide = {d.wt, share * w->slide, d.wt * norm(t)},
                    roll = {d.wr, share * w->roll, d.wr * norm(take_times(m, along, normal))},
                    pivot = {d.wr, share * w->pivot, d.wr * size};
    const lanes c = wn * p->n - y->n;
    lanes n = larger(c * w->per_wn, zero);
    for (int i = 0; i < OPEN_PIECES + pivots; i++) {
        lanes load = c, steep = wn;
        add_disk(&slide, n, &load, &steep);
        add_disk(&roll, n, &load, &steep);
        if (pivots)
            add_disk(&pivot, n, &load, &steep);
        n = larger(load / steep, zero);
    }
    return (impulses){n, into_disk(t, slide.slope * n),
                      bounded_moment(m, normal, roll.slope * n, pivot.slope * n)};
}

#endif
