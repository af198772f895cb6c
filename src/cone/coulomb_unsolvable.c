/* Proves that a single contact has no solution. That is possible if its block has no full rank:
 * impulses along a direction r with W r = 0 move nothing, and so cannot balance a free velocity
 * with q.r < 0. If r is inside the cone, sticking fails. Sliding fails if f(alpha) (coulomb.h) has
 * no root, which is proved here for all alpha by bounds of f over intervals. */
#include "cone/coulomb.h"

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
