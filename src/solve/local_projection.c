/* One contact by projected fixed point, AB21 (64), with a self-adaptive step length: rho shrinks by
 * tau until rho |y(p) - y(p_k)| <= L |p - p_k| and grows again when it is needlessly small. Works
 * on any symmetric positive definite 5 x 5 block; moments are scaled by the contact's length so
 * that the block is well conditioned. */
#include "base/vec3.h"
#include "base/vector.h"
#include "cone/cone.h"
#include "solve/local.h"

enum { MAX_ITERATIONS = 20000, MAX_REDUCTIONS = 100 };
static const double shrink = 2.0 / 3.0, upper = 0.9, lower = 0.3, tolerance = 1e-15;

static void multiply(const double W[5][5], const double p[5], const double q[5], double y[5])
{
    for (int i = 0; i < 5; i++) {
        y[i] = q[i];
        for (int j = 0; j < 5; j++)
            y[i] += W[i][j] * p[j];
    }
}

static void fixed_point(const double W[5][5], const double q[5], double mu, double mu_r,
                        double p[5])
{
    /* Gershgorin's bound of the largest eigenvalue gives the first step length. */
    double bound = 0.0;
    for (int i = 0; i < 5; i++) {
        double row = 0.0;
        for (int j = 0; j < 5; j++)
            row += fabs(W[i][j]);
        bound = fmax(bound, row);
    }
    double rho = 1.0 / bound, last = INFINITY;
    for (int k = 0; k < MAX_ITERATIONS; k++) {
        double y[5], y_hat[5], x[5], yx[5], a1 = 0.0, a2 = 0.0;
        multiply(W, p, q, y);
        plu_modified_velocity(y, mu, mu_r, y_hat);
        for (int trial = 0; trial < MAX_REDUCTIONS; trial++, rho *= shrink) {
            for (int i = 0; i < 5; i++)
                x[i] = p[i] - rho * y_hat[i];
            plu_rolling_cone_project(x, mu, mu_r);
            multiply(W, x, q, yx);
            a1 = plu_distance_n(5, yx, y);
            a2 = plu_distance_n(5, x, p);
            if (rho * a1 <= upper * a2)
                break;
        }
        for (int i = 0; i < 5; i++)
            p[i] = x[i];
        if (a2 <= tolerance * plu_norm_n(5, p))
            return;
        if (rho * a1 < lower * a2 && a2 < last)
            rho /= shrink;
        last = a2;
    }
}

void plu_local_projection(const plu_local *c, const double q[7], double p[7])
{
    const double L = c->length, wc = c->wc;
    /* Rows and columns N, T1, T2, R1, R2; J = [[0, 1], [-1, 0]]; moments in units of L. */
    const double W[5][5] = {{c->wn, 0.0, 0.0, 0.0, 0.0},
                            {0.0, c->wt, 0.0, 0.0, wc * L},
                            {0.0, 0.0, c->wt, -wc * L, 0.0},
                            {0.0, 0.0, -wc * L, c->wr * L * L, 0.0},
                            {0.0, wc * L, 0.0, 0.0, c->wr * L * L}};
    double t[2][3];
    plu_frame(c->normal, t[0], t[1]);
    double ql[5] = {q[0]}, pl[5] = {p[0]};
    for (int i = 0; i < 2; i++) {
        ql[PLU_T1 + i] = plu_dot(t[i], q + 1);
        ql[PLU_R1 + i] = plu_dot(t[i], q + 4) * L;
        pl[PLU_T1 + i] = plu_dot(t[i], p + 1);
        pl[PLU_R1 + i] = plu_dot(t[i], p + 4) / L;
    }
    fixed_point(W, ql, c->mu, c->mu_r / L, pl);
    p[0] = pl[PLU_N];
    for (int i = 0; i < 3; i++) {
        p[1 + i] = pl[PLU_T1] * t[0][i] + pl[PLU_T2] * t[1][i];
        p[4 + i] = L * (pl[PLU_R1] * t[0][i] + pl[PLU_R2] * t[1][i]);
    }
}
