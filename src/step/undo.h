/* undo.h: a step that can be undone: a copy of the state in memory, and messages that are held back
 * until it counts. */
#ifndef STEP_UNDO_H
#define STEP_UNDO_H

#include "pluvia/step.h"

typedef struct plu_undo plu_undo;

plu_undo *plu_undo_create(plu_error *err);
void plu_undo_destroy(plu_undo *undo); /* accepts NULL */

/* Copies the state; from now on messages wait. PLU_OK or PLU_IO. */
plu_status plu_undo_keep(plu_undo *undo, plu_stepper *stepper, plu_error *err);
/* Sets the state to the copy, and forgets the messages. */
plu_status plu_undo_return(plu_undo *undo, plu_stepper *stepper, plu_error *err);
/* The step counts: says what waited. */
void plu_undo_release(plu_undo *undo, plu_stepper *stepper);

#endif
