/* The core of a pile: the part that is deep enough below its surface, and as far above what carries
 * it, which the undersides of its lowest grains show: a plate, the shell of a drum, a hopper.
 *
 *              .-''-.             height map: of each cell the top of the highest grain
 *           .-'.----.'-.          close   maximum, then minimum over squares of `depth`: pits fill
 *        .-' .' core `. '-.       erode   minimum over squares, less `depth`: a layer goes, from
 *       '---'----------'---'              above and from the sides
 *                                 floor   the same from below, by the undersides
 *
 * These are dilation and erosion of a map, as images have them (J. Serra, Image Analysis and
 * Mathematical Morphology, 1982); squares go row by row, then column by column. */
#include "base/memory.h"
#include "base/vec3.h"
#include "measure/view.h"
#include <stdlib.h>

enum { MAP_CELLS = 8, COLUMNS = 16 };

typedef struct core {
    plu_field top; /* m above `base`: the core ends there; 0 where it has no point */
    plu_field low; /* m above `base`: the core begins there, at least `depth` */
    double base;   /* m */
} core;

/* Replaces each cell of a row by the largest (`sign` 1) or smallest (`sign` -1) of the cells at
 * distances up to `reach`. Cells beyond the ends have the value `outside`. */
static void extreme_row(double *row, size_t stride, int count, int reach, double sign,
                        double outside, double *copy)
{
    for (int k = 0; k < count; k++)
        copy[k] = sign * row[(size_t)k * stride];
    for (int k = 0; k < count; k++) {
        const int from = k - reach, to = k + reach;
        double best = from < 0 || to >= count ? sign * outside : copy[k];
        for (int i = from < 0 ? 0 : from; i <= to && i < count; i++)
            best = plu_max(best, copy[i]);
        row[(size_t)k * stride] = sign * best;
    }
}

/* As extreme_row, over squares of a map: by rows and then by columns. */
static plu_status extreme(plu_field *map, int reach, double sign, double outside, plu_error *err)
{
    const int wide = map->size[0], deep = map->size[1];
    double *copy = plu_alloc((size_t)(wide > deep ? wide : deep), sizeof *copy, err);
    if (!copy)
        return PLU_IO;
    for (int j = 0; j < deep; j++)
        extreme_row(map->value + (size_t)j * (size_t)wide, 1, wide, reach, sign, outside, copy);
    for (int i = 0; i < wide; i++)
        extreme_row(map->value + i, (size_t)wide, deep, reach, sign, outside, copy);
    free(copy);
    return PLU_OK;
}

/* Where the core begins: above the undersides of the spheres, with the gaps between the lowest ones
 * closed (minimum, then maximum), and `reach` cells from what carries them. What is within a share
 * `flat` of `depth` of the base lies on the base. */
static plu_status find_floor(core *c, const plu_view *view, double depth, int reach, plu_error *err)
{
    static const double flat = 0.1;
    const size_t count = (size_t)c->top.size[0] * (size_t)c->top.size[1];
    c->low = c->top;
    c->low.value = plu_alloc(count, sizeof *c->low.value, err);
    if (!c->low.value)
        return PLU_IO;
    for (size_t k = 0; k < count; k++)
        c->low.value[k] = INFINITY;
    for (int b = 0; b < view->bodies; b++) {
        const double *x = plu_view_position(view, b);
        if (plu_view_grain(view, b) && x[2] > c->base)
            plu_map_paint(&c->low, x, plu_view_radius(view, b), c->base, -1.0);
    }
    plu_status status = extreme(&c->low, reach, -1.0, INFINITY, err);
    for (size_t k = 0; k < count; k++) /* no sphere is near: there is no core */
        c->low.value[k] = isfinite(c->low.value[k]) ? c->low.value[k] : 0.0;
    if (status == PLU_OK)
        status = extreme(&c->low, reach, 1.0, -INFINITY, err);
    for (size_t k = 0; k < count; k++)
        c->low.value[k] = c->low.value[k] > flat * depth ? c->low.value[k] : 0.0;
    if (status == PLU_OK)
        status = extreme(&c->low, reach, 1.0, -INFINITY, err);
    for (size_t k = 0; k < count; k++)
        c->low.value[k] += depth;
    return status;
}

/* Finds the core: fills the pits of the height map (maximum, then minimum), then removes a layer of
 * thickness `depth` (m) from above and from the sides. */
static plu_status find_core(core *c, const plu_view *view, double base, double depth,
                            plu_error *err)
{
    c->base = base;
    plu_status status = plu_measure_height(&c->top, view, base, depth / MAP_CELLS, err);
    if (status != PLU_OK)
        return status;
    const double cells = ceil(depth / c->top.cell[0]);
    const int reach =
        cells < c->top.size[0] + c->top.size[1] ? (int)cells : c->top.size[0] + c->top.size[1];
    status = find_floor(c, view, depth, reach, err);
    if (status == PLU_OK)
        status = extreme(&c->top, reach, 1.0, 0.0, err);
    if (status == PLU_OK)
        status = extreme(&c->top, reach, -1.0, INFINITY, err);
    if (status == PLU_OK)
        status = extreme(&c->top, reach, -1.0, 0.0, err);
    const int count = c->top.size[0] * c->top.size[1];
    for (int k = 0; status == PLU_OK && k < count; k++)
        c->top.value[k] = plu_max(c->top.value[k] - depth, 0.0);
    return status;
}

/* Lower end of the core over a cell (m). */
static double floor_at(const core *c, int i, int j)
{
    return c->base + c->low.value[(size_t)j * (size_t)c->low.size[0] + (size_t)i];
}

/* Upper end of the core over a cell (m), at least the lower one. */
static double top_at(const core *c, int i, int j)
{
    const double top = c->base + c->top.value[(size_t)j * (size_t)c->top.size[0] + (size_t)i];
    return plu_max(top, floor_at(c, i, j));
}

typedef enum share { NONE, SOME, ALL } share;

/* The share of a sphere that lies in the core. */
static share share_of(const core *c, const double x[3], double r)
{
    double highest = -INFINITY, lowest = INFINITY, deepest = INFINITY, shallowest = -INFINITY;
    bool some = false;
    for (int j = plu_map_cell(&c->top, 1, x[1] - r); j <= plu_map_cell(&c->top, 1, x[1] + r); j++)
        for (int i = plu_map_cell(&c->top, 0, x[0] - r); i <= plu_map_cell(&c->top, 0, x[0] + r);
             i++) {
            const double top = top_at(c, i, j), low = floor_at(c, i, j);
            highest = plu_max(highest, top);
            lowest = plu_min(lowest, top);
            deepest = plu_min(deepest, low);
            shallowest = plu_max(shallowest, low);
            some |= top > low;
        }
    if (!some || !(x[2] + r > deepest && x[2] - r < highest))
        return NONE;
    return x[2] - r >= shallowest && x[2] + r <= lowest ? ALL : SOME;
}

/* Volume of a sphere within the core (m^3): a sum over columns, scaled so that a whole sphere has
 * its exact volume. */
static double cut_volume(const core *c, const double x[3], double r)
{
    double sum = 0.0, whole = 0.0;
    for (int k = 0; k < COLUMNS * COLUMNS; k++) {
        const double u = 2.0 * (k % COLUMNS + 0.5) / COLUMNS - 1.0;
        const double v = (2.0 * (double)(k / COLUMNS) + 1.0) / COLUMNS - 1.0;
        if (!(u * u + v * v < 1.0))
            continue;
        const double half = r * sqrt(1.0 - u * u - v * v);
        const int i = plu_map_cell(&c->top, 0, x[0] + r * u),
                  j = plu_map_cell(&c->top, 1, x[1] + r * v);
        whole += 2.0 * half;
        sum += plu_max(
            plu_min(x[2] + half, top_at(c, i, j)) - plu_max(x[2] - half, floor_at(c, i, j)), 0.0);
    }
    return 4.0 / 3.0 * PLU_PI * r * r * r * sum / whole;
}

plu_status plu_measure_core(plu_solid *found, const plu_view *view, double base, double depth,
                            plu_error *err)
{
    core c = {.low.value = NULL};
    *found = (plu_solid){0.0, 0.0};
    if (!(depth > 0.0) || !isfinite(depth))
        return PLU_OK;
    const plu_status status = find_core(&c, view, base, depth, err);
    for (int k = 0; status == PLU_OK && k < c.top.size[0] * c.top.size[1]; k++)
        found->volume +=
            plu_max(c.top.value[k] - c.low.value[k], 0.0) * c.top.cell[0] * c.top.cell[1];
    for (int b = 0; found->volume > 0.0 && b < view->bodies; b++) {
        const double *x = plu_view_position(view, b), r = plu_view_radius(view, b);
        const share part = plu_view_grain(view, b) ? share_of(&c, x, r) : NONE;
        if (part != NONE)
            found->solid += part == ALL ? 4.0 / 3.0 * PLU_PI * r * r * r : cut_volume(&c, x, r);
    }
    plu_field_free(&c.low);
    plu_field_free(&c.top);
    return status;
}
