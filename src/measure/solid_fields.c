/* Solid volume by cell of a grid, by horizontal slab and by ring. A sphere is cut into vertical
 * columns, each of which belongs to one cell of the map and is divided among the layers exactly:
 *
 *       .-|-|-.         32 x 32 columns over the square around a sphere; the half height of each is
 *      |--|-|--|        sqrt(1 - x^2 - y^2), and their shares add up to 1: the whole volume of a
 *       '-|-|-'         sphere is kept, whatever the cells are
 *
 *   plu_measure_packing    cells      solid / volume of a cell
 *   plu_measure_vertical   slabs      volume: what boundaries and fixed spheres leave of each
 *   plu_measure_radial     rings      volume: the mean height of the height map, times the area
 *
 * Beyond the edge of the heap the map has height 0: a ring that it fills by half has half the
 * height. */
#include "base/memory.h"
#include "base/vec3.h"
#include "measure/container.h"
#include "measure/view.h"
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 32, MAP_CELLS = 8 };

/* One column of a unit sphere: its position, half of its height, its share of the volume. */
typedef struct column {
    double x, y, half, share;
} column;

/* The columns over a unit sphere; the shares add up to 1. Returns how many there are. */
static int make_columns(column list[COLUMNS * COLUMNS])
{
    int count = 0;
    double sum = 0.0;
    for (int k = 0; k < COLUMNS * COLUMNS; k++) {
        const double x = 2.0 * (k % COLUMNS + 0.5) / COLUMNS - 1.0;
        const double y = 2.0 * (double)(k / COLUMNS) / COLUMNS + 1.0 / COLUMNS - 1.0;
        const double square = 1.0 - x * x - y * y;
        if (square > 0.0) {
            list[count] = (column){x, y, sqrt(square), sqrt(square)};
            sum += list[count++].share;
        }
    }
    for (int k = 0; k < count; k++)
        list[k].share /= sum;
    return count;
}

static double volume_of(double radius)
{
    return 4.0 / 3.0 * PLU_PI * radius * radius * radius;
}

/* Index of the cell that holds x, -1 where none does. */
static int cell_of(const plu_field *f, int axis, double x)
{
    const double at = (x - f->origin[axis]) / f->cell[axis];
    return at >= 0.0 && at < f->size[axis] ? (int)at : -1;
}

/* Adds the solid `volume` of a column from `low` to `high` to the cells of its stack. */
static void fill_stack(plu_field *f, double *stack, double low, double high, double volume)
{
    const size_t layer = (size_t)f->size[0] * (size_t)f->size[1];
    const double bottom = (low - f->origin[2]) / f->cell[2],
                 top = (high - f->origin[2]) / f->cell[2];
    const double last = plu_min(top, f->size[2]);
    for (int k = bottom > 0.0 ? (bottom < f->size[2] ? (int)bottom : f->size[2]) : 0; k < last;
         k++) {
        const double part = plu_min(top, k + 1.0) - plu_max(bottom, k);
        stack[layer * (size_t)k] += volume * part / (top - bottom);
    }
}

static void fill_sphere(plu_field *f, const column *list, int count, const double x[3], double r)
{
    for (int k = 0; k < count; k++) {
        const int i = cell_of(f, 0, x[0] + r * list[k].x), j = cell_of(f, 1, x[1] + r * list[k].y);
        if (i < 0 || j < 0)
            continue;
        fill_stack(f, &f->value[(size_t)j * (size_t)f->size[0] + (size_t)i],
                   x[2] - r * list[k].half, x[2] + r * list[k].half, volume_of(r) * list[k].share);
    }
}

/* What the spheres that are fixed, or the others, fill of each cell. */
static plu_status fill_field(plu_field *field, const plu_view *view, const plu_region *region,
                             const int size[3], bool fixed, plu_error *err)
{
    column list[COLUMNS * COLUMNS];
    const int columns = make_columns(list);
    size_t cells = 1;
    double volume = 1.0;
    *field = (plu_field){.value = NULL};
    for (int i = 0; i < 3; i++) {
        field->size[i] = size[i];
        field->origin[i] = region->lower[i];
        field->cell[i] = (region->upper[i] - region->lower[i]) / size[i];
        cells *= (size_t)size[i];
        volume *= field->cell[i];
    }
    field->value = plu_alloc(cells, sizeof *field->value, err);
    if (!field->value)
        return PLU_IO;
    for (int b = 0; volume > 0.0 && b < view->bodies; b++)
        if (plu_view_active(view, b) && plu_view_fixed(view, b) == fixed)
            fill_sphere(field, list, columns, plu_view_position(view, b), plu_view_radius(view, b));
    for (size_t k = 0; k < cells; k++)
        field->value[k] = volume > 0.0 ? field->value[k] / volume : NAN;
    return PLU_OK;
}

plu_status plu_measure_packing(plu_field *field, const plu_view *view, const plu_region *region,
                               const int size[3], plu_error *err)
{
    return fill_field(field, view, region, size, false, err);
}

static void count_grain(plu_profile_row *row, const plu_view *view, int body)
{
    row->grains++;
    if (view->velocity.at)
        row->speed += plu_norm(plu_row(view->velocity, body));
}

static void finish_speeds(plu_profile_row *row, int rows, const plu_view *view)
{
    for (int k = 0; k < rows; k++)
        row[k].speed = row[k].grains > 0 && view->velocity.at ? row[k].speed / row[k].grains : NAN;
}

/* Of each layer of a region the part that lies within the boundaries. */
static plu_status find_room(plu_profile_row *row, int rows, const plu_view *view,
                            const plu_region *region, plu_error *err)
{
    plu_container c;
    plu_container_find(&c, view, region);
    if (c.shells == 0 && memcmp(&c.box, region, sizeof c.box) == 0)
        return PLU_OK; /* whole layers, which the rows have */
    double *volume = plu_alloc(2 * (size_t)rows, sizeof *volume, err);
    if (!volume)
        return PLU_IO;
    plu_container_layers(&c, region, rows, volume, volume + rows);
    for (int k = 0; k < rows; k++)
        row[k].volume = volume[k];
    free(volume);
    return PLU_OK;
}

/* Fixed spheres take room. */
static plu_status take_fixed(plu_profile_row *row, int rows, const plu_view *view,
                             const plu_region *region, plu_error *err)
{
    plu_field fixed;
    const int size[3] = {1, 1, rows};
    if (!view->fixed)
        return PLU_OK;
    if (fill_field(&fixed, view, region, size, true, err) != PLU_OK)
        return PLU_IO;
    for (int k = 0; k < rows; k++)
        row[k].volume -= fixed.value[k] * fixed.cell[0] * fixed.cell[1] * fixed.cell[2];
    plu_field_free(&fixed);
    return PLU_OK;
}

plu_status plu_measure_vertical(plu_profile_row *row, int rows, const plu_view *view,
                                const plu_region *region, plu_error *err)
{
    plu_field slabs;
    const int size[3] = {1, 1, rows};
    if (plu_measure_packing(&slabs, view, region, size, err) != PLU_OK)
        return PLU_IO;
    for (int k = 0; k < rows; k++) {
        const double volume = slabs.cell[0] * slabs.cell[1] * slabs.cell[2];
        row[k] = (plu_profile_row){.from = region->lower[2] + k * slabs.cell[2],
                                   .to = region->lower[2] + (k + 1) * slabs.cell[2],
                                   .solid = slabs.value[k] * volume,
                                   .volume = volume,
                                   .height = NAN};
    }
    for (int b = 0; b < view->bodies; b++) {
        const double *x = plu_view_position(view, b);
        const int k = cell_of(&slabs, 2, x[2]);
        if (k >= 0 && plu_view_grain(view, b) && plu_region_holds(region, x))
            count_grain(&row[k], view, b);
    }
    plu_field_free(&slabs);
    finish_speeds(row, rows, view);
    const plu_status status = find_room(row, rows, view, region, err);
    return status == PLU_OK ? take_fixed(row, rows, view, region, err) : status;
}

/* -1: beyond the last ring. */
static int ring_of(const double axis[2], double x, double y, double ring, int rows)
{
    const double at = hypot(x - axis[0], y - axis[1]) / ring;
    return at < rows ? (int)at : -1;
}

static double height_at(const plu_field *map, long i, long j)
{
    if (i < 0 || j < 0 || i >= map->size[0] || j >= map->size[1])
        return 0.0;
    return map->value[(size_t)j * (size_t)map->size[0] + (size_t)i];
}

/* Mean height of the height map in each ring, counting the area beyond the map as height 0. */
static void mean_heights(plu_profile_row *row, int rows, const plu_field *map, const double axis[2],
                         double ring)
{
    long from[2], to[2];
    if (!isfinite(axis[0]) || !isfinite(axis[1]))
        return;
    for (int i = 0; i < 2; i++) {
        from[i] = (long)floor((axis[i] - rows * ring - map->origin[i]) / map->cell[i]);
        to[i] = (long)ceil((axis[i] + rows * ring - map->origin[i]) / map->cell[i]);
    }
    for (long j = from[1]; j <= to[1]; j++)
        for (long i = from[0]; i <= to[0]; i++) {
            const int k = ring_of(axis, map->origin[0] + ((double)i + 0.5) * map->cell[0],
                                  map->origin[1] + ((double)j + 0.5) * map->cell[1], ring, rows);
            if (k >= 0) {
                row[k].height += height_at(map, i, j);
                row[k].volume += 1.0; /* cells, for now */
            }
        }
    for (int k = 0; k < rows; k++) {
        row[k].height /= plu_max(row[k].volume, 1.0);
        row[k].volume =
            row[k].height * PLU_PI * (row[k].to * row[k].to - row[k].from * row[k].from);
    }
}

plu_status plu_measure_radial(plu_profile_row *row, int rows, const plu_view *view, double base,
                              const double axis[2], double ring, plu_error *err)
{
    column list[COLUMNS * COLUMNS];
    const int columns = make_columns(list);
    plu_field map;
    if (plu_measure_height(&map, view, base, ring / MAP_CELLS, err) != PLU_OK)
        return PLU_IO;
    for (int k = 0; k < rows; k++)
        row[k] = (plu_profile_row){.from = k * ring, .to = (k + 1) * ring};
    mean_heights(row, rows, &map, axis, ring);
    plu_field_free(&map);
    for (int b = 0; b < view->bodies; b++) {
        const double *x = plu_view_position(view, b), r = plu_view_radius(view, b);
        if (!plu_view_grain(view, b) || !(x[2] > base))
            continue;
        const int at = ring_of(axis, x[0], x[1], ring, rows);
        if (at >= 0)
            count_grain(&row[at], view, b);
        for (int c = 0; c < columns; c++) {
            const int k = ring_of(axis, x[0] + r * list[c].x, x[1] + r * list[c].y, ring, rows);
            if (k >= 0)
                row[k].solid += volume_of(r) * list[c].share;
        }
    }
    finish_speeds(row, rows, view);
    return PLU_OK;
}
