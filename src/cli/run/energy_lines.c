/* What the summary says of energies that were created or lost without a law. They are shares of
 * what contacts turned over,
 *
 *     created - (work of impacts, friction, rolling, pivoting) + kinetic energy at the end ,
 *
 * or of the energy that lifts all spheres by r / 100, g sum(m r) / 100, where that is more:
 * potential energy has no natural zero, and next to nothing turned over would make any energy a
 * large share. */
#include "cli/run/summary.h"
#include "pluvia/material.h"
#include "pluvia/solving.h"
#include <math.h>

/* The energy (J) that lifts all spheres by a hundredth of their radii; less is negligible. */
static double least_energy(const plu_simulation *simulation)
{
    const plu_bodies_view all = plu_world_bodies(simulation->world);
    const double *g = simulation->scene.gravity;
    double sum = 0.0;
    for (int i = 0; i < all.count; i++)
        if (all.state[i] == PLU_ACTIVE && all.velocity[i][6] > 0.0)
            sum += all.position[i][3] / all.velocity[i][6];
    return 0.01 * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) * sum;
}

/* Energy that was added to what contacts turned over. The balance takes it as work, so that it
 * closes all the same. */
typedef struct added {
    double share; /* of the energy that contacts turned over, or of what little lifts all spheres */
    bool lifts;   /* the latter, which is more */
} added;

/* Over the kinetic energy plus the energy that contacts dissipated. Potential energy is left out,
 * because it has no natural zero. */
static added share_of(const plu_simulation *simulation, double energy)
{
    const plu_totals *t = plu_stepper_totals(simulation->stepper);
    const plu_energy e = plu_world_energy(simulation->world);
    const double work = t->work_impact + t->work_friction + t->work_rolling + t->work_pivoting;
    const double turned_over = t->created - work + e.translation + e.rotation;
    const double least = least_energy(simulation), over = fmax(turned_over, least);
    return (added){over > 0.0 ? energy / over : 0.0, least > turned_over};
}

static const char *whole_of(added a)
{
    return a.lifts ? "the energy that lifts all spheres by 1 % of their radii"
                   : "the dissipated and remaining kinetic energy";
}

/* What contacts create beyond this share is worth a note. */
static const double noticeable = 0.005;

/* Beyond this share what the length of the step does to energy, by the account of the scheme
 * (plu_totals.theta), is named: piles, drums and hoppers have 1 % at their steps. */
static const double by_step = 0.05;

static const char *took_or_gave(double energy)
{
    return energy < 0.0 ? "took" : "gave";
}

/* What contacts created says nothing of the energy in all where the step took some of it. */
static void print_step(FILE *out, const plu_totals *t, added created, added step)
{
    const double all = t->created + t->theta;
    if (fabs(step.share) > by_step || (t->theta < -0.1 * t->created && created.share > noticeable))
        fprintf(out, "  the time step   %s %.2g J, %+.2g %%; with contacts %.2g J %s in all\n",
                took_or_gave(t->theta), fabs(t->theta), 100.0 * step.share, fabs(all),
                all < 0.0 ? "lost" : "gained");
}

void plu_energy_lines(FILE *out, const plu_simulation *simulation)
{
    const plu_totals *t = plu_stepper_totals(simulation->stepper);
    const added created = share_of(simulation, t->created),
                lifted = share_of(simulation, t->projection_up);
    if (t->creating == 0)
        fprintf(out, "energy created    none by contacts\n");
    else
        fprintf(out, "energy created    %.2g J by contacts in %ld step%s, %.2g %% of %s\n",
                t->created, t->creating, t->creating == 1 ? "" : "s", 100.0 * created.share,
                whole_of(created));
    if (simulation->scene.method != PLU_PENALTY)
        print_step(out, t, created, share_of(simulation, t->theta));
    if (t->restrained > 0)
        fprintf(out,
                "  restrained      in %ld step%s: several impacts at once had less restitution\n",
                t->restrained, t->restrained == 1 ? "" : "s");
    if (simulation->scene.stabilization != PLU_PROJECTION)
        return;
    if (t->projection_up <= 0.0)
        fprintf(out, "projection        added no energy\n");
    else
        fprintf(out, "projection        added %.2g J by moving overlaps apart, %.2g %% of %s\n",
                t->projection_up, 100.0 * lifted.share, whole_of(lifted));
}

/* The largest part of what contacts created, and what helps. */
static void print_cause(FILE *out, const plu_totals *t, const plu_scene *scene)
{
    const double turned = t->created - t->created_by_solver - t->created_by_impacts;
    const char *cause = "as their normals turn within a step", *advice = "take a smaller time.step";
    if (t->created_by_solver >= fmax(turned, t->created_by_impacts)) {
        cause = "by solves that stopped early";
        advice = scene->solver->criterion == PLU_VELOCITY
                     ? "take a smaller solver.tolerance"
                     : "take a smaller solver.tolerance or solver.criterion = \"velocity\"";
    } else if (t->created_by_impacts >= turned) {
        cause = "by several impacts at once";
        advice = scene->forecast == PLU_TOUCH
                     ? "take a smaller restitution, or a smaller time.step, which separates impacts"
                     : "take time.forecast = \"touch\"";
    }
    fprintf(out, "note              contacts created energy, %s:\n%18s%s\n", cause, "", advice);
}

/* What bounces lost although no law of the scene takes anything (J), with what the motion of bodies
 * and of overlaps gave back. */
static double lost_by_bounces(const plu_simulation *simulation)
{
    const plu_scene *scene = &simulation->scene;
    const plu_totals *t = plu_stepper_totals(simulation->stepper);
    bool lossless = scene->laws_count > 0 && scene->method == PLU_NONSMOOTH;
    for (int i = 0; i < scene->laws_count; i++)
        lossless = lossless && scene->laws[i].restitution == 1.0 && scene->laws[i].cohesion == 0.0;
    return lossless ? -(t->work_impact + t->theta + t->projection) : 0.0;
}

static void print_step_note(FILE *out, const plu_simulation *simulation)
{
    const plu_scene *scene = &simulation->scene;
    const double energy = plu_stepper_totals(simulation->stepper)->theta;
    const added step = share_of(simulation, energy);
    if (!(fabs(step.share) > by_step))
        return;
    fprintf(out, "note              the time step %s %.2g J, %.2g %% of %s:\n%18s%s\n",
            took_or_gave(energy), fabs(energy), 100.0 * fabs(step.share), whole_of(step), "",
            energy < 0.0 && scene->theta > 0.5 ? "take time.theta = 0.5, or a smaller time.step"
                                               : "take a smaller time.step");
}

void plu_energy_notes(FILE *out, const plu_simulation *simulation)
{
    static const double often = 0.01, lossy = 0.01;
    const plu_totals *t = plu_stepper_totals(simulation->stepper);
    const double lost = lost_by_bounces(simulation);
    const added loss = share_of(simulation, lost);
    if (loss.share > lossy)
        fprintf(
            out,
            "note              impacts took %.2g J, %.2g %% of %s,\n%18salthough restitution is "
            "1: take a smaller time.step\n",
            lost, 100.0 * loss.share, whole_of(loss), "");
    if (share_of(simulation, t->created).share > noticeable)
        print_cause(out, t, &simulation->scene);
    print_step_note(out, simulation);
    if ((double)t->restrained > often * (double)t->steps)
        fprintf(
            out,
            "note              several impacts at once would have created energy: take a smaller "
            "time.step,\n%18swhich separates them\n",
            "");
}

void plu_energy_warn(const plu_simulation *simulation, const plu_log *log)
{
    static const double much = 0.01;
    const plu_totals *t = plu_stepper_totals(simulation->stepper);
    const added lifted = share_of(simulation, t->projection_up);
    if (simulation->scene.method == PLU_PENALTY || lifted.share <= much)
        return;
    plu_log_write(
        log, PLU_LOG_WARNING,
        "the position projection added %.2g J, %.2g %% of %s, most of it in the step to t = "
        "%g s (%.2g J): bodies overlap there by more than `slop`; take a smaller time.step",
        t->projection_up, 100.0 * lifted.share, whole_of(lifted), t->projection_time,
        t->projection_most);
}
