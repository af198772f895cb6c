/* The grains of a frame in a region: which they are, and numbers of single ones: over all of them,
 * and as a table of one frame. */
#include "cli/measure/measure_run.h"
#include "pluvia/grains.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool holds(const plu_measured_run *run, const plu_view *view, int b)
{
    return plu_region_holds(run->has_region ? &run->region : NULL, plu_view_position(view, b));
}

/* The numbers of all bodies of the view; the caller frees them. NULL: no memory. */
static plu_grain *take(const plu_view *view, plu_error *err)
{
    plu_grain *grain = calloc((size_t)view->bodies + 1, sizeof *grain);
    if (grain)
        plu_grains_add(grain, view, false);
    else
        plu_fail(err, PLU_IO, "out of memory: %d bodies", view->bodies);
    return grain;
}

typedef struct sums {
    int grains, coordination;
    double pressure, square, pressure_largest, dissipation_largest;
} sums;

static void add(sums *s, const plu_grain *g)
{
    const double p = plu_grain_pressure(g);
    s->grains++;
    s->pressure += p;
    s->square += p * p;
    s->pressure_largest = s->grains == 1 ? p : fmax(s->pressure_largest, p);
    s->coordination = g->coordination > s->coordination ? g->coordination : s->coordination;
    if (isnan(g->dissipation) || g->dissipation > s->dissipation_largest)
        s->dissipation_largest = g->dissipation;
}

plu_status plu_quantities_grains(plu_quantities *q, const plu_measured_run *run,
                                 const plu_view *view, plu_error *err)
{
    const char *const group = "grains";
    sums s = {0};
    plu_grain *grain = take(view, err);
    if (!grain)
        return PLU_IO;
    for (int b = 0; b < view->bodies; b++)
        if (plu_view_grain(view, b) && holds(run, view, b))
            add(&s, &grain[b]);
    free(grain);
    const double n = view->contacts < 0 ? NAN : s.grains, mean = s.pressure / n;
    const double variance = fmax(s.square / n - mean * mean, 0.0), known = n > 0.0 ? 0.0 : NAN;
    plu_quantities_add(q, group, "pressure_mean", "Pa", "pressure in grains: mean, largest",
                       n > 0.0 ? mean : NAN);
    plu_quantities_add(q, group, "pressure_max", "Pa", "", s.pressure_largest + known);
    plu_quantities_add(q, group, "pressure_spread", "", "  standard deviation / mean",
                       n > 0.0 ? sqrt(variance) / mean : NAN);
    plu_quantities_add(q, group, "coordination_max", "", "contacts of a grain, at most",
                       s.coordination + known);
    plu_quantities_add(q, group, "dissipation_max", "W", "dissipation at a grain, at most",
                       s.dissipation_largest + known);
    return PLU_OK;
}

static void print(FILE *out, const plu_view *view, int b, const plu_grain *g)
{
    const double *x = plu_view_position(view, b);
    fprintf(out, "%d,%.15g,%.15g,%.15g,%.9g,%d,%.9g", b, x[0], x[1], x[2], plu_view_radius(view, b),
            g->coordination, plu_grain_pressure(g));
    for (int i = 0; i < 9; i++)
        fprintf(out, ",%.9g", g->stress[i / 3][i % 3]);
    if (isnan(g->dissipation))
        fprintf(out, ",\n");
    else
        fprintf(out, ",%.9g\n", g->dissipation);
}

plu_status plu_measure_grains_field(FILE *out, const plu_measured_run *run, const plu_view *view,
                                    plu_error *err)
{
    plu_grain *grain = take(view, err);
    if (!grain)
        return PLU_IO;
    fprintf(out, "id,x_m,y_m,z_m,radius_m,coordination,pressure_Pa,sxx_Pa,sxy_Pa,sxz_Pa,syx_Pa,"
                 "syy_Pa,syz_Pa,szx_Pa,szy_Pa,szz_Pa,dissipation_W\n");
    for (int b = 0; b < view->bodies; b++)
        if (plu_view_active(view, b) && holds(run, view, b))
            print(out, view, b, &grain[b]);
    free(grain);
    return PLU_OK;
}

/* What is measured: the bodies of a frame, a region. */

plu_status plu_measured_run_view(plu_view *view, const plu_measured_run *run, long k,
                                 plu_error *err)
{
    plu_frame_data frame;
    const plu_status status = plu_frames_read(run->frames, k, &frame, err);
    if (status == PLU_OK && run->stages.count > 0)
        plu_scene_enter(run->entered, run->stages.of[k], run->stages.begun);
    if (status == PLU_OK)
        *view = plu_view_frame(&frame, &run->scene);
    if (status == PLU_OK && view->cell.given)
        plu_cell_rates(run->scene.cell, (const double(*)[3])view->cell.edge, view->cell_rate);
    return status;
}

plu_status plu_region_argument(const plu_arguments *arguments, int option, plu_region *region,
                               plu_error *err)
{
    double box[6];
    const plu_status status = plu_argument_numbers(arguments, option, 6, box, err);
    for (int i = 0; status == PLU_OK && i < 3; i++)
        if (!(box[i] < box[i + 3]))
            return plu_fail(err, PLU_USAGE, "option --%s: the box is empty",
                            arguments->command->options[option].name);
    if (status == PLU_OK) {
        memcpy(region->lower, box, sizeof region->lower);
        memcpy(region->upper, box + 3, sizeof region->upper);
    }
    return status;
}
