/* feeding_lines.h: messages on packings that are filled and on feeders. */
#ifndef CLI_RUN_FEEDING_LINES_H
#define CLI_RUN_FEEDING_LINES_H

#include "cli/run/simulation.h"

/* A line for each packing whose number of spheres follows from a solid fraction. */
void plu_feeding_print_fills(FILE *out, const plu_simulation *simulation);

/* The real rate or mass flow of each feeder, and why it is not the one that was asked for. */
void plu_feeding_print_feeders(FILE *out, const plu_simulation *simulation);

/* Warns of each feeder that asks for more than its area lets through. `path` names the scene. */
void plu_feeding_warn(const char *path, const plu_simulation *simulation);

#endif
