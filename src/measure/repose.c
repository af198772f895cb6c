/* Angle of repose, from the profile of height over radius, for sectors of azimuth. */
#include "base/memory.h"
#include "base/vec3.h"
#include "measure/view.h"
#include <stdlib.h>

#define FULL_TURN 6.283185307179586476925
enum { RINGS = 512, PER_RING = 8 };
static const double layer = 1.5; /* diameters: what is lower lies side by side */

/* Sums of the height map by sector and ring; the last row is over all sectors. */
typedef struct polar {
    int sectors;
    double sum[PLU_SECTORS + 1][RINGS];
    int cells[PLU_SECTORS + 1][RINGS];
} polar;

static int repose_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Medians of x and y, and the mean radius, of the spheres above the base. */
static plu_status find_axis(plu_repose *repose, double *radius, const plu_view *view, double base,
                            plu_error *err)
{
    double *values = plu_alloc((size_t)view->bodies, sizeof *values, err), sum = 0.0;
    if (!values)
        return PLU_IO;
    for (int i = 0; i < 2; i++) {
        size_t count = 0;
        sum = 0.0;
        for (int b = 0; b < view->bodies; b++) {
            const double *x = plu_view_position(view, b);
            if (!plu_view_grain(view, b) || !(x[2] > base))
                continue;
            values[count++] = x[i];
            sum += plu_view_radius(view, b);
        }
        qsort(values, count, sizeof *values, repose_compare);
        repose->axis[i] = count > 0 ? 0.5 * (values[(count - 1) / 2] + values[count / 2]) : NAN;
        *radius = count > 0 ? sum / (double)count : NAN;
    }
    free(values);
    return PLU_OK;
}

static void repose_add(polar *p, int sector, int ring, double height)
{
    p->sum[sector][ring] += height;
    p->cells[sector][ring]++;
}

static void sum_up(polar *p, const plu_repose *repose, const plu_field *map)
{
    for (int j = 0; j < map->size[1]; j++)
        for (int i = 0; i < map->size[0]; i++) {
            const double x = map->origin[0] + (i + 0.5) * map->cell[0] - repose->axis[0];
            const double y = map->origin[1] + (j + 0.5) * map->cell[1] - repose->axis[1];
            const double ring = hypot(x, y) / repose->ring;
            if (!(ring < RINGS))
                continue;
            const double turn = atan2(y, x) / FULL_TURN;
            const int sector = (int)((turn < 0.0 ? turn + 1.0 : turn) * repose->sectors);
            const double height = map->value[(size_t)j * (size_t)map->size[0] + (size_t)i];
            repose_add(p, sector < repose->sectors ? sector : 0, (int)ring, height);
            repose_add(p, PLU_SECTORS, (int)ring, height);
        }
}

/* The angle of the straight line through the profile of one row between 80 % and 20 %. */
static double fit(const polar *p, int row, const plu_repose *repose)
{
    double n = 0.0, r = 0.0, h = 0.0, rr = 0.0, rh = 0.0;
    bool below_top = false;
    for (int k = 0; k < RINGS; k++) {
        if (p->cells[row][k] == 0) /* near the axis, or beyond the map */
            continue;
        const double height = p->sum[row][k] / p->cells[row][k];
        const double radius = (k + 0.5) * repose->ring;
        below_top |= height <= 0.8 * repose->height;
        if (height < 0.2 * repose->height)
            break;
        if (!below_top)
            continue;
        n += 1.0;
        r += radius;
        h += height;
        rr += radius * radius;
        rh += radius * height;
    }
    return n >= 2.0 ? atan(-(n * rh - r * h) / (n * rr - r * r)) : NAN;
}

static void fit_all(plu_repose *repose, const polar *p)
{
    double sum = 0.0, squares = 0.0;
    for (int s = 0; s < repose->sectors; s++) {
        repose->angle[s] = fit(p, s, repose);
        if (!isfinite(repose->angle[s]))
            continue;
        repose->used++;
        sum += repose->angle[s];
    }
    repose->profile = fit(p, PLU_SECTORS, repose);
    if (repose->used == 0)
        return;
    repose->mean = sum / repose->used;
    for (int s = 0; s < repose->sectors; s++)
        if (isfinite(repose->angle[s]))
            squares += (repose->angle[s] - repose->mean) * (repose->angle[s] - repose->mean);
    repose->spread = sqrt(squares / repose->used);
}

plu_status plu_measure_repose(plu_repose *repose, const plu_view *view, double base, int sectors,
                              plu_error *err)
{
    *repose = (plu_repose){.sectors = sectors, .mean = NAN, .spread = NAN, .profile = NAN};
    for (int s = 0; s < PLU_SECTORS; s++)
        repose->angle[s] = NAN;
    double radius = NAN;
    plu_pile pile;
    plu_field map;
    if (find_axis(repose, &radius, view, base, err) != PLU_OK)
        return PLU_IO;
    repose->ring = 2.0 * radius;
    if (!isfinite(radius))
        return PLU_OK;
    plu_measure_pile(&pile, view, base);
    repose->height = pile.height;
    if (pile.height < layer * repose->ring)
        return PLU_OK;
    polar *p = plu_alloc(1, sizeof *p, err);
    plu_status status = p ? PLU_OK : PLU_IO;
    if (status == PLU_OK)
        status = plu_measure_height(&map, view, base, repose->ring / PER_RING, err);
    if (status == PLU_OK) {
        sum_up(p, repose, &map);
        plu_field_free(&map);
        fit_all(repose, p);
    }
    free(p);
    return status;
}
