/* The contact problem of the step that follows a frame: the run is taken up again at that frame.
 *
 *   trajectory --> scene (with its meshes), frame k
 *              --> plu_world_create_known   bodies as in the frame
 *              --> plu_stepper_set          velocities, impulses of contacts (the warm start)
 *              --> plu_step                 detects, assembles and solves
 *              --> plu_stepper_problem      the problem with the solution found, written as
 *                                           FCLIB (HDF5) or as text of Siconos
 *
 * The problem is that of the run if the frame has all digits; files in single precision, or without
 * contacts, give one that is near to it, and a message says so. Cells that move and servos have
 * states that trajectories do not contain: these problems only the run itself can write. */
#include "cli/base/run_scene.h"
#include "cli/base/text.h"
#include "cli/export/export.h"
#include "pluvia/cell.h"
#include "pluvia/scene.h"
#include "pluvia/step.h"
#include "pluvia/writing.h"
#include <stdio.h>
#include <string.h>

/* That of the run, with its overrides; another one that the user names must not differ from it. */
static plu_status read_scene(const plu_export *export, plu_scene *scene, plu_error *err)
{
    const plu_status status =
        export->scene ? plu_given_scene_check(export->scene, export->source, err) : PLU_OK;
    return status == PLU_OK ? plu_run_scene_read(scene, export->source, NULL, err) : status;
}

static plu_known_bodies bodies_of(const plu_frame_data *frame)
{
    return (plu_known_bodies){.count = frame->bodies,
                              .position = frame->position,
                              .radius = frame->radius,
                              .species = frame->species,
                              .state = frame->state,
                              .fixed = frame->fixed};
}

/* Contacts with the impulses of the frame are the start of the solve, as in the run itself. */
static plu_moment moment_of(const plu_frame_data *frame)
{
    return (plu_moment){.time = frame->time,
                        .step = frame->step,
                        .bodies = frame->bodies,
                        .position = frame->position,
                        .velocity = frame->velocity,
                        .angular_velocity = frame->angular_velocity,
                        .orientation = frame->orientation,
                        .state = frame->state,
                        .contacts = frame->contacts,
                        .contact = frame->contact};
}

/* What the problem of a step is written as; `facts` has its own form, which is global. */
static plu_status choose_format(const plu_export *export, bool siconos,
                                const plu_problem_facts *facts, plu_problem_format *format,
                                plu_error *err)
{
    const char *form = export->form ? export->form : siconos ? "local" : "global";
    const bool local = strcmp(form, "local") == 0;
    if (siconos)
        *format = local ? PLU_SICONOS_LOCAL : PLU_SICONOS_GLOBAL;
    else
        *format = local ? PLU_FCLIB_LOCAL : facts->format;
    if (*format == PLU_FCLIB_LOCAL && facts->rows == 5)
        return plu_fail(
            err, PLU_USAGE,
            "option --form: FCLIB has no local form with rolling friction; use --to siconos");
    return PLU_OK;
}

static plu_status write_problem(const plu_export *export, bool siconos, plu_stepper *stepper,
                                const plu_frame_data *frame, const char *title, plu_error *err)
{
    plu_step_info info;
    plu_contact_problem *problem;
    const plu_moment moment = moment_of(frame);
    plu_status status = plu_stepper_set(stepper, &moment, err);
    if (status != PLU_OK)
        return status;
    /* The file shall have the impulses that the step starts from as its guess, beside the
     * solution. */
    plu_stepper_keep_start(stepper);
    status = plu_step(stepper, &info, err);
    if (status != PLU_OK && status != PLU_NOT_CONVERGED)
        return status;
    if (info.pairs == 0)
        return plu_fail(err, PLU_BAD_INPUT,
                        "%s: no contact problem at t = %g s, because nothing is near enough to "
                        "touch in the step that follows",
                        export->source, frame->time);
    if (info.contacts == 0)
        plu_message("%s: none of the %d contacts bears a force in the step after t = %g s: zero "
                    "impulses solve the problem",
                    export->source, info.pairs, frame->time);
    status = plu_stepper_problem(stepper, &problem, err);
    if (status != PLU_OK)
        return status;
    plu_problem_facts facts;
    char words[PLU_PROBLEM_TITLE];
    plu_contact_problem_facts(problem, &facts);
    snprintf(words, sizeof words, "%.150s%sstep %ld from t = %g s", title, *title ? ", " : "",
             frame->step + 1, frame->time);
    plu_problem_format format;
    plu_output output = {0};
    const plu_output_rule rule = plu_export_rule(export, PLU_OUTPUT_PROBLEM);
    status = choose_format(export, siconos, &facts, &format, err);
    if (status == PLU_OK)
        status = plu_output_begin(&output, export->output, &rule, err);
    const char *name = status == PLU_OK ? plu_output_name(&output, err) : NULL;
    if (status == PLU_OK)
        status = name ? plu_contact_problem_write(problem, name, format, words, err) : PLU_IO;
    plu_contact_problem_destroy(problem);
    return plu_output_end(&output, status, err);
}

static plu_status export_problem(const plu_export *export, bool siconos, plu_error *err)
{
    plu_frame_data frame;
    plu_known_bodies known;
    plu_scene scene = {0};
    plu_world *world = NULL;
    plu_stepper *stepper = NULL;
    plu_status status = plu_frames_read(export->frames, export->first, &frame, err);
    if (status == PLU_OK)
        status = read_scene(export, &scene, err);
    if (status == PLU_OK && plu_cell_moves(scene.cell))
        status = plu_fail(
            err, PLU_BAD_INPUT,
            "%s: contact problems of a moving cell cannot be exported, because its "
            "motion is not in the trajectory%s",
            export->source,
            plu_cell_yields(scene.cell) ? "" : "; a run writes them with output.dump_problems");
    if (status == PLU_OK && scene.output->float32)
        plu_message("%s: positions are in single precision: the problem differs slightly from that "
                    "of the run",
                    export->source);
    if (status == PLU_OK && frame.contacts < 0)
        plu_message("%s: the file contains no contacts (output.contacts): the problem starts from "
                    "zero impulses",
                    export->source);
    if (status == PLU_OK)
        known = bodies_of(&frame);
    if (status == PLU_OK)
        status = plu_world_create_known(&world, &scene, &known, err);
    if (status == PLU_OK)
        status = plu_stepper_create(&stepper, world, &scene, NULL, err);
    if (status == PLU_OK)
        status = write_problem(export, siconos, stepper, &frame, scene.title, err);
    plu_stepper_destroy(stepper);
    plu_world_destroy(world);
    plu_scene_free(&scene);
    return status;
}

plu_status plu_export_problem(const plu_export *export, plu_error *err)
{
    return export_problem(export, false, err);
}

plu_status plu_export_siconos(const plu_export *export, plu_error *err)
{
    return export_problem(export, true, err);
}
