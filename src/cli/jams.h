/* jams.h: what a run says about contacts that yield (contacts.strength). */
#ifndef CLI_JAMS_H
#define CLI_JAMS_H

#include "simulation.h"
#include <stdio.h>

/* Only where there were any. */
void plu_jams_print(FILE *out, const plu_simulation *simulation);

#endif
