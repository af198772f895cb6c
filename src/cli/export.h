/* export.h: the formats of pluvia export; each is a file of its own. */
#ifndef CLI_EXPORT_H
#define CLI_EXPORT_H

#include "pluvia/frames.h"

typedef struct plu_export {
    const char *source; /* the trajectory */
    plu_frames *frames;
    long frame;         /* that was asked for, -1: all of them */
    const char *output; /* file or folder to write */
    const char *scene;  /* the scene file, where the user named it; else NULL */
} plu_export;

typedef struct plu_export_format {
    const char *name, *summary;
    bool one_frame; /* needs a single frame */
    plu_status (*write)(const plu_export *export, plu_error *err);
} plu_export_format;

/* "problem": the contact problem of the step that follows a frame (export_problem.c). */
plu_status plu_export_problem(const plu_export *export, plu_error *err);

#endif
