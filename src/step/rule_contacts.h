/* rule_contacts.h: what a step was too long for at its contacts (src/machinery.md, "Rules of the
 * step"). */
#ifndef STEP_RULE_CONTACTS_H
#define STEP_RULE_CONTACTS_H

#include "pluvia/step.h"
#include "world/motion.h"

/* Whether it is another surface once it has turned. */
static inline bool plu_motion_is_round(const plu_motion *motion)
{
    return !motion->endless && motion->reach == 0.0;
}

/* The numbers of travel, turning and swing, after the solve and before bodies move. */
void plu_rules_contacts(const plu_stepper *stepper, double value[PLU_RULES]);

/* The number of impacts in a crowd; there, too. */
double plu_rules_crowd(const plu_stepper *stepper);

#endif
