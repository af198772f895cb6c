/* pluvia measure --field: maps and profiles of one frame as CSV.
 *
 *   height     x_m,y_m,height_m                   the surface of the heap
 *   packing    x_m,y_m,z_m,solid_fraction         of boxes that fill the region
 *   radial     rings around the axis of the heap radius_from_m,radius_to_m,spheres,...,height_m,...
 *   vertical   layers of the region               z_from_m,z_to_m,spheres,...
 *   forces     from,to,density                    normal forces over their mean, in steps of 1/4
 *   grains     a row for each grain (measure_grains.c)
 *   residence  a row for each stay (measure_residence.c)
 *
 * In a periodic cell space is unfolded first: images of spheres beyond its sides are added as far
 * as the cells reach, so that what is cut at a side counts on both. The limits on the number of
 * cells keep a mistyped --cell from filling the memory. */
#include "cli/measure/measure_run.h"
#include "pluvia/cell.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 20000000, MOST_RINGS = 4096, MOST_LAYERS = 1000000 };

typedef struct request {
    const plu_measured_run *run;
    const plu_view *view, *heap; /* unfolded */
    plu_region region;
    double base; /* m */
    bool chosen; /* the width of cells was */
    double cell; /* m */
} request;

/* Centers of cells, the first axis fastest. */
static void print_cells(FILE *out, const plu_field *f, const char *name)
{
    const bool map = strcmp(name, "height") == 0;
    fprintf(out, map ? "x_m,y_m,height_m\n" : "x_m,y_m,z_m,solid_fraction\n");
    for (int k = 0; k < f->size[2]; k++)
        for (int j = 0; j < f->size[1]; j++)
            for (int i = 0; i < f->size[0]; i++) {
                fprintf(out, "%.15g,%.15g,", f->origin[0] + (i + 0.5) * f->cell[0],
                        f->origin[1] + (j + 0.5) * f->cell[1]);
                if (!map)
                    fprintf(out, "%.15g,", f->origin[2] + (k + 0.5) * f->cell[2]);
                fprintf(out, "%.9g\n",
                        f->value[((size_t)k * (size_t)f->size[1] + (size_t)j) * (size_t)f->size[0] +
                                 (size_t)i]);
            }
}

/* Cells along one axis of the region, at least as wide as asked for. */
static int cells(const request *r, int axis)
{
    const double n = floor((r->region.upper[axis] - r->region.lower[axis]) / r->cell + 1e-9);
    return n > 1.0 ? (n < MOST_CELLS ? (int)n : MOST_CELLS) : 1;
}

/* The map has wider cells than it was asked for where there would be too many of them. */
static plu_status height(FILE *out, const request *r, plu_error *err)
{
    plu_field f;
    plu_status status = plu_measure_height(&f, r->heap, r->base, r->cell, err);
    if (status != PLU_OK)
        return status;
    if (r->chosen && f.cell[0] > r->cell)
        status = plu_fail(err, PLU_USAGE,
                          "option --cell: cells of %g m give too many cells; choose wider ones, of "
                          "%.3g m at least",
                          r->cell, 1.01 * f.cell[0]);
    else
        print_cells(out, &f, "height");
    plu_field_free(&f);
    return status;
}

static plu_status packing(FILE *out, const request *r, plu_error *err)
{
    plu_field f;
    const int size[3] = {cells(r, 0), cells(r, 1), cells(r, 2)};
    if ((double)size[0] * size[1] * size[2] > MOST_CELLS)
        return plu_fail(err, PLU_USAGE,
                        "option --cell: %d x %d x %d cells of %g m are too many; choose wider ones "
                        "or a --region",
                        size[0], size[1], size[2], r->cell);
    const plu_status status = plu_measure_packing(&f, r->view, &r->region, size, err);
    if (status == PLU_OK) {
        print_cells(out, &f, "packing");
        plu_field_free(&f);
    }
    return status;
}

static void print_rows(FILE *out, const plu_profile_row *row, int rows, bool radial)
{
    fprintf(out, "%s,spheres,solid_m3,volume_m3,solid_fraction,%sspeed_m_per_s\n",
            radial ? "radius_from_m,radius_to_m" : "z_from_m,z_to_m", radial ? "height_m," : "");
    for (int k = 0; k < rows; k++) {
        fprintf(out, "%.9g,%.9g,%d,%.9g,%.9g,", row[k].from, row[k].to, row[k].grains, row[k].solid,
                row[k].volume);
        if (row[k].volume > 0.0)
            fprintf(out, "%.9g", row[k].solid / row[k].volume);
        fputc(',', out);
        if (radial)
            fprintf(out, "%.9g,", row[k].height);
        if (!isnan(row[k].speed))
            fprintf(out, "%.9g", row[k].speed);
        fputc('\n', out);
    }
}

/* Rings up to the corner of the region that is farthest from the axis. */
static double rings(const request *r, const double axis[2])
{
    double largest = 0.0;
    for (int i = 0; i < 4; i++)
        largest = fmax(largest, hypot((i & 1 ? r->region.upper : r->region.lower)[0] - axis[0],
                                      (i & 2 ? r->region.upper : r->region.lower)[1] - axis[1]));
    return fmax(ceil(largest / r->cell), 1.0);
}

/* Rings are around the axis of the heap, which plu_measure_repose finds. */
static plu_status profile(FILE *out, const request *r, bool radial, plu_error *err)
{
    plu_repose repose;
    plu_status status = plu_measure_repose(&repose, r->heap, r->base, r->run->sectors, err);
    if (status == PLU_OK && radial && isnan(repose.axis[0]))
        status = plu_fail(err, PLU_BAD_INPUT, "%s: no sphere lies on the base at t = %g s",
                          r->run->path, r->view->time);
    if (status != PLU_OK)
        return status;
    const double wanted = radial ? rings(r, repose.axis) : cells(r, 2);
    if (wanted > (radial ? MOST_RINGS : MOST_LAYERS))
        return plu_fail(err, PLU_USAGE,
                        "option --cell: %.0f %s of %g m are too many; choose wider ones", wanted,
                        radial ? "rings" : "layers", r->cell);
    const int rows = (int)wanted;
    plu_profile_row *row = calloc((size_t)rows, sizeof *row);
    if (!row)
        return plu_fail(err, PLU_IO, "out of memory: %d rows of a profile", rows);
    status = radial ? plu_measure_radial(row, rows, r->heap, r->base, repose.axis, r->cell, err)
                    : plu_measure_vertical(row, rows, r->view, &r->region, err);
    if (status == PLU_OK)
        print_rows(out, row, rows, radial);
    free(row);
    return status;
}

static void forces(FILE *out, const request *r)
{
    plu_contact_numbers n;
    plu_measure_contacts(&n, r->view, r->run->has_region ? &r->run->region : NULL);
    fprintf(out, "from,to,density\n");
    for (int k = 0; k < PLU_FORCE_BINS; k++)
        fprintf(out, "%.9g,%.9g,%.9g\n", 0.25 * k, 0.25 * (k + 1), n.density[k]);
}

/* `r` has the view of an open space. */
static plu_status choose(FILE *out, const request *r, const char *field, plu_error *err)
{
    if (strcmp(field, "height") == 0)
        return height(out, r, err);
    if (strcmp(field, "packing") == 0)
        return packing(out, r, err);
    if (strcmp(field, "radial") == 0 && r->run->scene.cell->given)
        return plu_fail(err, PLU_BAD_INPUT,
                        "%s: option --field: a periodic cell has no center for rings; use height, "
                        "vertical or packing",
                        r->run->path);
    if (strcmp(field, "radial") == 0 || strcmp(field, "vertical") == 0)
        return profile(out, r, field[0] == 'r', err);
    if (strcmp(field, "forces") == 0) {
        forces(out, r);
        return PLU_OK;
    }
    return plu_fail(
        err, PLU_USAGE,
        "option --field: \"%s\" is not one of height, radial, vertical, packing, forces, grains, "
        "residence",
        field);
}

/* Around what is cut: a map has cells that reach beyond it. */
static plu_region widened(const request *r)
{
    plu_region region = r->region;
    for (int k = 0; k < 3; k++) {
        region.lower[k] -= r->cell;
        region.upper[k] += r->cell;
    }
    return region;
}

/* `view` and `heap` are of the frame. */
static plu_status measure_field(FILE *out, const plu_measured_run *run, const char *field,
                                const plu_view *view, const plu_heap *heap, double cell,
                                plu_error *err)
{
    plu_unfolded all = {0}, of_heap = {0};
    request r = {.run = run,
                 .view = view,
                 .heap = &heap->view,
                 .region = run->has_region ? run->region : plu_measure_bounds(view, heap->base),
                 .chosen = cell > 0.0,
                 .cell = cell > 0.0 ? cell : plu_view_diameter(view)};
    const bool of_grains = strcmp(field, "grains") == 0;
    const bool of_forces = strcmp(field, "forces") == 0;
    if ((of_forces || of_grains) && view->contacts < 0)
        return plu_fail(err, PLU_BAD_INPUT,
                        "%s: the file contains no contacts (output.contacts = true writes them)",
                        run->path);
    if (of_grains)
        return plu_measure_grains_field(out, run, view, err);
    r.base = isnan(heap->base) ? r.region.lower[2] : heap->base;
    if (!(r.region.upper[2] > r.region.lower[2]))
        return plu_fail(err, PLU_BAD_INPUT, "%s: no sphere above the base at t = %g s", run->path,
                        view->time);
    if (of_forces && !run->has_region)
        return choose(out, &r, field, err);
    const plu_region around = widened(&r);
    plu_status status = plu_view_unfold(&all, view, &around, err);
    if (status == PLU_OK)
        status = plu_view_unfold(&of_heap, &heap->view, &around, err);
    r.view = &all.view;
    r.heap = &of_heap.view;
    if (status == PLU_OK)
        status = choose(out, &r, field, err);
    plu_unfolded_free(&all);
    plu_unfolded_free(&of_heap);
    return status;
}

plu_status plu_measure_field(FILE *out, const plu_measured_run *run, const char *field, long k,
                             double cell, plu_error *err)
{
    plu_view view;
    plu_heap heap = {0};
    if (strcmp(field, "residence") == 0)
        return plu_measure_residence(out, run, k, err);
    plu_status status = plu_measured_run_view(&view, run, k, err);
    if (status == PLU_OK)
        status = plu_heap_find(&heap, &view, run->base, err);
    if (status == PLU_OK)
        status = measure_field(out, run, field, &view, &heap, cell, err);
    plu_heap_free(&heap);
    return status;
}
