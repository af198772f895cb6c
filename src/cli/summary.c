#include "summary.h"
#include "pluvia/measure.h"
#include "text.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

static const char *const phase_names[PLU_PHASES] = {
    [PLU_PHASE_FEED] = "feed",           [PLU_PHASE_DETECT] = "detect",
    [PLU_PHASE_ASSEMBLE] = "assemble",   [PLU_PHASE_SOLVE] = "solve",
    [PLU_PHASE_INTEGRATE] = "integrate",
};

/* 0 where there is nothing to divide by */
static double ratio(double a, double b)
{
    return b > 0.0 ? a / b : 0.0;
}

static void print_files(FILE *out, const plu_run_report *report)
{
    static const char *const ends[] = {
        [PLU_RUN_RUNNING] = "running",
        [PLU_RUN_COMPLETE] = "complete",
        [PLU_RUN_INTERRUPTED] = "interrupted",
        [PLU_RUN_FAILED] = "failed",
    };
    struct stat file;
    char size[32];
    plu_text_bytes(stat(report->path, &file) == 0 ? (double)file.st_size : 0.0, size, sizeof size);
    const int stem = (int)(strlen(report->path) - strlen(".h5md"));
    fprintf(out, "trajectory        %s: %s%s, %ld frames, %s\n", report->path, ends[report->end],
            report->at_rest ? " (at rest)" : "", report->frames, size);
    fprintf(out, "for ParaView      %.*s.xdmf\n", stem, report->path);
}

static void print_speed(FILE *out, const plu_simulation *simulation, const plu_run_report *report)
{
    const plu_totals *totals = plu_stepper_totals(simulation->stepper);
    fprintf(out, "simulated         %g s in %ld steps of %g s\n", plu_world_time(simulation->world),
            totals->steps, simulation->scene.step);
    fprintf(out, "wall time         %.2f s: %.0f steps/s on %d thread%s\n", report->wall_seconds,
            ratio((double)totals->steps, report->wall_seconds), report->threads,
            report->threads == 1 ? "" : "s");

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
    static const char *const kinds[PLU_LIMITS] = {
        [PLU_LIMIT_VELOCITY] = "velocity",
        [PLU_LIMIT_PENETRATION] = "penetration",
        [PLU_LIMIT_PASSAGE] = "through a boundary",
        [PLU_LIMIT_UNCONVERGED] = "solver stuck",
    };
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

static void print_solver(FILE *out, const plu_totals *totals)
{
    const double steps = (double)totals->steps;
    fprintf(out, "sweeps            %.1f a step, %.1f million contact updates/s\n",
            ratio((double)totals->iterations, steps),
            1e-6 * ratio((double)totals->updates, totals->solver_seconds));
    fprintf(out, "worst residual    %.2e scaled, %.2e natural map (SI", totals->worst_scaled,
            totals->worst_natural);
    if (totals->natural_open > 0)
        fprintf(out, ", of %ld of the steps", totals->steps - totals->natural_open);
    fprintf(out, ")\n");
    fprintf(out, "not converged     %ld of %ld steps (%.2g %%)\n", totals->unconverged,
            totals->steps, 100.0 * ratio((double)totals->unconverged, steps));
}

static void print_quality(FILE *out, const plu_simulation *simulation)
{
    const plu_totals *totals = plu_stepper_totals(simulation->stepper);
    if (simulation->scene.method == PLU_PENALTY)
        fprintf(out, "springs           hold %.3g J; %.3g J went into dampers and friction\n",
                totals->elastic, totals->dissipated);
    else
        print_solver(out, totals);
    fprintf(out, "interpenetration  at most %.2e m, %.2g %% of the diameter\n",
            totals->worst_penetration, 100.0 * totals->worst_penetration_ratio);
    print_limits(out, totals);
    fprintf(out, "energy balance    %.1e of the energy turned over is unaccounted for\n",
            plu_stepper_imbalance(simulation->stepper));
}

static void print_bodies(FILE *out, const plu_simulation *simulation)
{
    const plu_world *world = simulation->world;
    fprintf(out, "bodies            %d active, %d waiting, %d removed; %ld delayed release%s\n",
            plu_world_active(world), plu_world_waiting(world), plu_world_removed(world),
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
    const plu_view view = plu_view_world(simulation->world);
    plu_measure_pile(&pile, &view, plu_scene_base(scene));
    const double d = plu_simulation_diameter(simulation);
    if (pile.spheres > 0)
        fprintf(out,
                "pile              height %.2f d, mean height %.2f d; %d spheres at the bottom, "
                "mean radius %.2f d\n",
                pile.height / d, pile.mean_height / d, pile.bottom, pile.mean_radius / d);
}

void plu_summary_print(FILE *out, const plu_simulation *simulation, const plu_run_report *report)
{
    print_files(out, report);
    print_speed(out, simulation, report);
    print_quality(out, simulation);
    print_bodies(out, simulation);
    print_pile(out, simulation);
    fprintf(out, "look at it with   pluvia info %s\n", report->path);
}
