/* newton: semismooth Newton on the function of Alart & Curnier (Comput. Methods Appl. Mech. Engrg.
 * 92 (1991) 353; V. Acary, H. Khenous and P. Pérignon compare it with others), with two disks for
 * rolling, three for pivoting:
 *
 *   x = p - rho y ,  R_i = mu_i x_N+ ,   f_N = r_N - x_N+ ,   f_i = p_i - x_i min(1, R_i / |x_i|)
 *
 * f = 0 is the law: r_N = (r_N - rho y_N)+ is complementarity, and a disk's impulse is the
 * projection of its trial, so opposite to the velocity where it slips. Each contact contributes its
 * own rows of df/dp and df/dy, which have three cases (open, inside the disk, outside); the loop
 * and the linear system are those of all Newton methods (newton_loop.h). */
#include "base/vec3.h"
#include "cone/friction_cone.h"
#include "general/newton_loop.h"
#include <math.h>
#include <string.h>

static void identity(const plu_newton_contact *c, double *map)
{
    memset(map, 0, (size_t)(c->rows * c->rows) * sizeof *map);
    for (int i = 0; i < c->rows; i++)
        map[i * (c->rows + 1)] = 1.0;
}

static void start(const plu_newton_contact *c, const double *p, const double *y, double *z)
{
    (void)y;
    memcpy(z, p, (size_t)c->rows * sizeof *z);
}

/* Rows of one disk whose trial x is outside: f = p_i - R x / |x|. With `plain` this is derived as
 * it stands. Else the direction of the impulse enters as it is now, cut to the disk, instead of as
 * that of x: then |x| p_i = R x is what is linearized (S. Hüeber, G. Stadler, B. Wohlmuth, SIAM J.
 * Sci. Comput. 30, 2008), the same at a solution and better far from it. */
static void sliding_rows(const plu_newton_contact *c, int i, bool plain, const double *p,
                         const double x[2], double length, double radius, double *a, double *b)
{
    const int d = c->rows;
    const double rho = c->gain * c->rho[(i + 1) / 2], limit = c->mu[i / 2];
    const double cut = plu_disk_factor(hypot(p[i], p[i + 1]), radius);
    double direction[2]; /* times the radius */
    for (int r = 0; r < 2; r++)
        direction[r] = plain ? radius * x[r] / length : cut * p[i + r];
    for (int r = 0; r < 2; r++) {
        for (int s = 0; s < 2; s++) {
            const double g = ((r == s ? radius : 0.0) - direction[r] * x[s] / length) / length;
            a[(i + r) * d + i + s] = rho * g;
            b[(i + r) * d + i + s] = (r == s ? 1.0 : 0.0) - g;
        }
        a[(i + r) * d] = limit * c->gain * c->rho[0] * x[r] / length;
        b[(i + r) * d] = -limit * x[r] / length;
    }
}

static inline void alart_curnier(const plu_newton_contact *c, bool plain, const double *p,
                                 const double *y, double *f, double *a, double *b)
{
    const int d = c->rows;
    const double trial = plu_max(p[0] - c->gain * c->rho[0] * y[0], 0.0);
    if (a) {
        memset(a, 0, (size_t)(d * d) * sizeof *a);
        identity(c, b);
    }
    f[0] = p[0] - trial;
    if (a && trial > 0.0) {
        a[0] = c->gain * c->rho[0];
        b[0] = 0.0;
    }
    for (int i = 1; i < d; i += 2) {
        const double rho = c->gain * c->rho[(i + 1) / 2];
        const double x[2] = {p[i] - rho * y[i], p[i + 1] - rho * y[i + 1]};
        const double length = hypot(x[0], x[1]), radius = c->mu[i / 2] * trial;
        const double cut = plu_disk_factor(length, radius);
        for (int r = 0; r < 2; r++) {
            f[i + r] = p[i + r] - cut * x[r];
            if (a && trial > 0.0 && length <= radius) {
                a[(i + r) * (d + 1)] = rho;
                b[(i + r) * (d + 1)] = 0.0;
            }
        }
        if (a && trial > 0.0 && length > radius)
            sliding_rows(c, i, plain, p, x, length, radius, a, b);
    }
}

static void primal_dual(const plu_newton_contact *c, const double *z, const double *p,
                        const double *y, double *f, double *a, double *b)
{
    (void)z;
    alart_curnier(c, false, p, y, f, a, b);
}

static void plain(const plu_newton_contact *c, const double *z, const double *p, const double *y,
                  double *f, double *a, double *b)
{
    (void)z;
    alart_curnier(c, true, p, y, f, a, b);
}

PLU_METHOD(plu_newton)
{
    static const plu_newton_form forms[] = {
        [PLU_NEWTON_PRIMAL_DUAL] = {{3, 5, 7}, identity, start, primal_dual},
        [PLU_NEWTON_ALART_CURNIER] = {{3, 5, 7}, identity, start, plain},
        [PLU_NEWTON_NATURAL] = {{3, 5, 7}, identity, start, plu_newton_natural_equations}};
    return plu_newton_run(problem, settings, monitor, &forms[settings->newton_map], err);
}
