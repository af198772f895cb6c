/* block_lanes.h: a block of eight contacts in registers. */
#ifndef PROBLEM_BLOCK_LANES_H
#define PROBLEM_BLOCK_LANES_H

#include "base/lanes.h"
#include "problem/problem.h"

/* Impulses of eight contacts, or the relative velocities that belong to them. */
typedef struct impulses {
    lanes n;
    vectors t, m;
} impulses;

typedef struct bodies { /* one side of the eight contacts */
    vectors v, w;
    lanes inverse_mass, inverse_inertia;
} bodies;

static inline bodies read_rows(double (*v)[8], const int32_t index[8])
{
    lanes row[8], column[8];
    for (int k = 0; k < 8; k++)
        row[k] = load(index[k] >= 0 ? v[index[k]] : plu_fixed_row);
    transpose(row, column);
    return (bodies){
        {column[0], column[1], column[2]}, {column[3], column[4], column[5]}, column[6], column[7]};
}

/* Whole rows, masses included; fixed bodies have none. */
static inline void write_rows(double (*v)[8], const int32_t index[8], const bodies *b)
{
    const lanes column[8] = {b->v.x, b->v.y, b->v.z,          b->w.x,
                             b->w.y, b->w.z, b->inverse_mass, b->inverse_inertia};
    lanes row[8];
    transpose(column, row);
    for (int k = 0; k < 8; k++)
        if (index[k] >= 0)
            store(v[index[k]], row[k]);
}

/* Relative velocity of the eight contacts: u_N without the bias, u_T, omega_R. */
static inline impulses relative_velocity(plu_block *c, vectors normal, const bodies *a,
                                         const bodies *b)
{
    const vectors u = difference(b->v, a->v), w = difference(b->w, a->w);
    const vectors arm = combined(load(c->arm_b), b->w, load(c->arm_a), a->w);
    const lanes un = dot(normal, u);
    return (impulses){un, difference(difference(u, scaled(un, normal)), cross(arm, normal)),
                      difference(w, scaled(dot(normal, w), normal))};
}

/* Impulse change d acts on both sides of the contacts. */
static inline void apply_impulses(plu_block *c, vectors normal, const impulses *d, bodies *a,
                                  bodies *b)
{
    const vectors r = sum(scaled(d->n, normal), d->t), x = cross(normal, d->t);
    const lanes ra = load(c->arm_a), rb = load(c->arm_b);
    b->v = sum(b->v, scaled(b->inverse_mass, r));
    a->v = difference(a->v, scaled(a->inverse_mass, r));
    b->w = sum(b->w, scaled(b->inverse_inertia, combined(all(1.0), d->m, -rb, x)));
    a->w = difference(a->w, scaled(a->inverse_inertia, combined(all(1.0), d->m, ra, x)));
}

static inline impulses read_impulses(plu_block *c)
{
    return (impulses){load(c->p[0]), load3(c->p + 1), load3(c->p + 4)};
}

/* v shortened to length `radius` where it is longer. */
static inline vectors into_disk(vectors v, lanes radius)
{
    const lanes square = dot(v, v);
    const mask outside = square > radius * radius;
    return scaled(choose(outside, radius / root(choose(outside, square, all(1.0))), all(1.0)), v);
}

#endif
