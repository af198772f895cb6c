/* pluvia fields: continuous fields from a trajectory, by coarse graining (measure/coarse.c: the
 * formulas). Means over frames are of sums, on one grid for all: that of the last frame, or of the
 * region.
 *
 *      [ . . . . . ]   nodes at the spacing w / 2 from -2 w to +2 w around the spheres: a grain is
 *     -2w         +2w  spread over 2 w around its center, so that the fields hold the whole mass
 *
 * Grains of other frames that reach beyond the nodes are weighed, and a warning gives their share.
 */
#include "cli/measure/fields.h"
#include "cli/base/commands.h"
#include "cli/base/run_scene.h"
#include "cli/base/text.h"
#include "cli/measure/measure_run.h"
#include "cli/measure/statistics.h"
#include "pluvia/tool/output.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ALONG, WIDTH, SPACING, AT, FROM, TO, STAGE, REGION, MATERIAL, OUTPUT, FORCE };

static const plu_option options[] = {
    [ALONG] = {0, "along", "AXES", "z",
               "the directions in which the fields vary: x, y, z, xy, xz, yz or\n"
               "xyz; over the others they are means"},
    [WIDTH] = {0, "width", "M", NULL,
               "width w of the coarse graining (m): a grain is spread over 2 w\n"
               "around its center; default: the largest diameter"},
    [SPACING] = {0, "spacing", "M", NULL, "distance of the nodes (m); default: w / 2"},
    [AT] = {0, "at", "T", NULL, "the frame nearest to this time (s); default: the last one"},
    [FROM] = {0, "from", "T", NULL, "means over the frames from this time on (s)"},
    [TO] = {0, "to", "T", NULL, "... and up to this time (s)"},
    [STAGE] = {0, "stage", "NAME", NULL,
               "means over the frames of a stage, by its name or number from 0;\n"
               "--from and --to then count from its beginning"},
    [REGION] = {0, "region", "BOX", NULL,
                "only this box, X0,Y0,Z0,X1,Y1,Z1 (m); default: the periodic cell, or\n"
                "the box around the spheres of the last frame, with nodes up to 2 w\n"
                "beyond it, so that the fields hold the whole mass"},
    [MATERIAL] = {0, "material", "NAME", NULL,
                  "only spheres of this material; their contacts count by half"},
    [OUTPUT] = {'o', "output", "FILE", NULL,
                "FILE.csv or FILE.vti (VTK image); default: standard output, CSV"},
    [FORCE] = PLU_OPTION_FORCE,
};

typedef struct task {
    const plu_arguments *arguments;
    plu_measured_run run;
    long from, to; /* frames, `to` not included */
    int material;  /* -1: all */
    plu_coarse_grid grid;
    plu_coarse fields;
    bool closes[3];      /* along axes of nodes: a periodic cell goes on there */
    double mass, beyond; /* kg: of all frames; of what the box of the last one leaves out */
} task;

/* Each letter once. */
static plu_status read_axes(task *t, plu_error *err)
{
    const char *axes = plu_argument(t->arguments, ALONG);
    bool fine = axes[0] != '\0';
    for (const char *c = axes; *c && fine; c++) {
        fine = strchr("xyz", *c) && !t->grid.along[*c - 'x'];
        if (fine)
            t->grid.along[*c - 'x'] = true;
    }
    return fine ? PLU_OK
                : plu_fail(err, PLU_USAGE,
                           "option --along: \"%s\" is none of x, y, z, xy, xz, yz, xyz", axes);
}

static plu_status choose_frames(task *t, plu_error *err)
{
    const plu_frames *frames = t->run.frames;
    const plu_arguments *a = t->arguments;
    const bool windowed = plu_argument_given(a, FROM) || plu_argument_given(a, TO);
    const bool staged = plu_argument_given(a, STAGE), one = plu_argument_given(a, AT);
    if (one && (windowed || staged))
        return plu_fail(err, PLU_USAGE, "options --at and %s exclude each other",
                        staged ? "--stage" : "--from, --to");
    plu_status status = PLU_OK;
    plu_window window;
    t->from = plu_frames_count(frames) - 1;
    if (one)
        status = plu_frame_argument(a, AT, frames, t->run.path, &t->from, err);
    t->to = t->from + 1;
    if (status == PLU_OK)
        status = plu_window_arguments(a, FROM, TO, &window, err);
    if (status == PLU_OK && staged)
        status = plu_run_stages_window(&t->run.stages, &t->run.scene, plu_argument(a, STAGE),
                                       &window, frames, err);
    if (status == PLU_OK && (windowed || staged))
        status = plu_window_frames(&window, frames, t->run.path, &t->from, &t->to, err);
    return status;
}

static plu_status find_material(task *t, plu_error *err)
{
    const char *name = plu_argument(t->arguments, MATERIAL);
    t->material = -1;
    if (!plu_argument_given(t->arguments, MATERIAL))
        return PLU_OK;
    t->material = plu_scene_material(&t->run.scene, name);
    return t->material >= 0 ? PLU_OK
                            : plu_fail(err, PLU_USAGE,
                                       "option --material: the scene has no material \"%s\"", name);
}

/* PLU_COARSE_NODES bounds the memory of a mistyped --spacing. */
static plu_status make_grid(task *t, plu_error *err)
{
    plu_view view;
    plu_coarse_grid *g = &t->grid;
    plu_status status = plu_measured_run_view(&view, &t->run, t->to - 1, err);
    if (status != PLU_OK)
        return status;
    const double d = plu_view_diameter(&view);
    const bool given = plu_argument_given(t->arguments, REGION);
    double spacing = 0.0;
    g->over = plu_measure_bounds(&view, NAN);
    g->width = d;
    if (given)
        status = plu_region_argument(t->arguments, REGION, &g->over, err);
    if (status == PLU_OK && plu_argument_given(t->arguments, WIDTH))
        status = plu_argument_positive(t->arguments, WIDTH, &g->width, err);
    if (status == PLU_OK && plu_argument_given(t->arguments, SPACING))
        status = plu_argument_positive(t->arguments, SPACING, &spacing, err);
    if (status != PLU_OK)
        return status;
    if (!(d > 0.0))
        return plu_fail(err, PLU_BAD_INPUT, "%s: no sphere at t = %g s", t->run.path, view.time);
    for (int i = 0; i < 3; i++)
        t->closes[i] = view.cell.given && view.cell.periodic[i] && !given;
    const double nodes =
        plu_coarse_place(g, &view.cell, spacing > 0.0 ? spacing : 0.5 * g->width, given);
    return nodes <= PLU_COARSE_NODES
               ? PLU_OK
               : plu_fail(err, PLU_USAGE, "option --spacing: these are %.3g nodes; at most %d",
                          nodes, PLU_COARSE_NODES);
}

/* Which bodies of a view are of the material; NULL and PLU_OK: all. */
static plu_status choose_bodies(const task *t, const plu_view *view, bool **counts, plu_error *err)
{
    *counts = NULL;
    if (t->material < 0)
        return PLU_OK;
    *counts = calloc((size_t)view->bodies + 1, sizeof **counts);
    if (!*counts || !view->species)
        return plu_fail(err, *counts ? PLU_BAD_INPUT : PLU_IO,
                        *counts ? "%s: the file does not say of what material spheres are"
                                : "%s: out of memory",
                        t->run.path);
    for (int b = 0; b < view->bodies; b++)
        (*counts)[b] = view->species[b] == t->material;
    return PLU_OK;
}

/* Whether the fields hold the whole of a grain at x: all nodes over which it is spread are there.
 */
static bool held(const task *t, const double x[3])
{
    const plu_coarse_grid *g = &t->grid;
    for (int i = 0; i < 3; i++) {
        const double last = g->origin[i] + (g->size[i] - 1) * g->spacing[i];
        if (t->closes[i])
            continue;
        if (g->along[i] ? x[i] - 2.0 * g->width < g->origin[i] - 1e-9 * g->width ||
                              x[i] + 2.0 * g->width > last + 1e-9 * g->width
                        : x[i] < g->over.lower[i] || x[i] >= g->over.upper[i])
            return false;
    }
    return true;
}

/* Grains of other frames may lie outside the box around those of the last one. */
static void weigh(task *t, const plu_view *view)
{
    for (int b = 0; b < view->bodies; b++)
        if (view->state[b] == PLU_ACTIVE) {
            const double mass = plu_view_mass(view, b);
            t->mass += mass;
            t->beyond += held(t, plu_view_position(view, b)) ? 0.0 : mass;
        }
}

static void warn_of_mass(const task *t)
{
    if (!plu_argument_given(t->arguments, REGION) && t->beyond > 0.0)
        plu_message(
            "%s: the box around the spheres of the last frame leaves out up to %.2g %% of the mass "
            "of these frames; --region chooses a larger one",
            t->run.path, 100.0 * t->beyond / t->mass);
}

static plu_status add_frame(task *t, long k, plu_error *err)
{
    plu_view view;
    plu_unfolded unfolded = {0};
    bool *counts = NULL;
    plu_status status = plu_measured_run_view(&view, &t->run, k, err);
    if (status != PLU_OK)
        return status;
    weigh(t, &view);
    const plu_region reach = plu_coarse_reach(&t->grid);
    status = plu_view_unfold(&unfolded, &view, &reach, err);
    if (status == PLU_OK)
        status = choose_bodies(t, &unfolded.view, &counts, err);
    if (status == PLU_OK)
        plu_coarse_add(&t->fields, &unfolded.view, counts);
    free(counts);
    plu_unfolded_free(&unfolded);
    return status;
}

static bool ends_with(const char *path, const char *ending)
{
    const size_t length = path ? strlen(path) : 0, tail = strlen(ending);
    return length > tail && strcmp(path + length - tail, ending) == 0;
}

static bool wants_image(const char *path)
{
    return ends_with(path, ".vti");
}

/* Whether the file may be written; the ending of its name chooses the format. */
static plu_status check_output(const plu_arguments *arguments, const plu_output_rule *rule,
                               plu_error *err)
{
    const char *path = plu_argument(arguments, OUTPUT);
    const plu_status status = path ? plu_output_check(path, rule, err) : PLU_OK;
    if (status != PLU_OK || !path || ends_with(path, ".csv") || wants_image(path) ||
        plu_output_goes_through(path))
        return status;
    return plu_fail(
        err, PLU_USAGE,
        "option --output: \"%s\": the name must end in .csv (a table) or .vti (an image "
        "for ParaView)",
        path);
}

static plu_output_rule rule_of(const plu_arguments *arguments)
{
    return (plu_output_rule){
        .kind = wants_image(plu_argument(arguments, OUTPUT)) ? PLU_OUTPUT_OTHER : PLU_OUTPUT_TABLE,
        .force = plu_argument_given(arguments, FORCE),
        .inputs = arguments->operands,
        .inputs_count = arguments->operands_count};
}

static plu_status write_fields(task *t, plu_error *err)
{
    const char *path = plu_argument(t->arguments, OUTPUT);
    const plu_output_rule rule = rule_of(t->arguments);
    plu_output output = {.stream = NULL};
    FILE *out = stdout;
    plu_status status = path ? plu_output_begin(&output, path, &rule, err) : PLU_OK;
    if (status == PLU_OK && path && !(out = plu_output_stream(&output, err)))
        status = PLU_IO;
    if (status == PLU_OK && wants_image(path))
        plu_fields_vti(out, &t->fields);
    else if (status == PLU_OK)
        plu_fields_csv(out, &t->fields);
    return plu_output_end(&output, status, err);
}

static int run_fields(const plu_arguments *arguments)
{
    plu_error err = {0};
    task t = {.arguments = arguments};
    const plu_output_rule rule = rule_of(arguments);
    plu_status status = check_output(arguments, &rule, &err);
    if (status == PLU_OK)
        status = read_axes(&t, &err);
    if (status == PLU_OK)
        status = plu_measured_run_open(&t.run, arguments->operands[0], &err);
    if (status == PLU_OK)
        status = choose_frames(&t, &err);
    if (status == PLU_OK)
        status = find_material(&t, &err);
    if (status == PLU_OK)
        status = make_grid(&t, &err);
    if (status == PLU_OK)
        status = plu_coarse_begin(&t.fields, &t.grid, &err);
    for (long k = t.from; status == PLU_OK && k < t.to; k++)
        status = add_frame(&t, k, &err);
    if (status == PLU_OK)
        status = write_fields(&t, &err);
    if (status == PLU_OK)
        warn_of_mass(&t);
    plu_coarse_free(&t.fields);
    plu_measured_run_close(&t.run);
    if (status != PLU_OK)
        plu_message_error(&err);
    return (int)status;
}

const plu_command plu_command_fields = {
    .name = "fields",
    .operands = "FILE.h5md",
    .least = 1,
    .most = 1,
    .summary = "density, velocity, stress and temperature as continuous fields",
    .examples = "pluvia fields output/chute.h5md --along z --from 2 -o profile.csv\n"
                "pluvia fields output/pile.h5md --along xz --width 0.04 -o pile.vti",
    .notes =
        "Coarse graining (Goldhirsch, Granular Matter 12, 239, 2010): grains and the lines from\n"
        "their centers to their contacts are spread over 2 w by Lucy's polynomial, so that mass "
        "and\n"
        "momentum are conserved exactly. Compression is positive; contact_stress_xz is the force\n"
        "along x over the area normal to z. Stresses and fabric need output.contacts = true. Near "
        "a\n"
        "wall or a surface fields fade within 2 w. Meaning and units: include/pluvia/coarse.h.",
    .options = options,
    .options_count = sizeof options / sizeof *options,
    .run = run_fields,
};
