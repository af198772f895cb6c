/* shapes.h: what a ray can meet, and where it does. Rays are o + t d with |d| = 1; each function
 * returns the smallest t > `near`, or INFINITY. */
#ifndef RENDER_SHAPES_H
#define RENDER_SHAPES_H

#include "base/vec3.h"
#include <stdbool.h>

typedef struct plu_ball {
    double c[3], r;
} plu_ball;

/* All points within r of the line from a to b: a cylinder with round ends. With `tip` a cone: its
 * radius is r at a, where it ends flat, and nothing at b. */
typedef struct plu_rod {
    double a[3], b[3], r;
    bool tip;
} plu_rod;

/* A flat wall, seen from the side to which `normal` points and invisible from behind. */
typedef struct plu_flat {
    double center[3], normal[3], u[3], v[3]; /* u, v: unit vectors in the wall */
    double half[2];                          /* along u, v; infinite: a plane */
    bool round;                              /* a disc of radius half[0] */
} plu_flat;

/* A thin triangle. */
typedef struct plu_facet {
    double corner[3], edge[2][3]; /* a corner, and the edges that leave it */
    int wall;                     /* number of its boundary */
    bool front; /* seen only from where its corners are counterclockwise; throws no shadow */
    bool clear; /* throws no shadow */
} plu_facet;

typedef struct plu_ray {
    double o[3], d[3];
} plu_ray;

/* From the point of the ray nearest to the center: accurate also for small and far spheres. */
static inline double plu_ray_ball(const plu_ray *ray, const plu_ball *ball, double near)
{
    double to[3], off[3];
    plu_sub(ball->c, ray->o, to);
    const double along = plu_dot(to, ray->d);
    for (int k = 0; k < 3; k++)
        off[k] = to[k] - along * ray->d[k];
    const double rest = ball->r * ball->r - plu_dot(off, off);
    if (rest < 0.0)
        return INFINITY;
    const double half = sqrt(rest);
    return along - half > near ? along - half : along + half > near ? along + half : INFINITY;
}

/* At height s above the foot the radius of a cone of length h is r (1 - s / h): with |p|^2 - s^2
 * the squared distance from the axis, the mantle is where |p|^2 - s^2 = (r / h)^2 (h - s)^2. */
static inline double plu_ray_tip(const plu_ray *ray, const plu_rod *cone, double near)
{
    double axis[3], from[3];
    plu_sub(cone->b, cone->a, axis);
    plu_sub(ray->o, cone->a, from);
    const double h = plu_norm(axis), slope = cone->r / h;
    const double along = plu_dot(axis, ray->d) / h, height = plu_dot(axis, from) / h;
    const double rest = h - height, square = slope * slope;
    const double a = 1.0 - along * along - square * along * along;
    const double b = plu_dot(from, ray->d) - height * along + square * rest * along;
    const double c = plu_dot(from, from) - height * height - square * rest * rest;
    const double root = b * b - a * c;
    double first = INFINITY;
    for (int side = -1; side <= 1 && root >= 0.0 && a != 0.0; side += 2) {
        const double t = (-b + side * sqrt(root)) / a, s = height + t * along;
        if (t > near && s >= 0.0 && s <= h)
            first = plu_min(first, t);
    }
    const double foot = -height / along; /* not a number or infinite where the ray is parallel */
    double at[3] = {from[0], from[1], from[2]};
    plu_add_scaled(at, foot, ray->d);
    if (foot > near && plu_dot(at, at) <= cone->r * cone->r)
        first = plu_min(first, foot);
    return first;
}

/* The outside of the mantle, then of the ends: rays do not begin inside a rod. */
static inline double plu_ray_rod(const plu_ray *ray, const plu_rod *rod, double near)
{
    if (rod->tip)
        return plu_ray_tip(ray, rod, near);
    double axis[3], from[3];
    plu_sub(rod->b, rod->a, axis);
    plu_sub(ray->o, rod->a, from);
    const double aa = plu_dot(axis, axis), ad = plu_dot(axis, ray->d), af = plu_dot(axis, from);
    const double a = aa - ad * ad, b = aa * plu_dot(from, ray->d) - af * ad;
    const double c = aa * plu_dot(from, from) - af * af - rod->r * rod->r * aa;
    const double h = b * b - a * c;
    if (h < 0.0)
        return INFINITY;
    if (a > 1e-12 * aa) {
        const double t = (-b - sqrt(h)) / a, s = af + t * ad;
        if (t > near && s >= 0.0 && s <= aa)
            return t;
    }
    const plu_ball ends[2] = {{{rod->a[0], rod->a[1], rod->a[2]}, rod->r},
                              {{rod->b[0], rod->b[1], rod->b[2]}, rod->r}};
    const double first = plu_ray_ball(ray, &ends[0], near);
    const double second = plu_ray_ball(ray, &ends[1], near);
    return plu_min(first, second);
}

static inline double plu_ray_flat(const plu_ray *ray, const plu_flat *flat, double near)
{
    double to[3], at[3];
    const double speed = plu_dot(ray->d, flat->normal);
    if (speed >= 0.0)
        return INFINITY;
    plu_sub(flat->center, ray->o, to);
    const double t = plu_dot(to, flat->normal) / speed;
    if (t <= near)
        return INFINITY;
    for (int k = 0; k < 3; k++)
        at[k] = t * ray->d[k] - to[k];
    const double x = plu_dot(at, flat->u), y = plu_dot(at, flat->v);
    const bool inside = flat->round ? x * x + y * y <= flat->half[0] * flat->half[0]
                                    : fabs(x) <= flat->half[0] && fabs(y) <= flat->half[1];
    return inside ? t : INFINITY;
}

static inline double plu_ray_facet(const plu_ray *ray, const plu_facet *facet, double near)
{
    double across[3], from[3], other[3];
    plu_cross(ray->d, facet->edge[1], across);
    const double volume = plu_dot(across, facet->edge[0]); /* > 0: seen from the front */
    if (facet->front && volume <= 0.0)
        return INFINITY;
    plu_sub(ray->o, facet->corner, from);
    plu_cross(from, facet->edge[0], other);
    const double u = plu_dot(from, across) / volume, v = plu_dot(ray->d, other) / volume;
    const double t = plu_dot(facet->edge[1], other) / volume;
    return u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t > near ? t : INFINITY;
}

static inline void plu_facet_box(const plu_facet *facet, double low[3], double high[3])
{
    for (int k = 0; k < 3; k++) {
        const double a = facet->edge[0][k], b = facet->edge[1][k];
        low[k] = facet->corner[k] + plu_min(plu_min(a, b), 0.0);
        high[k] = facet->corner[k] + plu_max(plu_max(a, b), 0.0);
    }
}

#endif
