/* block_lanes.h: functions on the lanes k to k + WIDTH - 1 of a block, which has eight contacts
 * (sixteen in single precision).
 *
 * Callers pass `pivots` as a constant, so that pivoting friction costs nothing, and changes no bit,
 * in problems without it. */
#ifndef BLOCKS_BLOCK_LANES_H
#define BLOCKS_BLOCK_LANES_H

#include "base/rows.h"
#include "blocks/precision.h"

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

/* Whether all of the rows may be written, none being given. */
LANES_INLINE bool all_written(const swept *problem, const int32_t *index)
{
    bool written = true;
    for (int k = 0; k < WIDTH; k++)
        written &= is_written(problem, index[k]);
    return written;
}

/* Writes whole rows, masses included, except given ones; `moving`: the caller knows that none is
 * given. */
LANES_INLINE void write_rows(swept *problem, const int32_t *index, bool moving, const bodies *b)
{
    const lanes column[8] = {b->v.x, b->v.y, b->v.z,          b->w.x,
                             b->w.y, b->w.z, b->inverse_mass, b->inverse_inertia};
    real *row[WIDTH];
    for (int k = 0; k < WIDTH; k++)
        row[k] = moving || is_written(problem, index[k]) ? problem->v[index[k]] : NULL;
    store_rows(row, column);
}

/* Relative velocity of the contacts: u_N without the bias, u_T, omega_R and, where the pair has
 * pivoting friction, omega_P n. */
LANES_INLINE impulses relative_velocity(swept_block *c, int k, vectors normal, const bodies *a,
                                        const bodies *b, bool pivots)
{
    vectors u = difference(b->v, a->v);
    const vectors w = difference(b->w, a->w);
    if (c->crossing) /* side a is an image */
        u = difference(u, load3(c->crossing->drift, k));
    const vectors arm = combined(load(c->pair->arm_b + k), b->w, load(c->pair->arm_a + k), a->w);
    const lanes un = dot(normal, u), wn = dot(normal, w);
    const lanes left_out =
        pivots ? choose((mask)(load(c->pair->mu_p + k) > all(0.0)), all(0.0), wn) : wn;
    return (impulses){un, difference(take_times(u, un, normal), cross(arm, normal)),
                      take_times(w, left_out, normal)};
}

/* Adds the effect of the impulse change d to both sides of the contacts (plu_slot_apply). */
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

/* The slopes of the cone in lanes: plu_slot_slope, plu_slot_slope_r, and that of mu_p. */
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

/* The moment m with its rolling part projected on the disk of radius `roll`, and its part along the
 * normal on the interval of radius `pivot`. */
LANES_INLINE vectors bounded_moment(vectors m, vectors normal, lanes roll, lanes pivot)
{
    const lanes along = dot(m, normal);
    return add_times(into_disk(take_times(m, along, normal), roll), into_interval(along, pivot),
                     normal);
}

/* The moment m projected on the limits of contacts with the normal impulse n. Without `pivots` m
 * has no part along the normal. */
LANES_INLINE vectors moment_within(const swept_block *c, int k, vectors m, vectors normal, lanes n,
                                   bool pivots)
{
    const lanes roll = rolling(c, k) * n;
    return pivots ? bounded_moment(m, normal, roll, pivoting(c, k) * n) : into_disk(m, roll);
}

/* What the contacts bear at most in a step, in an island that yields. */
LANES_INLINE lanes most_of(const swept *problem, const swept_block *c, int k, plu_bound bound)
{
#if defined(PLU_SINGLE) /* such islands are solved in doubles */
    (void)problem, (void)c, (void)k, (void)bound;
    return all(FLT_MAX);
#else
    const lanes own = load(c->pair->strength + k);
    return smaller(choose(own > all(0.0), own * all(problem->yield.step), all(bound.most)),
                   all(bound.now));
#endif
}

/* plu_noise in lanes. */
LANES_INLINE lanes noise(swept_block *c, int k, const bodies *b)
{
    const lanes small = all(NOISE) * load(c->pair->inverse_wn + k);
    return small * small * dot(b->v, b->v);
}

#endif
