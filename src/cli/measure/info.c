/* pluvia info: what a trajectory or a contact problem holds.
 *
 *   NAME.h5md            facts of the run, last observables, the end (info_end.c)
 *   --scene, --resolved  the scene in it, as written or with all defaults
 *   --verify             everything is read and compared with its checksums
 *   other files          a contact problem; if not, what kind of file it is, and which command
 *                        reads it
 *
 * With --json one object, whose names pluvia campaigns and `measure` use, too (measure_names.c). */
#include "cli/measure/info.h"
#include "cli/base/commands.h"
#include "cli/base/process.h"
#include "cli/base/text.h"
#include "pluvia/checkpoint.h"
#include "pluvia/problem.h"
#include "pluvia/trajectory.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- --verify --- */

static plu_status verify_checkpoint(const char *path, plu_error *err)
{
    plu_checkpoint checkpoint;
    const plu_status status = plu_checkpoint_open(&checkpoint, path, err);
    if (status == PLU_OK)
        printf("verified: checkpoint of step %ld, t = %g s\n", checkpoint.step, checkpoint.time);
    plu_checkpoint_close(&checkpoint);
    return status;
}

static plu_status verify_problem(const char *path, plu_error *err)
{
    plu_contact_problem *problem;
    plu_problem_facts facts;
    const plu_status status = plu_contact_problem_read(&problem, path, err);
    if (status != PLU_OK)
        return status;
    plu_contact_problem_facts(problem, &facts);
    plu_contact_problem_destroy(problem);
    printf("verified: problem of %d contacts; its format has no checksums\n", facts.contacts);
    return PLU_OK;
}

static bool ends_in(const char *text, const char *end)
{
    const size_t length = strlen(text), wanted = strlen(end);
    return length > wanted && strcmp(text + length - wanted, end) == 0;
}

/* Reads all of a trajectory, a checkpoint or a contact problem and says on stdout that it is whole,
 * or on stderr what is wrong first. Returns PLU_OK, PLU_BAD_INPUT or PLU_IO. */
static plu_status verify_result(const char *path)
{
    plu_error err = {0};
    plu_verified v;
    plu_status status;
    if (ends_in(path, ".h5md")) {
        status = plu_trajectory_verify(&v, path, &err);
        if (status == PLU_OK)
            printf("verified: %ld frames, %ld data sets\n", v.frames, v.datasets);
    } else if (plu_begins_with(path, "pluvia checkpoint\n") || ends_in(path, ".checkpoint.h5") ||
               ends_in(path, ".checkpoint_prev.h5")) {
        status = verify_checkpoint(path, &err);
    } else if (ends_in(path, ".cfg")) {
        status = plu_fail(&err, PLU_BAD_INPUT,
                          "%s is a scene, which has no checksums; \"pluvia check %s\" reads it",
                          path, path);
    } else {
        status = verify_problem(path, &err);
    }
    if (status != PLU_OK)
        plu_message_error(&err);
    return status;
}

/* --- --json and the screen --- */

enum { JSON, SCENE, RESOLVED, VERIFY };

static const plu_option options[] = {
    [JSON] = {0, "json", NULL, NULL, "one JSON object"},
    [SCENE] = {0, "scene", NULL, NULL, "the scene as it was read"},
    [RESOLVED] = {0, "resolved", NULL, NULL, "the scene with all default values"},
    [VERIFY] = {0, "verify", NULL, NULL,
                "reads a whole trajectory, checkpoint or problem and\n"
                "compares it with its checksums; if it is damaged, names\n"
                "the first damage and ends with exit code 3"},
};

static void print_text(const plu_trajectory_info *info, const char *path)
{
    char bytes[32];
    plu_text_bytes((double)info->bytes, bytes, sizeof bytes);
    printf("%s: %s\n", path, info->title);
    printf("state         %s\n", info->state);
    printf("frames        %ld, from %g s to %g s; time step %g s\n", info->frames, info->start,
           info->end, info->step);
    printf("bodies        %d; at the end %d active, %d waiting, %d removed\n", info->bodies,
           info->active, info->waiting, info->removed);
    printf("per body      ");
    for (int i = 0; i < info->quantities_count; i++)
        printf("%s%s", i ? ", " : "", info->quantities[i]);
    if (info->contacts >= 0)
        printf("\ncontacts      %ld rows", info->contacts);
    printf("\nmade by       pluvia %s, file schema %d, seed %" PRIu64 ", %d thread%s\n",
           info->version, info->schema, info->seed, info->threads, info->threads == 1 ? "" : "s");
    printf("command       %s\n", info->command);
    printf("size          %s\n", bytes);
    printf("\nobservable, last value\n");
    for (int i = 0; i < info->observables_count; i++)
        printf("  %-26s %.6g\n", info->observables[i], info->last[i]);
}

static void json_lists(const plu_trajectory_info *info)
{
    plu_json_key("quantities", false);
    printf("[");
    for (int i = 0; i < info->quantities_count; i++) {
        printf("%s", i ? ", " : "");
        plu_json_string(info->quantities[i]);
    }
    printf("]");
    plu_json_key("last", false);
    printf("{");
    for (int i = 0; i < info->observables_count; i++)
        plu_json_real(info->observables[i], info->last[i], i == 0);
    printf("}");
}

void plu_info_json(const plu_trajectory_info *info, const char *path)
{
    printf("{");
    plu_json_key("path", true);
    plu_json_string(path);
    plu_json_text("title", info->title);
    plu_json_text("state", info->state);
    plu_json_text("version", info->version);
    plu_json_text("command", info->command);
    plu_json_integer("schema", info->schema);
    plu_json_integer("frames", info->frames);
    plu_json_integer("bodies", info->bodies);
    plu_json_integer("active", info->active);
    plu_json_integer("waiting", info->waiting);
    plu_json_integer("removed", info->removed);
    plu_json_integer("threads", info->threads);
    plu_json_integer("bytes", info->bytes);
    plu_json_key("seed", false);
    printf("%" PRIu64, info->seed);
    if (info->contacts >= 0)
        plu_json_integer("contacts", info->contacts);
    plu_json_real("start", info->start, false);
    plu_json_real("end", info->end, false);
    plu_json_real("step", info->step, false);
    json_lists(info);
}

/* Prints what is known of a trajectory, with what its last frame has. */
static plu_status print_trajectory(const plu_trajectory_info *info, const char *path, bool json,
                                   plu_error *err)
{
    plu_status status;
    if (json) {
        plu_info_json(info, path);
        status = plu_info_end_json(path, NULL, err);
        printf("}\n");
    } else {
        print_text(info, path);
        status = plu_info_end_print(path, err);
    }
    return status;
}

static plu_status print_scene(const char *path, bool resolved, plu_error *err)
{
    char *text = NULL;
    const plu_status status = plu_trajectory_scene(&text, resolved, path, err);
    if (status == PLU_OK)
        fputs(text, stdout);
    free(text);
    return status;
}

/* Trajectories have their extension; anything else is looked at as a contact problem. */
static bool is_trajectory(const char *path)
{
    const size_t length = strlen(path), extension = strlen(".h5md");
    return length > extension && strcmp(path + length - extension, ".h5md") == 0;
}

static void problem_json(const plu_problem_facts *facts, const char *path)
{
    printf("{");
    plu_json_key("path", true);
    plu_json_string(path);
    plu_json_text("format", plu_problem_format_name(facts->format));
    plu_json_text("title", facts->title);
    plu_json_integer("contacts", facts->contacts);
    plu_json_integer("rows", facts->rows);
    plu_json_integer("bodies", facts->bodies);
    plu_json_integer("freedom", facts->freedom);
    plu_json_bool("symmetric", facts->symmetric);
    plu_json_bool("spheres", facts->spheres);
    plu_json_bool("guess", facts->has_guess);
    plu_json_bool("solution", facts->has_solution);
    printf("}\n");
}

static plu_status print_problem(const char *path, bool json, plu_error *err)
{
    plu_contact_problem *problem;
    plu_problem_facts f;
    const plu_status status = plu_contact_problem_read(&problem, path, err);
    if (status != PLU_OK)
        return status;
    plu_contact_problem_facts(problem, &f);
    plu_contact_problem_destroy(problem);
    if (json) {
        problem_json(&f, path);
        return PLU_OK;
    }
    printf("%s: %s\n", path, f.title[0] ? f.title : "contact problem");
    printf("format        %s\n", plu_problem_format_name(f.format));
    printf("contacts      %d of %d rows%s\n", f.contacts, f.rows,
           f.planar && f.rolling ? " (in the plane, rolling friction)"
           : f.planar            ? " (in the plane)"
           : f.rolling           ? " (rolling friction)"
                                 : " (Coulomb)");
    if (f.freedom > 0)
        printf("bodies        %d velocities%s\n", f.freedom,
               f.bodies == 0 ? " (no body form)"
               : f.spheres   ? ", spheres"
                             : "");
    printf("W             %s\n", f.symmetric ? "symmetric" : "not symmetric");
    printf("holds         %s\n", f.has_guess && f.has_solution ? "an initial guess and a solution"
                                 : f.has_guess                 ? "a guess"
                                 : f.has_solution              ? "a solution"
                                                  : "neither an initial guess nor a solution");
    return PLU_OK;
}

/* What a file is that is neither a trajectory nor a problem: a checkpoint, a scene. */
static bool is_of_another_kind(const char *path, plu_error *err)
{
    const size_t length = strlen(path);
    plu_checkpoint checkpoint = {0};
    plu_error unused = {0};
    const bool scene = length > 4 && strcmp(path + length - 4, ".cfg") == 0,
               saved = !scene && plu_checkpoint_open(&checkpoint, path, &unused) == PLU_OK;
    if (saved)
        plu_fail(err, PLU_BAD_INPUT,
                 "%s is a checkpoint, of step %ld, by pluvia %s; give its trajectory (NAME.h5md), "
                 "or check it by --verify",
                 path, checkpoint.step, checkpoint.version);
    else if (scene)
        plu_fail(err, PLU_BAD_INPUT, "%s is a scene; \"pluvia check %s\" says what is in it", path,
                 path);
    if (!scene)
        plu_checkpoint_close(&checkpoint);
    return saved || scene;
}

static int info_run(const plu_arguments *arguments)
{
    const char *path = arguments->operands[0];
    const bool resolved = plu_argument_given(arguments, RESOLVED);
    plu_error err = {0};
    plu_trajectory_info info;
    plu_status status;
    if (plu_argument_given(arguments, VERIFY))
        return (int)verify_result(path);
    if (resolved || plu_argument_given(arguments, SCENE)) {
        status = print_scene(path, resolved, &err);
    } else if (!is_trajectory(path)) {
        status = print_problem(path, plu_argument_given(arguments, JSON), &err);
        plu_error kind = {0};
        if (status == PLU_BAD_INPUT && is_of_another_kind(path, &kind))
            err = kind;
    } else {
        status = plu_trajectory_info_read(&info, path, &err);
        if (status == PLU_OK)
            status = print_trajectory(&info, path, plu_argument_given(arguments, JSON), &err);
    }
    if (status != PLU_OK)
        plu_message_error(&err);
    return (int)status;
}

const plu_command plu_command_info = {
    .name = "info",
    .operands = "FILE",
    .least = 1,
    .most = 1,
    .summary = "show what a trajectory or a contact problem contains",
    .examples = "pluvia info output/first.h5md\n"
                "pluvia info output/first.h5md --json\n"
                "pluvia info output/first.h5md --scene > again.cfg\n"
                "pluvia info --verify output/first.h5md\n"
                "pluvia info problem.hdf5",
    .options = options,
    .options_count = sizeof options / sizeof *options,
    .run = info_run,
};
