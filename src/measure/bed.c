/* Where a bed is, how far it has run, how its surface lies, and how deep it flows.
 *
 *     extent     quantiles of the mass along each axis, 2.5 to 97.5 %: strays do not count
 *     runout     distance from the middle within which 95 % of the mass lies
 *     slope      a plane z = m + b x + c y through the tops of the spheres that stand highest in
 *                columns one diameter wide, by least squares: (b, c) = S^-1 s, S the scatter of
 *                (x, y); its error from what is left over
 *     flow       in a drum: the grains at the middle, by their depth below that plane and their
 *                speed up the slope. Most flows down above the depth at which the sum of speeds is
 *                least, and the layer ends where a line through the speeds around that depth is
 *                zero
 *
 *                  ---- surface          <-- flows down
 *                  . . . . turn  (sum of speeds is least)
 *                  ------                --> carried up by the drum */
#include "pluvia/tool/bed.h"
#include "base/memory.h"
#include "measure/view.h"
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* A number of each grain, and its mass. */
typedef struct weighted {
    double at, mass;
} weighted;

/* The number below which the share `share` of the mass lies, between two grains by a straight line;
 * `list` is put in order. */
static double quantile(weighted *list, long count, double share)
{
    double mass = 0.0, before = 0.0, last = NAN;
    qsort(list, (size_t)count, sizeof *list, compare);
    for (long i = 0; i < count; i++)
        mass += list[i].mass;
    for (long i = 0; i < count; i++) {
        const double middle = before + 0.5 * list[i].mass; /* half of a grain is below its center */
        if (middle >= share * mass) {
            const double previous = i > 0 ? before - 0.5 * list[i - 1].mass : middle;
            return i == 0 ? list[0].at
                          : last + (list[i].at - last) * (share * mass - previous) /
                                       (middle - previous);
        }
        before += list[i].mass;
        last = list[i].at;
    }
    return last;
}

static bool counts(const plu_view *view, const plu_region *region, int b)
{
    return plu_view_grain(view, b) && plu_region_holds(region, plu_view_position(view, b));
}

static long fill(weighted *list, const plu_view *view, const plu_region *region, int axis)
{
    long count = 0;
    for (int b = 0; b < view->bodies; b++)
        if (counts(view, region, b))
            list[count++] = (weighted){plu_view_position(view, b)[axis], plu_view_mass(view, b)};
    return count;
}

static void find_extent(plu_bed *bed, weighted *list, const plu_view *view,
                        const plu_region *region)
{
    for (int i = 0; i < 3; i++) {
        const long count = fill(list, view, region, i);
        double mass = 0.0, moment = 0.0;
        for (long k = 0; k < count; k++) {
            mass += list[k].mass;
            moment += list[k].mass * list[k].at;
        }
        bed->grains = count;
        bed->mass = mass;
        bed->center[i] = count > 0 ? moment / mass : NAN;
        bed->low[i] = quantile(list, count, 0.025);
        bed->high[i] = quantile(list, count, 0.975);
        bed->middle[i] = quantile(list, count, 0.5);
    }
}

static void find_runout(plu_bed *bed, weighted *list, const plu_view *view,
                        const plu_region *region)
{
    long count = 0;
    for (int b = 0; b < view->bodies; b++)
        if (counts(view, region, b)) {
            const double *x = plu_view_position(view, b);
            list[count++] = (weighted){hypot(x[0] - bed->middle[0], x[1] - bed->middle[1]),
                                       plu_view_mass(view, b)};
        }
    bed->runout = quantile(list, count, 0.95);
}

/* A plane through points by least squares, and the variance of its slopes. */
typedef struct plane {
    double mean[3], slope[2]; /* z = mean[2] + slope . (x - mean) */
    double var[2], covar;
} plane;

/* False: the points lie on a line. */
static bool fit_plane(plane *p, double (*point)[3], long count)
{
    double *mean = p->mean, *slope = p->slope, rest = 0.0, xx = 0.0, yy = 0.0, xy = 0.0, xz = 0.0,
           yz = 0.0;
    *p = (plane){0};
    for (long k = 0; k < count; k++)
        for (int i = 0; i < 3; i++)
            mean[i] += point[k][i] / (double)count;
    for (long k = 0; k < count; k++) {
        const double x = point[k][0] - mean[0], y = point[k][1] - mean[1],
                     z = point[k][2] - mean[2];
        xx += x * x;
        yy += y * y;
        xy += x * y;
        xz += x * z;
        yz += y * z;
    }
    const double det = xx * yy - xy * xy;
    slope[0] = (xz * yy - yz * xy) / det;
    slope[1] = (yz * xx - xz * xy) / det;
    for (long k = 0; k < count; k++) {
        const double off = point[k][2] - mean[2] - slope[0] * (point[k][0] - mean[0]) -
                           slope[1] * (point[k][1] - mean[1]);
        rest += off * off / (double)(count - 3);
    }
    p->var[0] = rest * yy / det;
    p->var[1] = rest * xx / det;
    p->covar = -rest * xy / det;
    return count > 3 && det > 1e-6 * xx * yy;
}

/* The steepest angle (rad) of a plane, and its error. */
static void take_slope(plu_bed *bed, const plane *p)
{
    const double b = p->slope[0], c = p->slope[1], square = b * b + c * c;
    const double variance =
        square > 0.0 ? (b * b * p->var[0] + c * c * p->var[1] + 2.0 * b * c * p->covar) / square
                     : 0.5 * (p->var[0] + p->var[1]);
    bed->steepest = atan(sqrt(square));
    bed->slope_error = sqrt(variance) / (1.0 + square);
}

/* --- the layer that flows --- */

/* A grain at the middle of the bed. */
typedef struct flowing {
    double depth, speed; /* m below the surface; m/s up the slope */
} flowing;

static long find_flowing(flowing *list, const plu_bed *bed, const plane *p, const plu_view *view,
                         const plu_region *region, double d)
{
    const double steep = hypot(p->slope[0], p->slope[1]), size = sqrt(1.0 + steep * steep);
    const double normal[3] = {-p->slope[0] / size, -p->slope[1] / size, 1.0 / size};
    const double up[3] = {p->slope[0] / steep / size, p->slope[1] / steep / size, steep / size};
    const double half = 0.125 *
                        (fabs(p->slope[0]) * (bed->high[0] - bed->low[0]) +
                         fabs(p->slope[1]) * (bed->high[1] - bed->low[1])) /
                        steep;
    long count = 0;
    for (int b = 0; b < view->bodies; b++) {
        if (!counts(view, region, b))
            continue;
        const double *x = plu_view_position(view, b);
        const double along =
            ((x[0] - bed->middle[0]) * p->slope[0] + (x[1] - bed->middle[1]) * p->slope[1]) / steep;
        double from[3];
        plu_sub(p->mean, x, from);
        if (fabs(along) <= plu_max(half, 1.5 * d))
            list[count++] =
                (flowing){plu_dot(from, normal), plu_dot(plu_row(view->velocity, b), up)};
    }
    return count;
}

/* The depth above which most flows down: where what flows up begins, grain by grain; NAN: nothing
 * flows down. The list is put in order. */
static double find_turn(flowing *list, long count)
{
    double sum = 0.0, least = 0.0, turn = NAN;
    qsort(list, (size_t)count, sizeof *list, compare);
    for (long i = 0; i < count; i++) {
        sum += list[i].speed;
        if (sum < least) {
            least = sum;
            turn = list[i].depth;
        }
    }
    return turn;
}

/* Where the straight line through the speeds of the grains around that depth is zero: single grains
 * of a frame stray, and layers hold few of them. */
static double find_flow(flowing *list, const plu_bed *bed, const plane *p, const plu_view *view,
                        const plu_region *region, double d)
{
    static const double still = 1e-3; /* of the speed of a fall through a diameter */
    double n = 0.0, x = 0.0, v = 0.0, xx = 0.0, xv = 0.0;
    if (!view->velocity.at || !(hypot(p->slope[0], p->slope[1]) > 1e-9))
        return NAN;
    const long count = find_flowing(list, bed, p, view, region, d);
    const double turn = find_turn(list, count);
    for (long i = 0; i < count; i++)
        if (fabs(list[i].depth - turn) <= d) {
            const double depth = list[i].depth - turn;
            n += 1.0;
            x += depth;
            v += list[i].speed;
            xx += depth * depth;
            xv += depth * list[i].speed;
        }
    const double slope = (n * xv - x * v) / (n * xx - x * x), depth = (x - v / slope) / n;
    const bool turns = slope * d > still * sqrt(plu_norm(view->gravity) * d);
    return n > 3.0 && turns && fabs(depth) <= d ? turn + depth : NAN;
}

/* Tops of the spheres that stand highest in columns one diameter wide, over the middle half of the
 * bed: its ends lie at walls or run out. */
static long find_tops(double (*top)[3], const plu_bed *bed, const plu_view *view,
                      const plu_region *region, double d, int *column, long columns_x,
                      long columns_y, const double from[2])
{
    for (long k = 0; k < columns_x * columns_y; k++)
        column[k] = -1;
    for (int b = 0; b < view->bodies; b++) {
        if (!counts(view, region, b))
            continue;
        const double *x = plu_view_position(view, b);
        const double i = floor((x[0] - from[0]) / d), j = floor((x[1] - from[1]) / d);
        if (!(i >= 0.0 && j >= 0.0 && i < (double)columns_x && j < (double)columns_y) ||
            x[2] > bed->high[2] + 3.0 * d) /* in flight */
            continue;
        int *best = &column[(long)j * columns_x + (long)i];
        if (*best < 0 || x[2] + plu_view_radius(view, b) >
                             plu_view_position(view, *best)[2] + plu_view_radius(view, *best))
            *best = b;
    }
    long count = 0;
    for (long k = 0; k < columns_x * columns_y; k++)
        if (column[k] >= 0) {
            memcpy(top[count], plu_view_position(view, column[k]), sizeof top[count]);
            top[count++][2] += plu_view_radius(view, column[k]);
        }
    return count;
}

/* The line across a level axis through the points, as a plane along which that lies. */
static bool fit_across(plane *p, double (*point)[3], long count, const double axis[3])
{
    const double size = hypot(axis[0], axis[1]), across[2] = {axis[1] / size, -axis[0] / size};
    double uu = 0.0, uz = 0.0, rest = 0.0;
    for (long k = 0; k < count; k++) {
        const double u =
            (point[k][0] - p->mean[0]) * across[0] + (point[k][1] - p->mean[1]) * across[1];
        uu += u * u;
        uz += u * (point[k][2] - p->mean[2]);
    }
    for (int i = 0; i < 2; i++)
        p->slope[i] = uz / uu * across[i];
    for (long k = 0; k < count; k++) {
        const double off = point[k][2] - p->mean[2] - p->slope[0] * (point[k][0] - p->mean[0]) -
                           p->slope[1] * (point[k][1] - p->mean[1]);
        rest += off * off / (double)(count - 2);
    }
    p->var[0] = rest / uu * across[0] * across[0];
    p->var[1] = rest / uu * across[1] * across[1];
    p->covar = rest / uu * across[0] * across[1];
    return uu > 0.0;
}

/* Whether an axis is nearly level, as that of a drum. */
static bool is_level(const double axis[3])
{
    return axis && fabs(axis[2]) < 0.5;
}

/* The slope of the surface: the steepest, across the level axis of a drum, or across the direction
 * in which a cell closes, along which a bed has none. False: there is none, or points lie on a
 * line.
 */
static bool fit_surface(plane *p, plu_bed *bed, double (*top)[3], long count, const bool closed[2],
                        const double axis[3])
{
    const double along[3] = {closed[0], closed[1], 0.0};
    if (count < 8 || (closed[0] && closed[1]) || !fit_plane(p, top, count))
        return false;
    for (int i = 0; i < 2; i++)
        bed->slope[i] = closed[i] ? NAN : atan(p->slope[i]);
    if (closed[0] || closed[1])
        return fit_across(p, top, count, along);
    return !is_level(axis) || fit_across(p, top, count, axis);
}

static plu_status find_surface(plu_bed *bed, const plu_view *view, const plu_region *region,
                               const double axis[3], double d, plu_error *err)
{
    double from[2], size[2];
    bool closed[2];
    for (int i = 0; i < 2; i++) {
        closed[i] = !region && view->cell.given && view->cell.periodic[i];
        const double half = 0.5 * (bed->high[i] - bed->low[i]);
        from[i] = bed->low[i] + 0.5 * half;
        size[i] = plu_min(ceil(half / d), 2000.0);
    }
    if (!(size[0] >= 1.0 && size[1] >= 1.0))
        return PLU_OK;
    const long nx = (long)size[0], ny = (long)size[1];
    int *column = plu_alloc((size_t)(nx * ny), sizeof *column, err);
    double(*top)[3] = plu_alloc((size_t)(nx * ny), sizeof *top, err);
    flowing *list = plu_alloc((size_t)view->bodies + 1, sizeof *list, err);
    if (column && top && list) {
        plane p;
        const long count = find_tops(top, bed, view, region, d, column, nx, ny, from);
        if (fit_surface(&p, bed, top, count, closed, axis)) {
            take_slope(bed, &p);
            if (is_level(axis))
                bed->flow_depth = find_flow(list, bed, &p, view, region, d);
        }
    }
    const bool fine = column && top && list;
    free(column);
    free(top);
    free(list);
    return fine ? PLU_OK : PLU_IO;
}

/* Where a cell closes there is no middle, and no end. */
static void forget_periodic(plu_bed *bed, const plu_view *view)
{
    for (int i = 0; i < 3; i++)
        if (view->cell.given && view->cell.periodic[i]) {
            bed->center[i] = bed->low[i] = bed->middle[i] = bed->high[i] = NAN;
            bed->runout = i < 2 ? NAN : bed->runout;
        }
}

plu_status plu_measure_bed(plu_bed *bed, const plu_view *view, const plu_region *region,
                           const double axis[3], plu_error *err)
{
    *bed = (plu_bed){.slope = {NAN, NAN}, .steepest = NAN, .slope_error = NAN, .flow_depth = NAN};
    double d = 0.0;
    weighted *list = plu_alloc((size_t)view->bodies + 1, sizeof *list, err);
    if (!list)
        return PLU_IO;
    find_extent(bed, list, view, region);
    find_runout(bed, list, view, region);
    free(list);
    for (int b = 0; b < view->bodies; b++)
        if (counts(view, region, b))
            d += 2.0 * plu_view_radius(view, b) / (double)bed->grains;
    const plu_status status =
        bed->grains > 0 ? find_surface(bed, view, region, axis, d, err) : PLU_OK;
    if (!region)
        forget_periodic(bed, view);
    return status;
}
