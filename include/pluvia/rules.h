/* rules.h: which time steps are too long: one list of rules for `pluvia check`, for the steps of a
 * run, and for the step that is chosen (src/machinery.md, "Rules of the step"). */
#ifndef PLUVIA_RULES_H
#define PLUVIA_RULES_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* what the library exports */

/* Each rule is about one number, which is proportional to the step h and has a limit. */
typedef enum plu_rule {
    PLU_RULE_TRAVEL, /* |u| h / d: way of a sphere that touches something past it; u is the
                      * velocity of centers, d the smaller diameter */
    PLU_RULE_TURN, /* angle by which contacts turn in a step, of more than a share of the spheres */
    PLU_RULE_CROWD,  /* |u_N| h / d of what a fifth of the spheres are hit by in the step; of
                      * contacts  with a restitution, or without gravity */
    PLU_RULE_CHAIN,  /* |u_N| h / d of impacts, with a restitution, that a twentieth of the spheres
                      * bear with another one in the step */
    PLU_RULE_SWING,  /* h sqrt(g / radius) of a sphere that gravity swings along a curved surface */
    PLU_RULE_SPIN,   /* omega h of a boundary that is not round about its axis */
    PLU_RULE_PERIOD, /* f h of a boundary that swings or vibrates */
    PLU_RULE_PRESS,  /* h sqrt(sigma / rho) / d under a stress sigma of a servo or a cell */
    PLU_RULE_OVERLAP, /* overlap that a step made, over the smaller diameter */
    PLU_RULES
} plu_rule;

/* From so many spheres on single ones do not matter. */
enum { PLU_FEW = 20 };

/* Of chains, in the run and where check foresees them: the restitution below which an impact leaves
 * less than 4 % of its energy, and the overlaps of what rests, over those that the projection
 * leaves. */
#define PLU_CHAIN_ELASTIC 0.2
#define PLU_CHAIN_RESTS 2.0

double plu_rule_limit(plu_rule rule);
/* A word for it. */
const char *plu_rule_name(plu_rule rule);
/* The step (s) that would keep it, 1, 2 or 5 times a power of ten, where `step` gave `value`. */
double plu_rule_step(plu_rule rule, double value, double step);
/* "contacts turn by 0.1 rad in a step (at most 0.05 are right)". */
void plu_rule_text(plu_rule rule, double value, char *text, size_t size);

struct plu_stepper;
/* The numbers of all rules that follow from what the scene says and from its spheres as they are,
 * with the step of the scene; 0 where nothing is known. */
void plu_rules_foresee(const struct plu_stepper *stepper, double value[PLU_RULES]);
/* The boundary (plu_scene.boundaries) whose motion, as the scene says it, gives PLU_RULE_SPIN or
 * PLU_RULE_PERIOD its number; -1: none, or another rule. */
int plu_rules_boundary(const struct plu_stepper *stepper, plu_rule rule);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
