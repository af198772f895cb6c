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
    return status == PLU_OK ? PLU_OK : plu_fail(err, status, "out of memory");
}
