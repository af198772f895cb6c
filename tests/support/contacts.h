/* contacts.h: random one-contact problems for tests, in three families. */
#ifndef SUPPORT_CONTACTS_H
#define SUPPORT_CONTACTS_H

#include "draw.h"

/* Two rigid bodies (or one and a wall) with random inertia, lever arms and frame, friction as in
 * granular matter; the same with friction over six decades; and Gram matrices of scaled random
 * columns (condition numbers up to 1e8) with that friction. */
enum { CONTACTS_RIGID, CONTACTS_WIDE, CONTACTS_GRAM, CONTACTS_FAMILIES };

typedef struct random_contact {
    double w[25], q[5], mu, mu_r;
} random_contact;

/* Columns of an orthonormal frame. */
static inline void contacts_frame(draw *d, double f[3][3])
{
    double x[3];
    draw_direction(d, f[0]);
    draw_direction(d, x);
    f[1][0] = f[0][1] * x[2] - f[0][2] * x[1];
    f[1][1] = f[0][2] * x[0] - f[0][0] * x[2];
    f[1][2] = f[0][0] * x[1] - f[0][1] * x[0];
    const double s = 1.0 / sqrt(f[1][0] * f[1][0] + f[1][1] * f[1][1] + f[1][2] * f[1][2]);
    for (int i = 0; i < 3; i++)
        f[1][i] *= s;
    f[2][0] = f[0][1] * f[1][2] - f[0][2] * f[1][1];
    f[2][1] = f[0][2] * f[1][0] - f[0][0] * f[1][2];
    f[2][2] = f[0][0] * f[1][1] - f[0][1] * f[1][0];
}

/* w += H^T M^-1 H of one body of mass 1 to 10 and size about 1, touched near its surface. */
static inline void contacts_add_body(draw *d, double frame[3][3], double w[25])
{
    double axes[3][3], arm[3], g[6][5];
    const double mass = draw_log(d, 1.0, 10.0);
    contacts_frame(d, axes);
    for (int i = 0; i < 3; i++)
        arm[i] = draw_uniform(d, -1.0, 1.0);
    for (int j = 0; j < 5; j++) {
        const double *e = frame[j < 3 ? j : j - 2];
        const double cross[3] = {arm[1] * e[2] - arm[2] * e[1], arm[2] * e[0] - arm[0] * e[2],
                                 arm[0] * e[1] - arm[1] * e[0]};
        for (int i = 0; i < 3; i++) {
            const double *turn = j < 3 ? cross : e;
            g[i][j] = j < 3 ? e[i] / sqrt(mass) : 0.0;
            g[3 + i][j] = turn[0] * axes[i][0] + turn[1] * axes[i][1] + turn[2] * axes[i][2];
        }
    }
    for (int i = 0; i < 3; i++) {
        const double inertia = mass * draw_log(d, 0.1, 1.0);
        for (int j = 0; j < 5; j++)
            g[3 + i][j] /= sqrt(inertia);
    }
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++)
            for (int k = 0; k < 6; k++)
                w[5 * i + j] += g[k][i] * g[k][j];
}

static inline void contacts_gram(draw *d, double w[25])
{
    double g[6][5];
    for (int j = 0; j < 5; j++) {
        const double scale = draw_log(d, 0.03, 30.0);
        for (int k = 0; k < 6; k++)
            g[k][j] = scale * draw_uniform(d, -1.0, 1.0);
    }
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++)
            for (int k = 0; k < 6; k++)
                w[5 * i + j] += g[k][i] * g[k][j];
}

static inline random_contact contacts_draw(draw *d, int family)
{
    random_contact c = {.mu = draw_uniform(d, 0.1, 0.8), .mu_r = draw_uniform(d, 0.01, 0.3)};
    double frame[3][3];
    contacts_frame(d, frame);
    if (family == CONTACTS_GRAM)
        contacts_gram(d, c.w);
    else
        contacts_add_body(d, frame, c.w);
    if (family != CONTACTS_GRAM && draw_uniform(d, 0.0, 1.0) < 0.7)
        contacts_add_body(d, frame, c.w);
    if (family != CONTACTS_RIGID) {
        c.mu = draw_log(d, 0.01, 100.0);
        c.mu_r = draw_log(d, 0.001, 100.0);
    }
    for (int i = 0; i < 5; i++)
        c.q[i] = draw_uniform(d, -1.0, 1.0) * (i == 0 ? 1.0 : 3.0) *
                 (family == CONTACTS_GRAM ? sqrt(c.w[6 * i]) : 1.0);
    return c;
}

/* Its Coulomb part: rows N, T1, T2. */
static inline void contacts_coulomb(const random_contact *c, double w[9], double q[3])
{
    for (int i = 0; i < 3; i++) {
        q[i] = c->q[i];
        for (int j = 0; j < 3; j++)
            w[3 * i + j] = c->w[5 * i + j];
    }
}

#endif
