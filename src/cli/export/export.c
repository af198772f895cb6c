/* pluvia export: a trajectory, or a moment of it, in formats of others.
 *
 * A format is a row of `formats`: its name, what it needs (a single frame, a form of contact
 * problems), the kind of file that may be replaced, and the function that writes it:
 *
 *   words --> format, output allowed? --> frames opened --> first and end frame --> format->write
 *
 * Each format has a file: export_csv.c, export_atoms.c (xyz, lammps), export_vtk*.c, export_xdmf.c,
 * export_povray.c, export_contacts.c, export_problem.c. Whether the output may be written is
 * checked before anything is read, so that a mistake costs no time. */
#include "cli/export/export.h"
#include "cli/base/commands.h"
#include "cli/base/run_scene.h"
#include "cli/base/text.h"
#include <stdlib.h>
#include <string.h>

enum { TO, AT, STAGE, OUTPUT, FORCE, COLUMNS, FORM, SCENE };

static const plu_option options[] = {
    [TO] =
        {0, "to", "xdmf|vtk|csv|contacts|xyz|lammps|povray|problem|siconos", NULL,
         "xdmf: a sidecar (.xdmf) that opens the trajectory in ParaView, and\nOUT-boundaries.xdmf\n"
         "vtk: PolyData for ParaView and OVITO: OUT-all.pvd opens bodies, contacts as\n"
         "lines and boundaries as triangles, OUT.pvd bodies (OUT/OUT-000000.vtp, ...),\n"
         "OUT-boundaries.pvd boundaries; with --at also a single OUT.vtp of bodies\n"
         "csv: a table, one row for each active body and frame\n"
         "contacts: a table of the contact network, one row for each contact\n"
         "that bears a force and frame\n"
         "xyz: extended XYZ, as OVITO and ASE read it, of active bodies\n"
         "lammps: a text dump of LAMMPS, as OVITO and ASE read it\n"
         "povray: a scene of one frame for POV-Ray\n"
         "problem: the contact problem of the step that follows a frame,\n"
         "as an FCLIB file for `pluvia solve`; not of a cell that moves, nor of\n"
         "boundaries with a servo: their runs write it (output.dump_problems)\n"
         "siconos: the same as a text that Siconos reads"},
    [AT] = {0, "at", "T", NULL,
            "the frame nearest to this time (s); default: all frames; for povray,\n"
            "problem and siconos the last one"},
    [STAGE] = {0, "stage", "NAME", NULL,
               "the frames of a stage, by its name or number from 0; for povray,\n"
               "problem and siconos its last one"},
    [OUTPUT] = {'o', "output", "FILE", NULL, "where to write; -: standard output"},
    [FORCE] = PLU_OPTION_FORCE,
    [COLUMNS] = {0, "columns", "A,B,...", NULL,
                 "columns of the table: time, step, id, species, radius, mass, x y z,\n"
                 "vx vy vz, wx wy wz (angular velocity), qw qx qy qz, speed, fixed (0 or\n"
                 "1); by contacts fx fy fz (force), tx ty tz (torque), sxx sxy sxz syx ...\n"
                 "szz (stress), pressure, dissipation, coordination;\n"
                 "default: time,id,radius,x,y,z,vx,vy,vz"},
    [FORM] = {0, "form", "local|global", NULL,
              "form of a contact problem: W and q of the contacts, or matrices of\n"
              "bodies and contacts; default: global for problem, local for siconos"},
    [SCENE] = {0, "scene", "SCENE", NULL,
               "for problem and siconos: an error if this is not the scene of the\n"
               "run, which the trajectory contains"},
};

static const plu_export_format formats[] = {
    {"xdmf", "sidecar for ParaView", false, false, PLU_OUTPUT_OTHER, plu_export_xdmf},
    {"vtk", "PolyData series (VTK XML)", false, false, PLU_OUTPUT_OTHER, plu_export_vtk},
    {"csv", "table of bodies and frames", false, false, PLU_OUTPUT_TABLE, plu_export_csv},
    {"contacts", "table of contacts and frames", false, false, PLU_OUTPUT_TABLE,
     plu_export_contacts},
    {"xyz", "extended XYZ", false, false, PLU_OUTPUT_OTHER, plu_export_xyz},
    {"lammps", "text dump of LAMMPS", false, false, PLU_OUTPUT_OTHER, plu_export_lammps},
    {"povray", "scene for POV-Ray", true, false, PLU_OUTPUT_OTHER, plu_export_povray},
    {"problem", "contact problem of a step, FCLIB (HDF5)", true, true, PLU_OUTPUT_PROBLEM,
     plu_export_problem},
    {"siconos", "contact problem of a step, text of Siconos", true, true, PLU_OUTPUT_PROBLEM,
     plu_export_siconos},
};
enum { FORMATS = sizeof formats / sizeof *formats };

static const plu_export_format *find_format(const char *name)
{
    for (int i = 0; i < FORMATS; i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}

/* Frames [first, end): all, those of a stage, or one; formats of one frame take the last of them.
 */
static plu_status choose_frames(const plu_arguments *arguments, const plu_export_format *format,
                                plu_export *export, plu_error *err)
{
    const long count = plu_frames_count(export->frames);
    if (count == 0)
        return plu_fail(err, PLU_BAD_INPUT, "%s contains no frames", export->source);
    export->single = plu_argument_given(arguments, AT);
    export->first = 0;
    export->end = count;
    plu_status status = PLU_OK;
    if (plu_argument_given(arguments, STAGE) && export->single)
        return plu_fail(err, PLU_USAGE, "options --at and --stage exclude each other");
    if (plu_argument_given(arguments, STAGE))
        status = plu_stage_argument(arguments, STAGE, export->frames, export->source,
                                    &export->first, &export->end, err);
    if (format->one_frame)
        export->first = export->end - 1;
    if (export->single) {
        status =
            plu_frame_argument(arguments, AT, export->frames, export->source, &export->first, err);
        export->end = export->first + 1;
    }
    return status;
}

static plu_status check_form(const plu_export_format *format, const char *form, plu_error *err)
{
    if (!form)
        return PLU_OK;
    if (!format->forms)
        return plu_fail(err, PLU_USAGE, "option --form: --to %s does not use it", format->name);
    if (strcmp(form, "local") != 0 && strcmp(form, "global") != 0)
        return plu_fail(err, PLU_USAGE, "option --form: \"%s\" is neither local nor global", form);
    return PLU_OK;
}

static plu_status export_trajectory(const plu_arguments *arguments, plu_error *err)
{
    const char *name = plu_argument(arguments, TO);
    const plu_export_format *format = name ? find_format(name) : NULL;
    if (!format)
        return plu_fail(err, PLU_USAGE, "option --to: %s%s%s; \"pluvia help export\" lists them",
                        name ? "unknown format \"" : "give a format", name ? name : "",
                        name ? "\"" : "");
    if (!plu_argument_given(arguments, OUTPUT))
        return plu_fail(err, PLU_USAGE, "option --output is required: the file to write");
    plu_grain_columns columns = {0};
    plu_export export = {.columns_of_grains = &columns,
                         .source = arguments->operands[0],
                         .output = plu_argument(arguments, OUTPUT),
                         .columns = plu_argument(arguments, COLUMNS),
                         .form = plu_argument(arguments, FORM),
                         .scene = plu_argument(arguments, SCENE)};
    export.inputs[0] = export.source;
    export.inputs[1] = export.scene;
    export.force = plu_argument_given(arguments, FORCE);
    const plu_output_rule rule = plu_export_rule(&export, format->kind);
    plu_status status = check_form(format, export.form, err);
    if (status == PLU_OK)
        status = plu_output_check(export.output, &rule, err);
    if (status == PLU_OK)
        status = plu_frames_open(&export.frames, export.source, err);
    if (status == PLU_OK)
        status = choose_frames(arguments, format, &export, err);
    if (status == PLU_OK)
        status = format->write(&export, err);
    plu_frames_close(export.frames);
    plu_grain_columns_free(&columns);
    return status;
}

static int export_run(const plu_arguments *arguments)
{
    plu_error err = {0};
    const plu_status status = export_trajectory(arguments, &err);
    if (status != PLU_OK)
        plu_message_error(&err);
    return (int)status;
}

const plu_command plu_command_export = {
    .name = "export",
    .operands = "FILE.h5md",
    .least = 1,
    .most = 1,
    .summary = "write a trajectory in other formats",
    .examples = "pluvia export output/pile.h5md --to vtk -o pile.pvd\n"
                "pluvia export output/pile.h5md --to csv --columns time,id,x,y,z -o pile.csv\n"
                "pluvia export output/pile.h5md --to xyz -o pile.xyz\n"
                "pluvia export output/pile.h5md --to povray -o pile.pov\n"
                "pluvia export output/pile.h5md --to problem --at 3.5 -o problem.hdf5\n"
                "pluvia export output/pile.h5md --to siconos --form local -o problem.dat",
    .options = options,
    .options_count = sizeof options / sizeof *options,
    .run = export_run,
};
