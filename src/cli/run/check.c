/* pluvia check: all that a run does before its first step, without a file.
 *
 *   scene --> world, stepper (simulation.c)         mistakes of the scene: an error with its line
 *         --> pile.cfg: ok: 2000 bodies, 1 boundary, 5000 steps, about 12 MB of trajectory
 *             what is taken from other runs, meshes, packings, strength of contacts
 *             time.step against the speed at which spheres can meet (advice.c)
 *             inertial number of beds that are pressed and strained
 *         --> three steps, and each rule of the step that is broken (summary_lines.c)
 *
 * With --defaults the scene goes to stdout, so that it can be written to a file, and all that is
 * said of it to stderr. */
#include "cli/base/commands.h"
#include "cli/base/text.h"
#include "cli/run/advice.h"
#include "cli/run/simulation.h"
#include "cli/run/summary.h"
#include "pluvia/boundary.h"
#include "pluvia/cell.h"
#include "pluvia/material.h"
#include <limits.h>

enum { DEFAULTS, SET };

static const plu_option options[] = {
    [DEFAULTS] = {0, "defaults", NULL, NULL,
                  "prints the scene with all default values\n"
                  "(the result of the check then goes to stderr)"},
    [SET] = {'s', "set", "KEY=VALUE", NULL, "overrides a key of the scene; may be repeated"},
};

typedef struct check_log {
    const char *path;
    bool stepping; /* the first step runs, and plu_broken_rules_warn prints its warnings */
} check_log;

/* Once steps are made for the rules, their warnings are left out: those that matter are said with
 * the length of step that helps. */
static void write_message(void *user, plu_log_level level, const char *text)
{
    const check_log *log = user;
    if (level == PLU_LOG_WARNING && !log->stepping)
        plu_message("%s: warning: %s", log->path, text);
}

static void print_result(FILE *out, const char *path, const plu_simulation *simulation)
{
    const int bodies = plu_world_bodies(simulation->world).count;
    const int boundaries = simulation->scene.boundaries_count;
    char bytes[32];
    plu_text_bytes(plu_simulation_trajectory_bytes(simulation), bytes, sizeof bytes);
    const int fixed = plu_world_fixed(simulation->world);
    char still[32] = "";
    if (fixed > 0)
        snprintf(still, sizeof still, " (%d fixed)", fixed);
    fprintf(out, "%s: ok: %d bod%s%s, %d boundar%s, %ld step%s, about %s of trajectory\n", path,
            bodies, bodies == 1 ? "y" : "ies", still, boundaries, boundaries == 1 ? "y" : "ies",
            simulation->steps, simulation->steps == 1 ? "" : "s", bytes);
}

static void print_starts(FILE *out, const plu_simulation *simulation)
{
    char text[2 * PLU_PATH + 256];
    for (int e = 0; e < simulation->scene.bodies_count; e++)
        if (plu_simulation_start_text(simulation, e, text, sizeof text))
            fprintf(out, "%s\n", text);
}

/* A step that fits is not worth a line. */
static void print_step(FILE *out, const char *path, const plu_simulation *simulation)
{
    if (simulation->scene.parts)
        fprintf(out, "%s: time.step %s: steps of at most %g s\n", path,
                simulation->scene.chooses ? "= \"auto\"" : "by stages", simulation->scene.step);
    const plu_step_advice a = plu_step_advise(simulation);
    if (!a.shorter)
        return;
    fprintf(out,
            "%s: time.step = %g s is long: spheres of %g m can meet at %.3g m/s%s and move by %.2g "
            "%% of a diameter in a step; with %g s impacts overlap by at most about %g %%\n",
            path, simulation->scene.step, a.diameter, a.speed, a.drop > 0.0 ? " after a fall" : "",
            100.0 * a.way, a.step, 100.0 * a.share);
    if (a.deep)
        plu_message("%s: warning: time.step = %g s may let impacts overlap by more than %g %% "
                    "of a diameter; take %g s",
                    path, simulation->scene.step, 100.0 * PLU_DEEP_OVERLAP, a.step);
}

/* Where boundaries or a cell move, what contacts bear before they yield. */
static void print_strength(FILE *out, const char *path, const plu_simulation *simulation)
{
    const plu_scene *scene = &simulation->scene;
    const double strength = plu_stepper_strength(simulation->stepper);
    bool moves = plu_cell_moves(scene->cell), all = true;
    for (int i = 0; i < scene->boundaries_count; i++)
        moves |= scene->boundaries[i].moves || scene->boundaries[i].has_servo;
    for (int i = 0; i < scene->laws_count; i++)
        all &= scene->laws[i].strength > 0.0;
    if (moves && !all && strength > 0.0 && scene->method != PLU_PENALTY)
        fprintf(out, "%s: a contact yields beyond %.3g N (contacts.strength)\n", path, strength);
}

static plu_status check_scene(const char *path, const plu_arguments *arguments)
{
    const bool defaults = plu_argument_given(arguments, DEFAULTS);
    check_log messages = {.path = path};
    const plu_log log = {write_message, &messages};
    plu_simulation simulation;
    plu_error err = {0};
    const plu_status status =
        plu_simulation_open(&simulation, path, arguments, SET, NULL, NULL, &log, &err);
    if (status != PLU_OK) {
        plu_message_error(&err);
    } else {
        if (defaults)
            fputs(simulation.scene.resolved, stdout);
        print_result(defaults ? stderr : stdout, path, &simulation);
        print_starts(defaults ? stderr : stdout, &simulation);
        plu_meshes_print(defaults ? stderr : stdout, path, &simulation.scene);
        plu_feeding_print_fills(defaults ? stderr : stdout, &simulation);
        print_strength(defaults ? stderr : stdout, path, &simulation);
        print_step(defaults ? stderr : stdout, path, &simulation);
        plu_press_advice_print(defaults ? stderr : stdout, path, &simulation);
        plu_feeding_warn(path, &simulation);
        messages.stepping = true;
        plu_broken_rules_warn(path, &simulation);
    }
    plu_simulation_close(&simulation);
    return status;
}

static int check_run(const plu_arguments *arguments)
{
    plu_status first = PLU_OK;
    for (int i = 0; i < arguments->operands_count; i++) {
        const plu_status status = check_scene(arguments->operands[i], arguments);
        if (first == PLU_OK)
            first = status;
    }
    return (int)first;
}

const plu_command plu_command_check = {
    .name = "check",
    .operands = "SCENE...",
    .least = 1,
    .most = INT_MAX,
    .summary = "find mistakes in scenes, and show how many steps a run takes",
    .examples = "pluvia check scenes/*.cfg\n"
                "pluvia check scenes/pile/pile.cfg -s time.step=5e-4\n"
                "pluvia check scenes/first.cfg --defaults > full.cfg",
    .notes =
        "Does everything that a run does before its first step, and writes nothing. If the time\n"
        "step is too long for the speed at which spheres will meet (from their speeds and the\n"
        "height of their fall), it proposes a shorter one: the same that the summary of a run\n"
        "proposes after deep overlaps. It makes three steps, and names each rule of the step\n"
        "(src/machinery.md) that the scene breaks: contacts that turn, boundaries that turn or\n"
        "swing, stresses. Names the inertial number where a bed under a stress is strained, and\n"
        "cells whose strain rates lead to where grains jam, or lock at constant volume.\n"
        "Shows the size of each mesh, and whether it is closed.\n"
        "Warns of feeders with a larger rate than their area allows.\n"
        "All files are checked; the exit code is that of the first invalid file.",
    .options = options,
    .options_count = sizeof options / sizeof *options,
    .run = check_run,
};
