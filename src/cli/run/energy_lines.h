/* energy_lines.h: what a run says of energy that contacts and the position projection have added.
 */
#ifndef CLI_RUN_ENERGY_LINES_H
#define CLI_RUN_ENERGY_LINES_H

#include "cli/run/simulation.h"
#include <stdio.h>

/* The lines of the summary. */
void plu_energy_lines(FILE *out, const plu_simulation *simulation);

/* Notes of the summary: where it is much, from what it comes and what helps. */
void plu_energy_notes(FILE *out, const plu_simulation *simulation);

/* A warning where the projection has added more than a hundredth of the energy turned over. */
void plu_energy_warn(const plu_simulation *simulation, const plu_log *log);

#endif
