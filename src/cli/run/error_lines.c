#include "cli/run/error_lines.h"
#include <math.h>

double plu_error_share(const plu_error_work *before, const plu_error_work *now)
{
    const double friction = now->friction - before->friction;
    return friction > 0.0 ? (now->net - before->net) / friction : NAN;
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
}
