/* export.h: the formats of pluvia export; each is a file of its own. */
#ifndef CLI_EXPORT_EXPORT_H
#define CLI_EXPORT_EXPORT_H

#include "pluvia/frames.h"
#include "pluvia/grains.h"
#include "pluvia/tool/output.h"
#include <stdio.h>

typedef struct plu_export {
    const char *source; /* the trajectory */
    plu_frames *frames;
    long first, end;       /* frames that were asked for, `end` not included */
    bool single;           /* by --at */
    const char *output;    /* file to write, "-": standard output */
    const char *scene;     /* the scene file, where the user named it; else NULL */
    const char *columns;   /* of a table, names with commas between; NULL: some */
    const char *form;      /* of a problem, "local" or "global"; NULL: as fits the format */
    const char *inputs[2]; /* files that are read */
    bool force;
    plu_grain_columns *columns_of_grains; /* room for what a frame lacks */
} plu_export;

typedef struct plu_export_format {
    const char *name, *summary;
    bool one_frame; /* needs a single frame */
    bool forms;     /* has them: --form */
    plu_output_kind kind;
    plu_status (*write)(const plu_export *export, plu_error *err);
} plu_export_format;

/* "problem" and "siconos": the contact problem of the step that follows a frame (export_problem.c).
 */
plu_status plu_export_problem(const plu_export *export, plu_error *err);
plu_status plu_export_siconos(const plu_export *export, plu_error *err);

/* "xdmf": a ParaView sidecar that refers to the trajectory (export_xdmf.c). */
plu_status plu_export_xdmf(const plu_export *export, plu_error *err);

/* "vtk": one PolyData file (.vtp) a frame and a collection (.pvd) of them (export_vtk.c). */
plu_status plu_export_vtk(const plu_export *export, plu_error *err);

/* "csv": a table with a row a body and frame (export_csv.c). */
plu_status plu_export_csv(const plu_export *export, plu_error *err);

/* "contacts": a table with a row a contact that bears a force and frame (export_contacts.c). */
plu_status plu_export_contacts(const plu_export *export, plu_error *err);

/* "xyz" and "lammps": particles with their quantities, frame by frame (export_atoms.c). */
plu_status plu_export_xyz(const plu_export *export, plu_error *err);
plu_status plu_export_lammps(const plu_export *export, plu_error *err);

/* "povray": a scene of one frame (export_povray.c). */
plu_status plu_export_povray(const plu_export *export, plu_error *err);

/* Reads frame k, with numbers of grains from its contacts where the file has none of them. */
plu_status plu_export_frame(const plu_export *export, long k, plu_frame_data *frame,
                            plu_error *err);

/* How many digits the coordinates of the active bodies of a frame need (export.h). */
int plu_export_digits(const plu_frame_data *frame);

/* What may be replaced by a file of this export. */
plu_output_rule plu_export_rule(const plu_export *export, plu_output_kind kind);

/* Writes the file `path` of an export with `write`, which is given `user`. The status of `write`,
 * or what kept the file from being written. */
typedef plu_status plu_export_writer(const plu_export *export, FILE *out, const void *user,
                                     plu_error *err);
plu_status plu_export_stream(const plu_export *export, const char *path, plu_output_kind kind,
                             plu_export_writer *write, const void *user, plu_error *err);

/* --- formats numbers ten times faster than printf, for files with millions of them --- */

enum { PLU_DIGITS_ROOM = 32 }; /* bytes that a number may need */

/* Writes `x` with at most nine significant digits (like "%.9g", except for ties in the last digit),
 * without NUL, and returns the end. Infinities and NaN are written as nothing. */
char *plu_digits_real(char *to, double x);
char *plu_digits_whole(char *to, long x);

/* The same with `digits` of them, from 9 to 17; slower from 10 on. */
char *plu_digits_long(char *to, double x, int digits);

#endif
