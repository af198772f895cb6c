/* The line that a run shows, and warnings while it goes on. Rates are means that forget, with time
 * constant 3 s; the shares of the fallback and of errors are those since the last line:
 *
 *     rate += (1 - exp(-passed / 3 s)) (steps / passed - rate)
 *
 * What time is left comes from eta.c; ~ says that the run may end sooner (until_rest, stages), >
 * that a boundary is still to begin to move, after which steps take longer. */
#include "cli/run/progress.h"
#include "cli/base/small_vector.h"
#include "cli/base/text.h"
#include "cli/run/summary.h"
#include "pluvia/body.h"
#include "pluvia/boundary.h"
#include "pluvia/cell.h"
#include "pluvia/material.h"
#include "pluvia/solving.h"
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static double processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

plu_effort plu_effort_now(const plu_simulation *simulation)
{
    const double fallback = plu_stepper_totals(simulation->stepper)->fallback_seconds;
    return (plu_effort){processor_time(), fallback};
}

double plu_effort_fallback(const plu_effort *before, const plu_effort *now)
{
    const double all = now->all - before->all, fallback = now->fallback - before->fallback;
    return all > 0.0 && fallback > 0.0 ? fallback / all : 0.0;
}

static bool bounces(const plu_scene *scene)
{
    for (int i = 0; i < scene->laws_count; i++)
        if (scene->laws[i].restitution > 0.0)
            return true;
    return false;
}

const char *plu_effort_advice(const plu_simulation *simulation)
{
    return bounces(&simulation->scene)
               ? "more similar masses, restitution = 0 or a larger solver.tolerance reduce this"
               : "more similar masses or a larger solver.tolerance reduce this";
}

/* Warns, once only (*warned), if the fallback has taken at least half of the processor time of the
 * run, and no less than two seconds. */
static void effort_warn(const plu_simulation *simulation, const plu_log *log, bool *warned)
{
    static const double most = 0.5, a_while = 2.0; /* share, s */
    if (*warned || plu_stepper_totals(simulation->stepper)->fallback_seconds < a_while)
        return;
    const plu_effort none = {0.0, 0.0}, now = plu_effort_now(simulation);
    const double share = plu_effort_fallback(&none, &now);
    if (share < most)
        return;
    *warned = true;
    plu_log_write(log, PLU_LOG_WARNING,
                  "%.0f %% of the processor time goes to %s, the fallback of the solver: "
                  "%s; " PLU_EFFORT_WITHOUT,
                  100.0 * share, simulation->scene.solver->fallback, plu_effort_advice(simulation));
}

/* --- the lines --- */

enum { FIELDS = 12, FIELD = 48, LINE = 512, NARROWEST_BAR = 8, WIDEST_BAR = 30, WIDEST = 120 };
static const double BAR_INTERVAL = 0.2, PLAIN_INTERVAL = 10.0, SMOOTHING = 3.0; /* s */

/* What a line shows. */
typedef struct view {
    double done; /* 0 to 1 */
    double time, end;
    char left[36]; /* wall time to go */
    double rate;   /* steps/s */
    int bodies, contacts;
    double sweeps;   /* a step, mean since the last line */
    bool velocities; /* the error is one of velocities, else a residual */
    double error, kinetic;
    double fallback;  /* share of the processor time since the last line */
    long unconverged; /* steps so far */
    double errors;    /* net work of errors over the work of friction since the last line, or NAN */
} view;

static const double LITTLE = 0.05; /* shares below are not worth a word */

static bool is_terminal(void)
{
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && !(term && strcmp(term, "dumb") == 0);
}

plu_status plu_progress_open(plu_progress *progress, const char *mode, bool quiet, plu_error *err)
{
    *progress = (plu_progress){.quiet = quiet, .interval = INFINITY};
    const bool automatic = strcmp(mode, "auto") == 0;
    const bool none = strcmp(mode, "none") == 0;
    progress->bar = strcmp(mode, "bar") == 0 || (automatic && is_terminal());
    if (!automatic && !none && !progress->bar && strcmp(mode, "plain") != 0)
        return plu_fail(err, PLU_USAGE,
                        "option --progress: \"%s\" is not one of auto, bar, plain, none", mode);
    if (!none && !quiet)
        progress->interval = progress->bar ? BAR_INTERVAL : PLAIN_INTERVAL;
    return PLU_OK;
}

static void progress_clear(plu_progress *progress)
{
    if (progress->drawn > 0)
        fprintf(stderr, "\r%*s\r", progress->drawn, "");
    progress->drawn = 0;
}

static void write_message(void *user, plu_log_level level, const char *text)
{
    plu_progress *progress = user;
    if (level != PLU_LOG_WARNING && progress->quiet)
        return;
    progress_clear(progress);
    plu_message("%s%s", level == PLU_LOG_WARNING ? "warning: " : "", text);
}

plu_log plu_progress_log(plu_progress *progress)
{
    return (plu_log){write_message, progress};
}

/* Whether bodies come to rest where they have come down, and then take little time: nothing moves,
 * drives or presses them. */
static bool comes_to_rest(const plu_scene *scene)
{
    const double *g = scene->gravity, down = plu_dot3(g, g);
    const plu_cell_spec *cell = scene->cell;
    bool moves = plu_cell_yields(cell) || plu_cell_flows(cell) || scene->stages_count > 0;
    for (int i = 0; i < scene->boundaries_count; i++)
        moves = moves || scene->boundaries[i].moves || scene->boundaries[i].has_servo;
    for (int i = 0; i < scene->bodies_count; i++)
        moves = moves || scene->bodies[i].moves;
    return scene->solver->quiet && down > 0.0 && !moves && scene->method != PLU_PENALTY;
}

/* Kinetic energy over the sum of m g d of those that can move. */
static double kinetic_share(const plu_simulation *simulation)
{
    const plu_bodies_view bodies = plu_world_bodies(simulation->world);
    const plu_energy energy = plu_world_energy(simulation->world);
    const double *g = simulation->scene.gravity;
    double weight = 0.0;
    for (int b = 0; b < bodies.count; b++)
        if (bodies.velocity[b][6] > 0.0)
            weight += 2.0 * bodies.position[b][3] / bodies.velocity[b][6];
    return (energy.translation + energy.rotation) / (weight * sqrt(plu_dot3(g, g)));
}

void plu_progress_start(plu_progress *progress, const plu_simulation *simulation)
{
    progress->simulation = simulation;
    progress->since = omp_get_wtime();
    progress->next = progress->since + progress->interval;
    progress->steps = plu_world_steps(simulation->world);
    progress->iterations = plu_stepper_totals(simulation->stepper)->iterations;
    progress->effort = plu_effort_now(simulation);
    const plu_eta_run run = {
        .made = progress->steps,
        .all = simulation->steps,
        .active = plu_world_active(simulation->world),
        .waiting = plu_world_waiting(simulation->world),
        .rests = comes_to_rest(&simulation->scene),
        .until_rest = simulation->scene.until_rest,
    };
    plu_eta_start(&progress->eta, &run, progress->since);
    progress->errors = plu_stepper_totals(simulation->stepper)->errors;
}

/* Whether a boundary is still to begin to move or to press: later stages take longer. */
static bool begins_later(const plu_scene *scene, double time)
{
    for (int i = 0; i < scene->boundaries_count; i++) {
        const plu_boundary_spec *b = &scene->boundaries[i];
        if ((b->moves && b->motion.start > time) || (b->has_servo && b->servo.start > time))
            return true;
    }
    return false;
}

/* Steps that a stage takes that begins at this step; infinite: nobody knows. `passed`: of it. */
static double stage_steps(const plu_stage_spec *stage, double h, double begins, double passed)
{
    if (stage->duration > 0.0)
        return fmax(stage->duration / h - passed, 0.0);
    if (stage->time > 0.0)
        return fmax(stage->time / h - begins - passed, 0.0);
    return stage->within > 0.0 ? plu_eta_open_end(stage->within / h, passed) : INFINITY;
}

/* Steps that are still to come, of all stages. */
static double expected_steps(const plu_progress *progress, long made)
{
    const plu_scene *scene = &progress->simulation->scene;
    double steps = 0.0;
    for (long k = progress->stage; k < scene->stages_count; k++) {
        const double passed = k == progress->stage ? (double)(made - progress->staged) : 0.0;
        steps += stage_steps(&scene->stages[k], scene->step, (double)made + steps - passed, passed);
    }
    return scene->stages_count > 0 ? steps : INFINITY;
}

void plu_progress_stage(plu_progress *progress, long stage, long staged)
{
    progress->stage = stage;
    progress->staged = staged;
}

/* Collects what a line shows; the next line counts from here. */
static view progress_look(plu_progress *progress, const plu_step_info *info, double now)
{
    const plu_simulation *simulation = progress->simulation;
    const plu_totals *totals = plu_stepper_totals(simulation->stepper);
    const plu_energy energy = plu_world_energy(simulation->world);
    const long made = plu_world_steps(simulation->world), steps = made - progress->steps;
    const double passed = now - progress->since;
    if (steps > 0 && passed > 0.0) {
        const double rate = (double)steps / passed;
        const double weight = progress->rate > 0.0 ? 1.0 - exp(-passed / SMOOTHING) : 1.0;
        progress->rate += weight * (rate - progress->rate);
    }
    char duration[32];
    const plu_effort effort = plu_effort_now(simulation);
    const plu_criterion criterion = simulation->scene.solver->criterion;
    view v = {
        .done = (double)made / (double)simulation->steps,
        .time = plu_world_time(simulation->world),
        .end = (double)simulation->steps * simulation->scene.step,
        .rate = progress->rate,
        .bodies = plu_world_active(simulation->world),
        .contacts = info->contacts,
        .sweeps = steps > 0 ? (double)(totals->iterations - progress->iterations) / (double)steps
                            : info->iterations,
        .velocities = criterion == PLU_VELOCITY,
        .error = criterion == PLU_VELOCITY      ? info->velocity_error
                 : criterion == PLU_NATURAL_MAP ? info->residual_natural
                                                : info->residual_scaled,
        .kinetic = energy.translation + energy.rotation,
        .fallback = plu_effort_fallback(&progress->effort, &effort),
        .unconverged = totals->unconverged,
        .errors = fabs(plu_error_share(&progress->errors, &totals->errors)),
    };
    plu_eta_touch(&progress->eta, info->contacts);
    plu_eta_load(&progress->eta, plu_world_load_rises(simulation->world));
    plu_eta_expect(&progress->eta, expected_steps(progress, made));
    const double left = plu_eta_left(&progress->eta);
    const bool more = begins_later(&simulation->scene, v.time),
               sooner =
                   (simulation->scene.until_rest > 0.0 && !plu_eta_sees_rest(&progress->eta)) ||
                   simulation->scene.stages_count > 0;
    plu_text_duration(left, duration, sizeof duration);
    snprintf(v.left, sizeof v.left, "%s%s", more == sooner ? "" : more ? ">" : "~", duration);
    progress->since = now;
    progress->steps = made;
    progress->iterations = totals->iterations;
    progress->effort = effort;
    progress->errors = totals->errors;
    return v;
}

/* The fields beside the bar, the most important first, and their number; `terse` for narrow
 * terminals. */
static int progress_fill(char field[FIELDS][FIELD], const view *v, bool terse)
{
    int k = 0;
    snprintf(field[k++], FIELD, "%3.0f%%", floor(100.0 * v->done));
    snprintf(field[k++], FIELD, terse ? "%.2f/%gs" : "t %.3f/%g s", v->time, v->end);
    snprintf(field[k++], FIELD, terse ? "%s" : "ETA %s", v->left);
    snprintf(field[k++], FIELD, terse ? "%.0f/s" : "%.0f steps/s", v->rate);
    if (v->unconverged > 0)
        snprintf(field[k++], FIELD, terse ? "nc %ld" : "%ld not converged", v->unconverged);
    if (v->errors > PLU_ERRORS_BEYOND)
        snprintf(field[k++], FIELD, terse ? "we %.0f%%" : "work of errors %.0f%%",
                 100.0 * v->errors);
    if (v->fallback > LITTLE)
        snprintf(field[k++], FIELD, terse ? "fb %.0f%%" : "fallback %.0f%%", 100.0 * v->fallback);
    snprintf(field[k++], FIELD, terse ? "%d b" : "%d bodies", v->bodies);
    snprintf(field[k++], FIELD, terse ? "%d c" : "%d contacts", v->contacts);
    snprintf(field[k++], FIELD, terse ? "%.0f sw" : "%.1f sweeps", v->sweeps);
    snprintf(field[k++], FIELD,
             terse           ? "e %.0e"
             : v->velocities ? "err %.1e"
                             : "res %.1e",
             v->error);
    snprintf(field[k++], FIELD, terse ? "K %.0e" : "Ek %.1e J", v->kinetic);
    return k;
}

static int columns(int count, char field[FIELDS][FIELD])
{
    int sum = 2; /* brackets of the bar */
    for (int i = 0; i < count; i++)
        sum += 1 + (int)strlen(field[i]);
    return sum;
}

int plu_terminal_width(void)
{
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return 80;
    return size.ws_col < WIDEST ? size.ws_col : WIDEST;
}

static void draw_bar(plu_progress *progress, const view *v)
{
    char field[FIELDS][FIELD];
    const int width = plu_terminal_width() - 1; /* a full line would wrap */
    int count = progress_fill(field, v, false);
    if (columns(count, field) + NARROWEST_BAR > width)
        count = progress_fill(field, v, true);
    while (count > 1 && columns(count, field) + NARROWEST_BAR > width)
        count--;
    int bar = width - columns(count, field);
    bar = bar < 0 ? 0 : bar > WIDEST_BAR ? WIDEST_BAR : bar;

    char line[LINE];
    const int full = (int)floor(fmin(1.0, v->done) * bar);
    size_t used = 0;
    for (int i = 0; i < bar; i++)
        line[used++] = i < full ? '#' : '.';
    line[used] = '\0';
    const bool color = !getenv("NO_COLOR") && is_terminal();
    fprintf(stderr, "\r[%s%s%s]", color ? "\033[32m" : "", line, color ? "\033[0m" : "");
    for (int i = 0; i < count; i++)
        fprintf(stderr, " %s", field[i]);
    const int drawn = bar + columns(count, field);
    if (drawn < progress->drawn)
        fprintf(stderr, "%*s", progress->drawn - drawn, "");
    progress->drawn = drawn;
}

static void draw_plain(const view *v)
{
    char fallback[80] = "", errors[80] = "", unconverged[48] = "";
    if (v->unconverged > 0)
        snprintf(unconverged, sizeof unconverged, ", %ld steps not converged", v->unconverged);
    if (!isnan(v->errors))
        snprintf(errors, sizeof errors, ", errors take %.2g %% of the work of friction",
                 100.0 * v->errors);
    if (v->fallback > LITTLE)
        snprintf(fallback, sizeof fallback, ", %.0f %% of the processor time in the fallback",
                 100.0 * v->fallback);
    plu_message("%.0f %%, t = %.4g s of %g s, ETA %s, %.0f steps/s, %d bodies, %d contacts, %.1f "
                "sweeps a step, %s %.1e%s%s, kinetic energy %.2e J%s",
                floor(100.0 * v->done), v->time, v->end, v->left, v->rate, v->bodies, v->contacts,
                v->sweeps, v->velocities ? "velocity error" : "residual", v->error, unconverged,
                errors, v->kinetic, fallback);
}

void plu_progress_step(plu_progress *progress, const plu_step_info *info)
{
    const plu_log log = plu_progress_log(progress);
    effort_warn(progress->simulation, &log, &progress->warned);
    if (isinf(progress->interval))
        return;
    const double now = omp_get_wtime();
    const plu_simulation *simulation = progress->simulation;
    const bool marks = plu_eta_step(&progress->eta, now, plu_world_active(simulation->world),
                                    plu_world_waiting(simulation->world));
    if (marks && simulation->scene.until_rest > 0.0)
        plu_eta_kinetic(&progress->eta, kinetic_share(simulation));
    if (now < progress->next)
        return;
    const view v = progress_look(progress, info, now);
    if (progress->bar)
        draw_bar(progress, &v);
    else
        draw_plain(&v);
    progress->next = now + progress->interval;
}

void plu_progress_finish(plu_progress *progress, const plu_step_info *info)
{
    if (!progress->bar || isinf(progress->interval))
        return;
    const view v = progress_look(progress, info, omp_get_wtime());
    draw_bar(progress, &v);
    fputc('\n', stderr);
    progress->drawn = 0;
}
