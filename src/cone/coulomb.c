#include "cone/coulomb.h"

enum {
    MAX_ITERATIONS = 200,
    PATIENCE = 20 /* iterations after which every other one is a bisection */
};

/* A multiplier at which f < 0, because |R_T| <= |w| / alpha there (coulomb.h). */
static double upper_end(const plu_coulomb *b, const double w[2], double start)
{
    return plu_plane_length(w) * (1.0 + b->mu * plu_plane_length(b->row) * b->inverse_normal) /
           (b->mu * start);
}

double plu_coulomb_slide(const plu_coulomb *b, const double w[2], double start, double accuracy,
                         double *alpha, double t[2])
{
    if (b->mu == 0.0) {
        t[0] = t[1] = 0.0;
        return start;
    }
    double low = 0.0, high = upper_end(b, w, start), x = *alpha, length = 0.0;
    bool last = false;
    if (!(x > 0.0 && x < high)) /* the multiplier of an isotropic block without coupling */
        x = plu_plane_length(w) / (b->mu * start) - 0.5 * (b->a.d[0] + b->a.d[1]);
    if (!(x > 0.0 && x < high))
        x = 0.0;
    for (int i = 0; i < MAX_ITERATIONS; i++) {
        const double normal = plu_coulomb_at(b, x, w, start, t);
        length = plu_plane_length(t);
        const double f = length - b->mu * normal;
        if (last || f == 0.0)
            break;
        *(f > 0.0 ? &low : &high) = x;
        double next = 0.5 * (low + high);
        if (normal > 0.0 && (i < PATIENCE || i % 2)) {
            const double newton = plu_coulomb_newton(b, x, normal, length, f, t);
            if (newton > low && newton < high) {
                last = fabs(f) <= accuracy * length || fabs(newton - x) <= 1e-16 * x;
                next = newton;
            }
        }
        last = last || high - low <= 2e-16 * high;
        x = next;
    }
    *alpha = x;
    /* R_N is not computed as start - m.R_T / m_00: where that cancels, it would amplify the
     * rounding error of R_T. */
    return length / b->mu;
}
