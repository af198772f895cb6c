#include "base/memory.h"
#include "base/vec3.h"
#include "measure/view.h"
#include <math.h>
#include <stdlib.h>

/* A sphere rests on the base when its center is at most this many radii above it. */
#define TOUCHING 1.05

static bool above(const plu_view *view, int body, double base)
{
    return plu_view_grain(view, body) && plu_view_position(view, body)[2] > base;
}

static bool at_bottom(const plu_view *view, int body, double base)
{
    return above(view, body, base) &&
           plu_view_position(view, body)[2] < base + TOUCHING * plu_view_radius(view, body);
}

static void measure_spread(plu_pile *pile, const plu_view *view, double base)
{
    double centroid[2] = {0.0, 0.0}, sum = 0.0;
    for (int b = 0; b < view->bodies; b++) {
        if (!at_bottom(view, b, base))
            continue;
        pile->bottom++;
        centroid[0] += plu_view_position(view, b)[0];
        centroid[1] += plu_view_position(view, b)[1];
    }
    if (pile->bottom == 0)
        return;
    centroid[0] /= pile->bottom;
    centroid[1] /= pile->bottom;
    for (int b = 0; b < view->bodies; b++) {
        if (!at_bottom(view, b, base))
            continue;
        const double *x = plu_view_position(view, b);
        const double distance = hypot(x[0] - centroid[0], x[1] - centroid[1]);
        sum += distance;
        pile->base_radius = fmax(pile->base_radius, distance + plu_view_radius(view, b));
    }
    pile->mean_radius = sum / pile->bottom;
}

void plu_measure_pile(plu_pile *pile, const plu_view *view, double base)
{
    *pile = (plu_pile){0};
    double sum = 0.0;
    for (int b = 0; b < view->bodies; b++) {
        if (!above(view, b, base))
            continue;
        const double z = plu_view_position(view, b)[2] - base;
        pile->spheres++;
        pile->height = fmax(pile->height, z + plu_view_radius(view, b));
        sum += z;
    }
    if (pile->spheres > 0)
        pile->mean_height = sum / pile->spheres;
    measure_spread(pile, view, base);
}

/* --- The core of a pile: the part that is deep enough below its surface --- */

enum { MAP_CELLS = 8, COLUMNS = 16 };

typedef struct core {
    plu_field top;      /* m above `base`: the core ends there; 0 where it has no point */
    double base, floor; /* m: where the core begins */
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

/* The same over squares of a map, by rows and then by columns. */
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

/* Finds the core: fills the pits of the height map (maximum, then minimum), then removes a layer of
 * thickness `depth` (m) from above and from the sides. */
static plu_status find_core(core *c, const plu_view *view, double base, double depth,
                            plu_error *err)
{
    c->base = base;
    c->floor = base + depth;
    plu_status status = plu_measure_height(&c->top, view, base, depth / MAP_CELLS, err);
    if (status != PLU_OK)
        return status;
    const double cells = ceil(depth / c->top.cell[0]);
    const int reach =
        cells < c->top.size[0] + c->top.size[1] ? (int)cells : c->top.size[0] + c->top.size[1];
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

/* Index of the cell over x, clamped to the map. */
static int cell_of(const core *c, int axis, double x)
{
    const double at = (x - c->top.origin[axis]) / c->top.cell[axis];
    const int last = c->top.size[axis] - 1;
    return at > 0.0 ? (at < last ? (int)at : last) : 0;
}

/* Upper end of the core over a cell (m). */
static double top_at(const core *c, int i, int j)
{
    return c->base + c->top.value[(size_t)j * (size_t)c->top.size[0] + (size_t)i];
}

typedef enum share { NONE, SOME, ALL } share;

/* The share of a sphere that lies in the core. */
static share share_of(const core *c, const double x[3], double r)
{
    double highest = c->floor, lowest = INFINITY;
    for (int j = cell_of(c, 1, x[1] - r); j <= cell_of(c, 1, x[1] + r); j++)
        for (int i = cell_of(c, 0, x[0] - r); i <= cell_of(c, 0, x[0] + r); i++) {
            highest = plu_max(highest, top_at(c, i, j));
            lowest = plu_min(lowest, top_at(c, i, j));
        }
    if (!(x[2] + r > c->floor && x[2] - r < highest))
        return NONE;
    return x[2] - r >= c->floor && x[2] + r <= lowest ? ALL : SOME;
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
        const double top = top_at(c, cell_of(c, 0, x[0] + r * u), cell_of(c, 1, x[1] + r * v));
        whole += 2.0 * half;
        sum += plu_max(plu_min(x[2] + half, top) - plu_max(x[2] - half, c->floor), 0.0);
    }
    return 4.0 / 3.0 * PLU_PI * r * r * r * sum / whole;
}

plu_status plu_measure_core(plu_solid *found, const plu_view *view, double base, double depth,
                            plu_error *err)
{
    core c;
    *found = (plu_solid){0.0, 0.0};
    if (!(depth > 0.0) || !isfinite(depth))
        return PLU_OK;
    const plu_status status = find_core(&c, view, base, depth, err);
    for (int k = 0; status == PLU_OK && k < c.top.size[0] * c.top.size[1]; k++)
        found->volume +=
            plu_max(c.base + c.top.value[k] - c.floor, 0.0) * c.top.cell[0] * c.top.cell[1];
    for (int b = 0; found->volume > 0.0 && b < view->bodies; b++) {
        const double *x = plu_view_position(view, b), r = plu_view_radius(view, b);
        const share part = plu_view_active(view, b) ? share_of(&c, x, r) : NONE;
        if (part != NONE)
            found->solid += part == ALL ? 4.0 / 3.0 * PLU_PI * r * r * r : cut_volume(&c, x, r);
    }
    plu_field_free(&c.top);
    return status;
}
