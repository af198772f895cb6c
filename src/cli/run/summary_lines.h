/* summary_lines.h: the lines of the summary of a run and of `pluvia check`, by what they are about.
 */
#ifndef CLI_RUN_SUMMARY_LINES_H
#define CLI_RUN_SUMMARY_LINES_H

#include "cli/run/simulation.h"
#include "pluvia/log.h"
#include <stdio.h>

/* --- energy_lines.c: what a run says of energy that contacts and the position projection have
 * added --- */

/* The lines of the summary. */
void plu_energy_lines(FILE *out, const plu_simulation *simulation);

/* Notes of the summary: where it is much, from what it comes and what helps. */
void plu_energy_notes(FILE *out, const plu_simulation *simulation);

/* A warning where the projection has added more than a hundredth of the energy turned over. */
void plu_energy_warn(const plu_simulation *simulation, const plu_log *log);

/* --- error_lines.c: what the solver's errors do in beds that something drives, against friction
 * (plu_error_work of pluvia/step.h), for the summary and the progress line --- */

/* Shares above are too much. */
#define PLU_ERRORS_BEYOND 0.05

/* Net work of errors over the work of friction, between two sums of a run; NAN: nothing was driven.
 */
double plu_error_share(const plu_error_work *before, const plu_error_work *now);

/* Lines of the summary; none where nothing was driven. */
void plu_error_lines(FILE *out, const plu_simulation *simulation);

/* --- error_lines.c: what a run says about contacts that yield (contacts.strength) --- */

/* Only where there were any. */
void plu_jams_print(FILE *out, const plu_simulation *simulation);

/* --- feeding_lines.c: messages on packings that are filled and on feeders --- */

/* A line for each packing whose number of spheres follows from a solid fraction. */
void plu_feeding_print_fills(FILE *out, const plu_simulation *simulation);

/* The real rate or mass flow of each feeder, and why it is not the one that was asked for. */
void plu_feeding_print_feeders(FILE *out, const plu_simulation *simulation);

/* Warns of each feeder that asks for more than its area lets through. `path` names the scene. */
void plu_feeding_warn(const char *path, const plu_simulation *simulation);

/* --- mesh_lines.c: messages on the meshes of a scene --- */

/* Warns of what is hardly meant: triangles that were left out, and edges that do not join two
 * triangles of one direction. Open edges are no reason. */
void plu_meshes_warn(const struct plu_scene *scene, const plu_log *log);

/* A line for each mesh: its size, and whether it is closed. `path`: of the scene. */
void plu_meshes_print(FILE *out, const char *path, const struct plu_scene *scene);

#endif
