/* Where a bed is, and how well its species are mixed (measure/mixing.c has the numbers). Species
 * are materials; with one material, sizes, if there are two: the largest gap between neighbors in
 * the list of radii is at least 0.3 of their range, and the range 0.15 of the largest radius. The
 * split is in the middle of the gap. */
#include "cli/measure/measure_run.h"
#include "pluvia/boundary.h"
#include "pluvia/cell.h"
#include "pluvia/material.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEGREES (180.0 / 3.14159265358979323846)

/* Radii that fall into two heaps, with a gap of this share of their range between, and a range of
 * that share of the largest, are two species. */
static const double least_gap = 0.3, least_range = 0.15;

const char *const plu_species_endings[PLU_SPECIES_NUMBERS] = {"share",
                                                              "x",
                                                              "y",
                                                              "z",
                                                              "segregation_x",
                                                              "segregation_y",
                                                              "segregation_z",
                                                              "segregation_radial"};

static void add_species(plu_run_species *s, const char *name, int material)
{
    if (s->count == PLU_SPECIES)
        return;
    s->material[s->count] = material;
    snprintf(s->label[s->count], sizeof s->label[0], "%.40s: share of the mass, center x, y, z",
             name);
    for (int i = 0; i < PLU_SPECIES_NUMBERS; i++)
        snprintf(s->name[s->count][i], sizeof s->name[0][0], "%.60s_%s", name,
                 plu_species_endings[i]);
    s->count++;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* One material: small and large, if there is a gap between them. */
static void split_by_size(plu_run_species *s, double *radius, int count)
{
    double gap = 0.0;
    qsort(radius, (size_t)count, sizeof *radius, compare);
    for (int i = 1; i < count; i++)
        if (radius[i] - radius[i - 1] > gap) {
            gap = radius[i] - radius[i - 1];
            s->split = 0.5 * (radius[i] + radius[i - 1]);
        }
    const double range = count > 0 ? radius[count - 1] - radius[0] : 0.0;
    s->count = 0;
    if (count < 2 || range < least_range * radius[count - 1] || gap < least_gap * range)
        return;
    s->by_size = true;
    add_species(s, "small", -1);
    add_species(s, "large", -1);
}

plu_status plu_run_species_find(plu_run_species *s, const plu_measured_run *run, plu_error *err)
{
    plu_view view;
    bool seen[PLU_SPECIES * 8] = {false};
    *s = (plu_run_species){0};
    const plu_status status =
        plu_measured_run_view(&view, run, plu_frames_count(run->frames) - 1, err);
    if (status != PLU_OK || run->single)
        return status;
    double *radius = malloc(((size_t)view.bodies + 1) * sizeof *radius);
    int count = 0;
    for (int b = 0; radius && b < view.bodies; b++)
        if (plu_view_grain(&view, b)) {
            radius[count++] = plu_view_radius(&view, b);
            if (view.species && view.species[b] >= 0 && view.species[b] < PLU_SPECIES * 8)
                seen[view.species[b]] = true;
        }
    for (int m = 0; m < run->scene.materials_count && m < PLU_SPECIES * 8; m++)
        if (seen[m])
            add_species(s, run->scene.materials[m].name, m);
    if (s->count < 2 && radius)
        split_by_size(s, radius, count);
    free(radius);
    return radius ? PLU_OK : plu_fail(err, PLU_IO, "out of memory");
}

/* Small: 0, large: 1, as they were added. */
static int species_of(const plu_run_species *s, const plu_view *view, int body)
{
    if (s->by_size)
        return plu_view_radius(view, body) > s->split;
    for (int k = 0; k < s->count; k++)
        if (view->species && view->species[body] == s->material[k])
            return k;
    return -1;
}

static void add_mixing(plu_quantities *q, const plu_run_species *s, const plu_mixing *m)
{
    const char *const group = "mixing";
    double mass = 0.0;
    for (int k = 0; k < m->species; k++)
        mass += m->of[k].mass;
    plu_quantities_add(q, group, "lacey", "", "Lacey's index: 0 not mixed, 1 by chance", m->lacey);
    plu_quantities_add(q, group, "cells", "", "  cells that it is over", m->cells);
    for (int k = 0; k < m->species; k++) {
        const plu_mixed *x = &m->of[k];
        plu_quantities_add(q, group, s->name[k][0], "", s->label[k], x->mass / mass);
        for (int i = 0; i < 3; i++)
            plu_quantities_add(q, group, s->name[k][1 + i], "m", "", x->center[i]);
        for (int i = 0; i < 3; i++)
            plu_quantities_add(q, group, s->name[k][4 + i], "",
                               i == 0 ? "  segregation along x, y, z, outwards (-1 to 1)" : "",
                               x->segregation[i]);
        plu_quantities_add(q, group, s->name[k][7], "", "", x->radial);
    }
}

/* The axis of the first boundary that turns in a scene, that of a run or of a stage; NULL: none
 * does. */
static const double *axis_in(const plu_scene *scene)
{
    for (int b = 0; b < scene->boundaries_count; b++) {
        const plu_boundary_spec *spec = &scene->boundaries[b];
        if (spec->moves &&
            (spec->motion.rate != 0.0 || spec->motion.swing != 0.0 || *spec->motion.table))
            return spec->motion.axis;
    }
    return NULL;
}

/* The axis of the first boundary that turns at any time of the run; upright if none does. */
static const double *axis_of(const plu_measured_run *run)
{
    static const double upright[3] = {0.0, 0.0, 1.0};
    const double *axis = axis_in(&run->scene);
    for (int k = 0; !axis && k < run->scene.stages_count; k++)
        axis = axis_in(run->scene.stages[k].scene);
    return axis ? axis : upright;
}

/* Slopes that the cell does not have, and a depth without a drum, are not shown. */
static void add_surface(plu_quantities *q, const plu_measured_run *run, const plu_bed *bed)
{
    static const double level = 0.5; /* as in bed.c */
    const unsigned closed =
        run->scene.cell->given && !run->has_region ? run->scene.cell->periodic : 0;
    const bool sloped = (closed & 3u) != 3u, drum = fabs(axis_of(run)[2]) < level;
    const char *const group = "bed", *const beside = sloped ? "" : NULL;
    plu_quantities_add(q, group, "slope_x", "degrees",
                       sloped ? "slope of its surface along x, y, as a whole" : NULL,
                       bed->slope[0] * DEGREES);
    plu_quantities_add(q, group, "slope_y", "degrees", beside, bed->slope[1] * DEGREES);
    plu_quantities_add(q, group, "slope", "degrees", beside, bed->steepest * DEGREES);
    plu_quantities_add(q, group, "slope_error", "degrees",
                       sloped ? "  standard error of that" : NULL, bed->slope_error * DEGREES);
    plu_quantities_add(q, group, "flow_depth", "m",
                       drum ? "depth of the layer that flows down a drum" : NULL, bed->flow_depth);
}

static plu_status measure_mixing(plu_quantities *q, const plu_measured_run *run,
                                 const plu_view *view, plu_error *err)
{
    /* of Lacey's cells, in mean diameters: some 15 to 25 grains each */
    static const double width = 3.0;
    const plu_run_species *s = &run->species;
    plu_mixing m;
    double d = 0.0;
    int *of_body = malloc(((size_t)view->bodies + 1) * sizeof *of_body), count = 0;
    if (!of_body)
        return plu_fail(err, PLU_IO, "out of memory");
    for (int b = 0; b < view->bodies; b++) {
        of_body[b] = plu_view_grain(view, b) ? species_of(s, view, b) : -1;
        if (of_body[b] >= 0) {
            d += 2.0 * plu_view_radius(view, b);
            count++;
        }
    }
    const plu_status status =
        plu_measure_mixing(&m, view, run->has_region ? &run->region : NULL, of_body, s->count,
                           count > 0 ? width * d / count : 0.0, axis_of(run), err);
    if (status == PLU_OK)
        add_mixing(q, s, &m);
    free(of_body);
    return status;
}

plu_status plu_quantities_bed(plu_quantities *q, const plu_measured_run *run, const plu_view *view,
                              plu_error *err)
{
    static const char *const axes[] = {"x", "y", "z"};
    static const char *const extent[] = {"extent_x", "extent_y", "extent_z"};
    const char *const group = "bed";
    plu_bed bed;
    const plu_status status =
        plu_measure_bed(&bed, view, run->has_region ? &run->region : NULL, axis_of(run), err);
    if (status != PLU_OK)
        return status;
    plu_quantities_add(q, group, "mass", "kg", "mass", bed.grains > 0 ? bed.mass : NAN);
    for (int i = 0; i < 3; i++)
        plu_quantities_add(q, group, axes[i], "m", i ? "" : "center of mass x, y, z",
                           bed.center[i]);
    for (int i = 0; i < 3; i++)
        plu_quantities_add(q, group, extent[i], "m", i ? "" : "95 % of the mass are within x, y, z",
                           bed.high[i] - bed.low[i]);
    plu_quantities_add(q, group, "runout", "m", "runout: radius that holds 95 % of it", bed.runout);
    add_surface(q, run, &bed);
    return run->species.count > 1 ? measure_mixing(q, run, view, err) : PLU_OK;
}
