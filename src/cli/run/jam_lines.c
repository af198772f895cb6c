#include "cli/run/jam_lines.h"

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
