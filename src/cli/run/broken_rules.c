#include "cli/base/text.h"
#include "cli/run/advice.h"
#include <math.h>
#include <string.h>

void plu_broken_rules_print(FILE *out, const plu_simulation *simulation)
{
    const plu_totals *totals = plu_stepper_totals(simulation->stepper);
    const plu_scene *scene = &simulation->scene;
    const double step = scene->parts ? totals->shortest : scene->step;
    for (int k = 0; k < PLU_RULES; k++) {
        char text[128];
        if (totals->too_long[k] == 0 || k == PLU_RULE_OVERLAP) /* a note of the summary has it */
            continue;
        plu_rule_text(k, totals->worst_long[k], text, sizeof text);
        fprintf(out,
                "step too long     %s: %s at t = %g s,\n"
                "%18sthe worst of %ld step%s; take time.%s = %g or less\n",
                plu_rule_name(k), text, totals->worst_long_time[k], "", totals->too_long[k],
                totals->too_long[k] == 1 ? "" : "s", scene->chooses ? "smallest" : "step",
                plu_rule_step(k, totals->worst_long[k], step));
    }
}

void plu_chosen_steps_print(FILE *out, const plu_simulation *simulation)
{
    const plu_totals *totals = plu_stepper_totals(simulation->stepper);
    fprintf(out, "simulated         %g s in %ld steps of %s%g s\n",
            plu_world_time(simulation->world), totals->steps,
            simulation->scene.parts ? "at most " : "", simulation->scene.step);
    if (simulation->scene.parts)
        fprintf(out,
                "steps chosen      mean %.3g s, shortest %.3g s; %ld more were too long and were "
                "repeated in parts\n",
                plu_world_time(simulation->world) / (double)(totals->steps ? totals->steps : 1),
                totals->shortest, totals->repeated);
}

/* What its first steps do, where these take no time. */
static void make_steps(plu_simulation *simulation)
{
    enum { MOST = 20000, STEPS = 3 };
    plu_step_info info;
    plu_error unused = {0}; /* the run says what is wrong with it */
    if (plu_world_bodies(simulation->world).count > MOST)
        return;
    for (int k = 0; k < STEPS && k < simulation->steps; k++)
        if (plu_step(simulation->stepper, &info, &unused) != PLU_OK)
            return;
}

void plu_broken_rules_warn(const char *path, plu_simulation *simulation)
{
    const double h = ldexp(simulation->scene.step, -simulation->scene.coarsest);
    if (simulation->scene.chooses)
        return;
    static const char a_boundary[] = "a boundary";
    int boundary[PLU_RULES];
    double value[PLU_RULES];
    plu_rules_foresee(simulation->stepper, value);
    for (int k = 0; k < PLU_RULES; k++)
        boundary[k] = plu_rules_boundary(simulation->stepper, (plu_rule)k);
    value[PLU_RULE_TURN] = plu_step_advise(simulation).turn;
    make_steps(simulation);
    const plu_totals *totals = plu_stepper_totals(simulation->stepper);
    for (int k = 0; k < PLU_RULES; k++) {
        char text[128];
        if (totals->worst_long[k] > value[k])
            value[k] = totals->worst_long[k];
        if (!(value[k] > plu_rule_limit(k)))
            continue;
        plu_rule_text(k, value[k], text, sizeof text);
        const char *name = boundary[k] >= 0 ? simulation->scene.boundaries[boundary[k]].name : NULL;
        const bool known = name && strncmp(text, a_boundary, sizeof a_boundary - 1) == 0;
        plu_message("%s: warning: time.step = %g s is too long (%s): %s%s%s%s; take %g s", path, h,
                    plu_rule_name(k), known ? "boundary \"" : "", known ? name : "",
                    known ? "\"" : "", known ? text + sizeof a_boundary - 1 : text,
                    plu_rule_step(k, value[k], h));
    }
}
