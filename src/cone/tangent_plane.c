#include "cone/tangent_plane.h"

enum { MAX_ITERATIONS = 100 };

/* |x(lambda)| decreases, and 1/|x| is nearly linear. Newton's method on 1/|x| - 1/radius (More &
 * Sorensen 1983) therefore converges fast, for symmetric blocks from the left without overshooting.
 */
double plu_plane_disk(const plu_plane *p, const double b[2], double radius, double x[2])
{
    if (radius <= 0.0) {
        x[0] = x[1] = 0.0;
        return 0.0;
    }
    plu_plane_solve(p, 0.0, b, x);
    double length = plu_plane_length(x);
    if (length <= radius)
        return 0.0;
    double low = 0.0, high = plu_plane_length(b) / radius, lambda = 0.0;
    for (int i = 0; i < MAX_ITERATIONS; i++) {
        double minus_z[2];
        plu_plane_solve(p, lambda, x, minus_z); /* dx/dlambda */
        const double slope = -plu_plane_dot(x, minus_z) / length;
        double next = lambda + (length - radius) / radius * (length / slope);
        if (!(next > low && next < high))
            next = 0.5 * (low + high);
        const bool last = fabs(next - lambda) <= 1e-15 * next;
        lambda = next;
        plu_plane_solve(p, lambda, b, x);
        length = plu_plane_length(x);
        *(length > radius ? &low : &high) = lambda;
        if (last || fabs(length - radius) <= 1e-16 * radius)
            break;
    }
    x[0] *= radius / length;
    x[1] *= radius / length;
    return lambda;
}
