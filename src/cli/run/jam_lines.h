/* jam_lines.h: what a run says about contacts that yield (contacts.strength). */
#ifndef CLI_RUN_JAM_LINES_H
#define CLI_RUN_JAM_LINES_H

#include "cli/run/simulation.h"
#include <stdio.h>

/* Only where there were any. */
void plu_jams_print(FILE *out, const plu_simulation *simulation);

#endif
