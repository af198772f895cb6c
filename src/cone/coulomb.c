/* One sliding contact with Coulomb friction, and proofs that one has no solution (coulomb.h has the
 * equations, after Bonnefon & Daviet 2011). The whole solve is the search of one number alpha, the
 * multiplier of the disk, U_T = -alpha R_T:
 *
 *     f(alpha) = |R_T(alpha)| - mu R_N(alpha)
 *
 *       |*                                     f(0) > 0: sticking leaves the cone
 *       | `*                                   f(high) < 0, since |R_T| <= |w| / alpha
 *       |    ` *.                              so a root is between them, and R_N > 0 there
 *       |---------`-x--------------- alpha
 *       |            ` * . . . . . . .         f -> mu q_N / m_00 < 0 for large alpha
 *       low          x            high
 *
 * Newton's step is that of 1/|R_T| - 1/(mu R_N), which is nearly straight in alpha (for an
 * isotropic block without coupling |R_T| = |w| / (a + alpha), and it is exactly so); bisection
 * where it leaves the bracket. R_T is then known to rounding, and R_N is |R_T| / mu: the other
 * equation for it would amplify what cancels. */
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

/* Proves that a single contact has no solution. That is possible if its block has no full rank:
 * impulses along a direction r with W r = 0 move nothing, and so cannot balance a free velocity
 * with q.r < 0. If r is inside the cone, sticking fails. Sliding fails if f(alpha) (coulomb.h) has
 * no root, which is proved here for all alpha by bounds of f over intervals. */

enum { INTERVALS = 4000, DEPTH = 200 };
static const double far = 1e6;     /* times |q| / m_00: larger impulses do not count as solutions */
static const double margin = 1e-6; /* relative margin by which f has to stay below zero */
static const double known = 1e-9;  /* times the trace: below such multipliers A is rounding */

typedef struct sliding {
    double d[2], w[2], c[2]; /* R_T = -w / (d + alpha), R_N = start + sum c / (d + alpha) */
    double start, mu;
} sliding;

static double length_at(const sliding *s, double alpha)
{
    const double t[2] = {s->w[0] / (s->d[0] + alpha), s->w[1] / (s->d[1] + alpha)};
    return plu_plane_length(t);
}

/* Whether bounds prove f < 0 on [a, b]: |R_T| decreases, and each term of R_N is monotone. */
static bool negative_between(const sliding *s, double a, double b)
{
    double normal = s->start, size = normal;
    for (int i = 0; i < 2; i++) {
        const double at_a = s->c[i] / (s->d[i] + a), at_b = s->c[i] / (s->d[i] + b);
        normal += at_a < at_b ? at_a : at_b;
        size += fabs(at_a);
    }
    return length_at(s, a) - s->mu * normal < -margin * s->mu * size;
}

/* Halves the interval (in the logarithm) until the bounds suffice on each piece. */
static bool negative_everywhere(const sliding *s, double low, double high)
{
    double end[DEPTH] = {high};
    int open = 1;
    for (int k = 0; k < INTERVALS && open > 0; k++) {
        if (negative_between(s, low, end[open - 1])) {
            low = end[--open];
            continue;
        }
        const double middle = sqrt(low * end[open - 1]);
        if (open == DEPTH || !negative_between(s, low, low) || !(middle > low))
            return false;
        end[open++] = middle;
    }
    return open == 0;
}

bool plu_coulomb_unsolvable(const double w[9], const double q[3], double mu)
{
    const plu_coulomb b = plu_coulomb_of(w, mu);
    const double trace = w[4] + w[8], size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    if (!(q[0] < 0.0 && mu > 0.0) || fabs(b.a.k) > 1e-12 * trace)
        return false;
    sliding s = {.d = {b.a.d[0], b.a.d[1]}, .start = -q[0] * b.inverse_normal, .mu = mu};
    plu_plane_turn(&b.a, q + 1, s.w);
    double low = 0.0, high = 0.0;
    for (int i = 0; i < 2; i++) {
        s.w[i] += s.start * b.column[i];
        s.c[i] = b.row[i] * s.w[i] * b.inverse_normal;
        /* Below this multiplier |R_T| is larger than what counts as a solution, as in sticking. */
        low = fmax(low, fabs(s.w[i]) / (far * size * b.inverse_normal) - s.d[i]);
        high += 2.0 * (fabs(s.w[i]) + mu * fabs(s.c[i])) / (mu * s.start);
    }
    return low > known * trace && negative_everywhere(&s, low, fmax(high, 2.0 * low));
}
