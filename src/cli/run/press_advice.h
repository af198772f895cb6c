/* press_advice.h: what `pluvia check` says of beds that a stress or strain rates press. */
#ifndef CLI_RUN_PRESS_ADVICE_H
#define CLI_RUN_PRESS_ADVICE_H

#include "cli/run/simulation.h"
#include <stdio.h>

/* A line with the inertial number where a bed under a stress is strained at a given rate; warnings
 * of what has no solution: a cell of prescribed volume in which grains jam. */
void plu_press_advice_print(FILE *out, const char *path, const plu_simulation *simulation);

#endif
