#include "cone/coulomb.h"

enum { MAX_ITERATIONS = 200, PATIENCE = 20 /* then every other step is a bisection */ };

double plu_coulomb_slide(const plu_coulomb *b, const double w[2], double start, double accuracy,
                         double *alpha, double t[2])
{
    if (b->mu == 0.0) {
        t[0] = t[1] = 0.0;
        return start;
    }
    const double size = plu_plane_length(w), mu = b->mu;
    double low = 0.0;
    double high = size * (1.0 + mu * plu_plane_length(b->row) * b->inverse_normal) / (mu * start);
    /* Without a root near by: that of an isotropic block without coupling. */
    double x = *alpha > 0.0 ? *alpha : size / (mu * start) - 0.5 * (b->a.d[0] + b->a.d[1]);
    if (!(x > low && x < high))
        x = *alpha > 0.0 ? 0.5 * high : 0.0;
    double length = 0.0;
    bool last = false;
    for (int i = 0; i < MAX_ITERATIONS; i++) {
        plu_plane_solve(&b->a, x, w, t);
        const double normal = start - plu_plane_dot(b->row, t) * b->inverse_normal;
        length = plu_plane_length(t);
        const double f = length - mu * normal;
        if (last || f == 0.0)
            break;
        *(f > 0.0 ? &low : &high) = x;
        double next = 0.5 * (low + high);
        if (normal > 0.0 && (i < PATIENCE || i % 2)) {
            double dt[2];
            plu_plane_solve(&b->a, x, t, dt);
            const double dn = -plu_plane_dot(b->row, dt) * b->inverse_normal, l2 = length * length;
            const double newton =
                x -
                f * l2 * normal / (plu_plane_dot(t, dt) * mu * normal * normal - dn * l2 * length);
            if (newton > low && newton < high) {
                last = fabs(f) <= accuracy * length || fabs(newton - x) <= 1e-16 * x;
                next = newton;
            }
        }
        last = last || high - low <= 2e-16 * high;
        x = next;
    }
    *alpha = x;
    /* Not start - m.R_T / m_00: where that cancels, a rounding error of R_T would come back in R_N
     * multiplied. */
    return length / mu;
}
