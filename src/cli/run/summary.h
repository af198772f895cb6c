/* summary.h: the summary that a run prints at its end, on one screen. */
#ifndef CLI_RUN_SUMMARY_H
#define CLI_RUN_SUMMARY_H

#include "cli/run/advice.h"
#include "cli/run/simulation.h"
#include "pluvia/log.h"
#include "pluvia/trajectory.h"
#include <stdio.h>

typedef struct plu_run_report {
    const char *path; /* of the trajectory */
    plu_run_state end;
    bool at_rest;     /* ended before time.end because all was at rest */
    bool stages_over; /* ended with its last stage */
    const plu_run_record *record;
    long frames;
    int threads, used;         /* that there were, and that made the last steps */
    const plu_step_info *last; /* step; NULL: none was made */
    plu_step_advice advice;    /* of the simulation before its first step */
    double wall_seconds;       /* of steps and frames */
    double output_seconds;     /* of frames */
} plu_run_report;

/* To `out`, NULL: not at all; what people should know in any case goes to the log. */
void plu_summary_print(FILE *out, const plu_simulation *simulation, const plu_run_report *report,
                       const plu_log *log);

/* --- the lines of the summary of a run and of `pluvia check`, by what they are about --- */

/* --- energy_lines.c: what a run says of energy that contacts and the position projection have
 * added --- */

/* The lines of the summary. */
void plu_energy_lines(FILE *out, const plu_simulation *simulation);

/* Notes of the summary: where it is much, from what it comes and what helps. */
void plu_energy_notes(FILE *out, const plu_simulation *simulation);

/* A warning where the projection has added more than a hundredth of the energy turned over. */
void plu_energy_warn(const plu_simulation *simulation, const plu_log *log);

/* --- summary_lines.c: what the solver's errors do in beds that something drives, against friction
 * (plu_error_work of pluvia/step.h), for the summary and the progress line --- */

/* Shares above are too much. */
#define PLU_ERRORS_BEYOND 0.05

/* Net work of errors over the work of friction, between two sums of a run; NAN: nothing was driven.
 */
double plu_error_share(const plu_error_work *before, const plu_error_work *now);

/* Lines of the summary; none where nothing was driven. */
void plu_error_lines(FILE *out, const plu_simulation *simulation);

/* --- summary_lines.c: what a run says about contacts that yield (contacts.strength) --- */

/* Only where there were any. */
void plu_jams_print(FILE *out, const plu_simulation *simulation);

/* --- summary_lines.c: messages on packings that are filled and on feeders --- */

/* A line for each packing whose number of spheres follows from a solid fraction. */
void plu_feeding_print_fills(FILE *out, const plu_simulation *simulation);

/* The real rate or mass flow of each feeder, and why it is not the one that was asked for. */
void plu_feeding_print_feeders(FILE *out, const plu_simulation *simulation);

/* Warns of each feeder that asks for more than its area lets through. `path` names the scene. */
void plu_feeding_warn(const char *path, const plu_simulation *simulation);

/* --- summary_lines.c: messages on the meshes of a scene --- */

/* Warns of what is hardly meant: triangles that were left out, and edges that do not join two
 * triangles of one direction. Open edges are no reason. */
void plu_meshes_warn(const struct plu_scene *scene, const plu_log *log);

/* A line for each mesh: its size, and whether it is closed. `path`: of the scene. */
void plu_meshes_print(FILE *out, const char *path, const struct plu_scene *scene);

#endif
