/* motion_advice.h: steps that are long for the motions of boundaries. */
#ifndef CLI_MOTION_ADVICE_H
#define CLI_MOTION_ADVICE_H

#include "pluvia/scene.h"
#include <stdio.h>

/* The share of a period of a vibration, and the angle (rad) by which a boundary turns, that a step
 * should hold at most. */
#define PLU_PERIODS_A_STEP 0.02
#define PLU_TURN_A_STEP 0.05

/* A line for each motion that goes further in a step, with a step that fits. */
void plu_motion_advice_print(FILE *out, const char *path, const plu_scene *scene);

#endif
