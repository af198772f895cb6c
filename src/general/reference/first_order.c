#include "general/reference/first_order.h"
#include "cone/friction_cone.h"

void plu_contact_metric(const plu_contact_problem *problem, double *metric)
{
    const int d = problem->rows, used = plu_outer_rows(problem);
    for (int c = 0; c < problem->contacts; c++) {
        const double *w = problem->w.block + (size_t)problem->w.diagonal[c] * (size_t)(d * d);
        metric[c] = 0.0;
        for (int i = 0; i < used; i++)
            metric[c] += w[plu_inner_row(problem->planar, i) * (d + 1)] / used;
    }
}

double plu_metric_dot(const plu_contact_problem *problem, const double *metric, const double *x,
                      const double *y)
{
    double sum = 0.0;
    for (int c = 0; c < problem->contacts; c++)
        for (int i = c * problem->rows; i < (c + 1) * problem->rows; i++)
            sum += metric[c] * x[i] * y[i];
    return sum;
}

void plu_cones_project(const plu_contact_problem *problem, double *p)
{
    for (int c = 0; c < problem->contacts; c++, p += problem->rows)
        plu_contact_cone_project(problem, c, p);
}

void plu_cones_modify(const plu_contact_problem *problem, double *y)
{
    for (int c = 0; !problem->associated && c < problem->contacts; c++, y += problem->rows)
        y[0] += plu_dilatancy(problem, c, y);
}
