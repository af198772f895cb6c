#include "cli/run/summary_lines.h"
#include <math.h>

double plu_error_share(const plu_error_work *before, const plu_error_work *now)
{
    const double friction = now->friction - before->friction;
    return friction > 0.0 ? (now->net - before->net) / friction : NAN;
}

/* Where errors took more than is right without a warning: as a rule grains fell together, and
 * impacts took more than friction. */
static void note_share(FILE *out, const plu_error_work *e)
{
    if (fabs(e->net) <= PLU_ERRORS_BEYOND * e->friction)
        return;
    const double taken = fabs(e->net) / (e->friction + e->impacts);
    fprintf(out,
            "note              that is more than %g %%; of what friction and impacts took together "
            "it is %.2g %%%s\n",
            100.0 * PLU_ERRORS_BEYOND, 100.0 * taken,
            taken > PLU_ERRORS_BEYOND ? ": take a shorter time.step or a smaller solver.tolerance"
                                      : ", which is right");
}

void plu_error_lines(FILE *out, const plu_simulation *simulation)
{
    const plu_totals *t = plu_stepper_totals(simulation->stepper);
    if (t->locked > 0.0)
        fprintf(out,
                "note              from %g s on the grains were jammed in a cell of prescribed "
                "volume: these steps\n%18shave no solution; end the run before, or let a stress "
                "move an axis (cell.stress)\n",
                t->locked, "");
    const double share = plu_error_share(&(plu_error_work){0}, &t->errors);
    if (isnan(share))
        return;
    fprintf(out,
            "work of errors    %.3g %% of the work of friction (%.3g J), %.3g %% with errors that "
            "cancel\n",
            100.0 * fabs(share), t->errors.friction, 100.0 * t->errors.all / t->errors.friction);
    if (t->errors_beyond > 0)
        fprintf(out,
                "note              errors of the solver moved contacts by more than is right, %ld "
                "time%s, last at %g s:\n%18sthe bed is too %s, or creeps; take a shorter "
                "time.step, a larger solver.max_iterations,\n%18sor the default criterion with a "
                "smaller tolerance\n",
                t->errors_beyond, t->errors_beyond == 1 ? "" : "s", t->errors_time, "",
                share < 0.0 ? "dense" : "loose", "");
    else
        note_share(out, &t->errors);
}

/* "body 3", or the name of a boundary. */
static const char *side_text(const plu_scene *scene, long side, char *text, size_t size)
{
    if (side == PLU_NOBODY)
        snprintf(text, size, "what it cannot move");
    else if (side >= 0)
        snprintf(text, size, "body %ld", side);
    else
        snprintf(text, size, "%s", scene->boundaries[-1 - side].name);
    return text;
}

void plu_jams_print(FILE *out, const plu_simulation *simulation)
{
    const plu_totals *t = plu_stepper_totals(simulation->stepper);
    const plu_scene *scene = &simulation->scene;
    char a[PLU_NAME], b[PLU_NAME];
    if (t->yielding_steps == 0)
        return;
    fprintf(out,
            "jams              %ld: contacts yielded in %ld steps (%.2g %%), up to %.3g N "
            "(contacts.strength)\n",
            t->jams, t->yielding_steps, 100.0 * (double)t->yielding_steps / (double)t->steps,
            t->jam.force);
    fprintf(out, "                  deepest overlap %.2e m: body %ld between %s and %s at %g s\n",
            t->jam.depth, t->jam.body, side_text(scene, t->jam.between[0], a, sizeof a),
            side_text(scene, t->jam.between[1], b, sizeof b), t->jam.time);
}
