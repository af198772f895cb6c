/* Means and misfits of the points of a calibration. Point i has n_i seeds with a result and, for
 * each target, the mean m_i of the measure and the sum S_i of squared deviations from it. Then
 *
 *    s^2   = sum S_i / sum (n_i - 1)                      pooled variance of all points
 *    v_i   = (S_i + 2 s^2) / (n_i - 1 + 2)                shrunk toward it: 2 degrees of freedom
 *    e_i   = sqrt(v_i / n_i)                              standard error of m_i
 *    z_i   = (m_i - target) / sqrt(error^2 + e_i^2)       deviation in standard errors
 *    chi2  = sum of z_i^2 over the targets                misfit
 *
 * as G. K. Smyth 2004, "Linear models and empirical Bayes methods for assessing differential
 * expression in microarray experiments", Stat. Appl. Genet. Mol. Biol. 3, with a fixed prior. */
#include "base/memory.h"
#include "campaign/calibration.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Weight of the pooled variance of all points in that of one point, in degrees of freedom. */
static const double prior = 2.0;

double *plu_calibration_measures(plu_calibration *c, int index)
{
    return &c->measures[(size_t)index * (size_t)plu_calibration_targets(c)];
}

static bool misfit_counts(const plu_calibration *c, const double *row)
{
    for (int t = 0; t < plu_calibration_targets(c); t++)
        if (!isfinite(row[t]))
            return false;
    return true;
}

/* Sets the means of target t at all points; `squares` receives the sums of squared deviations. */
static void sum_up(plu_calibration *c, int t, double *squares)
{
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < c->campaign->cases_count; i++) {
            const double *row = plu_calibration_measures(c, i);
            plu_point *point = &c->points[c->point_of[i]];
            if (!misfit_counts(c, row))
                continue;
            if (pass == 0)
                point->mean[t] += row[t] / point->counted;
            else
                squares[c->point_of[i]] += (row[t] - point->mean[t]) * (row[t] - point->mean[t]);
        }
}

/* The variance from few seeds is inaccurate, so the variance of a point is shrunk toward the pooled
 * variance of all points (Smyth 2004, "Linear models and empirical Bayes methods", with a fixed
 * prior). */
static void estimate_errors(plu_calibration *c, int t, const double *squares)
{
    double sum = 0.0, freedom = 0.0;
    for (int i = 0; i < c->points_count; i++) {
        sum += squares[i];
        freedom += c->points[i].counted > 1 ? c->points[i].counted - 1 : 0;
    }
    c->scatter_known = freedom > 0.0;
    const double common = c->scatter_known ? sum / freedom : 0.0;
    for (int i = 0; i < c->points_count; i++) {
        plu_point *point = &c->points[i];
        const double variance = (squares[i] + prior * common) / (point->counted - 1 + prior);
        point->error[t] = point->counted > 0 ? sqrt(variance / point->counted) : NAN;
    }
}

double plu_calibration_deviation(const plu_calibration *c, const plu_point *point, int t)
{
    const plu_target *target = &c->campaign->targets[t];
    return (point->mean[t] - target->value) / hypot(target->error, point->error[t]);
}

plu_status plu_calibration_judge(plu_calibration *c, plu_error *err)
{
    double *squares = plu_alloc((size_t)c->points_count, sizeof *squares, err);
    if (!squares)
        return PLU_IO;
    for (int i = 0; i < c->points_count; i++) {
        c->points[i].counted = 0;
        memset(c->points[i].mean, 0, (size_t)plu_calibration_targets(c) * sizeof(double));
    }
    for (int i = 0; i < c->campaign->cases_count; i++)
        c->points[c->point_of[i]].counted += misfit_counts(c, plu_calibration_measures(c, i));
    for (int t = 0; t < plu_calibration_targets(c); t++) {
        memset(squares, 0, (size_t)c->points_count * sizeof *squares);
        sum_up(c, t, squares);
        estimate_errors(c, t, squares);
    }
    for (int i = 0; i < c->points_count; i++) {
        plu_point *point = &c->points[i];
        point->chi2 = point->counted > 0 ? 0.0 : NAN;
        for (int t = 0; t < plu_calibration_targets(c); t++) {
            const double z = plu_calibration_deviation(c, point, t);
            point->chi2 += z * z;
        }
    }
    free(squares);
    return PLU_OK;
}
