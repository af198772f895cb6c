/* error_lines.h: what the solver's errors do in beds that something drives, against friction
 * (plu_error_work of pluvia/step.h), for the summary and the progress line. */
#ifndef CLI_RUN_ERROR_LINES_H
#define CLI_RUN_ERROR_LINES_H

#include "cli/run/simulation.h"
#include <stdio.h>

/* Net work of errors over the work of friction, between two sums of a run; NAN: nothing was driven.
 */
double plu_error_share(const plu_error_work *before, const plu_error_work *now);

/* Lines of the summary; none where nothing was driven. */
void plu_error_lines(FILE *out, const plu_simulation *simulation);

#endif
