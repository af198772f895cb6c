/* state.h: the state of a run as checkpoints keep it. */
#ifndef PLUVIA_TOOL_STATE_H
#define PLUVIA_TOOL_STATE_H

/* Of the tool: neither installed nor exported by the shared library. */

#include "pluvia/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Saves or sets the complete state for the following steps: world, warm start and totals
 * (base/state.h; pluvia/checkpoint.h keeps it in a file). Once set, the stepper continues with the
 * same bits as the saved one; contacts and forces are available after the next step. After a
 * failure stepper and world must not be used. */
struct plu_state;
void plu_stepper_state(plu_stepper *stepper, struct plu_state *state);

#ifdef __cplusplus
}
#endif

#endif
