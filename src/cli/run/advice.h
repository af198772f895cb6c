/* advice.h: what is wrong with a scene or a step, and which key would help. */
#ifndef CLI_RUN_ADVICE_H
#define CLI_RUN_ADVICE_H

#include "cli/run/simulation.h"
#include "pluvia/world.h"
#include <stdio.h>

/* --- advice.c: which time step suits a scene, from how fast its spheres can meet --- */

#define PLU_DEEP_OVERLAP 0.05 /* of the smaller diameter: overlaps that call for a shorter step */

/* Impacts leave overlaps that grow with v h / d, the distance v h traveled in a step over the
 * smaller diameter d. If contacts are detected half a step or a step ahead (or bounce by Newton's
 * law), overlaps of up to v h / 2 remain. If all contacts land (time.forecast = "touch", no bounce
 * by Newton's law), what a step would leave deeper than 2 % is found after its solve
 * (src/theory.md, "Touch"): measured on the paper's pile 0.1 to 2 % of d at v h / d from 0.1 to 2,
 * in a box of 2,000 spheres of radii 1:2 2 % from 0.35 to 2.6, and in one of 150 spheres 1.7,
 * 1.9, 2.2, 4.6 and 14 % at 0.55, 0.83, 1.1, 1.4 and 2.2. */
typedef struct plu_step_advice {
    double speed;    /* m/s, largest at which spheres can meet: by the start, and by free fall; 0:
                      * nothing moves */
    double drop;     /* m, longest fall onto what lies below, at most until time.end */
    double diameter; /* m, of the smallest sphere */
    double way;      /* v h / d with the step of the scene */
    double turn;     /* rad: contacts of few spheres may turn by this with the step of the scene */
    double chain;    /* |u_N| h / d of impacts that few spheres may bear at once in such a step */
    double step;     /* s, proposed */
    double share;    /* of a diameter: impacts overlap by at most about this with that step */
    bool shorter;    /* it is below the step of the scene */
    bool deep;       /* with the step of the scene impacts may overlap by PLU_DEEP_OVERLAP */
} plu_step_advice;

/* The advice for a simulation before its first step. */
plu_step_advice plu_step_advise(const plu_simulation *simulation);

/* The time step (s) to be used after a run with this advice and the time step `step`, whose largest
 * overlap was `overlap` diameters. 0: the step may stay. Else the step proposed before the run if
 * that is shorter, or a step that is shorter in proportion to the overlap. */
double plu_step_after(const plu_step_advice *advice, double step, double overlap);

/* --- advice.c: what `pluvia check` says of beds that a stress or strain rates press --- */

/* A line with the inertial number where a bed under a stress is strained at a given rate; warnings
 * of what has no solution: a cell of prescribed volume in which grains jam. */
void plu_press_advice_print(FILE *out, const char *path, const plu_simulation *simulation);

/* --- summary_lines.c: says for which rules a time step is too long (pluvia/rules.h) --- */

/* After a run: each rule but that of overlaps that steps broke, with a step that would have kept
 * it. */
void plu_broken_rules_print(FILE *out, const plu_simulation *simulation);

/* How many steps there were, and of what length. */
void plu_chosen_steps_print(FILE *out, const plu_simulation *simulation);

/* Before a run, on stderr: the rules that the scene breaks by what it says, and in its first steps,
 * which a small scene makes. The simulation must not be used after that. */
void plu_broken_rules_warn(const char *path, plu_simulation *simulation);

/* --- hints.c: warnings of scenes that run, but hardly as they are meant, and why one does not come
 * to rest --- */

/* Warns of rolling and pivoting friction longer than three times `radius`, that of the largest
 * sphere (they are lengths, no coefficients), and of gravity that points up. */
void plu_hints_warn(const struct plu_scene *scene, double radius, const plu_log *log);

/* Warns of sensors that no sphere of the run can make count, and of a domain without a sphere. */
void plu_hints_warn_of_idle(const struct plu_scene *scene, const plu_bodies_view *bodies,
                            const plu_log *log);

/* If the run was to end at rest (time.until_rest), a line with the body that moves most, how, and
 * which key would stop it. */
void plu_hints_print_unrest(FILE *out, const plu_simulation *simulation);

/* --- falls.c: how far each sphere of a scene falls before it meets something --- */

/* way[i]: the height of fall of body i (m) from its present position along gravity, down to the
 * boundary below or to the first sphere that lies there. A sphere lies if it rests on a boundary or
 * on another sphere that lies, with gaps below a hundredth of a diameter. The height is 0 for
 * spheres that lie, and if there is nothing below. Falling spheres do not count as something to
 * fall on. Bodies that are not released yet are taken at the place of their release. False: out of
 * memory. */
bool plu_falls_find(double *way, const struct plu_scene *scene, const plu_bodies_view *bodies);

#endif
