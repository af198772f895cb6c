/* tangent_plane.h: 2 x 2 blocks of the tangent plane and the problem of one disk.
 *
 * A block is stored in the eigenbasis of its symmetric part, A = V^T (diag(d) + k J) V, with
 * J = [[0, 1], [-1, 0]], which does not change under rotations. Symmetric blocks have k = 0, and
 * (A + lambda I)^-1 takes two divisions; other blocks need one determinant. */
#ifndef CONE_TANGENT_PLANE_H
#define CONE_TANGENT_PLANE_H

#include <math.h>
#include <stdbool.h>

typedef struct plu_plane {
    double c, s;    /* V = [[c, -s], [s, c]] */
    double d[2], k; /* eigenvalues of the symmetric part, kept at or above rounding; skew part */
} plu_plane;

static inline double plu_plane_length(const double x[2])
{
    return sqrt(x[0] * x[0] + x[1] * x[1]);
}

static inline double plu_plane_dot(const double a[2], const double b[2])
{
    return a[0] * b[0] + a[1] * b[1];
}

/* Raises the eigenvalues to at least `least`, which is of the size of rounding, so that singular
 * blocks (more contact rows than degrees of freedom) can be inverted. */
static inline void plu_plane_lift(plu_plane *p, double least)
{
    p->d[0] = p->d[0] > least ? p->d[0] : least;
    p->d[1] = p->d[1] > least ? p->d[1] : least;
}

/* The block [[a11, a12], [a21, a22]], diagonalized by one Jacobi rotation. */
static inline plu_plane plu_plane_of(double a11, double a12, double a21, double a22)
{
    plu_plane p = {.c = 1.0, .s = 0.0, .d = {a11, a22}, .k = 0.5 * (a12 - a21)};
    const double h = 0.5 * (a12 + a21);
    if (h != 0.0) {
        const double tau = (a22 - a11) / (2.0 * h);
        const double t = (tau >= 0.0 ? 1.0 : -1.0) / (fabs(tau) + sqrt(1.0 + tau * tau));
        p.c = 1.0 / sqrt(1.0 + t * t);
        p.s = t * p.c;
        p.d[0] -= t * h;
        p.d[1] += t * h;
    }
    plu_plane_lift(&p, 1e-15 * (fabs(p.d[0]) + fabs(p.d[1])) + 1e-300);
    return p;
}

/* x -> V x, and back. */
static inline void plu_plane_turn(const plu_plane *p, const double x[2], double v[2])
{
    v[0] = p->c * x[0] - p->s * x[1];
    v[1] = p->s * x[0] + p->c * x[1];
}

static inline void plu_plane_turn_back(const plu_plane *p, const double v[2], double x[2])
{
    x[0] = p->c * v[0] + p->s * v[1];
    x[1] = -p->s * v[0] + p->c * v[1];
}

/* x = -(A + lambda I)^-1 b, both in the eigenbasis. */
static inline void plu_plane_solve(const plu_plane *p, double lambda, const double b[2],
                                   double x[2])
{
    const double e0 = p->d[0] + lambda, e1 = p->d[1] + lambda;
    const double f = -1.0 / (e0 * e1 + p->k * p->k);
    x[0] = f * (e1 * b[0] - p->k * b[1]);
    x[1] = f * (p->k * b[0] + e0 * b[1]);
}

/* Finds x with |x| <= radius and -(A x + b) = lambda x, where lambda >= 0, and lambda = 0 inside
 * the disk. For symmetric A it minimizes 1/2 x.A x + b.x over the disk. x and b are in the
 * eigenbasis. Returns lambda. */
double plu_plane_disk(const plu_plane *p, const double b[2], double radius, double x[2]);

#endif
