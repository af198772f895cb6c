/* A sliding contact as a quartic (quartic.h): its roots, then the contact in each of the two forms.
 *
 * All real roots: Ferrari's formulas lose half of the digits in one of some thousand cases. A
 * search on pieces on which the polynomial is monotone loses none, and takes less than a
 * microsecond:
 *
 *     quartic        .-.          .-       its turning points are the roots of its derivative, a
 *              -----x---x--------x--       cubic, whose turning points are those of a square, ...
 *             .    /     `.    .'          down to degree 1; between two of them there is at most
 *              `--'        `--'            one root, found by Newton's method and bisection
 *
 * First in [-1, 1], then outside by x -> 1/x, which reverses the coefficients. A double root, where
 * the sign does not change, lies at a turning point: there the value is zero up to its rounding. */
#include "cone/quartic.h"
#include <string.h>

enum { DEGREE = 4, MAX_STEPS = 100 };

static double value(int n, const double *a, double x)
{
    double y = a[n];
    for (int i = n - 1; i >= 0; i--)
        y = y * x + a[i];
    return y;
}

/* The root between low and high, where the polynomial a is monotone and has opposite signs: Newton
 * steps with the derivative b, and bisection where a step leaves the bracket. */
static double root_between(int n, const double *a, const double *b, double low, double high)
{
    const bool rises = value(n, a, high) > 0.0;
    double x = 0.5 * (low + high);
    for (int i = 0; i < MAX_STEPS; i++) {
        const double y = value(n, a, x);
        if (y == 0.0)
            return x;
        *((y > 0.0) == rises ? &high : &low) = x;
        double next = x - y / value(n - 1, b, x);
        if (!(next > low && next < high))
            next = 0.5 * (low + high);
        if (fabs(next - x) <= 1e-16 * fabs(x) || next == low || next == high)
            return next;
        x = next;
    }
    return x;
}

/* Whether the value at x is zero up to the rounding of its evaluation, as at a double root, where
 * the sign does not change. */
static bool vanishes(int n, const double *a, double x)
{
    double size = 0.0;
    for (int i = n; i >= 0; i--)
        size = size * fabs(x) + fabs(a[i]);
    return fabs(value(n, a, x)) <= 1e-14 * size;
}

/* Roots in [-1, 1] in increasing order; returns how many. */
static int roots_inside(int n, const double *a, double root[DEGREE])
{
    double b[DEGREE] = {0}, turn[DEGREE + 1];
    if (n == 1) {
        root[0] = -a[0] / a[1];
        return fabs(root[0]) <= 1.0 ? 1 : 0;
    }
    for (int i = 1; i <= n; i++)
        b[i - 1] = i * a[i];
    const int turns = roots_inside(n - 1, b, turn);
    turn[turns] = 1.0;
    int count = 0;
    bool crossed = false; /* the sign changed within the last piece; roots at ends: vanishes() */
    double low = -1.0, at_low = value(n, a, low);
    for (int i = 0; i <= turns; i++) {
        const double high = turn[i], at_high = value(n, a, high);
        const bool found = count > 0 && root[count - 1] == low;
        if (vanishes(n, a, low) && !found && count < n)
            root[count++] = low;
        crossed = (at_low < 0.0 && at_high > 0.0) || (at_low > 0.0 && at_high < 0.0);
        if (crossed && count < n)
            root[count++] = root_between(n, a, b, low, high);
        low = high;
        at_low = at_high;
    }
    if (!crossed && vanishes(n, a, 1.0) && count < n)
        root[count++] = 1.0;
    return count;
}

int plu_quartic_roots(const double a[5], double root[PLU_QUARTIC_ROOTS])
{
    double turned[5], outer[DEGREE];
    int degree = DEGREE;
    while (degree > 0 && a[degree] == 0.0)
        degree--;
    if (degree == 0)
        return 0;
    for (int i = 0; i <= degree; i++)
        turned[i] = a[degree - i];
    int count = roots_inside(degree, a, root);
    const int others = roots_inside(degree, turned, outer);
    for (int i = 0; i < others && count < PLU_QUARTIC_ROOTS; i++)
        if (fabs(outer[i]) < 1.0)
            root[count++] = outer[i] == 0.0 ? HUGE_VAL : 1.0 / outer[i];
    if (degree < DEGREE && count < PLU_QUARTIC_ROOTS)
        root[count++] = HUGE_VAL;
    return count;
}

/* The contact in the notation of BD11, section 3: M_T in its eigenbasis, m = (m_01, m_02) in the
 * same basis, and the conic r (1 + e cos(theta - phi)) = p. */
typedef struct conic {
    plu_plane plane;
    double q[2], a[2];    /* V q_T; -V m / mu */
    double ex, ey, p;     /* e cos(phi), e sin(phi); p */
    double A, B, C, D, E; /* coefficients of (18) */
} conic;

static conic conic_of(const double w[9], const double q[3], double mu)
{
    conic k = {.plane = plu_plane_of(w[4], w[5], w[7], w[8]), .p = -mu * q[0] / w[0]};
    double row[2], column[2];
    plu_plane_turn(&k.plane, q + 1, k.q);
    plu_plane_turn(&k.plane, w + 1, row);
    plu_plane_turn(&k.plane, (double[2]){w[3], w[6]}, column);
    k.ex = mu * row[0] / w[0];
    k.ey = mu * row[1] / w[0];
    k.a[0] = -column[0] / mu;
    k.a[1] = -column[1] / mu;
    /* BD11 (19); a skew part k J of M_T adds k p (cos^2 + sin^2). */
    k.A = -k.ex * k.q[1] + k.plane.k * k.p;
    k.B = k.ey * k.q[0] + k.plane.k * k.p;
    k.C = (k.plane.d[0] - k.plane.d[1]) * k.p + k.ex * k.q[0] - k.ey * k.q[1];
    k.D = k.q[0] - k.p * k.a[0];
    k.E = -k.q[1] + k.p * k.a[1];
    return k;
}

static void polynomial_of(const conic *k, double a[5])
{
    a[4] = k->A - k->E;
    a[3] = 2.0 * k->D - 2.0 * k->C;
    a[2] = 4.0 * k->B - 2.0 * k->A;
    a[1] = 2.0 * k->C + 2.0 * k->D;
    a[0] = k->A + k->E;
}

void plu_quartic_of_angle(const double w[9], const double q[3], double mu, double a[5])
{
    const conic k = conic_of(w, q, mu);
    polynomial_of(&k, a);
}

void plu_quartic_of_alpha(const double w[9], const double q[3], double mu, double a[5])
{
    double l[4] = {w[4] - w[3] * w[1] / w[0], w[5] - w[3] * w[2] / w[0], w[7] - w[6] * w[1] / w[0],
                   w[8] - w[6] * w[2] / w[0]};
    /* Of a block of rank one only rounding is left here. It is set to zero, so that zero is exactly
     * a double root. */
    if (fabs(l[0]) + fabs(l[3]) <= 1e-15 * (fabs(w[4]) + fabs(w[8])))
        memset(l, 0, sizeof l);
    const double v[2] = {q[1] - q[0] / w[0] * w[3], q[2] - q[0] / w[0] * w[6]};
    /* -det R_T = u + alpha v, det = alpha^2 + trace alpha + det_0 */
    const double u[2] = {l[3] * v[0] - l[1] * v[1], l[0] * v[1] - l[2] * v[0]};
    const double f = mu / w[0];
    /* f (q_N det - m.(u + alpha v)) */
    const double b[3] = {f * (q[0] * (l[0] * l[3] - l[1] * l[2]) - plu_plane_dot(w + 1, u)),
                         f * (q[0] * (l[0] + l[3]) - plu_plane_dot(w + 1, v)), f * q[0]};
    a[0] = plu_plane_dot(u, u) - b[0] * b[0];
    a[1] = 2.0 * plu_plane_dot(u, v) - 2.0 * b[0] * b[1];
    a[2] = plu_plane_dot(v, v) - b[1] * b[1] - 2.0 * b[0] * b[2];
    a[3] = -2.0 * b[1] * b[2];
    a[4] = -b[2] * b[2];
}

/* Up to three Newton steps on (18) from the angle of a root, because the substitution
 * t = tan(theta/2) loses digits where t is far from 1. */
static double polish_angle(const conic *k, double theta)
{
    for (int i = 0; i < 3; i++) {
        const double c = cos(theta), s = sin(theta);
        const double g = k->A * c * c + k->B * s * s + k->C * s * c + k->D * s + k->E * c;
        const double slope =
            2.0 * (k->B - k->A) * s * c + k->C * (c * c - s * s) + k->D * c - k->E * s;
        const double step = slope != 0.0 ? g / slope : 0.0;
        if (!(fabs(step) < 0.1))
            break;
        theta -= step;
    }
    return theta;
}

/* Copies r = (R_N, R_T) to `p` if it solves (4) up to rounding with alpha > 0; returns whether. */
static bool take_if_solution(const double w[9], const double q[3], double mu, const double r[3],
                             double p[3])
{
    double y[3], size[3];
    for (int i = 0; i < 3; i++) {
        y[i] = q[i];
        size[i] = fabs(q[i]);
        for (int j = 0; j < 3; j++) {
            y[i] += w[3 * i + j] * r[j];
            size[i] += fabs(w[3 * i + j] * r[j]);
        }
    }
    const double length = plu_plane_length(r + 1);
    if (!(r[0] > 0.0) || fabs(length - mu * r[0]) > 1e-9 * length)
        return false;
    const double alpha = -plu_plane_dot(y + 1, r + 1) / (length * length);
    const double miss[2] = {y[1] + alpha * r[1], y[2] + alpha * r[2]};
    if (!(alpha > 0.0) || fabs(y[0]) > 1e-9 * size[0] ||
        plu_plane_length(miss) > 1e-9 * (size[1] + size[2]))
        return false;
    memcpy(p, r, 3 * sizeof *p);
    return true;
}

static bool is_new(int count, double p[][3], const double r[3])
{
    for (int i = 0; i < count; i++) {
        const double d[2] = {p[i][1] - r[1], p[i][2] - r[2]};
        if (plu_plane_length(d) <= 1e-9 * plu_plane_length(r + 1))
            return false;
    }
    return true;
}

int plu_sliding_by_angle(const double w[9], const double q[3], double mu,
                         double p[PLU_SLIDING_CANDIDATES][3])
{
    const conic k = conic_of(w, q, mu);
    const double right = 1.57079632679489661923;
    double a[5], t[PLU_QUARTIC_ROOTS], theta[PLU_SLIDING_CANDIDATES];
    polynomial_of(&k, a);
    const int roots = plu_quartic_roots(a, t);
    for (int i = 0; i < roots; i++)
        theta[i] = polish_angle(&k, 2.0 * atan(t[i]));
    /* Section 3.3: along the axes the elimination of alpha divides by zero. */
    for (int i = 0; i < 4; i++)
        theta[roots + i] = (i - 1) * right;
    int count = 0;
    for (int i = 0; i < roots + 4; i++) {
        const double c = cos(theta[i]), s = sin(theta[i]);
        const double radius = k.p / (1.0 + k.ex * c + k.ey * s);
        double r[3] = {radius / mu};
        plu_plane_turn_back(&k.plane, (double[2]){radius * c, radius * s}, r + 1);
        if (is_new(count, p, r) && take_if_solution(w, q, mu, r, p[count]))
            count++;
    }
    return count;
}

/* Newton's method on the equation before squaring, |R_T| = mu R_N, which is better conditioned. */
static double polish_alpha(const plu_coulomb *b, const double w[2], double start, double alpha)
{
    for (int i = 0; i < 4; i++) {
        double t[2], dt[2];
        const double normal = plu_coulomb_at(b, alpha, w, start, t), length = plu_plane_length(t);
        plu_plane_solve(&b->a, alpha, t, dt);
        const double slope =
            plu_plane_dot(t, dt) / length + b->mu * plu_plane_dot(b->row, dt) * b->inverse_normal;
        const double step = (length - b->mu * normal) / slope;
        if (!(fabs(step) < 0.1 * alpha))
            break;
        alpha -= step;
    }
    return alpha;
}

int plu_sliding_by_alpha(const double w[9], const double q[3], double mu,
                         double p[PLU_SLIDING_CANDIDATES][3])
{
    const plu_coulomb b = plu_coulomb_of(w, mu);
    const double start = -q[0] / w[0];
    double a[5], x[PLU_QUARTIC_ROOTS], v[2];
    plu_quartic_of_alpha(w, q, mu, a);
    if (a[0] == 0.0 && a[1] == 0.0) { /* divide by alpha^2: a double root at zero is not wanted */
        memmove(a, a + 2, 3 * sizeof *a);
        a[3] = a[4] = 0.0;
    }
    plu_plane_turn(&b.a, q + 1, v);
    v[0] += start * b.column[0];
    v[1] += start * b.column[1];
    /* Scaled by the root of a block without coupling, so that the roots are near 1. */
    const double unit = plu_plane_length(v) / (mu * start);
    double scale = 1.0;
    for (int i = 0; i < 5; i++, scale *= unit)
        a[i] *= scale;
    const int roots = plu_quartic_roots(a, x);
    int count = 0;
    for (int i = 0; i < roots; i++) {
        if (!(x[i] > 0.0) || x[i] == HUGE_VAL)
            continue;
        double t[2], r[3];
        r[0] = plu_coulomb_at(&b, polish_alpha(&b, v, start, unit * x[i]), v, start, t);
        plu_plane_turn_back(&b.a, t, r + 1);
        if (is_new(count, p, r) && take_if_solution(w, q, mu, r, p[count]))
            count++;
    }
    return count;
}
