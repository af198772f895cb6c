/* hints.h: warnings of scenes that run, but hardly as they are meant, and why one does not come to
 * rest. */
#ifndef CLI_RUN_HINTS_H
#define CLI_RUN_HINTS_H

#include "cli/run/simulation.h"
#include <stdio.h>

/* Warns of rolling and pivoting friction longer than three times `radius`, that of the largest
 * sphere (they are lengths, no coefficients), and of gravity that points up. */
void plu_hints_warn(const plu_scene *scene, double radius, const plu_log *log);

/* Warns of sensors that no sphere of the run can make count, and of a domain without a sphere. */
void plu_hints_warn_of_idle(const plu_scene *scene, const plu_bodies_view *bodies,
                            const plu_log *log);

/* If the run was to end at rest (time.until_rest), a line with the body that moves most, how, and
 * which key would stop it. */
void plu_hints_print_unrest(FILE *out, const plu_simulation *simulation);

#endif
