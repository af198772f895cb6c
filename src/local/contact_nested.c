/* Solves one contact with five or seven rows by a nested method that cannot fail on positive
 * definite blocks.
 *
 * Outside a scalar, s = r_N. Inside, with s frozen, r_T, m_R and m_P minimize a strictly convex
 * quadratic over disks of radii mu s, mu_r s and mu_p s; each disk alone is a secular equation
 * (cone/tangent_plane.h), and alternating between them converges. Their u_N(s) = q_N + W_NN s +
 * W_NT z(s) is continuous and negative at 0; u_N(s)/s tends to a value >= p.W p > 0, p = (1, z/s):
 * there is a root. That proves that the problem of one contact has a solution for every mu, mu_r
 * and mu_p. */
#include "base/vec3.h"
#include "cone/tangent_plane.h"
#include "local/contact.h"
#include <math.h>
#include <string.h>

enum { ALTERNATIONS = 3000, DOUBLINGS = 200, ROOT_STEPS = 200 };

typedef struct nested {
    const plu_local_contact *c;
    plu_plane plane[PLU_DISKS_MAX]; /* blocks of r_T, m_R and m_P */
    double p[PLU_ROWS_MAX];         /* the last inner solution, where the next one starts */
} nested;

/* Minimizes over the disk of pair e (0: r_T, 1: m_R, 2: m_P), the rest of p held; returns how far
 * it went.
 */
static double minimize_pair(nested *s, int e)
{
    const double *w = s->c->w;
    const int n = s->c->rows, i = 1 + 2 * e;
    double b[2], x[2], v[2];
    for (int k = 0; k < 2; k++) {
        const double *row = w + n * (i + k);
        b[k] = s->c->q[i + k] + row[0] * s->p[0];
        for (int j = 1; j < n; j++)
            if (j != i && j != i + 1)
                b[k] += row[j] * s->p[j];
    }
    plu_plane_turn(&s->plane[e], b, v);
    plu_plane_disk(&s->plane[e], v, s->c->mu[e] * s->p[0], x);
    plu_plane_turn_back(&s->plane[e], x, v);
    const double step[2] = {v[0] - s->p[i], v[1] - s->p[i + 1]};
    s->p[i] = v[0];
    s->p[i + 1] = v[1];
    return plu_plane_length(step);
}

/* u_N with the tangential and rolling impulses that belong to r_N = normal. */
static double normal_velocity(nested *s, double normal)
{
    s->p[0] = normal;
    for (int i = 0; i < ALTERNATIONS; i++) {
        double moved = 0.0;
        for (int e = 0; e < s->c->rows / 2; e++)
            moved += minimize_pair(s, e);
        if (moved <= 1e-16 * normal)
            break;
    }
    return s->c->q[0] + plu_dot_n(s->c->rows, s->c->w, s->p);
}

/* Illinois' regula falsi, and bisection when that shrinks the bracket too slowly. */
static void find_root(nested *s, double low, double u_low, double high, double u_high)
{
    const double scale = fabs(s->c->q[0]);
    int side = 0;
    for (int i = 0; i < ROOT_STEPS && high - low > 2e-16 * high; i++) {
        double x = (low * u_high - high * u_low) / (u_high - u_low);
        if (i % 4 == 3 || !(x > low && x < high))
            x = 0.5 * (low + high);
        const double u = normal_velocity(s, x);
        if (fabs(u) <= 1e-16 * scale)
            return;
        if (u < 0.0) {
            low = x;
            u_low = u;
            u_high *= side == -1 ? 0.5 : 1.0;
            side = -1;
        } else {
            high = x;
            u_high = u;
            u_low *= side == 1 ? 0.5 : 1.0;
            side = 1;
        }
    }
}

double plu_contact_nested_run(const plu_local_contact *c, double *p)
{
    const double *w = c->w;
    const int n = c->rows;
    nested s = {.c = c};
    for (int i = 1; i < n; i += 2) {
        const double *row = w + n * i + i;
        s.plane[i / 2] = plu_plane_of(row[0], row[1], row[n], row[n + 1]);
    }
    if (c->q[0] >= 0.0) {
        memset(p, 0, (size_t)n * sizeof *p);
        return 0.0;
    }
    double low = 0.0, u_low = c->q[0], high = -c->q[0] / w[0], u_high = normal_velocity(&s, high);
    for (int i = 0; i < DOUBLINGS && u_high < 0.0; i++) {
        low = high;
        u_low = u_high;
        high *= 2.0;
        u_high = normal_velocity(&s, high);
    }
    find_root(&s, low, u_low, high, u_high);
    memcpy(p, s.p, (size_t)n * sizeof *p);
    return plu_contact_error(c, p);
}
