#include "cone/second_order.h"
#include <math.h>

static double tail2(const double x[3])
{
    return x[1] * x[1] + x[2] * x[2];
}

double plu_soc_determinant(const double x[3])
{
    const double t = sqrt(tail2(x));
    return (x[0] - t) * (x[0] + t);
}

void plu_soc_product(const double x[3], const double y[3], double xy[3])
{
    xy[0] = x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
    for (int i = 1; i < 3; i++)
        xy[i] = x[0] * y[i] + y[0] * x[i];
}

void plu_soc_divide(const double x[3], const double y[3], double z[3])
{
    z[0] = (x[0] * y[0] - x[1] * y[1] - x[2] * y[2]) / plu_soc_determinant(x);
    for (int i = 1; i < 3; i++)
        z[i] = (y[i] - z[0] * x[i]) / x[0];
}

/* The ray x + t d leaves the cone at the smallest positive root of its determinant,
 * a + 2 b t + c t^2 with a > 0. */
double plu_soc_step(const double x[3], const double d[3])
{
    const double a = plu_soc_determinant(x), c = plu_soc_determinant(d);
    const double b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2];
    if (b >= 0.0 && c >= 0.0)
        return 1.0;
    /* negative only by rounding, if d is nearly a multiple of x */
    const double discriminant = b * b - a * c, root = discriminant > 0.0 ? sqrt(discriminant) : 0.0;
    /* c < 0: one positive root; c >= 0 > b: two, of which a / (root - b) is the smaller */
    const double t = b > 0.0 ? (b + root) / -c : a / (root - b);
    return t < 1.0 ? t : 1.0;
}

plu_soc_scaling plu_soc_scale(const double z[3], const double l[3])
{
    const double nz = sqrt(plu_soc_determinant(z)), nl = sqrt(plu_soc_determinant(l));
    const double zl = (z[0] * l[0] + z[1] * l[1] + z[2] * l[2]) / (nz * nl);
    const double g = 0.5 / sqrt(0.5 * (1.0 + zl));
    plu_soc_scaling q = {.eta = sqrt(nl / nz)};
    for (int i = 1; i < 3; i++)
        q.w[i] = g * (l[i] / nl - z[i] / nz);
    /* w and v have determinant one. Computing w[0] and v[0] from that keeps it up to rounding. */
    q.w[0] = sqrt(1.0 + tail2(q.w));
    q.v[0] = sqrt(0.5 * (q.w[0] + 1.0));
    for (int i = 1; i < 3; i++)
        q.v[i] = 0.5 * q.w[i] / q.v[0];
    return q;
}

/* y = s (2 v v^T - J) x */
static void reflect(double s, const double v[3], const double x[3], double y[3])
{
    const double vx = 2.0 * (v[0] * x[0] + v[1] * x[1] + v[2] * x[2]);
    y[0] = s * (vx * v[0] - x[0]);
    for (int i = 1; i < 3; i++)
        y[i] = s * (vx * v[i] + x[i]);
}

void plu_soc_apply(const plu_soc_scaling *q, const double x[3], double y[3])
{
    reflect(q->eta, q->v, x, y);
}

void plu_soc_unapply(const plu_soc_scaling *q, const double x[3], double y[3])
{
    const double v[3] = {q->v[0], -q->v[1], -q->v[2]};
    reflect(1.0 / q->eta, v, x, y);
}
