/* floors.h: contact problems of a few bodies, made by hand. */
#ifndef SUPPORT_TOUCHING_H
#define SUPPORT_TOUCHING_H

#include "base/vec3.h"
#include "draw.h"
#include "near.h"
#include "problem/contact_problem.h"
#include <string.h>

enum { FIXED = -1 };

static plu_error touching_error;

static inline void touching_ok(plu_status status)
{
    if (status != PLU_OK)
        fail_msg("status %d: %s", status, touching_error.text);
}

static inline plu_contact_problem *touching_create(int rows, int contacts, int bodies)
{
    plu_contact_problem *problem;
    touching_ok(plu_contact_problem_create(&problem, rows, contacts, 0, bodies, &touching_error));
    return problem;
}

/* A body whose principal axes are those of the world. */
static inline void touching_body(plu_contact_problem *problem, int b, double mass,
                                 const double inertia[3], const double v_free[6])
{
    for (int i = 0; i < 6; i++) {
        const double m = i < 3 ? mass : inertia[i - 3];
        problem->body.mass[b][7 * i] = m;
        problem->body.inverse_mass[b][7 * i] = 1.0 / m;
        problem->body.v_free[b][i] = v_free[i];
    }
}

/* Contact c of a (or FIXED) with b, normal n from a to b, with the lever arms of both. */
static inline void touching_contact(plu_contact_problem *problem, int c, int a, int b,
                                    const double n[3], const double arm_a[3], const double arm_b[3],
                                    double mu, double mu_r)
{
    double frame[3][3];
    memcpy(frame[0], n, sizeof frame[0]);
    plu_frame(n, frame[1], frame[2]);
    const int body[2] = {a, b};
    const double *const arm[2] = {arm_a, arm_b};
    problem->mu[c] = mu;
    problem->mu_r[c] = mu_r;
    for (int e = 0; e < 2; e++) {
        problem->body.pairs[c][e] = body[e];
        for (int j = 0; body[e] >= 0 && j < problem->rows; j++) {
            const double s = e ? 1.0 : -1.0, *axis = frame[j < 3 ? j : j - 2];
            double turn[3];
            plu_cross(arm[e], axis, turn);
            for (int i = 0; i < 3; i++) {
                problem->body.h[c][e][i * problem->rows + j] = j < 3 ? s * axis[i] : 0.0;
                problem->body.h[c][e][(3 + i) * problem->rows + j] =
                    s * (j < 3 ? turn[i] : axis[i]);
            }
        }
    }
}

static inline void touching_finish(plu_contact_problem *problem)
{
    touching_ok(plu_contact_problem_assemble(problem, &touching_error));
    plu_contact_problem_scale(problem, NULL);
    touching_ok(plu_contact_problem_check(problem, "made by hand", &touching_error));
}

/* A solid sphere of radius 0.1 and mass 2 on a plane: n = z, so that (t1, t2) = (y, -x). */
static const double sphere_radius = 0.1, sphere_mass = 2.0;

static inline plu_contact_problem *sphere_on_plane(int rows, const double v_free[6], double mu,
                                                   double mu_r)
{
    plu_contact_problem *problem = touching_create(rows, 1, 1);
    const double i = 0.4 * sphere_mass * sphere_radius * sphere_radius, inertia[3] = {i, i, i};
    const double n[3] = {0.0, 0.0, 1.0}, arm[3] = {0.0, 0.0, -sphere_radius};
    touching_body(problem, 0, sphere_mass, inertia, v_free);
    touching_contact(problem, 0, FIXED, 0, n, n, arm, mu, mu_r);
    touching_finish(problem);
    return problem;
}

/* Spheres of several sizes that fly at each other: contact c joins two at random, or one with the
 * fixed body. With two contacts for three bodies nothing is redundant; with more, something is. */
static inline plu_contact_problem *random_network(draw *d, int rows, int contacts, int bodies)
{
    plu_contact_problem *problem = touching_create(rows, contacts, bodies);
    double radius[1000];
    for (int b = 0; b < bodies; b++) {
        radius[b] = draw_uniform(d, 0.5, 1.5);
        const double mass = pow(radius[b], 3.0), i = 0.4 * mass * radius[b] * radius[b];
        double v[6];
        for (int k = 0; k < 6; k++)
            v[k] = draw_uniform(d, -1.0, 1.0);
        touching_body(problem, b, mass, (double[3]){i, i, i}, v);
    }
    for (int c = 0; c < contacts; c++) {
        const int b = (int)draw_uniform(d, 0.0, bodies - 0.5) % bodies;
        const int a = (int)draw_uniform(d, 0.0, bodies - 0.5) % bodies;
        double n[3], arm_a[3], arm_b[3];
        draw_direction(d, n);
        for (int k = 0; k < 3; k++) {
            arm_a[k] = radius[a] * n[k];
            arm_b[k] = -radius[b] * n[k];
        }
        touching_contact(problem, c, a == b ? FIXED : a, b, n, arm_a, arm_b,
                         draw_uniform(d, 0.1, 0.8), rows == 5 ? draw_uniform(d, 0.01, 0.3) : 0.0);
    }
    touching_finish(problem);
    return problem;
}

/* A block of mass 3, 2 x 2 x 0.4, on a plane by nine points: 27 rows for six velocities. */
static inline plu_contact_problem *hyperstatic_block(const double v_free[6], double mu)
{
    plu_contact_problem *problem = touching_create(3, 9, 1);
    const double n[3] = {0.0, 0.0, 1.0};
    touching_body(problem, 0, 3.0, (double[3]){1.04, 1.04, 2.0}, v_free);
    for (int c = 0; c < 9; c++) {
        const double arm[3] = {c % 3 - 1.0, c / 3 - 1.0, -0.2};
        touching_contact(problem, c, FIXED, 0, n, n, arm, mu, 0.0);
    }
    touching_finish(problem);
    return problem;
}

#endif
