/* networks.h: contact problems in body form for tests, made of random rigid bodies in a heap over
 * the ground z = 0. Contacts join close bodies, normals along the line of their centers, at points
 * that are not on it (no spheres). All can part at once (by dilation), so that impulses are
 * bounded. */
#ifndef SUPPORT_NETWORKS_H
#define SUPPORT_NETWORKS_H

#include "base/vec3.h"
#include "draw.h"
#include "near.h"
#include "problem/contact_problem.h"
#include <stdlib.h>
#include <string.h>

enum { NETWORK_BODIES_MAX = 96 };

typedef struct network {
    int rows, bodies, contacts; /* a seventh of the contacts is with the ground */
    double mu_max, mu_r_max;    /* mu_p, of seven rows, is at most mu_r_max, too */
    uint64_t seed;
} network;

typedef struct network_pair {
    int a, b;
    double distance;
} network_pair;

static inline int network_nearer(const void *x, const void *y)
{
    const double a = ((const network_pair *)x)->distance, b = ((const network_pair *)y)->distance;
    return (a > b) - (a < b);
}

/* One end of a contact: columns n, t1, t2 act at `arm` from the center, the rest are moments. */
static inline void network_lever(int rows, double sign, double frame[3][3], const double arm[3],
                                 double *h)
{
    memset(h, 0, (size_t)(6 * rows) * sizeof *h);
    for (int j = 0; j < 3; j++) {
        double moment[3];
        plu_cross(arm, frame[j], moment);
        for (int i = 0; i < 3; i++) {
            h[i * rows + j] = sign * frame[j][i];
            h[(3 + i) * rows + j] = sign * moment[i];
            if (rows >= 5 && j > 0)
                h[(3 + i) * rows + 2 + j] = sign * frame[j][i];
            if (rows == 7 && j == 0)
                h[(3 + i) * rows + 5] = sign * frame[j][i];
        }
    }
}

static inline void network_body(plu_body_form *b, int k, draw *d)
{
    const double mass = draw_uniform(d, 0.5, 2.0);
    for (int i = 0; i < 6; i++) {
        const double m = i < 3 ? mass : mass * draw_uniform(d, 0.02, 0.1);
        b->mass[k][7 * i] = m;
        b->inverse_mass[k][7 * i] = 1.0 / m;
        b->v_free[k][i] = draw_uniform(d, -0.5, 0.5) - (i == 2 ? 1.0 : 0.0);
    }
}

static inline void network_contact(plu_contact_problem *p, int c, int a, int b, double (*x)[3],
                                   const network *n, draw *d)
{
    double frame[3][3] = {{0.0, 0.0, 1.0}}, between[3], arm[2][3];
    plu_sub(x[b], a >= 0 ? x[a] : (double[3]){0}, between);
    if (a >= 0) {
        memcpy(frame[0], (double[3]){0}, sizeof frame[0]);
        plu_add_scaled(frame[0], 1.0 / plu_norm(between), between);
    }
    plu_frame(frame[0], frame[1], frame[2]);
    for (int i = 0; i < 3; i++) {
        arm[0][i] = 0.5 * between[i] + draw_uniform(d, -0.1, 0.1);
        arm[1][i] =
            a >= 0 ? arm[0][i] - between[i] : -0.3 * frame[0][i] + draw_uniform(d, -0.1, 0.1);
    }
    p->body.pairs[c][0] = a;
    p->body.pairs[c][1] = b;
    network_lever(p->rows, -1.0, frame, arm[0], p->body.h[c][0]);
    network_lever(p->rows, 1.0, frame, arm[1], p->body.h[c][1]);
    p->mu[c] = n->mu_max * draw_uniform(d, 0.0, 1.0);
    p->mu_r[c] = p->rows >= 5 ? n->mu_r_max * draw_uniform(d, 0.0, 1.0) : 0.0;
    p->mu_p[c] = p->rows == 7 ? n->mu_r_max * draw_uniform(d, 0.0, 1.0) : 0.0;
}

static inline plu_contact_problem *network_make(const network *n)
{
    static double x[NETWORK_BODIES_MAX][3];
    static network_pair pairs[NETWORK_BODIES_MAX * NETWORK_BODIES_MAX];
    plu_contact_problem *p;
    draw d = {n->seed << 32};
    int count = 0;
    assert_true(n->bodies <= NETWORK_BODIES_MAX);
    assert_int_equal(plu_contact_problem_create(&p, n->rows, n->contacts, 0, n->bodies, NULL),
                     PLU_OK);
    for (int k = 0; k < n->bodies; k++) {
        for (int i = 0; i < 3; i++)
            x[k][i] = draw_uniform(&d, 0.0, 2.0);
        network_body(&p->body, k, &d);
        for (int other = 0; other < k; other++) {
            double between[3];
            plu_sub(x[k], x[other], between);
            pairs[count++] = (network_pair){other, k, plu_norm(between)};
        }
    }
    qsort(pairs, (size_t)count, sizeof *pairs, network_nearer);
    const int ground = n->contacts / 7;
    for (int c = 0; c < n->contacts; c++)
        if (c < ground)
            network_contact(p, c, -1, c % n->bodies, x, n, &d);
        else
            network_contact(p, c, pairs[c - ground].a, pairs[c - ground].b, x, n, &d);
    assert_int_equal(plu_contact_problem_assemble(p, NULL), PLU_OK);
    assert_int_equal(plu_contact_problem_check(p, "network", NULL), PLU_OK);
    return p;
}

#endif
