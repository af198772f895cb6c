/* solving.h: one contact problem by one method of the portfolio, for tests; and the problem of one
 * sphere on a plane. */
#ifndef SUPPORT_SOLVING_H
#define SUPPORT_SOLVING_H

#include "near.h"
#include "solve/solve.h"
#include <stdlib.h>
#include <string.h>

typedef struct solving {
    plu_residuals reached;
    bool converged;
    int iterations, factorizations;
    double infeasibility;
    char note[200];
    plu_history_point *points; /* owned: free() */
    int points_count;
} solving;

/* `p` [rows * contacts] receives the impulses; may be NULL. At most 20,000 iterations. */
static inline solving solve_by(const char *method, const plu_contact_problem *problem,
                               double tolerance, double *p)
{
    const plu_portfolio_settings settings = {
        .tolerance = tolerance, .max_iterations = 20000, .from_zero = true, .history = true};
    plu_monitor m;
    plu_error err;
    const plu_portfolio_solver *solver = plu_portfolio_find(method);
    assert_non_null(solver);
    assert_int_equal(plu_monitor_start(&m, problem, &settings, &err), PLU_OK);
    assert_int_equal(solver->solve(problem, &settings, &m, &err), PLU_OK);
    if (p)
        memcpy(p, m.best_p, (size_t)(problem->rows * problem->contacts) * sizeof *p);
    solving s = {.reached = m.best,
                 .converged = m.converged,
                 .iterations = m.iterations,
                 .factorizations = m.factorizations,
                 .infeasibility = m.infeasibility,
                 .points = m.points,
                 .points_count = m.points_count};
    memcpy(s.note, m.note, sizeof s.note);
    m.points = NULL;
    plu_monitor_free(&m);
    return s;
}

/* A sphere of mass and radius one on the plane below it, moving freely with v and omega: u_N = v_z,
 * u_T = (v_x - omega_y, v_y + omega_x), omega_R = (omega_x, omega_y). */
static inline plu_contact_problem *sphere_on_plane(int rows, double mu, double mu_r,
                                                   const double v[3], const double omega[2])
{
    plu_contact_problem *p;
    assert_int_equal(plu_contact_problem_create(&p, rows, 1, 0, 1, NULL), PLU_OK);
    for (int i = 0; i < 6; i++) {
        p->body.mass[0][7 * i] = i < 3 ? 1.0 : 0.4;
        p->body.inverse_mass[0][7 * i] = i < 3 ? 1.0 : 2.5;
    }
    for (int i = 0; i < 5; i++)
        p->body.v_free[0][i] = i < 3 ? v[i] : omega[i - 3];
    p->body.pairs[0][0] = -1;
    double *h = p->body.h[0][1];
    h[2 * rows] = 1.0;     /* u_N = v_z */
    h[0 * rows + 1] = 1.0; /* u_T1 = v_x - omega_y */
    h[4 * rows + 1] = -1.0;
    h[1 * rows + 2] = h[3 * rows + 2] = 1.0; /* u_T2 = v_y + omega_x */
    if (rows == 5)
        h[3 * rows + 3] = h[4 * rows + 4] = 1.0;
    p->mu[0] = mu;
    p->mu_r[0] = rows == 5 ? mu_r : 0.0;
    assert_int_equal(plu_contact_problem_assemble(p, NULL), PLU_OK);
    assert_int_equal(plu_contact_problem_check(p, "sphere", NULL), PLU_OK);
    return p;
}

/* One sphere in each mode against its closed form: with v_z = -1, r_N = 1.
 *   sliding: r_T = -mu against u_T; sticking without rolling: u_T = 0 with W_TT = 3.5;
 *   rolling and sticking: |m| = mu_r r_N against omega; open: p = 0. */
static inline void sphere_modes(const char *method, double tolerance, double error)
{
    double p[5];
    plu_contact_problem *s = sphere_on_plane(3, 0.2, 0.0, (double[3]){3, 0, -1}, (double[2]){0, 0});
    solving r = solve_by(method, s, tolerance, p);
    assert_true(r.converged);
    assert_near(p[0], 1.0, error);
    assert_near(p[1], -0.2, error);
    assert_near(p[2], 0.0, error);
    free(r.points);
    plu_contact_problem_destroy(s);

    s = sphere_on_plane(3, 0.8, 0.0, (double[3]){0.7, 1.4, -1}, (double[2]){0, 0});
    r = solve_by(method, s, tolerance, p);
    assert_true(r.converged);
    assert_near(p[0], 1.0, error);
    assert_near(p[1], -0.7 / 3.5, error);
    assert_near(p[2], -1.4 / 3.5, error);
    free(r.points);
    plu_contact_problem_destroy(s);

    s = sphere_on_plane(3, 0.8, 0.0, (double[3]){0.7, 1.4, 0.5}, (double[2]){0, 0});
    r = solve_by(method, s, tolerance, p);
    for (int i = 0; i < 3; i++)
        assert_near(p[i], 0.0, error);
    free(r.points);
    plu_contact_problem_destroy(s);

    /* rolls along x without sliding: omega_y = v_x; m = (0, -mu_r), and r_T1 keeps u_T = 0:
     * u_T1 = 3.5 r_T1 - 2.5 m_R2 = 0 */
    s = sphere_on_plane(5, 0.5, 0.1, (double[3]){2, 0, -1}, (double[2]){0, 2});
    r = solve_by(method, s, tolerance, p);
    assert_true(r.converged);
    assert_near(p[0], 1.0, error);
    assert_near(p[1], -2.5 * 0.1 / 3.5, error);
    assert_near(p[4], -0.1, error);
    assert_near(p[2], 0.0, error);
    assert_near(p[3], 0.0, error);
    free(r.points);
    plu_contact_problem_destroy(s);

    /* slides and rolls: both on their limits */
    s = sphere_on_plane(5, 0.05, 0.1, (double[3]){2, 0, -1}, (double[2]){0, 1});
    r = solve_by(method, s, tolerance, p);
    assert_true(r.converged);
    assert_near(p[1], -0.05, error);
    assert_near(p[4], -0.1, error);
    free(r.points);
    plu_contact_problem_destroy(s);
}

#endif
