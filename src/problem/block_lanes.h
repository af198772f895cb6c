/* block_lanes.h: contacts of a block in registers: WIDTH of its eight (sixteen in single
 * precision), from lane k on.
 *
 * `pivots` is a constant where functions are called, so that what pivoting friction needs costs
 * nothing, and changes no bit, in problems without. */
#ifndef PROBLEM_BLOCK_LANES_H
#define PROBLEM_BLOCK_LANES_H

#include "base/rows.h"
#include "problem/precision.h"

/* Impulses of the contacts, or the relative velocities that belong to them; m has a part along the
 * normal where the pair has pivoting friction. */
typedef struct impulses {
    lanes n;
    vectors t, m;
} impulses;

typedef struct bodies { /* one side of the contacts */
    vectors v, w;
    lanes inverse_mass, inverse_inertia;
} bodies;

LANES_INLINE bodies bodies_of(const real *const row[WIDTH])
{
    lanes column[8];
    load_rows(row, column);
    return (bodies){
        {column[0], column[1], column[2]}, {column[3], column[4], column[5]}, column[6], column[7]};
}

LANES_INLINE bodies read_rows(real (*v)[8], const int32_t *index)
{
    const real *row[WIDTH];
    for (int k = 0; k < WIDTH; k++)
        row[k] = v[index[k]];
    return bodies_of(row);
}

/* Whether all of the rows are to be written. */
LANES_INLINE bool all_written(const swept *problem, const int32_t *index)
{
    int room = 0; /* negative where one is not */
    for (int k = 0; k < WIDTH; k++)
        room |= unwritten_rows(problem) - 1 - index[k];
    return room >= 0;
}

/* Whole rows, masses included, but for those that are given; `moving`: none is. */
LANES_INLINE void write_rows(swept *problem, const int32_t *index, bool moving, const bodies *b)
{
    const lanes column[8] = {b->v.x, b->v.y, b->v.z,          b->w.x,
                             b->w.y, b->w.z, b->inverse_mass, b->inverse_inertia};
    real *row[WIDTH];
    for (int k = 0; k < WIDTH; k++)
        row[k] = moving || index[k] < unwritten_rows(problem) ? problem->v[index[k]] : NULL;
    store_rows(row, column);
}

/* Relative velocity of the contacts: u_N without the bias, u_T, omega_R and, where the pair has
 * pivoting friction, omega_P n. */
LANES_INLINE impulses relative_velocity(swept_block *c, int k, vectors normal, const bodies *a,
                                        const bodies *b, bool pivots)
{
    const vectors u = difference(b->v, a->v), w = difference(b->w, a->w);
    const vectors arm = combined(load(c->pair->arm_b + k), b->w, load(c->pair->arm_a + k), a->w);
    const lanes un = dot(normal, u), wn = dot(normal, w);
    const lanes left_out =
        pivots ? choose((mask)(load(c->pair->mu_p + k) > all(0.0)), all(0.0), wn) : wn;
    return (impulses){un, difference(take_times(u, un, normal), cross(arm, normal)),
                      take_times(w, left_out, normal)};
}

/* Impulse change d acts on both sides of the contacts. */
LANES_INLINE void apply_impulses(swept_block *c, int k, vectors normal, const impulses *d,
                                 bodies *a, bodies *b)
{
    const vectors r = add_times(d->t, d->n, normal), x = cross(normal, d->t);
    const lanes ra = load(c->pair->arm_a + k), rb = load(c->pair->arm_b + k);
    b->v = add_times(b->v, b->inverse_mass, r);
    a->v = take_times(a->v, a->inverse_mass, r);
    b->w = add_times(b->w, b->inverse_inertia, take_times(d->m, rb, x));
    a->w = take_times(a->w, a->inverse_inertia, add_times(d->m, ra, x));
}

LANES_INLINE impulses read_impulses(swept_block *c, int k)
{
    return (impulses){load(c->p[0] + k), load3(c->p + 1, k), load3(c->p + 4, k)};
}

#define LAW_NUMBER lanes
#define LAW(name) name
#define LAW_ALL all
#define LAW_LARGER larger
#define LAW_CHOOSE choose
#define LAW_ROOT root
#include "cone/law.h"

/* The slopes of the cone: plu_slot_slope, plu_slot_slope_r and the same of mu_p by lanes. */
LANES_INLINE lanes sliding(const swept_block *c, int k)
{
    return slope_of(load(c->pair->mu + k) * load(c->friction + k));
}

LANES_INLINE lanes rolling(const swept_block *c, int k)
{
    return slope_of(load(c->pair->mu_r + k) * load(c->friction + k));
}

LANES_INLINE lanes pivoting(const swept_block *c, int k)
{
    return slope_of(load(c->pair->mu_p + k) * load(c->friction + k));
}

/* v shortened to length `radius` where it is longer. */
LANES_INLINE vectors into_disk(vectors v, lanes radius)
{
    return scaled(disk_factor_by_square(dot(v, v), radius), v);
}

/* The moment of a contact that pivots: into the disk of rolling and, along the normal, the interval
 * of pivoting. */
LANES_INLINE vectors bounded_moment(vectors m, vectors normal, lanes roll, lanes pivot)
{
    const lanes along = dot(m, normal);
    return add_times(into_disk(take_times(m, along, normal), roll), into_interval(along, pivot),
                     normal);
}

/* A moment within what contacts can bear whose normal impulse is n; without `pivots` it has no part
 * along the normal. */
LANES_INLINE vectors moment_within(const swept_block *c, int k, vectors m, vectors normal, lanes n,
                                   bool pivots)
{
    const lanes roll = rolling(c, k) * n;
    return pivots ? bounded_moment(m, normal, roll, pivoting(c, k) * n) : into_disk(m, roll);
}

/* plu_noise by lanes: the square of an impulse too small to count. */
LANES_INLINE lanes noise(swept_block *c, int k, const bodies *b)
{
    const lanes small = all(NOISE) * load(c->pair->inverse_wn + k);
    return small * small * dot(b->v, b->v);
}

#endif
