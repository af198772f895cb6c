/* vec3.h: vectors of three doubles. */
#ifndef BASE_VEC3_H
#define BASE_VEC3_H

#include <math.h>

#define PLU_PI 3.14159265358979323846

/* fmin and fmax for numbers other than NaN, always inlined. */
static inline double plu_min(double a, double b)
{
    return a < b ? a : b;
}

static inline double plu_max(double a, double b)
{
    return a > b ? a : b;
}

static inline double plu_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double plu_norm(const double a[3])
{
    return sqrt(plu_dot(a, a));
}

static inline void plu_cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/* a += s b */
static inline void plu_add_scaled(double a[3], double s, const double b[3])
{
    a[0] += s * b[0];
    a[1] += s * b[1];
    a[2] += s * b[2];
}

static inline void plu_sub(const double a[3], const double b[3], double c[3])
{
    c[0] = a[0] - b[0];
    c[1] = a[1] - b[1];
    c[2] = a[2] - b[2];
}

/* Two unit vectors that make a right-handed frame (n, t1, t2) with the unit vector n: t1 is normal
 * to the coordinate axis along which n is smallest. */
static inline void plu_frame(const double n[3], double t1[3], double t2[3])
{
    const double a = fabs(n[0]), b = fabs(n[1]), c = fabs(n[2]);
    const double axis[3] = {a <= b && a <= c, b < a && b <= c, c < a && c < b};
    plu_cross(axis, n, t1);
    const double s = 1.0 / plu_norm(t1);
    t1[0] *= s;
    t1[1] *= s;
    t1[2] *= s;
    plu_cross(n, t1, t2);
}

/* t: the component of a that is normal to the unit vector n. */
static inline void plu_tangential(const double a[3], const double n[3], double t[3])
{
    const double along = plu_dot(a, n);
    for (int i = 0; i < 3; i++)
        t[i] = a[i] - along * n[i];
}

/* Vectors of n doubles. Every sum runs from the first component to the last. */

static inline double plu_dot_n(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static inline double plu_norm_n(int n, const double *a)
{
    return sqrt(plu_dot_n(n, a, a));
}

/* |a - b| */
static inline double plu_distance_n(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

#endif
