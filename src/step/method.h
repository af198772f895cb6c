/* method.h: how the contacts of a step become impulses. */
#ifndef STEP_METHOD_H
#define STEP_METHOD_H

#include "base/state.h"
#include "pluvia/step.h"

/* One for each plu_method. */
typedef struct plu_step_method {
    /* Once, with the world made: takes or refuses the scene. PLU_OK, PLU_BAD_INPUT or PLU_IO. */
    plu_status (*prepare)(plu_stepper *stepper, plu_error *err);
    /* From the contacts and the problem that was assembled to the impulses in its blocks and
     * v_{k+1} = v_free + M^-1 H p; fills in `converged`, and iterations and residuals where there
     * are any. PLU_OK or PLU_IO. */
    plu_status (*impulses)(plu_stepper *stepper, plu_step_info *info, plu_error *err);
    /* Saves or sets what the method keeps from step to step; NULL: the warm start alone. */
    void (*state)(plu_stepper *stepper, plu_state *state);
    void (*discard)(plu_stepper *stepper); /* also where `prepare` failed or was not reached */
} plu_step_method;

extern const plu_step_method plu_nonsmooth, plu_penalty;

/* By which number of its own the criterion of a step was missed: "residual 0.3 (tolerance 0.01)".
 * `is` comes after what the number is called: "" or "is ". */
const char *plu_missed_text(const plu_stepper *stepper, const plu_step_info *info, const char *is,
                            char *text, size_t size);

#endif
