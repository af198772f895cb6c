/* spheres.h: contact problems of equal spheres (m = 1, r = 1) in body form, for tests of solvers.
 */
#ifndef SUPPORT_SPHERES_H
#define SUPPORT_SPHERES_H

#include "base/vec3.h"
#include "draw.h"
#include "near.h"
#include "problem/contact_problem.h"

/* Columns of H of one end, contact at `arm` from the center: sign (e, arm x e) for the three
 * forces, sign (0, e) for the two moments. */
static inline void spheres_end(int rows, double frame[3][3], const double arm[3], double sign,
                               double *h)
{
    for (int j = 0; j < rows; j++) {
        const double *e = frame[j < 3 ? j : j - 2];
        double turn[3];
        plu_cross(arm, e, turn);
        for (int i = 0; i < 3; i++) {
            h[i * rows + j] = j < 3 ? sign * e[i] : 0.0;
            h[(3 + i) * rows + j] = sign * (j < 3 ? turn[i] : e[i]);
        }
    }
}

/* Contact c from sphere a (-1: fixed) to sphere b with the normal n. */
static inline void spheres_contact(plu_contact_problem *p, int c, int a, int b, const double n[3])
{
    double frame[3][3] = {{n[0], n[1], n[2]}};
    const int axis = fabs(n[0]) < 0.6 ? 0 : 1;
    const double e[3] = {axis == 0, axis == 1, 0.0}, arm[3] = {n[0], n[1], n[2]};
    const double back[3] = {-n[0], -n[1], -n[2]};
    plu_cross(n, e, frame[1]);
    const double length = plu_norm(frame[1]);
    for (int i = 0; i < 3; i++)
        frame[1][i] /= length;
    plu_cross(n, frame[1], frame[2]);
    p->body.pairs[c][0] = a;
    p->body.pairs[c][1] = b;
    if (a >= 0)
        spheres_end(p->rows, frame, arm, -1.0, p->body.h[c][0]);
    spheres_end(p->rows, frame, back, 1.0, p->body.h[c][1]);
}

/* Contacts and bodies still to be set; their masses are. */
static inline plu_contact_problem *spheres_create(int rows, int contacts, int spheres)
{
    plu_contact_problem *p;
    plu_error err;
    assert_int_equal(plu_contact_problem_create(&p, rows, contacts, 0, spheres, &err), PLU_OK);
    for (int b = 0; b < spheres; b++)
        for (int i = 0; i < 6; i++) {
            p->body.mass[b][7 * i] = i < 3 ? 1.0 : 0.4;
            p->body.inverse_mass[b][7 * i] = i < 3 ? 1.0 : 2.5;
        }
    return p;
}

static inline void spheres_finish(plu_contact_problem *p, double mu, double mu_r)
{
    plu_error err;
    for (int c = 0; c < p->contacts; c++) {
        p->mu[c] = mu;
        p->mu_r[c] = p->rows == 5 ? mu_r : 0.0;
    }
    assert_int_equal(plu_contact_problem_assemble(p, &err), PLU_OK);
    assert_int_equal(plu_contact_problem_check(p, "spheres", &err), PLU_OK);
}

/* Square pyramid on a plane: layers of side, side - 1 ... spheres, which touch in and between the
 * layers. A step's gravity is 1; velocities at random up to `stir` upon it. */
enum { SPHERES_MOST = 600 };

static inline int spheres_place(int side, double x[SPHERES_MOST][3])
{
    int count = 0;
    for (int layer = 0; layer < side; layer++)
        for (int i = 0; i < side - layer; i++)
            for (int j = 0; j < side - layer; j++, count++) {
                x[count][0] = 2.0 * i + layer;
                x[count][1] = 2.0 * j + layer;
                x[count][2] = sqrt(2.0) * layer;
            }
    return count;
}

/* Sets the contacts of the pyramid, or with p = NULL only counts them. */
static inline int spheres_touch(plu_contact_problem *p, int side, int count,
                                double x[SPHERES_MOST][3])
{
    const double up[3] = {0, 0, 1};
    int c = 0;
    for (int b = 0; b < count; b++) {
        if (b < side * side && p)
            spheres_contact(p, c, -1, b, up);
        c += b < side * side;
        for (int a = 0; a < b; a++) {
            double n[3];
            for (int i = 0; i < 3; i++)
                n[i] = 0.5 * (x[b][i] - x[a][i]);
            if (plu_norm(n) > 1.0 + 1e-9)
                continue;
            if (p)
                spheres_contact(p, c, a, b, n);
            c++;
        }
    }
    return c;
}

static inline plu_contact_problem *spheres_pyramid(int rows, int side, double mu, double mu_r,
                                                   double stir, draw *d)
{
    double x[SPHERES_MOST][3];
    const int count = spheres_place(side, x);
    plu_contact_problem *p = spheres_create(rows, spheres_touch(NULL, side, count, x), count);
    spheres_touch(p, side, count, x);
    for (int b = 0; b < count; b++)
        for (int i = 0; i < 6; i++)
            p->body.v_free[b][i] = draw_uniform(d, -stir, stir) - (i == 2 ? 1.0 : 0.0);
    spheres_finish(p, mu, mu_r);
    return p;
}

#endif
