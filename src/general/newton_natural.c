/* The natural map's own equations for the Newton loop: f = p - P_K(p - rho y^), AB21 (61), with
 * one rho a contact. The projection is that of friction_cone.h, n the largest of its roots; where
 * S holds the disks that it cuts (|v_i| > mu_i n) and D = 1 + sum over S of mu_i^2, a derivative
 * is
 *   dn = (dv_N + sum mu_i d_i.dv_i) / D ,  d_i = v_i / |v_i|
 *   dP_i = mu_i d_i dn + (mu_i n / |v_i|) (I - d_i d_i^T) dv_i   in S, dv_i elsewhere; 0 for n = 0
 *
 *   with v = p - rho y^ and y^ = y + s(y) e_N, s = sum mu_i |y_i|, the matrices of the loop are
 *   a = df/dy = rho J (I + e_N grad s) ,   b = df/dp = I - J ,   J = dP/dv */
#include "base/vec3.h"
#include "cone/friction_cone.h"
#include "general/newton_loop.h"
#include <math.h>
#include <string.h>

typedef struct projection {
    double n, length[PLU_DISKS_MAX], cut[PLU_DISKS_MAX]; /* by disk; cut < 1: in S */
    double x[PLU_ROWS_MAX];                              /* what is projected */
} projection;

static double limit_of(const plu_newton_contact *c, int i)
{
    return c->mu[i];
}

static projection project(const plu_newton_contact *c, const double *p, const double *y, double rho)
{
    projection t = {.cut = {1.0, 1.0, 1.0}};
    double raised = y[0];
    for (int i = 1, k = 0; i < c->rows; i += 2, k++) {
        raised += limit_of(c, k) * hypot(y[i], y[i + 1]);
        t.x[i] = p[i] - rho * y[i];
        t.x[i + 1] = p[i + 1] - rho * y[i + 1];
        t.length[k] = hypot(t.x[i], t.x[i + 1]);
    }
    t.x[0] = p[0] - rho * raised;
    t.n = plu_cone_normal_of(c->rows / 2, t.x[0], t.length, c->mu);
    for (int k = 0; k < PLU_DISKS_MAX; k++)
        t.cut[k] = plu_disk_factor(t.length[k], limit_of(c, k) * t.n);
    return t;
}

/* The derivative of the projection, row by row. */
static void derivative(const plu_newton_contact *c, const projection *t, double *j)
{
    const int d = c->rows;
    double dn[PLU_ROWS_MAX] = {1.0}, size = 1.0;
    memset(j, 0, (size_t)(d * d) * sizeof *j);
    if (!(t->n > 0.0))
        return;
    for (int i = 1, k = 0; i < d; i += 2, k++) {
        const double mu = t->cut[k] < 1.0 ? limit_of(c, k) : 0.0;
        size += mu * mu;
        for (int r = 0; r < 2; r++)
            dn[i + r] = t->length[k] > 0.0 ? mu * t->x[i + r] / t->length[k] : 0.0;
    }
    for (int s = 0; s < d; s++)
        j[s] = dn[s] / size;
    for (int i = 1, k = 0; i < d; i += 2, k++)
        for (int r = 0; r < 2; r++) {
            double *row = j + (i + r) * d;
            const double direction = t->cut[k] < 1.0 ? t->x[i + r] / t->length[k] : 0.0;
            for (int s = 0; s < d; s++)
                row[s] = limit_of(c, k) * direction * j[s];
            for (int s = 0; s < 2; s++) {
                const double other = t->cut[k] < 1.0 ? t->x[i + s] / t->length[k] : 0.0;
                row[i + s] += t->cut[k] * ((r == s ? 1.0 : 0.0) - direction * other);
            }
        }
}

/* a = rho J (I + e_N grad s), b = I - J */
static void matrices(const plu_newton_contact *c, const double *y, double rho, const double *j,
                     double *a, double *b)
{
    const int d = c->rows;
    double slope[PLU_ROWS_MAX] = {0};
    for (int i = 1, k = 0; i < d; i += 2, k++) {
        const double speed = hypot(y[i], y[i + 1]);
        for (int r = 0; r < 2; r++)
            slope[i + r] = speed > 0.0 ? limit_of(c, k) * y[i + r] / speed : 0.0;
    }
    for (int r = 0; r < d; r++)
        for (int s = 0; s < d; s++) {
            a[r * d + s] = rho * (j[r * d + s] + j[r * d] * slope[s]);
            b[r * d + s] = (r == s ? 1.0 : 0.0) - j[r * d + s];
        }
}

void plu_newton_natural_equations(const plu_newton_contact *c, const double *z, const double *p,
                                  const double *y, double *f, double *a, double *b)
{
    (void)z;
    const double rho = c->gain * c->rho[0];
    const projection t = project(c, p, y, rho);
    f[0] = p[0] - t.n;
    for (int i = 1; i < c->rows; i++)
        f[i] = p[i] - t.cut[(i - 1) / 2] * t.x[i];
    if (!a)
        return;
    double j[PLU_ROWS_MAX * PLU_ROWS_MAX];
    derivative(c, &t, j);
    matrices(c, y, rho, j, a, b);
}
