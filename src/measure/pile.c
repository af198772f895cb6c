/* Numbers of a pile on a plane: its height, and the spread of its lowest grains about their own
 * middle; and the height map, the upper surface of the spheres as seen from above.
 *
 *         o            height      top of the highest grain above the base
 *        ooo           bottom      grains whose center is at most 1.05 r above it
 *       ooooo          radius      of those: mean distance from their middle, and the largest
 *     ---------
 *
 *   map   cells of equal width, centered on the box around the spheres, at most 2048 along a side;
 *         each sphere raises the cells whose centers are below it to z + sqrt(r^2 - dx^2 - dy^2) */
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

/* The height map: the upper surface of the spheres, as seen from above. */

enum { LONGEST = 2048 };

void plu_field_free(plu_field *field)
{
    free(field->value);
    field->value = NULL;
}

static int clamp(double x, int most)
{
    return x > 0.0 ? (x < most ? (int)x : most) : 0; /* NAN: 0 */
}

int plu_map_cell(const plu_field *f, int axis, double x)
{
    return clamp((x - f->origin[axis]) / f->cell[axis], f->size[axis] - 1);
}

/* `side` 1: the upper surface, -1: the lower one, of spheres that hang from above. */
void plu_map_paint(plu_field *f, const double x[3], double r, double base, double side)
{
    int from[2], to[2];
    for (int i = 0; i < 2; i++) {
        from[i] = plu_map_cell(f, i, x[i] - r);
        to[i] = plu_map_cell(f, i, x[i] + r);
    }
    for (int j = from[1]; j <= to[1]; j++)
        for (int i = from[0]; i <= to[0]; i++) {
            const double dx = f->origin[0] + (i + 0.5) * f->cell[0] - x[0];
            const double dy = f->origin[1] + (j + 0.5) * f->cell[1] - x[1];
            const double square = r * r - dx * dx - dy * dy;
            double *height = &f->value[(size_t)j * (size_t)f->size[0] + (size_t)i];
            if (!(square >= 0.0))
                continue;
            const double z = x[2] + side * sqrt(square) - base;
            *height = side > 0.0 ? plu_max(*height, z) : plu_min(*height, z);
        }
}

plu_status plu_measure_height(plu_field *field, const plu_view *view, double base, double cell,
                              plu_error *err)
{
    const plu_region box = plu_measure_bounds(view, base);
    *field = (plu_field){.size = {1, 1, 1}, .origin = {0.0, 0.0, base}, .cell = {cell, cell, NAN}};
    if (isfinite(box.lower[0])) {
        const double wide = box.upper[0] - box.lower[0], deep = box.upper[1] - box.lower[1];
        cell = plu_max(cell, plu_max(wide, deep) / LONGEST);
        for (int i = 0; i < 2; i++) {
            const double extent = i == 0 ? wide : deep;
            field->size[i] = 1 + clamp(extent / cell, LONGEST);
            field->cell[i] = cell;
            field->origin[i] = box.lower[i] - 0.5 * (field->size[i] * cell - extent);
        }
    }
    field->value =
        plu_alloc((size_t)field->size[0] * (size_t)field->size[1], sizeof *field->value, err);
    if (!field->value)
        return PLU_IO;
    for (int b = 0; b < view->bodies; b++) {
        const double *x = plu_view_position(view, b);
        if (plu_view_grain(view, b) && x[2] > base)
            plu_map_paint(field, x, plu_view_radius(view, b), base, 1.0);
    }
    return PLU_OK;
}
