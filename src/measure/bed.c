/* Where a bed is, how far it has run, how its surface lies, and how deep it flows. */
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

/* The plane z = a + b x + c y through points, by least squares; false: they lie on a line. */
static bool fit_plane(double (*point)[3], long count, double slope[2])
{
    double mean[3] = {0.0}, xx = 0.0, yy = 0.0, xy = 0.0, xz = 0.0, yz = 0.0;
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
    return count > 2 && det > 1e-6 * xx * yy;
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

static plu_status find_surface(plu_bed *bed, const plu_view *view, const plu_region *region,
                               double d, plu_error *err)
{
    double from[2], size[2];
    for (int i = 0; i < 2; i++) {
        const double half = 0.5 * (bed->high[i] - bed->low[i]);
        from[i] = bed->low[i] + 0.5 * half;
        size[i] = plu_min(ceil(half / d), 2000.0);
    }
    if (!(size[0] >= 1.0 && size[1] >= 1.0))
        return PLU_OK;
    const long nx = (long)size[0], ny = (long)size[1];
    int *column = plu_alloc((size_t)(nx * ny), sizeof *column, err);
    double(*top)[3] = plu_alloc((size_t)(nx * ny), sizeof *top, err);
    if (column && top) {
        double slope[2];
        const long count = find_tops(top, bed, view, region, d, column, nx, ny, from);
        if (count >= 8 && fit_plane(top, count, slope)) {
            bed->slope[0] = atan(slope[0]);
            bed->slope[1] = atan(slope[1]);
            bed->steepest = atan(hypot(slope[0], slope[1]));
        }
    }
    const bool fine = column && top;
    free(column);
    free(top);
    return fine ? PLU_OK : PLU_IO;
}

plu_status plu_measure_bed(plu_bed *bed, const plu_view *view, const plu_region *region,
                           plu_error *err)
{
    *bed = (plu_bed){.slope = {NAN, NAN}, .steepest = NAN};
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
    return bed->grains > 0 ? find_surface(bed, view, region, d, err) : PLU_OK;
}
