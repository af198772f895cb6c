/* newton-glocker: semismooth Newton on the Fischer-Burmeister function of Glocker's complementarity
 * problem (Ch. Glocker, in Acary, Khenous & Perignon). The disk |r_T| <= R = mu r_N is cut
 * out by a triangle around it, sides normal to e_1, e_2, e_3 at 30, 150 and 270 degrees, and by
 * itself:
 *
 *   0 <= r_N      orthogonal to  u_N >= 0
 *   0 <= sigma_i = R - e_i . r_T   orthogonal to  kappa_i >= 0 ,  i = 1, 2, 3
 *   0 <= sigma_D = R^2 - |r_T|^2   orthogonal to  kappa_D >= 0
 *   u_T + 2 kappa_D r_T = - sum kappa_i e_i
 *
 * Unknowns r_N, sigma_1, sigma_2, kappa_3, kappa_D; r_T, sigma_3, kappa_1 and kappa_2 follow by
 * linear algebra since e_1 + e_2 + e_3 = 0. (The paper writes |r_N| in the cone; it is r_N.) The
 * disks of rolling and pivoting have the same four unknowns and pairs again. Velocities are
 * multiplied by 1/W_NN, and so are the kappa. */
#include "general/newton_loop.h"
#include "general/reference/reference.h"
#include <math.h>
#include <string.h>

/* Unknowns and equations of a disk, from `at` = 1, 5 or 9 on. */
enum { SIGMA_1, SIGMA_2, KAPPA_3, KAPPA_D, DISK };

static const double half_root_3 = 0.86602540378443864676; /* cos 30 degrees; sin is 1/2 */

/* kappa is free where the contact is open: this keeps it where it is. */
static const double hold = 1e-8;

static int width(const plu_newton_contact *c)
{
    return 1 + c->rows / 2 * DISK;
}

static double limit_of(const plu_newton_contact *c, int i)
{
    return c->mu[i / 2];
}

/* r_T from e_i . r_T = R - sigma_i, i = 1, 2. */
static void p_of_z(const plu_newton_contact *c, double *map)
{
    const int k = width(c);
    const double s = 0.5 / half_root_3;
    memset(map, 0, (size_t)(c->rows * k) * sizeof *map);
    map[0] = 1.0;
    for (int i = 1, at = 1; i < c->rows; i += 2, at += DISK) {
        map[i * k + at + SIGMA_1] = -s;
        map[i * k + at + SIGMA_2] = s;
        map[(i + 1) * k] = 2.0 * limit_of(c, i);
        map[(i + 1) * k + at + SIGMA_1] = -1.0;
        map[(i + 1) * k + at + SIGMA_2] = -1.0;
    }
}

static void start(const plu_newton_contact *c, const double *p, const double *y, double *z)
{
    z[0] = p[0];
    for (int i = 1, at = 1; i < c->rows; i += 2, at += DISK) {
        const double radius = limit_of(c, i) * p[0], length = hypot(p[i], p[i + 1]);
        z[at + SIGMA_1] = radius - half_root_3 * p[i] - 0.5 * p[i + 1];
        z[at + SIGMA_2] = radius + half_root_3 * p[i] - 0.5 * p[i + 1];
        z[at + KAPPA_3] = 0.0;
        z[at + KAPPA_D] = length > 0.0 && length > 0.99 * radius
                              ? c->rho[0] * hypot(y[i], y[i + 1]) / (2.0 * length)
                              : 0.0;
    }
}

/* A number with its derivatives by the unknowns and by the velocity. */
typedef struct linear {
    double value, by_z[PLU_WIDTH_MAX], by_y[PLU_ROWS_MAX];
} linear;

/* Row of the scalar function s + t - (s^2 + t^2)^(1/2). */
static void pair(const plu_newton_contact *c, int row, const linear *s, const linear *t, double *f,
                 double *a, double *b)
{
    const int k = width(c);
    const double h = hypot(s->value, t->value);
    const double ds = h > 0.0 ? 1.0 - s->value / h : 1.0 - sqrt(0.5);
    const double dt = h > 0.0 ? 1.0 - t->value / h : 1.0 - sqrt(0.5);
    f[row] = s->value + t->value - h;
    for (int j = 0; a && j < c->rows; j++)
        a[row * c->rows + j] = ds * s->by_y[j] + dt * t->by_y[j];
    for (int j = 0; a && j < k; j++)
        b[row * k + j] = ds * s->by_z[j] + dt * t->by_z[j];
}

/* kappa_1 (sign 1) or kappa_2 (sign -1), times gain / W_NN. */
static linear kappa(const plu_newton_contact *c, int i, int at, double sign, const double *map,
                    const double *z, const double *p, const double *y)
{
    const int k = width(c);
    const double along[2] = {-sign * 0.5 / half_root_3, -1.0}, g = c->gain, disk = z[at + KAPPA_D];
    linear out = {.value = g * z[at + KAPPA_3]};
    out.by_z[at + KAPPA_3] = g;
    for (int t = 0; t < 2; t++) {
        out.value += g * along[t] * (c->rho[0] * y[i + t] + 2.0 * disk * p[i + t]);
        out.by_y[i + t] = g * along[t] * c->rho[0];
        out.by_z[at + KAPPA_D] += g * along[t] * 2.0 * p[i + t];
        for (int j = 0; j < k; j++)
            out.by_z[j] += g * along[t] * 2.0 * disk * map[(i + t) * k + j];
    }
    return out;
}

static linear unknown(double value, int place, double factor)
{
    linear out = {.value = factor * value};
    out.by_z[place] = factor;
    return out;
}

/* (R^2 - |r_T|^2) / 2R, about R - |r_T|; the R below is that of the last proximal step. */
static linear sigma_disk(const plu_newton_contact *c, int i, const double *map, const double *p)
{
    const int k = width(c);
    const double mu = limit_of(c, i), s = 0.5 / (mu * c->impulse), length = hypot(p[i], p[i + 1]);
    linear out = {.value = s * (mu * p[0] - length) * (mu * p[0] + length)};
    for (int j = 0; j < k; j++)
        out.by_z[j] = -2.0 * s * (p[i] * map[i * k + j] + p[i + 1] * map[(i + 1) * k + j]);
    out.by_z[0] += 2.0 * s * mu * mu * p[0];
    return out;
}

static void disk_rows(const plu_newton_contact *c, int i, int at, const double *map,
                      const double *z, const double *p, const double *y, double *f, double *a,
                      double *b)
{
    const linear one = unknown(z[at + SIGMA_1], at + SIGMA_1, 1.0);
    const linear two = unknown(z[at + SIGMA_2], at + SIGMA_2, 1.0);
    linear three = {.value = 3.0 * limit_of(c, i) * z[0] - one.value - two.value};
    three.by_z[0] = 3.0 * limit_of(c, i);
    three.by_z[at + SIGMA_1] = three.by_z[at + SIGMA_2] = -1.0;
    const linear disk = sigma_disk(c, i, map, p);
    const linear k1 = kappa(c, i, at, 1.0, map, z, p, y), k2 = kappa(c, i, at, -1.0, map, z, p, y);
    const linear k3 = unknown(z[at + KAPPA_3], at + KAPPA_3, c->gain);
    const linear kd =
        unknown(z[at + KAPPA_D], at + KAPPA_D, 2.0 * limit_of(c, i) * c->gain * c->impulse);
    pair(c, at + SIGMA_1, &one, &k1, f, a, b);
    pair(c, at + SIGMA_2, &two, &k2, f, a, b);
    pair(c, at + KAPPA_3, &three, &k3, f, a, b);
    pair(c, at + KAPPA_D, &disk, &kd, f, a, b);
    for (int j = KAPPA_3; a && j <= KAPPA_D; j++)
        b[(at + j) * (width(c) + 1)] += hold;
}

/* Rows without friction: the disk is a point, all four unknowns are zero. */
static void point_rows(const plu_newton_contact *c, int at, const double *z, double *f, double *b)
{
    for (int j = at; j < at + DISK; j++) {
        f[j] = z[j];
        if (b)
            b[j * (width(c) + 1)] = 1.0;
    }
}

static void equations(const plu_newton_contact *c, const double *z, const double *p,
                      const double *y, double *f, double *a, double *b)
{
    const size_t k = (size_t)width(c);
    double map[PLU_ROWS_MAX * PLU_WIDTH_MAX];
    p_of_z(c, map);
    if (a) {
        memset(a, 0, k * (size_t)c->rows * sizeof *a);
        memset(b, 0, k * k * sizeof *b);
    }
    const linear r = unknown(z[0], 0, 1.0);
    linear u = {.value = c->gain * c->rho[0] * y[0], .by_y = {c->gain * c->rho[0]}};
    pair(c, 0, &r, &u, f, a, b);
    for (int i = 1, at = 1; i < c->rows; i += 2, at += DISK)
        if (limit_of(c, i) > 0.0)
            disk_rows(c, i, at, map, z, p, y, f, a, b);
        else
            point_rows(c, at, z, f, b);
}

PLU_METHOD(plu_newton_glocker)
{
    static const plu_newton_form form = {
        {1 + DISK, 1 + 2 * DISK, 1 + 3 * DISK}, p_of_z, start, equations};
    return plu_newton_run(problem, settings, monitor, &form, err);
}
