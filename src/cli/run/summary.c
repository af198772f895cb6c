/* The summary that a run prints at its end, a block for each function print_*:
 *
 *   trajectory        output/pile.h5md: complete (at rest), 101 frames, 12 MB
 *   sweeps            12.3 a step until "velocity" is at most 0.01
 *   ...               errors, overlaps, jams (summary_lines.c), energies (energy_lines.c)
 *   note              advice, only where a number above calls for it */
#include "cli/run/summary.h"
#include "cli/base/text.h"
#include "cli/run/advice.h"
#include "cli/run/progress.h"
#include "pluvia/cell.h"
#include "pluvia/solving.h"
#include "pluvia/tool/measure.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

static const char *const phase_names[] = {
    [PLU_PHASE_FEED] = "feed",           [PLU_PHASE_DETECT] = "detect",
    [PLU_PHASE_ASSEMBLE] = "assemble",   [PLU_PHASE_SOLVE] = "solve",
    [PLU_PHASE_INTEGRATE] = "integrate",
};
_Static_assert(sizeof phase_names / sizeof *phase_names == PLU_PHASES, "a name for each phase");

/* a / b; 0 if b is 0 */
static double ratio(double a, double b)
{
    return b > 0.0 ? a / b : 0.0;
}

/* Without gravity errors have another scale, and boundaries carry nothing. */
static bool has_weight(const plu_simulation *simulation)
{
    const double *g = simulation->scene.gravity;
    return g[0] != 0.0 || g[1] != 0.0 || g[2] != 0.0;
}

static void print_files(FILE *out, const plu_run_report *report)
{
    static const char *const ends[] = {
        [PLU_RUN_RUNNING] = "running",
        [PLU_RUN_COMPLETE] = "complete",
        [PLU_RUN_INTERRUPTED] = "interrupted",
        [PLU_RUN_FAILED] = "failed",
    };
    _Static_assert(sizeof ends / sizeof *ends == PLU_RUN_STATES, "a word for each state");
    struct stat file;
    char size[32];
    plu_text_bytes(stat(report->path, &file) == 0 ? (double)file.st_size : 0.0, size, sizeof size);
    const int stem = (int)(strlen(report->path) - strlen(".h5md"));
    fprintf(out, "trajectory        %s: %s%s, %ld frames, %s\n", report->path, ends[report->end],
            report->at_rest       ? " (at rest)"
            : report->stages_over ? " (all stages)"
                                  : "",
            report->frames, size);
    fprintf(out, "for ParaView      %.*s.xdmf\n", stem, report->path);
}

static void print_stages(FILE *out, const plu_simulation *simulation, const plu_run_report *report)
{
    const plu_scene *scene = &simulation->scene;
    const plu_run_record *record = report->record;
    for (int k = 0; k < scene->stages_count && k <= record->stage; k++) {
        const double end =
            k < record->stage ? record->begun[k + 1] : plu_world_time(simulation->world);
        fprintf(out, "%-17s \"%s\" from %g s to %g s\n", k ? "" : "stages", scene->stages[k].name,
                record->begun[k], end);
    }
}

static void print_speed(FILE *out, const plu_simulation *simulation, const plu_run_report *report)
{
    const plu_totals *totals = plu_stepper_totals(simulation->stepper);
    plu_chosen_steps_print(out, simulation);
    fprintf(out, "wall time         %.2f s: %.0f steps/s on %d ", report->wall_seconds,
            ratio((double)totals->steps, report->wall_seconds), report->used);
    if (report->used < report->threads)
        fprintf(out, "of %d ", report->threads);
    fprintf(out, "thread%s\n", report->threads == 1 ? "" : "s");
    const char *names[PLU_PHASES + 2];
    double seconds[PLU_PHASES + 2];
    double rest = report->wall_seconds - report->output_seconds;
    for (int i = 0; i < PLU_PHASES; i++) {
        names[i] = phase_names[i];
        seconds[i] = totals->seconds[i];
        rest -= totals->seconds[i];
    }
    names[PLU_PHASES] = "output";
    seconds[PLU_PHASES] = report->output_seconds;
    names[PLU_PHASES + 1] = "other";
    seconds[PLU_PHASES + 1] = fmax(0.0, rest);
    fprintf(out, "  by phase       ");
    for (int i = 0; i < PLU_PHASES + 2; i++)
        fprintf(out, " %9s", names[i]);
    fprintf(out, "\n  seconds        ");
    for (int i = 0; i < PLU_PHASES + 2; i++)
        fprintf(out, " %9.2f", seconds[i]);
    fprintf(out, "\n  percent        ");
    for (int i = 0; i < PLU_PHASES + 2; i++)
        fprintf(out, " %9.1f", 100.0 * ratio(seconds[i], report->wall_seconds));
    fprintf(out, "\n");
}

/* Only where there were any. */
static void print_limits(FILE *out, const plu_totals *totals)
{
    static const char *const kinds[] = {
        [PLU_LIMIT_VELOCITY] = "velocity",
        [PLU_LIMIT_PENETRATION] = "penetration",
        [PLU_LIMIT_PASSAGE] = "through each other or a boundary",
        [PLU_LIMIT_UNCONVERGED] = "solver not converged",
    };
    _Static_assert(sizeof kinds / sizeof *kinds == PLU_LIMITS, "a name for each limit");
    const char *before = "beyond limits    ";
    for (int i = 0; i < PLU_LIMITS; i++) {
        if (totals->beyond[i] == 0)
            continue;
        fprintf(out, "%s %s in %ld steps", before, kinds[i], totals->beyond[i]);
        before = ",";
    }
    if (*before == ',')
        fprintf(out, "\n");
}

static void print_natural(FILE *out, const plu_totals *totals)
{
    fprintf(out, "%.2e natural map (SI", totals->worst_natural);
    if (totals->natural_open > 0)
        fprintf(out, ", of %ld of the steps", totals->steps - totals->natural_open);
    fprintf(out, ")");
}

/* Prints first the residual by which the solver stops, then the other one unless it tells nothing
 * (a scaled residual of 1, or a natural map that was not computed). */
static void print_residuals(FILE *out, const plu_totals *totals, bool natural)
{
    fprintf(out, "worst residual    ");
    if (natural)
        print_natural(out, totals);
    if (!natural || totals->worst_scaled < 1.0)
        fprintf(out, "%s%.2e scaled", natural ? ", " : "", totals->worst_scaled);
    if (!natural && totals->natural_open < totals->steps) {
        fprintf(out, ", ");
        print_natural(out, totals);
    }
    fprintf(out, "\n");
}

static void print_velocities(FILE *out, const plu_simulation *simulation, const plu_step_info *last)
{
    const plu_totals *totals = plu_stepper_totals(simulation->stepper);
    fprintf(out, "velocity error    at most %.2g of %s", totals->worst_velocity,
            has_weight(simulation) ? "the velocity that gravity adds in a step"
                                   : "the velocity change of a step");
    if (last)
        fprintf(out, ", %.2g in the last step", last->velocity_error);
    fprintf(out,
            "\n"
            "sinking speed     at most %.2g m/s: %s",
            totals->worst_sinking,
            has_weight(simulation) ? "how fast loads sink, impacts included"
                                   : "what errors do over the momentum that a step changes");
    if (last)
        fprintf(out, ", %.2g m/s in the last step", last->sinking_speed);
    fprintf(out, "\n");
}

static const char *const criterion_names[] = {[PLU_VELOCITY] = "velocity",
                                              [PLU_WEIGHT] = "weight",
                                              [PLU_SCALED] = "scaled",
                                              [PLU_NATURAL_MAP] = "natural-map"};
_Static_assert(sizeof criterion_names / sizeof *criterion_names == PLU_CRITERIA,
               "a name for each criterion");

static void print_solver(FILE *out, const plu_simulation *simulation, const plu_step_info *last)
{
    const plu_totals *totals = plu_stepper_totals(simulation->stepper);
    const plu_criterion criterion = simulation->scene.solver->criterion;
    const double steps = (double)totals->steps;
    fprintf(out,
            "sweeps            %.1f a step until \"%s\" is at most %g, %.1f million contact "
            "updates/s\n",
            ratio((double)totals->iterations, steps), criterion_names[criterion],
            simulation->scene.solver->tolerance,
            1e-6 * ratio((double)totals->updates, totals->solver_seconds));
    if (criterion == PLU_VELOCITY)
        print_velocities(out, simulation, last);
    else
        print_residuals(out, totals, criterion == PLU_NATURAL_MAP);
    fprintf(out, "not converged     %ld of %ld steps (%.2g %%)", totals->unconverged, totals->steps,
            100.0 * ratio((double)totals->unconverged, steps));
    if (totals->unconverged > 0) /* errors of impacts and of what rests have to be smaller */
        fprintf(out, ", errors up to %.2g times the allowed error", totals->worst_missed);
    fprintf(out, "\n");
}

/* Overlaps of impacts go with the step; the one to take is what `pluvia check` proposes. */
static void print_overlap(FILE *out, const plu_scene *scene, double step)
{
    fprintf(out, "note              overlaps beyond %g %% of a diameter: take ",
            100.0 * PLU_DEEP_OVERLAP);
    if (scene->method == PLU_PENALTY)
        fprintf(out, "a larger normal_stiffness\n");
    else
        fprintf(out, "time.step = %g or less%s\n", step,
                scene->forecast == PLU_TOUCH ? "" : ", or time.forecast = \"touch\"");
}

static void print_fallback(FILE *out, const plu_simulation *simulation)
{
    static const double little = 0.01, much = 0.5, soon = 2.0; /* shares, s */
    const plu_totals *totals = plu_stepper_totals(simulation->stepper);
    const plu_effort none = {0.0, 0.0}, now = plu_effort_now(simulation);
    const double share = plu_effort_fallback(&none, &now);
    if (share < little)
        return;
    fprintf(out, "fallback          %s took %.0f %% of the processor time, %.2g s in %ld steps\n",
            simulation->scene.solver->fallback, 100.0 * share, totals->fallback_seconds,
            totals->fallback_steps);
    if (share > much && totals->fallback_seconds > soon)
        fprintf(out, "note              %s;\n%18s%s\n", plu_effort_advice(simulation), "",
                PLU_EFFORT_WITHOUT);
}

/* Layers of the bodies along gravity, in diameters of the largest one; 0 without gravity. */
static double layers(const plu_simulation *simulation)
{
    const plu_bodies_view bodies = plu_world_bodies(simulation->world);
    const double *g = simulation->scene.gravity, size = hypot(hypot(g[0], g[1]), g[2]);
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < bodies.count && size > 0.0; i++) {
        const double *x = bodies.position[i];
        const double depth = (x[0] * g[0] + x[1] * g[1] + x[2] * g[2]) / size;
        if (bodies.state[i] == PLU_ACTIVE) {
            low = fmin(low, depth);
            high = fmax(high, depth);
        }
    }
    return high > low ? (high - low) / plu_simulation_diameter(simulation) + 1.0 : 0.0;
}

/* Deep beds that start without impulses, and for which none were found beforehand
 * (sweep/initial_impulses.h), slip in their first steps: sweeps from zero find another solution
 * than rest, though one that satisfies the criterion (src/tried.md). */
static void print_cold_start(FILE *out, const plu_simulation *simulation)
{
    static const long many = 500; /* contacts; columns of single spheres stay where they are */
    static const double deep = 30.0;
    const plu_totals *totals = plu_stepper_totals(simulation->stepper);
    if (totals->cold >= many && layers(simulation) >= deep)
        fprintf(out,
                "note              started with %ld contacts but no impulses: a bed of more than "
                "%g layers\n"
                "%18smay slip by 1e-3 of its height until the impulses are found; continue from\n"
                "%18sa checkpoint or start from a run (bodies.run) if that matters\n",
                totals->cold, deep, "", "");
}

/* Advice that follows from the numbers printed above. */
static void print_notes(FILE *out, const plu_simulation *simulation, const plu_step_advice *advice)
{
    static const double unequal = 1e4;
    const plu_totals *totals = plu_stepper_totals(simulation->stepper);
    const plu_scene *scene = &simulation->scene;
    const bool springs = scene->method == PLU_PENALTY;
    const double shorter = plu_step_after(advice, scene->step, totals->worst_penetration_ratio);
    /* A jam overlaps because its load exceeds the strength of contacts, which no shorter step
     * helps. */
    if (shorter > 0.0 && totals->jam.depth < totals->worst_penetration)
        print_overlap(out, scene, shorter);
    print_cold_start(out, simulation);
    if (!springs)
        plu_energy_notes(out, simulation);
    if (!springs && totals->unconverged_masses > unequal)
        fprintf(out,
                "note              not converged with masses of %.0e : 1 in contact: take %s\n",
                totals->unconverged_masses,
                scene->solver->criterion == PLU_VELOCITY ? "a larger solver.max_iterations"
                                                         : "solver.criterion = \"velocity\"");
}

/* The stress of a cell along the axes in which it is given, and a note where it is not reached. */
static void print_cell_stress(FILE *out, const plu_simulation *simulation)
{
    static const double near = 0.1;
    const plu_cell_spec *cell = simulation->scene.cell;
    double stress[3][3];
    bool missed = false;
    if (!plu_cell_yields(cell))
        return;
    plu_stepper_cell_stress(simulation->stepper, stress);
    const char *before = "cell stress       ";
    for (int k = 0; k < 3; k++) {
        if (!(cell->stress[k] > 0.0))
            continue;
        missed = missed || !(fabs(stress[k][k] - cell->stress[k]) <= near * cell->stress[k]);
        fprintf(out, "%s%.4g of %g Pa along %c", before, stress[k][k], cell->stress[k], "xyz"[k]);
        before = ", ";
    }
    fprintf(out, " in the last step\n");
    if (missed)
        fprintf(
            out,
            "note              the cell has not reached cell.stress: take a longer time.end, or "
            "a cell.mass\n%18sof about the mass of the bodies\n",
            "");
}

/* Prints the load of the boundaries over the weight of all bodies, which is 1 at rest. */
static void print_load(FILE *out, const plu_simulation *simulation)
{
    if (has_weight(simulation) && simulation->scene.boundaries_count > 0)
        fprintf(out, "boundaries carry  %.4f of the weight in the last step\n",
                plu_stepper_boundary_load(simulation->stepper));
}

static void print_quality(FILE *out, const plu_simulation *simulation, const plu_run_report *report)
{
    const plu_step_info *last = report->last;
    const plu_totals *totals = plu_stepper_totals(simulation->stepper);
    if (simulation->scene.method == PLU_PENALTY)
        fprintf(out, "springs           store %.3g J; dampers and friction dissipated %.3g J\n",
                totals->elastic, totals->dissipated);
    else
        print_solver(out, simulation, last);
    plu_error_lines(out, simulation);
    fprintf(out, "interpenetration  at most %.2e m, %.2g %% of the diameter\n",
            totals->worst_penetration, 100.0 * totals->worst_penetration_ratio);
    plu_jams_print(out, simulation);
    print_limits(out, totals);
    plu_broken_rules_print(out, simulation);
    fprintf(out, "energy balance    %.1e of the energy turned over is unaccounted for\n",
            plu_stepper_imbalance(simulation->stepper));
    if (simulation->scene.method != PLU_PENALTY)
        plu_energy_lines(out, simulation);
    /* A stage that begins at the end has no contacts yet. */
    const bool begins =
        report->record->stage > 0 && report->record->staged == plu_world_steps(simulation->world);
    if (last && !begins)
        print_load(out, simulation);
    if (last && !begins && simulation->scene.cell->given)
        print_cell_stress(out, simulation);
    print_fallback(out, simulation);
    print_notes(out, simulation, &report->advice);
}

static void print_bodies(FILE *out, const plu_simulation *simulation)
{
    const plu_world *world = simulation->world;
    char fixed[32] = "";
    if (plu_world_fixed(world) > 0)
        snprintf(fixed, sizeof fixed, " (%d fixed)", plu_world_fixed(world));
    fprintf(out, "bodies            %d active%s, %d waiting, %d removed; %ld delayed release%s\n",
            plu_world_active(world), fixed, plu_world_waiting(world), plu_world_removed(world),
            plu_world_delayed(world), plu_world_delayed(world) == 1 ? "" : "s");
    fprintf(out, "state hash        %016" PRIx64 "\n", plu_world_hash(world));
}

/* In diameters of the largest sphere, and only where it can be a pile. */
static void print_pile(FILE *out, const plu_simulation *simulation)
{
    enum { FEW = 20 };
    const plu_scene *scene = &simulation->scene;
    if (!(scene->gravity[2] < 0.0) || plu_world_active(simulation->world) <= FEW)
        return;
    plu_pile pile;
    plu_heap heap;
    plu_error err;
    const plu_view view = plu_view_world(simulation->world);
    if (plu_heap_find(&heap, &view, NAN, &err) != PLU_OK) /* a line less */
        return;
    plu_measure_pile(&pile, &heap.view, heap.base);
    plu_heap_free(&heap);
    const double d = plu_simulation_diameter(simulation);
    if (pile.spheres > 0)
        fprintf(out,
                "pile              height %.2f d, mean height %.2f d; %d spheres at the bottom, "
                "mean radius %.2f d (d %.3g m)\n",
                pile.height / d, pile.mean_height / d, pile.bottom, pile.mean_radius / d, d);
}

void plu_summary_print(FILE *out, const plu_simulation *simulation, const plu_run_report *report,
                       const plu_log *log)
{
    plu_energy_warn(simulation, log);
    if (!out)
        return;
    print_files(out, report);
    print_stages(out, simulation, report);
    print_speed(out, simulation, report);
    print_quality(out, simulation, report);
    print_bodies(out, simulation);
    plu_feeding_print_fills(out, simulation);
    plu_feeding_print_feeders(out, simulation);
    print_pile(out, simulation);
    if (report->end == PLU_RUN_COMPLETE && !report->at_rest && !report->stages_over)
        plu_hints_print_unrest(out, simulation);
    fprintf(out, "look at it with   pluvia info %s\n", report->path);
}
