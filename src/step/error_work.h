/* error_work.h: the work of what solves leave wrong where bodies are driven, against the work of
 * friction, whatever criterion, tolerance or solver the scene names (src/solving.md, "Work of
 * errors"). */
#ifndef STEP_ERROR_WORK_H
#define STEP_ERROR_WORK_H

#include "base/state.h"
#include "pluvia/step.h"

/* Of the steps since errors were last judged: their work and what it is compared with (J); both
 * over sum p_N d / h: ways of contacts, in diameters, by errors alone and by all. */
typedef struct plu_error_watch {
    double work, scale;
    double way, of;
} plu_error_watch;

enum { PLU_WATCHED_NET, PLU_WATCHED_ALL, PLU_WATCHES };

/* After the last solve of a step, before its results are taken: info->errors, the totals, and a
 * warning where errors take too much. Costs nothing in scenes in which nothing is driven. */
void plu_error_work_measure(plu_stepper *stepper, plu_step_info *info);

void plu_error_work_add(plu_error_work *sum, const plu_error_work *more);

void plu_error_work_state(plu_stepper *stepper, plu_state *state);

#endif
