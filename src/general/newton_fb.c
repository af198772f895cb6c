/* newton-fb: semismooth Newton on the Fischer-Burmeister function of the second-order cone
 * L = { |x_bar| <= x_0 }, with the product x o y = (x . y , x_0 y_bar + y_0 x_bar):
 *
 *   phi(x, y) = x + y - (x o x + y o y)^(1/2) = 0   <=>   L contains x and y, x orthogonal to y
 *
 * (M. Fukushima, Z.-Q. Luo, P. Tseng, SIAM J. Optim. 12, 2002). Coulomb: x = (mu r_N, r_T), y =
 * (u^_N, mu u_T). The rolling cone is not one of these but the meeting of two; with the share `a`
 * of u^_N that belongs to the first as unknown there are two pairs a contact:
 *
 *   (mu r_N, r_T) and (a, mu u_T) ,   (mu_r r_N, m_R) and (u^_N - a, mu_r omega_R)
 *
 * A cone without friction is a ray, which phi does not determine; its equations are written out.
 */
#include "base/vec3.h"
#include "general/newton_loop.h"
#include <math.h>
#include <string.h>

enum {
    SHARE = 5
}; /* place of the unknown a, times 1/W_NN, and of the equation that goes with it */

/* The share is free where both cones are idle: this keeps it where it is. */
static const double hold = 1e-8;

/* A first component of y and its derivatives. */
typedef struct normal {
    double value, by_velocity[PLU_ROWS_MAX], by_share;
} normal;

static int width(const plu_newton_contact *c)
{
    return c->rows == 5 ? 6 : 3;
}

static void p_of_z(const plu_newton_contact *c, double *map)
{
    const int k = width(c);
    memset(map, 0, (size_t)(c->rows * k) * sizeof *map);
    for (int i = 0; i < c->rows; i++)
        map[i * (k + 1)] = 1.0;
}

static void start(const plu_newton_contact *c, const double *p, const double *y, double *z)
{
    memcpy(z, p, (size_t)c->rows * sizeof *z);
    if (c->rows == 5)
        z[SHARE] = c->rho[0] * c->mu[0] * hypot(y[1], y[2]);
}

/* L_x of (x_0, x_bar): the matrix of x o . */
static void arrow(const double x[3], double m[9])
{
    const double out[9] = {x[0], x[1], x[2], x[1], x[0], 0.0, x[2], 0.0, x[0]};
    memcpy(m, out, sizeof out);
}

/* j = I - L_z^-1 L_x */
static void derivative(const double z[3], const double x[3], double j[9])
{
    const double det = (z[0] - hypot(z[1], z[2])) * (z[0] + hypot(z[1], z[2]));
    double l[9];
    arrow(x, l);
    for (int s = 0; s < 3; s++) {
        const double b[3] = {l[s], l[3 + s], l[6 + s]};
        const double first = (z[0] * b[0] - z[1] * b[1] - z[2] * b[2]) / det;
        j[s] = -first;
        for (int r = 1; r < 3; r++)
            j[3 * r + s] = -(b[r] - z[r] * first) / z[0];
        j[4 * s] += 1.0;
    }
}

static double square(double x)
{
    return x * x;
}

/* The smaller eigenvalue of x o x + y o y as (product of both) / larger: the product is a sum of
 * squares without cancellation, while the difference of two norms would leave 1e-8 after its root.
 */
static double smaller(const double x[3], const double y[3], double larger)
{
    const double lx = hypot(x[1], x[2]), ly = hypot(y[1], y[2]);
    const double product =
        square((x[0] - lx) * (x[0] + lx)) + square((y[0] - ly) * (y[0] + ly)) +
        2.0 * (square(x[0] * y[0] - x[1] * y[1] - x[2] * y[2]) + square(x[0] * y[1] - y[0] * x[1]) +
               square(x[0] * y[2] - y[0] * x[2]) + square(x[1] * y[2] - x[2] * y[1]));
    return larger > 0.0 ? product / larger : 0.0;
}

/* phi and, unless jx is NULL, its derivatives. */
static void fischer_burmeister(const double x[3], const double y[3], double phi[3], double *jx,
                               double *jy)
{
    double w = 0.0, bar[2];
    for (int i = 0; i < 3; i++)
        w += x[i] * x[i] + y[i] * y[i];
    for (int i = 0; i < 2; i++)
        bar[i] = 2.0 * (x[0] * x[i + 1] + y[0] * y[i + 1]);
    const double length = hypot(bar[0], bar[1]), large = sqrt(w + length);
    double small = sqrt(smaller(x, y, w + length));
    for (int pass = 0; pass < (jx ? 2 : 1); pass++) {
        const double turn = length > 0.0 ? 0.5 * (large - small) / length : 0.0;
        const double z[3] = {0.5 * (large + small), turn * bar[0], turn * bar[1]};
        for (int i = 0; pass == 0 && i < 3; i++)
            phi[i] = x[i] + y[i] - z[i];
        /* On the border of the cone the square root has no derivative; a step of rounding inside
         * it has, close to one from the generalized Jacobian. */
        small = plu_max(small, 1e-7 * large + 1e-150);
        if (pass == 1) {
            derivative(z, x, jx);
            derivative(z, y, jy);
        }
    }
}

/* Equations row[0..2] of one cone: (limit r_N, p_i, p_i+1) and (y_0, limit y_i, limit y_i+1). */
static void cone_rows(const plu_newton_contact *c, double limit, int i, const int row[3],
                      const normal *y0, const double *p, const double *y, double *f, double *a,
                      double *b)
{
    const int d = c->rows, k = width(c);
    const double s = c->gain * c->rho[0] * limit;
    const double first[3] = {limit * p[0], p[i], p[i + 1]};
    const double second[3] = {y0->value, s * y[i], s * y[i + 1]};
    double phi[3], jx[9], jy[9];
    fischer_burmeister(first, second, phi, a ? jx : NULL, jy);
    for (int r = 0; r < 3; r++) {
        f[row[r]] = phi[r];
        if (!a)
            continue;
        b[row[r] * k] += jx[3 * r] * limit;
        for (int j = 0; j < d; j++)
            a[row[r] * d + j] += jy[3 * r] * y0->by_velocity[j];
        for (int t = 0; t < 2; t++) {
            b[row[r] * k + i + t] += jx[3 * r + 1 + t];
            a[row[r] * d + i + t] += jy[3 * r + 1 + t] * s;
        }
        if (d == 5)
            b[row[r] * k + SHARE] += jy[3 * r] * y0->by_share;
    }
}

/* r_N orthogonal to u_N, both >= 0, by the same function of two numbers. */
static void ray_row(const plu_newton_contact *c, const double *p, const double *y, double *f,
                    double *a, double *b)
{
    const double s = c->gain * c->rho[0], u = s * y[0], h = hypot(p[0], u);
    f[0] = p[0] + u - h;
    if (a) {
        b[0] = h > 0.0 ? 1.0 - p[0] / h : 1.0 - sqrt(0.5);
        a[0] = s * (h > 0.0 ? 1.0 - u / h : 1.0 - sqrt(0.5));
    }
}

/* p_i = p_i+1 = 0 */
static void zero_rows(int k, int i, const double *p, double *f, double *b)
{
    for (int r = i; r < i + 2; r++) {
        f[r] = p[r];
        if (b)
            b[r * (k + 1)] = 1.0;
    }
}

/* u^_N times gain / W_NN. */
static normal modified(const plu_newton_contact *c, const double *y)
{
    const double s = c->gain * c->rho[0];
    normal n = {.value = s * y[0], .by_velocity = {s}};
    for (int i = 1; i < c->rows; i += 2) {
        const double limit = s * (i == 1 ? c->mu[0] : c->mu[1]), length = hypot(y[i], y[i + 1]);
        n.value += limit * length;
        for (int t = 0; t < 2 && length > 0.0; t++)
            n.by_velocity[i + t] = limit * y[i + t] / length;
    }
    return n;
}

static void coulomb(const plu_newton_contact *c, const double *p, const double *y, double *f,
                    double *a, double *b)
{
    if (c->mu[0] > 0.0) {
        const normal n = modified(c, y);
        cone_rows(c, c->mu[0], 1, (int[3]){0, 1, 2}, &n, p, y, f, a, b);
    } else {
        ray_row(c, p, y, f, a, b);
        zero_rows(3, 1, p, f, b);
    }
}

/* The share as an equation of its own: a = whole, or a = 0. */
static void share_row(const plu_newton_contact *c, const normal *whole, const double *z, double *f,
                      double *a, double *b, int row)
{
    f[row] = z[SHARE] - (whole ? whole->value / c->gain : 0.0);
    if (!a)
        return;
    b[row * 6 + SHARE] = 1.0;
    for (int j = 0; whole && j < 5; j++)
        a[row * 5 + j] = -whole->by_velocity[j] / c->gain;
}

static void rolling(const plu_newton_contact *c, const double *z, const double *p, const double *y,
                    double *f, double *a, double *b)
{
    const normal whole = modified(c, y);
    normal first = {.value = c->gain * z[SHARE], .by_share = c->gain}, second = whole;
    second.value -= first.value;
    second.by_share = -c->gain;
    const bool slides = c->mu[0] > 0.0, rolls = c->mu[1] > 0.0;
    if (slides)
        cone_rows(c, c->mu[0], 1, (int[3]){0, 1, 2}, &first, p, y, f, a, b);
    else
        zero_rows(6, 1, p, f, b);
    if (rolls)
        cone_rows(c, c->mu[1], 3, (int[3]){SHARE, 3, 4}, &second, p, y, f, a, b);
    else
        zero_rows(6, 3, p, f, b);
    if (slides && rolls && a)
        b[SHARE * 6 + SHARE] -= hold;
    if (slides && !rolls)
        share_row(c, &whole, z, f, a, b, SHARE);
    if (!slides)
        share_row(c, NULL, z, f, a, b, rolls ? 0 : SHARE);
    if (!slides && !rolls)
        ray_row(c, p, y, f, a, b);
}

static void equations(const plu_newton_contact *c, const double *z, const double *p,
                      const double *y, double *f, double *a, double *b)
{
    const size_t k = (size_t)width(c);
    if (a) {
        memset(a, 0, k * (size_t)c->rows * sizeof *a);
        memset(b, 0, k * k * sizeof *b);
    }
    if (c->rows == 3)
        coulomb(c, p, y, f, a, b);
    else
        rolling(c, z, p, y, f, a, b);
}

PLU_METHOD(plu_newton_fb)
{
    static const plu_newton_form form = {{3, 6, 0}, p_of_z, start, equations};
    return plu_newton_run(problem, settings, monitor, &form, err);
}
