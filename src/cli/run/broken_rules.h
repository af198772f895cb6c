/* broken_rules.h: says for which rules a time step is too long (pluvia/rules.h). */
#ifndef CLI_RUN_BROKEN_RULES_H
#define CLI_RUN_BROKEN_RULES_H

#include "cli/run/simulation.h"
#include <stdio.h>

/* After a run: each rule but that of overlaps that steps broke, with a step that would have kept
 * it. */
void plu_broken_rules_print(FILE *out, const plu_simulation *simulation);

/* How many steps there were, and of what length. */
void plu_chosen_steps_print(FILE *out, const plu_simulation *simulation);

/* Before a run, on stderr: the rules that the scene breaks by what it says, and in its first steps,
 * which a small scene makes. The simulation must not be used after that. */
void plu_broken_rules_warn(const char *path, plu_simulation *simulation);

#endif
