/* A contact problem from arrays, solved, and back. Two contacts that touch the same body: W by
 * block rows, rows (normal, two tangential) a contact. Prints r and u of each contact. */
#include <pluvia/problem.h>
#include <stdio.h>

static int fail(const plu_error *err)
{
    fprintf(stderr, "%s\n", err->text);
    return (int)err->status;
}

int main(void)
{
    /* Both close at 1 m/s and slide along their first tangent at 2 m/s. */
    static const int start[] = {0, 2, 4}, column[] = {0, 1, 0, 1};
    static const double block[4][9] = {
        {2, 0, 0, 0, 3, 0, 0, 0, 3},
        {0.5, 0, 0, 0, 0, 0, 0, 0, 0},
        {0.5, 0, 0, 0, 0, 0, 0, 0, 0},
        {2, 0, 0, 0, 3, 0, 0, 0, 3},
    };
    static const double q[] = {-1, 2, 0, -1, 2, 0}, mu[] = {0.5, 10};
    const plu_problem_arrays arrays = {.rows = 3,
                                       .contacts = 2,
                                       .q = q,
                                       .mu = mu,
                                       .start = start,
                                       .column = column,
                                       .block = &block[0][0]};
    const plu_solve_request request = {.tolerance = 1e-12};
    plu_error err = {0};
    plu_contact_problem *problem;
    plu_solve_report report = {0};
    plu_problem_facts facts;
    double r[6], u[6], w[4][9];
    int rows[3], columns[4];
    plu_status status = plu_contact_problem_of_arrays(&problem, &arrays, &err);
    if (status != PLU_OK)
        return fail(&err);
    status = plu_contact_problem_solve(problem, &request, &report, &err);
    if (status == PLU_OK)
        status = plu_contact_problem_solution(problem, r, u, &err);
    if (status != PLU_OK)
        return fail(&err);
    for (int c = 0; c < 2; c++)
        printf("r %.9f %.9f %.9f  u %.9f %.9f %.9f\n", r[3 * c], r[3 * c + 1], r[3 * c + 2],
               u[3 * c], u[3 * c + 1], u[3 * c + 2]);
    plu_contact_problem_facts(problem, &facts);
    plu_contact_problem_w(problem, rows, columns, &w[0][0]);
    printf("%d blocks, the last one begins with %g\n", facts.blocks, w[facts.blocks - 1][0]);
    plu_solve_report_free(&report);
    plu_contact_problem_destroy(problem);
    return 0;
}
