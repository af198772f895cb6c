/* One contact with five rows, the way that cannot fail on positive definite blocks.
 *
 * Outside a scalar, s = r_N. Inside, with s frozen, r_T and m_R minimise a strictly convex
 * quadratic over two disks of radii mu s and mu_r s; each disk alone is a secular equation
 * (cone/plane.h), and alternating between them converges. Their u_N(s) = q_N + W_NN s + W_NT z(s)
 * is continuous and negative at 0; u_N(s)/s tends to a value >= p.W p > 0, p = (1, z/s): there is a
 * root. That proves that the problem of one contact has a solution for every mu and mu_r. */
#include "base/vec3.h"
#include "cone/plane.h"
#include "solve/contact.h"
#include <math.h>
#include <string.h>

enum { ALTERNATIONS = 3000, DOUBLINGS = 200, ROOT_STEPS = 200 };

typedef struct nested {
    const plu_contact *c;
    plu_plane plane[2]; /* blocks of r_T and m_R */
    double p[5];        /* the last inner solution, where the next one starts */
} nested;

/* Minimises over the disk of pair e (0: r_T, 1: m_R), the rest of p held; returns how far it went.
 */
static double minimise_pair(nested *s, int e)
{
    const double *w = s->c->w;
    const int i = 1 + 2 * e, j = 3 - 2 * e;
    double b[2], x[2], v[2];
    for (int k = 0; k < 2; k++) {
        const double *row = w + 5 * (i + k);
        b[k] = s->c->q[i + k] + row[0] * s->p[0] + row[j] * s->p[j] + row[j + 1] * s->p[j + 1];
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
        const double moved = minimise_pair(s, 0) + minimise_pair(s, 1);
        if (moved <= 1e-16 * normal)
            break;
    }
    return s->c->q[0] + plu_dot_n(5, s->c->w, s->p);
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

double plu_contact_nested_run(const plu_contact *c, double *p)
{
    const double *w = c->w;
    nested s = {.c = c,
                .plane = {plu_plane_of(w[6], w[7], w[11], w[12]),
                          plu_plane_of(w[18], w[19], w[23], w[24])}};
    if (c->q[0] >= 0.0) {
        memset(p, 0, 5 * sizeof *p);
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
    memcpy(p, s.p, sizeof s.p);
    return plu_contact_error(c, p);
}
