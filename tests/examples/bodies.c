/* A contact problem from bodies: a sphere of 2 kg and radius 0.1 m slides on the ground at 3 m/s,
 * in a step of 10 ms. Five rows a contact: r_N, r_T (2), m_R (2), with normal z and tangents x and
 * y. Prints r and u, and solves a second time from there. */
#include <pluvia/problem.h>
#include <stdio.h>

int main(void)
{
    const double m = 2.0, radius = 0.1, inertia = 0.4 * m * radius * radius, h = 0.01;
    double mass[1][36] = {{0}};
    const double force[1][6] = {{m * 3.0, 0, -m * 9.81 * h}}; /* M v + h F */
    const int pairs[1][2] = {{0, -1}};
    /* Velocity of the sphere where it touches, n = z: u = v + omega x (-radius z); then omega. */
    const double ends[2][30] = {{
        0, 1,       0,      0, 0, /* v_x */
        0, 0,       1,      0, 0, /* v_y */
        1, 0,       0,      0, 0, /* v_z */
        0, 0,       radius, 1, 0, /* omega_x */
        0, -radius, 0,      0, 1, /* omega_y */
        0, 0,       0,      0, 0, /* omega_z: free */
    }};
    const double w[5] = {0}, mu = 0.2, mu_r = 0.001;
    for (int i = 0; i < 6; i++)
        mass[0][7 * i] = i < 3 ? m : inertia;
    plu_problem_arrays arrays = {.rows = 5, .contacts = 1, .q = w, .mu = &mu, .mu_r = &mu_r};
    arrays.bodies = 1;
    arrays.mass = (const double(*)[36])mass;
    arrays.force = force;
    arrays.pairs = pairs;
    arrays.h = &ends[0][0];
    double r[5] = {0}, u[5];
    arrays.guess = r;
    for (int round = 0; round < 2; round++) {
        plu_error err = {0};
        plu_contact_problem *problem;
        plu_solve_report report = {0};
        const plu_solve_request request = {.tolerance = 1e-12};
        plu_status status = plu_contact_problem_of_arrays(&problem, &arrays, &err);
        if (status == PLU_OK)
            status = plu_contact_problem_solve(problem, &request, &report, &err);
        if (status == PLU_OK)
            status = plu_contact_problem_solution(problem, r, u, &err);
        plu_contact_problem_destroy(problem);
        plu_solve_report_free(&report);
        if (status != PLU_OK) {
            fprintf(stderr, "%s\n", err.text);
            return (int)status;
        }
        printf("%.9f %.9f %.9f %.9f %.9f  %.9f %.9f\n", r[0], r[1], r[2], r[3], r[4], u[0], u[1]);
    }
    return 0;
}
