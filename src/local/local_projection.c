/* Local solver "projection" for spheres: p <- P_K(p - rho y^), AB21 (64), with a self-adaptive step
 * length: rho shrinks by tau until rho |y(p) - y(p_k)| <= L |p - p_k| (unmodified velocities) and
 * grows again when it is needlessly small. Take-off and sticking are tested first.
 *
 * In the units of the diagonal of W, and with z = J m_R in place of m_R, the block of two spheres
 * is y_N = p_N + q_N ,  y_x = x + c z + a ,  y_z = c x + z + b ,  c = wc / sqrt(wt wr) , and the
 * cone keeps its shape with mu sqrt(wt / wn) and mu_r sqrt(wr / wn): no frame, no length, and one
 * rho serves all rows. Its eigenvalues are 1 and 1 +- c, so that rho = 1 / (1 + |c|) needs no
 * search. Vectors are (p_N, x, z). Pivoting is coupled to none of them: m_P follows from r_N. */
#include "base/vec3.h"
#include "cone/friction_cone.h"
#include "local/local.h"
#include <stdbool.h>
#include <string.h>

enum { MAX_ITERATIONS = 20000, MAX_REDUCTIONS = 100 };
static const double shrink = 2.0 / 3.0, upper = 1.0, lower = 0.3, rounding = 1e-15;

typedef struct scaled { /* the contact in units of the diagonal */
    double c, mu, mu_r, q[7];
    plu_cone_faces faces;
} scaled;

static inline double squared(const double x[3])
{
    return plu_dot(x, x);
}

static inline void velocity(const scaled *s, const double p[7], double y[7])
{
    y[0] = p[0] + s->q[0];
    for (int i = 1; i < 4; i++) {
        y[i] = p[i] + s->c * p[3 + i] + s->q[i];
        y[3 + i] = p[3 + i] + s->c * p[i] + s->q[3 + i];
    }
}

/* Stick without rolling, where the cone allows it. */
static bool sticks(const scaled *s, double p[7])
{
    const double f = 1.0 / (1.0 - s->c * s->c), t = s->mu * s->q[0], r = s->mu_r * s->q[0];
    double x[7] = {-s->q[0]};
    for (int i = 1; i < 4; i++) {
        x[i] = f * (s->c * s->q[3 + i] - s->q[i]);
        x[3 + i] = f * (s->c * s->q[i] - s->q[3 + i]);
    }
    if (!(squared(x + 1) <= t * t && squared(x + 4) <= r * r))
        return false;
    memcpy(p, x, sizeof x);
    return true;
}

/* x and z into the disks that belong to the normal impulse p[0]; t and r are their lengths. */
static inline void into_disks(const scaled *s, double t, double r, double p[7])
{
    const double ft = plu_disk_factor(t, s->mu * p[0]), fr = plu_disk_factor(r, s->mu_r * p[0]);
    for (int i = 1; i < 4; i++) {
        p[i] *= ft;
        p[3 + i] *= fr;
    }
}

/* The normal row does not see the others: p_N is known. The rest goes one projected step from the
 * present impulse, which solves contacts of equal spheres. */
static void normal_first(const scaled *s, double rho, double p[7])
{
    double y[7];
    velocity(s, p, y);
    p[0] = -s->q[0];
    for (int i = 1; i < 7; i++)
        p[i] -= rho * y[i];
    into_disks(s, sqrt(squared(p + 1)), sqrt(squared(p + 4)), p);
}

/* x = P_K(p - rho y^), `raised` the normal row of y^. */
static inline void projected_step(const scaled *s, const double p[7], const double y[7],
                                  double raised, double rho, double x[7])
{
    x[0] = p[0] - rho * raised;
    for (int i = 1; i < 7; i++)
        x[i] = p[i] - rho * y[i];
    const double t = sqrt(squared(x + 1)), r = sqrt(squared(x + 4));
    x[0] = plu_cone_faces_normal(&s->faces, x[0], t, r);
    into_disks(s, t, r, x);
}

static inline double distance_squared(const double a[7], const double b[7])
{
    const double n = a[0] - b[0], x[3] = {a[1] - b[1], a[2] - b[2], a[3] - b[3]},
                 z[3] = {a[4] - b[4], a[5] - b[5], a[6] - b[6]};
    return n * n + squared(x) + squared(z);
}

/* Until a step is `tolerance` |p| or, where that is not zero, PLU_LOCAL_REDUCTION of the first one;
 * or rounding of y^. */
static void iterate_local_projection(const scaled *s, double rho, double tolerance, double p[7])
{
    double last = INFINITY, enough = 0.0, y[7];
    const double end = plu_max(tolerance, rounding);
    velocity(s, p, y);
    for (int k = 0; k < MAX_ITERATIONS; k++) {
        const double raised = y[0] + s->mu * sqrt(squared(y + 1)) + s->mu_r * sqrt(squared(y + 4));
        double x[7], yx[7], dy = 0.0, dp = 0.0;
        for (int trial = 0; trial < MAX_REDUCTIONS; trial++, rho *= shrink) {
            projected_step(s, p, y, raised, rho, x);
            velocity(s, x, yx);
            dy = distance_squared(yx, y);
            dp = distance_squared(x, p);
            if (rho * rho * dy <= (1.0 + 1e-6) * upper * upper * dp)
                break;
        }
        memcpy(p, x, sizeof x);
        memcpy(y, yx, sizeof y);
        if (k == 0 && tolerance > 0.0)
            enough = PLU_LOCAL_REDUCTION * PLU_LOCAL_REDUCTION * dp;
        const double least = rounding * rho * raised,
                     size = p[0] * p[0] + squared(p + 1) + squared(p + 4);
        if (dp <= enough || dp <= end * end * size + least * least)
            return;
        if (rho * rho * dy < lower * lower * dp && dp < last)
            rho /= shrink;
        last = dp;
    }
}

void plu_local_projection(const plu_local *c, const double q[7], double p[7])
{
    if (q[0] >= 0.0) {
        memset(p, 0, 7 * sizeof *p);
        return;
    }
    const double n = sqrt(c->wn), t = sqrt(c->wt), r = sqrt(c->wr);
    const double over_n = 1.0 / n, over_t = 1.0 / t, over_r = 1.0 / r;
    scaled s = {.c = c->wc * over_t * over_r,
                .mu = c->mu * t * over_n,
                .mu_r = c->mu_r * r * over_n,
                .q = {q[0] * over_n}};
    double z[3], b[3], x[7] = {n * p[0]};
    plu_cross(q + 4, c->normal, b); /* J q_R = -n x q_R */
    plu_cross(p + 4, c->normal, z);
    for (int i = 0; i < 3; i++) {
        s.q[1 + i] = q[1 + i] * over_t;
        s.q[4 + i] = b[i] * over_r;
        x[1 + i] = t * p[1 + i];
        x[4 + i] = r * z[i];
    }
    if (!sticks(&s, x)) {
        s.faces = plu_cone_faces_of(s.mu, s.mu_r);
        const double rho = upper / (1.0 + fabs(s.c));
        if (!(x[0] > 0.0))
            normal_first(&s, rho, x);
        iterate_local_projection(&s, rho, c->tolerance, x);
        if (c->tolerance == 0.0)
            normal_first(&s, rho, x); /* the row of y^ has the rounding of mu |u_T| */
    }
    p[0] = x[0] * over_n;
    for (int i = 0; i < 3; i++) {
        p[1 + i] = x[1 + i] * over_t;
        z[i] = x[4 + i] * over_r;
    }
    plu_cross(c->normal, z, p + 4); /* m_R = J^T z = n x z */
    if (c->mu_p > 0.0)
        plu_add_scaled(p + 4, plu_into_interval(-plu_dot(q + 4, c->normal) / c->wr, c->mu_p * p[0]),
                       c->normal);
}
