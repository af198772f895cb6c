#include "solve/local_exact.h"
#include <stdbool.h>

/* Slip and roll: the multiplier lambda >= wt of the slip disk is the root of the strictly
 * decreasing f(lambda) = |a + wc y| - lambda Rt, y = -Rm v/|v|, v = lambda b - wc a. Newton, kept
 * in its bracket by bisection. */
static void slip_and_roll(const plu_local *c, const double a[3], const double b[3], double radius_t,
                          double radius_m, double x[3], double y[3])
{
    const double na = plu_norm(a), swing = fabs(c->wc) * radius_m, scale = na + swing;
    double low = plu_max(c->wt, (na - swing) / radius_t), high = plu_max(low, scale / radius_t);
    double lambda = plu_min(plu_max(na / radius_t, low), high), z[3] = {0};
    for (int iteration = 0; iteration < 80; iteration++) {
        double v[3];
        plu_combine(lambda, b, -c->wc, a, v);
        const double nv = plu_norm(v);
        const double s = nv > 0.0 ? -radius_m / nv : 0.0;
        for (int i = 0; i < 3; i++) {
            y[i] = s * v[i];
            z[i] = a[i] + c->wc * y[i];
        }
        const double nz = plu_norm(z), f = nz - lambda * radius_t;
        if (fabs(f) <= 2e-15 * scale || high - low <= 4e-16 * high)
            break;
        *(f > 0.0 ? &low : &high) = lambda;
        const double along = nv > 0.0 ? plu_dot(a, v) / nv : 0.0;
        const double across = plu_max(na * na - along * along, 0.0); /* |a|^2 normal to v */
        const double slope =
            nv > 0.0 && nz > 0.0 ? -c->wc * c->wc * radius_m * across / (lambda * nv * nz) : 0.0;
        const double next = lambda - f / (slope - radius_t);
        lambda = next > low && next < high ? next : 0.5 * (low + high);
    }
    const double nz = plu_norm(z), s = nz > 0.0 ? -radius_t / nz : 0.0;
    for (int i = 0; i < 3; i++)
        x[i] = s * z[i];
}

/* Active sets in turn: stick without rolling, slip, roll, both. The first whose answer keeps to its
 * disks is the solution, because the problem is strictly convex. */
void plu_two_disks(const plu_local *c, const double a[3], const double b[3], double radius_t,
                   double radius_m, double x[3], double y[3])
{
    const double wt = c->wt, wr = c->wr, wc = c->wc, det = wt * wr - wc * wc;
    if (radius_t <= PLU_POINT || radius_m <= PLU_POINT) { /* one disk is a point */
        plu_disk_minimum(wt, a, radius_t > 0.0 ? radius_t : 0.0, x);
        plu_disk_minimum(wr, b, radius_m > 0.0 ? radius_m : 0.0, y);
        return;
    }
    plu_combine(-wr / det, a, wc / det, b, x);
    plu_combine(wc / det, a, -wt / det, b, y);
    const bool slips = plu_norm(x) > radius_t, rolls = plu_norm(y) > radius_m;
    if (!slips && !rolls)
        return;
    if (slips) {
        double at[3]; /* gradient in x when y is free */
        plu_combine(1.0, a, -wc / wr, b, at);
        const double length = plu_norm(at);
        if (length * wr >= radius_t * det) {
            for (int i = 0; i < 3; i++) {
                x[i] = -radius_t / length * at[i];
                y[i] = -(b[i] + wc * x[i]) / wr;
            }
            if (plu_norm(y) <= radius_m)
                return;
        }
    }
    if (rolls) {
        double bt[3];
        plu_combine(1.0, b, -wc / wt, a, bt);
        const double length = plu_norm(bt);
        if (length * wt >= radius_m * det) {
            for (int i = 0; i < 3; i++) {
                y[i] = -radius_m / length * bt[i];
                x[i] = -(a[i] + wc * y[i]) / wt;
            }
            if (plu_norm(x) <= radius_t)
                return;
        }
    }
    slip_and_roll(c, a, b, radius_t, radius_m, x, y);
}

void plu_local_exact(const plu_local *contact, const double q[7], double p[7])
{
    plu_local_exact_inline(contact, q, p);
}
