/* Lines of the summary and of `pluvia check` that both print, or that need more than a number:
 *
 *   errors of the solver   their net work over that of friction; a note where it is too much
 *   jams                   contacts that yielded beyond contacts.strength
 *   packings, feeders      what was made; rates that were missed, and what makes room
 *   meshes                 size, closed or open, triangles that were left out
 *   rules of the step      which one is broken, by how much, and the step that is short enough
 *
 * plu_broken_rules_warn is that of `check`: it takes the worst of what the scene foretells and of
 * what three steps show, for each rule. */
#include "cli/base/text.h"
#include "cli/run/advice.h"
#include "cli/run/summary.h"
#include "pluvia/body.h"
#include "pluvia/boundary.h"
#include "pluvia/feeder.h"
#include "pluvia/tool/mesh.h"
#include <math.h>
#include <string.h>

/* --- errors of the solver, and contacts that yield --- */

/* Negative where errors gave back work. Without friction there is nothing to compare with: NAN. */
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

/* --- packings that are filled, feeders --- */

/* A rate is as asked from this share of it on. */
static const double same = 0.99;

void plu_feeding_print_fills(FILE *out, const plu_simulation *simulation)
{
    const plu_scene *scene = &simulation->scene;
    for (int i = 0; i < scene->bodies_count; i++) {
        const plu_body_spec *spec = &scene->bodies[i];
        if (!spec->has_fill)
            continue;
        fprintf(out, "packing bodies[%d] %d spheres, which fill ", i,
                plu_world_made(simulation->world, i));
        if (spec->fill_height > 0.0)
            fprintf(out, "%g m of its region", spec->fill_height);
        else
            fprintf(out, "its region");
        fprintf(out, " to a solid fraction of %g\n", spec->fill_fraction);
    }
}

static void print_number(FILE *out, const plu_feed *f)
{
    if (f->released > 1)
        fprintf(out, " at %.4g per second", f->rate);
    if (f->released > 1 && f->rate >= same * f->asked)
        fprintf(out, ", as set\n");
    else
        fprintf(out,
                ", not %.4g as set: %ld were late because their place,\n"
                "%18sor that of an earlier one, was occupied (a larger height or footprint, or a\n"
                "%18sdownward velocity, makes room)\n",
                f->asked, f->delayed, "", "");
}

/* Prints what an inlet has let in, and what was due and has found no room. */
static void print_inlet(FILE *out, const plu_feed *f)
{
    const double asked = f->by_mass ? f->asked * f->sphere_mass : f->asked;
    const double rate = f->by_mass ? f->mass_flow : f->rate;
    const char *unit = f->by_mass ? "kg/s" : "per second";
    fprintf(out, ", %.4g kg", f->mass);
    if (f->released > 1)
        fprintf(out, " at %.4g %s", rate, unit);
    if (f->released > 1 && rate >= same * asked)
        fprintf(out, ", as set\n");
    else
        fprintf(out,
                ", not %.4g as set: %ld were late, and %.3g kg\n"
                "%18sare due and wait for room (a larger area or velocity makes room)\n",
                asked, f->delayed, f->mass_due - f->mass, "");
}

void plu_feeding_print_feeders(FILE *out, const plu_simulation *simulation)
{
    for (int i = 0; i < simulation->scene.feeders_count; i++) {
        const plu_feed f = plu_world_feed(simulation->world, i);
        const bool inlet = simulation->scene.feeders[i].kind == PLU_INLET;
        if (f.released < 2 && f.delayed == 0)
            continue;
        fprintf(out, "feeder %-11d%d of %d spheres", i + 1, f.released, f.count);
        if (inlet)
            print_inlet(out, &f);
        else
            print_number(out, &f);
    }
}

void plu_feeding_warn(const char *path, const plu_simulation *simulation)
{
    for (int i = 0; i < simulation->scene.feeders_count; i++) {
        const plu_feed f = plu_world_feed(simulation->world, i);
        const double unit = f.by_mass ? f.sphere_mass : 1.0;
        if (f.count > 1 && f.asked > f.most)
            plu_message("%s: warning: feeders[%d] is set to %.3g %s, but its area allows only "
                        "about %.3g at the velocity of release; spheres that find no room wait",
                        path, i, f.asked * unit, f.by_mass ? "kg/s" : "spheres per second",
                        f.most * unit);
    }
}

/* --- meshes --- */

/* NULL: the boundary is no mesh. */
static const plu_mesh_report *report_of(const plu_scene *scene, int boundary)
{
    const plu_mesh *mesh = scene->boundaries[boundary].mesh;
    return mesh ? plu_mesh_reported(mesh) : NULL;
}

static void warn(const plu_boundary_spec *b, const plu_mesh_report *r, const plu_log *log)
{
    if (r->dropped > 0)
        plu_log_write(log, PLU_LOG_WARNING,
                      "mesh \"%s\" (%s): %ld of %ld triangles are left out: they have no area, or "
                      "occur twice",
                      b->name, b->file, r->dropped, r->given);
    if (r->crowded > 0)
        plu_log_write(log, PLU_LOG_WARNING,
                      "mesh \"%s\" (%s): %ld edges have more than two triangles; spheres still "
                      "touch them, on both sides",
                      b->name, b->file, r->crowded);
    if (r->flipped > 0)
        plu_log_write(log, PLU_LOG_WARNING,
                      "mesh \"%s\" (%s): at %ld edges the two triangles have opposite orientation; "
                      "spheres still touch both sides, but the mesh has no outside",
                      b->name, b->file, r->flipped);
}

void plu_meshes_warn(const plu_scene *scene, const plu_log *log)
{
    for (int b = 0; b < scene->boundaries_count; b++)
        if (report_of(scene, b))
            warn(&scene->boundaries[b], report_of(scene, b), log);
}

static void print(FILE *out, const plu_mesh_report *r)
{
    fprintf(out,
            "%d triangles, %d corners, from (%.4g, %.4g, %.4g) to (%.4g, %.4g, %.4g) m, edges of "
            "%.3g to %.3g m, area %.4g m^2; ",
            r->triangles, r->corners, r->low[0], r->low[1], r->low[2], r->high[0], r->high[1],
            r->high[2], r->shortest, r->longest, r->area);
    if (r->open == 0 && r->crowded == 0 && r->flipped == 0)
        fprintf(out, "closed, %s of %.4g m^3\n", r->volume < 0.0 ? "around a cavity" : "a solid",
                r->volume < 0.0 ? -r->volume : r->volume);
    else if (r->joints > 0)
        fprintf(out,
                "%ld open edges, %ld of them with a corner of another triangle between their ends "
                "(T-junctions, which spheres do not notice)\n",
                r->open, r->joints);
    else
        fprintf(out, "%ld open edges\n", r->open);
}

void plu_meshes_print(FILE *out, const char *path, const plu_scene *scene)
{
    for (int b = 0; b < scene->boundaries_count; b++) {
        if (!report_of(scene, b))
            continue;
        fprintf(out, "%s: mesh \"%s\": ", path, scene->boundaries[b].name);
        print(out, report_of(scene, b));
    }
}

/* --- rules of the step that a run broke --- */

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

/* What its first steps do, where these take no time: in steps that are much longer than advised all
 * meet all. */
static void make_steps(plu_simulation *simulation, const plu_step_advice *advice)
{
    enum { MOST = 20000, STEPS = 3, LONGER = 100 };
    plu_step_info info;
    plu_error unused = {0}; /* the run says what is wrong with it */
    if (plu_world_bodies(simulation->world).count > MOST ||
        (advice->step > 0.0 && simulation->scene.step > LONGER * advice->step))
        return;
    for (int k = 0; k < STEPS && k < simulation->steps; k++)
        if (plu_step(simulation->stepper, &info, &unused) != PLU_OK)
            return;
}

void plu_broken_rules_warn(const char *path, plu_simulation *simulation)
{
    /* The longest step that the run may take: `coarsest` halvings of the step of the scene. */
    const double h = ldexp(simulation->scene.step, -simulation->scene.coarsest);
    if (simulation->scene.chooses)
        return;
    static const char a_boundary[] = "a boundary";
    int boundary[PLU_RULES];
    double value[PLU_RULES];
    plu_rules_foresee(simulation->stepper, value);
    for (int k = 0; k < PLU_RULES; k++)
        boundary[k] = plu_rules_boundary(simulation->stepper, (plu_rule)k);
    const plu_step_advice advice = plu_step_advise(simulation);
    value[PLU_RULE_TURN] = advice.turn;
    value[PLU_RULE_CHAIN] = advice.chain;
    make_steps(simulation, &advice);
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
