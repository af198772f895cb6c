/* The adaptive grid of a calibration: cells near the valley of the misfit are halved, along the
 * parameters that change a target significantly. With z = (mean - target) / error of a point, the
 * valley is where all z are 0, and it crosses a cell in which each z is within `near` of 0
 * somewhere:
 *
 *      z:  +3 --------- +1 --------- -2          +3 --------- +1 - -0.4 - -2
 *           |           |   valley   |            |           |     |     |
 *           |           |    \       |     ->     |           |     |     |
 *           |           |     \      |            |           |     |     |
 *          +4 --------- +2 --------- -1          +4 --------- +2 - 0.4 -- -1
 *
 * A cell is halved along a parameter only if a z differs along one of its edges by more than
 * `flat`, and by more than `significant` errors of the difference. New corners are new points, with
 * cases to run; points that scatter near the valley get more seeds. */
#include "base/memory.h"
#include "campaign/calibration.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double near = 1.0;        /* standard errors from the valley: divide cells */
static const double wide = 2.0;        /* standard errors from the valley: add seeds */
static const double flat = 1.0;        /* a smaller change of z in a cell needs no division */
static const double significant = 2.0; /* standard errors of a significant difference */

static int corners_of(const plu_calibration *c)
{
    return 1 << c->campaign->parameters_count;
}

/* Adds the cell with the lower corner `at` and these levels, and the points at its corners that do
 * not exist yet. */
static plu_status add_cell(plu_calibration *c, const int *at, const int *level)
{
    if (plu_reserve(&c->cells, &c->cells_capacity, (size_t)c->cells_count + 1, sizeof *c->cells, 1,
                    NULL) != PLU_OK)
        return PLU_IO;
    plu_cell cell = {.divided = false};
    memcpy(cell.level, level, sizeof cell.level);
    for (int k = 0; k < corners_of(c); k++) {
        int corner[PLU_PARAMETERS] = {0};
        for (int p = 0; p < c->campaign->parameters_count; p++)
            corner[p] = at[p] + ((k >> p & 1) ? PLU_GRID_UNIT >> level[p] : 0);
        cell.corner[k] = plu_calibration_point(c, corner);
        if (cell.corner[k] < 0)
            return PLU_IO;
    }
    c->cells[c->cells_count++] = cell;
    return PLU_OK;
}

/* Makes the cells of the first grid, one for each point that is the lower corner of a cell. */
plu_status plu_calibration_first_cells(plu_calibration *c)
{
    const int points = c->points_count, whole[PLU_PARAMETERS] = {0};
    for (int i = 0; i < points; i++) {
        bool inside = true;
        for (int p = 0; p < c->campaign->parameters_count; p++)
            inside = inside &&
                     c->points[i].at[p] < (c->campaign->parameter[p].count - 1) * PLU_GRID_UNIT;
        if (inside && add_cell(c, c->points[i].at, whole) != PLU_OK)
            return PLU_IO;
    }
    return PLU_OK;
}

/* Halves a cell along the parameters whose bits are set in `along`. */
static plu_status divide(plu_calibration *c, int index, int along)
{
    const plu_cell cell = c->cells[index];
    int origin[PLU_PARAMETERS], level[PLU_PARAMETERS];
    memcpy(origin, c->points[cell.corner[0]].at, sizeof origin);
    for (int p = 0; p < PLU_PARAMETERS; p++)
        level[p] = cell.level[p] + (along >> p & 1);
    for (int k = 0; k < corners_of(c); k++) {
        int at[PLU_PARAMETERS];
        if (k & ~along) /* only the lower half along the others, which is all of it */
            continue;
        for (int p = 0; p < PLU_PARAMETERS; p++)
            at[p] = origin[p] + ((k >> p & 1) ? PLU_GRID_UNIT >> level[p] : 0);
        if (add_cell(c, at, level) != PLU_OK)
            return PLU_IO;
    }
    c->cells[index].divided = true;
    return PLU_OK;
}

static double corner_z(const plu_calibration *c, const plu_cell *cell, int k, int t)
{
    return plu_calibration_deviation(c, &c->points[cell->corner[k]], t);
}

/* Whether a cell is not divided yet and has results at all of its corners. */
static bool usable(const plu_calibration *c, const plu_cell *cell)
{
    for (int k = 0; k < corners_of(c); k++)
        if (!isfinite(c->points[cell->corner[k]].chi2))
            return false;
    return !cell->divided;
}

/* Whether target t changes between two points by more than its error, and by more than the scatter
 * of the seeds explains. */
static bool grid_differ(const plu_calibration *c, int first, int second, int t)
{
    const plu_point *a = &c->points[first], *b = &c->points[second];
    const double z = plu_calibration_deviation(c, b, t) - plu_calibration_deviation(c, a, t);
    return fabs(z) > flat &&
           fabs(b->mean[t] - a->mean[t]) > significant * hypot(a->error[t], b->error[t]);
}

/* The parameters along which something changes across the cell, as bits. */
static int changes(const plu_calibration *c, const plu_cell *cell)
{
    int along = 0;
    for (int t = 0; t < c->campaign->targets_count; t++)
        for (int p = 0; p < c->campaign->parameters_count; p++)
            for (int k = 0; k < corners_of(c); k++)
                if (cell->level[p] < PLU_ROUNDS &&
                    grid_differ(c, cell->corner[k], cell->corner[k | 1 << p], t))
                    along |= 1 << p;
    return along;
}

/* Whether every target is met somewhere in the cell, so that the valley may cross it. */
static bool crossed(const plu_calibration *c, const plu_cell *cell)
{
    for (int t = 0; t < c->campaign->targets_count; t++) {
        double least = INFINITY, most = -INFINITY;
        for (int k = 0; k < corners_of(c); k++) {
            least = fmin(least, corner_z(c, cell, k, t));
            most = fmax(most, corner_z(c, cell, k, t));
        }
        if (least > near || most < -near)
            return false;
    }
    return true;
}

static bool has_corner(const plu_calibration *c, const plu_cell *cell, int point)
{
    for (int k = 0; k < corners_of(c); k++)
        if (cell->corner[k] == point)
            return true;
    return false;
}

int plu_calibration_nearest(const plu_calibration *c)
{
    int best = -1;
    for (int i = 0; i < c->points_count; i++)
        if (isfinite(c->points[i].chi2) && (best < 0 || c->points[i].chi2 < c->points[best].chi2))
            best = i;
    return best;
}

/* Divides the cells that the valley crosses; if there are none, the cells around the point with the
 * smallest misfit. */
static plu_status divide_cells(plu_calibration *c)
{
    const int count = c->cells_count, nearest = plu_calibration_nearest(c);
    bool valley = false;
    for (int i = 0; i < count; i++)
        valley = valley || (usable(c, &c->cells[i]) && crossed(c, &c->cells[i]));
    for (int i = 0; i < count; i++) {
        const plu_cell *cell = &c->cells[i];
        if (!usable(c, cell) || !(valley ? crossed(c, cell) : has_corner(c, cell, nearest)))
            continue;
        const int along = changes(c, cell);
        if (along && divide(c, i, along) != PLU_OK)
            return PLU_IO;
    }
    return PLU_OK;
}

/* Adds seeds to points whose scatter limits the accuracy of the result. */
static plu_status add_seeds(plu_calibration *c, int points)
{
    for (int i = 0; i < points; i++) {
        const plu_point *point = &c->points[i];
        bool scattered = false, close = isfinite(point->chi2);
        for (int t = 0; t < c->campaign->targets_count; t++) {
            scattered = scattered || point->error[t] > c->campaign->targets[t].error;
            close = close && fabs(plu_calibration_deviation(c, point, t)) <= wide;
        }
        if (c->campaign->seeded && scattered && close && plu_calibration_more_seeds(c, i) != PLU_OK)
            return PLU_IO;
    }
    return PLU_OK;
}

plu_status plu_calibration_refine(plu_calibration *c, int *added, plu_error *err)
{
    const int cases = c->campaign->cases_count, points = c->points_count;
    c->round++;
    plu_status status = divide_cells(c);
    if (status == PLU_OK)
        status = add_seeds(c, points);
    *added = c->campaign->cases_count - cases;
    c->round -= *added == 0; /* which was none */
    return status == PLU_OK ? PLU_OK : plu_fail(err, status, "out of memory");
}

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
