/* A local solver of one's own, by the name "by-hand", which "gs" calls for each contact in turn:
 * here for contacts whose block is a multiple of the unit matrix. Prints the impulses of two
 * contacts. */
#include <math.h>
#include <pluvia/extension.h>
#include <pluvia/problem.h>
#include <stdio.h>

/* r_N = max(-q_N, 0) / w; r_T against the sliding, shortened to its largest size. */
static bool by_hand(void *user, int rows, const double *w, const double *q, const double *slope,
                    double *p)
{
    const double size = rows == 3 ? hypot(q[1], q[2]) / w[0] : NAN;
    long *const calls = user;
    ++*calls;
    p[0] = fmax(-q[0], 0.0) / w[0];
    const double most = slope[0] * p[0], share = size > most ? most / size : 1.0;
    p[1] = -share * q[1] / w[0];
    p[2] = -share * q[2] / w[0];
    return rows == 3;
}

int main(void)
{
    static const int start[] = {0, 2, 4}, column[] = {0, 1, 0, 1};
    static const double q[] = {-1, 3, 4, -1, 0.15, 0.2}, mu[] = {0.5, 0.5};
    static const double block[4][9] = {{2, 0, 0, 0, 2, 0, 0, 0, 2},
                                       {1, 0, 0, 0, 0, 0, 0, 0, 0},
                                       {1, 0, 0, 0, 0, 0, 0, 0, 0},
                                       {2, 0, 0, 0, 2, 0, 0, 0, 2}};
    const plu_problem_arrays arrays = {3,    2,     q,      mu,       NULL,       NULL,
                                       NULL, start, column, block[0], .bodies = 0};
    plu_error err = {0};
    plu_extensions *own = NULL;
    plu_contact_problem *problem = NULL;
    plu_solve_report report = {0};
    long calls = 0;
    double r[6], u[6];
    plu_solve_request request = {.solver = "gs", .local = "by-hand", .tolerance = 1e-12};
    if (plu_extensions_create(&own, &err) ||
        plu_extensions_add_local(own, "by-hand", by_hand, &calls, &err) ||
        plu_contact_problem_of_arrays(&problem, &arrays, &err))
        return fprintf(stderr, "%s\n", err.text), 1;
    request.extensions = own;
    if (plu_contact_problem_solve(problem, &request, &report, &err) ||
        plu_contact_problem_solution(problem, r, u, &err))
        return fprintf(stderr, "%s\n", err.text), 1;
    for (int i = 0; i < 6; i++)
        printf("%.9f ", r[i]);
    printf("%s\n", calls > 0 ? "by hand" : "not by hand");
    plu_solve_report_free(&report), plu_contact_problem_destroy(problem);
    plu_extensions_destroy(own);
    return 0;
}
