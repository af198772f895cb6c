/* pluvia measure: numbers from a trajectory.
 *
 *   words           what is measured                          printed by
 *   (none), --at    one frame                                 print_frames
 *   --every         all frames, or those of a window          print_frames
 *   --from, --to    statistics of all numbers over frames     print_statistics (measure_series.c)
 *   --field         a map or a profile of one frame           print_field (measure_field.c)
 *
 * Numbers of a frame are a list of (group, name, unit, label, value), which measure_run.c fills
 * and quantities.c prints as text, JSON or columns. A file with one sphere is measured as a
 * rolling sphere, with the phases of its motion. */
#include "cli/base/commands.h"
#include "cli/base/text.h"
#include "cli/measure/measure_run.h"
#include "cli/measure/measure_series.h"
#include "pluvia/tool/output.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    AT,
    EVERY,
    FROM,
    TO,
    STAGE,
    JSON,
    CSV,
    COLUMNS,
    FIELD,
    CELL,
    REGION,
    BASE,
    SECTORS,
    OUTPUT,
    FORCE
};

static const plu_option options[] = {
    [AT] = {0, "at", "T", NULL, "the frame nearest to this time (s); default: the last one"},
    [EVERY] = {0, "every", NULL, NULL, "a series: all frames, as CSV or JSON"},
    [FROM] = {0, "from", "T", NULL,
              "mean, standard error, standard deviation, least, largest, slope, rate\n"
              "of all numbers over the frames from this time on (s)"},
    [TO] = {0, "to", "T", NULL, "... and up to this time (s); with --every: the series between"},
    [STAGE] = {0, "stage", "NAME", NULL,
               "the frames of a stage, by its name or number from 0; --from and --to\n"
               "then count from its beginning"},
    [JSON] = {0, "json", NULL, NULL, "one JSON object"},
    [CSV] = {0, "csv", NULL, NULL, "a table with one row per frame, or per number (--from, --to)"},
    [COLUMNS] = {0, "columns", "A,B,...", NULL,
                 "columns of the table, for example \"run.time,pile.height\""},
    [FIELD] = {0, "field", "height|radial|vertical|packing|forces|grains|residence", NULL,
               "a field of one frame, as CSV: height, radial, vertical, packing,\n"
               "forces, or grains: stress, dissipation and contacts of each; or\n"
               "residence: how long each stayed in the region, up to that frame"},
    [CELL] = {0, "cell", "M", NULL, "width of its cells (m); default: the largest diameter"},
    [REGION] = {0, "region", "BOX", NULL,
                "measures only spheres and contacts in the box X0,Y0,Z0,X1,Y1,Z1 (m);\n"
                "its volume is that of the part within tubes, cones, planes and boxes;\n"
                "energy and solver are those of the whole run"},
    [BASE] = {0, "base", "Z", NULL, "level of the plate (m); default: that of what carries most"},
    [SECTORS] = {0, "sectors", "N", "24",
                 "angle of repose: its error is from N sectors around the middle,\n1 to 36"},
    [OUTPUT] = {'o', "output", "FILE", NULL,
                "file for a table or a field; default: standard output"},
    [FORCE] = PLU_OPTION_FORCE,
};

static plu_status read_settings(const plu_arguments *arguments, plu_measured_run *run,
                                plu_error *err)
{
    long sectors;
    plu_status status = plu_argument_integer(arguments, SECTORS, 1, PLU_SECTORS, &sectors, err);
    if (status == PLU_OK && plu_argument_given(arguments, BASE)) {
        status = plu_argument_numbers(arguments, BASE, 1, &run->base, err);
        run->heaps = true;
    }
    if (status != PLU_OK)
        return status;
    run->sectors = (int)sectors;
    run->has_region = plu_argument_given(arguments, REGION);
    if (!run->has_region)
        return PLU_OK;
    return plu_region_argument(arguments, REGION, &run->region, err);
}

/* Bit 0: slides, bit 1: turns (plu_roll_phase). */
static const char *mode_name(int mode)
{
    static const char *const names[] = {"rests or spins about the normal", "slides", "rolls",
                                        "slides and rolls"};
    return names[mode & 3];
}

static void print_phases(FILE *out, const plu_rolling *r)
{
    fprintf(out, "\nmotion                        from        to   |r_T|/r_N   |m_R|/r_N\n");
    for (int i = 0; i < r->phases_count; i++) {
        const plu_roll_phase *p = &r->phases[i];
        fprintf(out, "  %-19s %9.6f s %9.6f s",
                i + 1 == r->phases_count && !p->mode ? "rests" : mode_name(p->mode), p->from,
                p->to);
        if (isnan(p->friction))
            fprintf(out, "           -           -\n");
        else
            fprintf(out, "  %10.7f  %10.7f m\n", p->friction, p->moment);
    }
}

static void json_phases(const plu_rolling *r)
{
    plu_json_key("phases", false);
    printf("[");
    for (int i = 0; i < r->phases_count; i++) {
        const plu_roll_phase *p = &r->phases[i];
        printf("%s{", i ? ", " : "");
        plu_json_key("slides", true);
        printf(p->mode & PLU_ROLL_SLIDES ? "true" : "false");
        plu_json_bool("turns", p->mode & PLU_ROLL_TURNS);
        plu_json_real("from", p->from, false);
        plu_json_real("to", p->to, false);
        plu_json_real("friction_ratio", p->friction, false);
        plu_json_real("moment_ratio", p->moment, false);
        printf("}");
    }
    printf("]");
}

static void print_screen(FILE *out, const plu_measured_run *run, const plu_quantities *q, long k)
{
    fprintf(out, "%s: %s\n", run->path, run->scene.title);
    fprintf(out, "frame %ld of %ld, t = %g s\n", k + 1, plu_frames_count(run->frames),
            plu_frames_time(run->frames, k));
    if (run->has_region) {
        const double *a = run->region.lower, *b = run->region.upper;
        fprintf(out,
                "region %g,%g,%g to %g,%g,%g m: pile, contacts, fabric and stress hold for the "
                "region;\n"
                "run, energy and solver for all\n",
                a[0], a[1], a[2], b[0], b[1], b[2]);
    }
    plu_quantities_text(out, q);
    if (run->single)
        print_phases(out, &run->rolling);
}

static void json_begin(const plu_measured_run *run)
{
    printf("{");
    plu_json_key("path", true);
    plu_json_string(run->path);
    plu_json_text("title", run->scene.title);
    plu_json_integer("frames", plu_frames_count(run->frames));
    if (run->single)
        json_phases(&run->rolling);
}

typedef struct task {
    const plu_arguments *arguments;
    const plu_measured_run *run;
    FILE *out;
    long from, to; /* frames */
} task;

plu_status plu_measured_run_json(const plu_measured_run *run, plu_error *err)
{
    plu_quantities q;
    const plu_status status =
        plu_measured_run_frame(&q, run, plu_frames_count(run->frames) - 1, err);
    if (status != PLU_OK)
        return status;
    json_begin(run);
    plu_json_key("frame", false);
    plu_quantities_json(&q);
    printf("}\n");
    return PLU_OK;
}

/* Frames from `from` to `to` (not included), each with all its numbers. */
static plu_status print_frames(const task *t, plu_error *err)
{
    const bool json = plu_argument_given(t->arguments, JSON);
    const bool every = plu_argument_given(t->arguments, EVERY);
    const bool csv = !json && (every || plu_argument_given(t->arguments, CSV) ||
                               plu_argument_given(t->arguments, COLUMNS));
    const char *columns = plu_argument(t->arguments, COLUMNS);
    plu_quantities q = {.count = 0};
    bool known[PLU_QUANTITIES] = {false};
    for (long k = t->from; k < t->to; k++) {
        plu_status status = plu_measured_run_frame(&q, t->run, k, err);
        if (status == PLU_OK && csv && k == t->from)
            status = plu_quantities_header(t->out, &q, columns, err);
        if (status != PLU_OK)
            return status;
        if (json && k == t->from) {
            json_begin(t->run);
            plu_json_key(every ? "series" : "frame", false);
            printf(every ? "[" : "");
        }
        if (csv)
            plu_quantities_row(t->out, &q, columns, known);
        else if (!json)
            print_screen(t->out, t->run, &q, k);
        if (json)
            printf("%s", k > t->from ? ", " : "");
        if (json)
            plu_quantities_json(&q);
    }
    if (json)
        printf(every ? "]}\n" : "}\n");
    if (csv && columns)
        plu_quantities_all_missing(&q, columns, known);
    return PLU_OK;
}

static plu_status print_field(const task *t, plu_error *err)
{
    double cell = 0.0;
    if (plu_argument_given(t->arguments, CELL)) {
        const plu_status status = plu_argument_positive(t->arguments, CELL, &cell, err);
        if (status != PLU_OK)
            return status;
    }
    return plu_measure_field(t->out, t->run, plu_argument(t->arguments, FIELD), t->to - 1, cell,
                             err);
}

static bool has_window(const plu_arguments *arguments)
{
    return plu_argument_given(arguments, FROM) || plu_argument_given(arguments, TO) ||
           plu_argument_given(arguments, STAGE);
}

static plu_status window_of(const task *t, plu_window *window, plu_error *err)
{
    const char *stage = plu_argument(t->arguments, STAGE);
    const plu_status status = plu_window_arguments(t->arguments, FROM, TO, window, err);
    return status == PLU_OK && stage ? plu_run_stages_window(&t->run->stages, &t->run->scene, stage,
                                                             window, t->run->frames, err)
                                     : status;
}

/* --from, --to without --every. */
static plu_status print_statistics(const task *t, plu_error *err)
{
    const char *columns = plu_argument(t->arguments, COLUMNS);
    plu_window window;
    plu_measured_series series = {0};
    plu_status status = window_of(t, &window, err);
    if (status == PLU_OK)
        status = plu_series_read(&series, t->run, &window, true, err);
    if (status == PLU_OK && plu_argument_given(t->arguments, JSON)) {
        json_begin(t->run);
        plu_series_json(&series);
        printf("}\n");
    } else if (status == PLU_OK && (columns || plu_argument_given(t->arguments, CSV))) {
        status = plu_series_csv(t->out, &series, columns, err);
    } else if (status == PLU_OK) {
        fprintf(t->out, "%s: %s\n", t->run->path, t->run->scene.title);
        plu_series_text(t->out, &series);
    }
    plu_series_free(&series);
    return status;
}

/* The frames in the window of --every. */
static plu_status clip_frames(task *t, plu_error *err)
{
    plu_window window;
    const plu_status status = window_of(t, &window, err);
    return status == PLU_OK
               ? plu_window_frames(&window, t->run->frames, t->run->path, &t->from, &t->to, err)
               : status;
}

static plu_status choose_frames(task *t, plu_error *err)
{
    t->from = 0;
    t->to = plu_frames_count(t->run->frames);
    if (plu_argument_given(t->arguments, EVERY))
        return clip_frames(t, err);
    if (plu_argument_given(t->arguments, AT)) {
        const plu_status status =
            plu_frame_argument(t->arguments, AT, t->run->frames, t->run->path, &t->from, err);
        if (status != PLU_OK)
            return status;
        t->to = t->from + 1;
    }
    t->from = t->to - 1;
    return PLU_OK;
}

/* Pairs of options that exclude each other; without this one of them would be ignored silently. */
static plu_status check_words(const plu_arguments *arguments, plu_error *err)
{
    static const int apart[][2] = {{AT, EVERY},  {JSON, CSV},      {JSON, COLUMNS}, {FIELD, JSON},
                                   {FIELD, CSV}, {FIELD, COLUMNS}, {FIELD, EVERY},  {JSON, OUTPUT},
                                   {AT, FROM},   {AT, TO},         {FIELD, FROM},   {FIELD, TO},
                                   {STAGE, AT},  {STAGE, FIELD}};
    for (size_t i = 0; i < sizeof apart / sizeof *apart; i++)
        if (plu_argument_given(arguments, apart[i][0]) &&
            plu_argument_given(arguments, apart[i][1]))
            return plu_fail(err, PLU_USAGE, "options --%s and --%s exclude each other",
                            options[apart[i][0]].name, options[apart[i][1]].name);
    return PLU_OK;
}

static plu_status measure_trajectory(const plu_arguments *arguments, plu_measured_run *run,
                                     plu_error *err)
{
    const char *path = plu_argument(arguments, OUTPUT);
    const plu_output_rule rule = {PLU_OUTPUT_TABLE, plu_argument_given(arguments, FORCE),
                                  arguments->operands, arguments->operands_count};
    plu_output output = {.stream = NULL};
    task t = {.arguments = arguments, .run = run, .out = stdout};
    plu_status status = read_settings(arguments, run, err);
    if (status == PLU_OK)
        status = choose_frames(&t, err);
    if (status == PLU_OK && path)
        status = plu_output_begin(&output, path, &rule, err);
    if (status == PLU_OK && path && !(t.out = plu_output_stream(&output, err)))
        status = PLU_IO;
    if (status == PLU_OK)
        status = plu_argument_given(arguments, FIELD) ? print_field(&t, err)
                 : has_window(arguments) && !plu_argument_given(arguments, EVERY)
                     ? print_statistics(&t, err)
                     : print_frames(&t, err);
    return plu_output_end(&output, status, err);
}

static int run_measure(const plu_arguments *arguments)
{
    plu_error err = {0};
    plu_measured_run run = {0};
    plu_status status = check_words(arguments, &err);
    if (status == PLU_OK)
        status = plu_measured_run_open(&run, arguments->operands[0], &err);
    if (status == PLU_OK)
        status = measure_trajectory(arguments, &run, &err);
    plu_measured_run_close(&run);
    if (status != PLU_OK)
        plu_message_error(&err);
    return (int)status;
}

const plu_command plu_command_measure = {
    .name = "measure",
    .operands = "FILE.h5md",
    .least = 1,
    .most = 1,
    .summary = "numbers from a trajectory: pile, packing, energy, contacts, stress",
    .examples =
        "pluvia measure output/pile.h5md\n"
        "pluvia measure output/pile.h5md --at 3.5 --json\n"
        "pluvia measure output/pile.h5md --every --columns run.time,pile.height -o height.csv\n"
        "pluvia measure output/shear.h5md --from 2 --to 5 --columns stress.ratio,last.void_ratio\n"
        "pluvia measure output/stages.h5md --stage load --every --columns "
        "run.time,packing.core_void_ratio\n"
        "pluvia measure output/pile.h5md --field radial -o profile.csv",
    .notes =
        "Stress, solid fractions and layers are per volume of the part of the box around the\n"
        "spheres, or of --region, that lies within the tubes, cones, planes, boxes and hollow\n"
        "spheres around them. Plates, discs, meshes and obstacles are not cut out of it.\n"
        "Meaning of each number: scenes/reference.md, \"Numbers of a result\"; sources:\n"
        "include/pluvia/tool/measure.h. A file with one sphere is measured as a rolling sphere.",
    .options = options,
    .options_count = sizeof options / sizeof *options,
    .run = run_measure,
};
