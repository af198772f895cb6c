/* The residual of a contact problem, in two measures, from p alone (src/solving.md, "Residuals"):
 *
 *     scaled    |F| / |p| ,   F = p - P(p - y / W_ii) by parts     Alart & Curnier 1991: the error
 *                                                                  of the impulse over the impulse
 *     natural   |p - P_K(p - y^)| / max(|q|, |p|, |y|)             AB21 (61), in the file's units
 *
 * and from F the error as a velocity, W_ii F_i, which tells whether impulses fit q
 * (plu_contact_fits): where they grow without bound, |F| / |p| becomes small by itself. For the
 * associated law y stands in place of y^: the same residuals, with the dilatancy taken off y_N
 * first. */
#include "base/vec3.h"
#include "cone/friction_cone.h"
#include "problem/contact_problem.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Made for three, five and seven rows by inlining. */
#define INLINE static inline __attribute__((always_inline))

typedef struct sums {
    double f_scaled, p_scaled, f_natural, p, y, q;
} sums;

static double norm2(const double *x)
{
    return sqrt(x[0] * x[0] + x[1] * x[1]);
}

/* |x - s z|^2 for pairs */
static double miss(const double *x, double s, const double *z)
{
    const double a = x[0] - s * z[0], b = x[1] - s * z[1];
    return a * a + b * b;
}

/* square[0]: square of the normal Alart-Curnier function of a contact, rho = 1 / W_ii; square[i]:
 * that of disk i. w receives the W_ii. */
INLINE void alart_curnier(const plu_contact_problem *problem, int d, int c, const double *p,
                          const double *y, double square[PLU_DISKS_MAX + 1],
                          double w[PLU_DISKS_MAX + 1])
{
    const double *block = problem->w.block + (size_t)problem->w.diagonal[c] * (size_t)(d * d);
    const double limit[PLU_DISKS_MAX] = PLU_CONTACT_SLOPES(problem, c);
    const double trial = plu_max(p[0] - y[0] / block[0], 0.0);
    square[0] = (p[0] - trial) * (p[0] - trial);
    w[0] = block[0];
    for (int i = 1, k = 1; i < d; i += 2, k++) {
        w[k] = plu_max(block[i * (d + 1)], block[(i + 1) * (d + 1)]);
        const double rho = 1.0 / w[k];
        const double z[2] = {p[i] - rho * y[i], p[i + 1] - rho * y[i + 1]};
        square[k] = miss(p + i, plu_disk_factor(norm2(z), limit[k - 1] * trial), z);
    }
}

INLINE void add_scaled(const plu_contact_problem *problem, int d, int c, const double *p,
                       const double *y, sums *s)
{
    double square[PLU_DISKS_MAX + 1], w[PLU_DISKS_MAX + 1];
    alart_curnier(problem, d, c, p, y, square, w);
    s->f_scaled += square[0];
    s->p_scaled += p[0] * p[0];
    for (int i = 1, k = 1; i < d; i += 2, k++) {
        s->f_scaled += square[k];
        s->p_scaled += p[i] * p[i] + p[i + 1] * p[i + 1];
    }
}

/* Natural map in the units of the file: moments times L, rolling velocities over L. */
INLINE void add_natural(const plu_contact_problem *problem, int d, int c, const double *p,
                        const double *y, sums *s)
{
    const double l = d >= 5 ? problem->length[c] : 1.0, mu = plu_contact_slope(problem, c, 0);
    const double mu_r = d >= 5 ? plu_contact_slope(problem, c, 1) * l : 0.0;
    const double *q = problem->q + (long)d * c;
    double m[2] = {0, 0}, w[2] = {0, 0}, free[2] = {0, 0};
    for (int i = 0; d >= 5 && i < 2; i++) {
        m[i] = p[3 + i] * l;
        w[i] = y[3 + i] / l;
        free[i] = q[3 + i] / l;
    }
    const double mu_p = d == 7 ? plu_contact_slope(problem, c, 2) * l : 0.0;
    const double mp = d == 7 ? p[5] * l : 0.0, wp = d == 7 ? y[5] / l : 0.0,
                 free_p = d == 7 ? q[5] / l : 0.0;
    const double t[2] = {p[1] - y[1], p[2] - y[2]}, r[2] = {m[0] - w[0], m[1] - w[1]}, k = mp - wp;
    const double lifted = y[0] + plu_lift(mu, norm2(y + 1)) + plu_lift(mu_r, norm2(w)),
                 x = p[0] - (d == 7 ? lifted + plu_lift(mu_p, fabs(wp)) : lifted);
    const double lt = norm2(t), lr = norm2(r);
    const double n = d == 7 ? plu_cone_normal_pivoting(x, lt, lr, fabs(k), mu, mu_r, mu_p)
                            : plu_cone_normal(x, lt, lr, mu, mu_r);
    if (d == 7) {
        const double off = mp - plu_into_interval(k, mu_p * n);
        s->f_natural += off * off;
        s->p += mp * mp;
        s->y += wp * wp;
        s->q += free_p * free_p;
    }
    s->f_natural += (p[0] - n) * (p[0] - n) + miss(p + 1, plu_disk_factor(lt, mu * n), t) +
                    miss(m, plu_disk_factor(lr, mu_r * n), r);
    s->p += p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + m[0] * m[0] + m[1] * m[1];
    s->y += y[0] * y[0] + y[1] * y[1] + y[2] * y[2] + w[0] * w[0] + w[1] * w[1];
    s->q += q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + free[0] * free[0] + free[1] * free[1];
}

/* The velocity of contact c to which Coulomb's law applies: for the associated law, without the
 * dilatancy. */
INLINE void read_velocity(const plu_contact_problem *problem, int d, int c, const double *y,
                          double at[PLU_ROWS_MAX])
{
    memcpy(at, y + (long)d * c, (size_t)d * sizeof *at);
    if (problem->associated)
        at[0] -= plu_dilatancy(problem, c, at);
}

INLINE void add_all(const plu_contact_problem *problem, int d, const double *p, const double *y,
                    sums *s)
{
    for (int c = 0; c < problem->contacts; c++) {
        double at[PLU_ROWS_MAX];
        read_velocity(problem, d, c, y, at);
        add_scaled(problem, d, c, p + (long)d * c, at, s);
        add_natural(problem, d, c, p + (long)d * c, at, s);
    }
}

plu_residuals plu_contact_residuals(const plu_contact_problem *problem, const double *p, double *y)
{
    sums s = {0};
    plu_contact_problem_velocity(problem, p, y);
    if (problem->rows == 3)
        add_all(problem, 3, p, y, &s);
    else if (problem->rows == 5)
        add_all(problem, 5, p, y, &s);
    else
        add_all(problem, 7, p, y, &s);
    const double scale = sqrt(plu_max(s.q, plu_max(s.p, s.y)));
    return (plu_residuals){
        .scaled = s.p_scaled > 0.0 ? plu_min(1.0, sqrt(s.f_scaled / s.p_scaled))
                                   : (s.f_scaled == 0.0 ? 0.0 : 1.0), /* 1 for NaN, too */
        .natural = sqrt(s.f_natural) / (scale > 2.2e-16 ? scale : 1.0),
    };
}

/* Square of the velocity error of contact c, from its Alart-Curnier function F. */
static double misfit(const plu_contact_problem *problem, int c, const double *p, const double *y)
{
    double square[PLU_DISKS_MAX + 1], w[PLU_DISKS_MAX + 1], sum = 0.0;
    alart_curnier(problem, problem->rows, c, plu_contact_of(problem, p, c), y, square, w);
    for (int k = 0; k <= problem->rows / 2; k++)
        sum += w[k] * w[k] * square[k];
    return sum;
}

/* Square of the rounding of rows c of W p, rolling velocities times `turn`. */
static double rounding(const plu_contact_problem *problem, int c, const double *p, double turn)
{
    const int d = problem->rows;
    const plu_block_rows *w = &problem->w;
    double sum = 0.0;
    for (int i = 0; i < d; i++) {
        double size = 0.0;
        for (int b = w->start[c]; b < w->start[c + 1]; b++) {
            const double *row = w->block + (size_t)b * (size_t)(d * d) + (size_t)(i * d);
            const double *r = plu_contact_of(problem, p, w->column[b]);
            for (int j = 0; j < d; j++)
                size += fabs(row[j] * r[j]);
        }
        size *= 1.1e-16 * (i < 3 ? 1.0 : turn);
        sum += size * size;
    }
    return sum;
}

/* What was missed, where it was: error over allowed. */
static bool within(double error, double allowed, double *missed)
{
    const bool met = error <= allowed;
    if (!met)
        *missed = plu_max(*missed, allowed > 0.0 ? error / allowed : HUGE_VAL);
    return met;
}

bool plu_contact_fits(const plu_contact_problem *problem, const double *p, const double *y,
                      bool natural, double tolerance, double *missed)
{
    const double certain = 1e-6;
    double error = 0.0, noise = 0.0, given = 0.0;
    sums s = {0};
    for (int c = 0; c < problem->contacts; c++) {
        double at[PLU_ROWS_MAX];
        read_velocity(problem, problem->rows, c, y, at);
        noise += rounding(problem, c, p, natural ? 1.0 / problem->length[c] : 1.0);
        error += misfit(problem, c, p, at);
        add_natural(problem, problem->rows, c, plu_contact_of(problem, p, c), at, &s);
    }
    for (int i = 0; i < problem->rows * problem->contacts; i++)
        given += problem->q[i] * problem->q[i];
    const double loose = sqrt(tolerance) * sqrt(given);
    given = sqrt(natural ? s.q : given);
    noise = sqrt(noise);
    *missed = 1.0;
    bool fits = noise <= certain * given;
    if (!fits)
        *missed = HUGE_VAL;
    if (natural)
        fits = within(sqrt(error), loose + 4.0 * noise, missed) && fits;
    error = sqrt(natural ? s.f_natural : error);
    return within(error, tolerance * given + 4.0 * noise, missed) && fits;
}
