/* The nonsmooth method: the impulses of a step solve its contact problem. (What is done again
 * within a step, because sleepers wake or others meet, is in impulses.c.)
 *
 *     prepare     the scene's solver, local solver and fallback by their names, and what cannot be
 *                 had together is refused before the first step, with the place in the file
 *     impulses    warm start -> first step without any: initial impulses -> solve -> report
 *
 * A report is of the worst island: a step has converged if all of its islands have, and `missed` is
 * the largest of their errors over what is allowed. The natural map of tiled islands is computed
 * only where somebody asks for it (plu_stepper_natural), from the impulses that the step ended
 * with. */
#include "base/strategy.h"
#include "base/vec3.h"
#include "pluvia/material.h"
#include "pluvia/scene.h"
#include "pluvia/solving.h"
#include "solve/solve.h"
#include "step/jams.h"
#include "step/method.h"
#include "step/stepper.h"
#include "sweep/initial_impulses.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static plu_status unknown(const plu_scene *scene, plu_where where, const char *key,
                          const char *name, plu_error *err)
{
    char place[PLU_PATH + 64];
    char why[256];
    plu_portfolio_unknown(name, why);
    return plu_fail(err, PLU_BAD_INPUT, "%s: %s: %s",
                    plu_scene_where(scene, where, place, sizeof place), key, why);
}

static plu_status refused(const plu_scene *scene, plu_where where, const char *key,
                          const char *name, const char *why, plu_error *err)
{
    char place[PLU_PATH + 64];
    return plu_fail(err, PLU_BAD_INPUT, "%s: %s: \"%s\" %s",
                    plu_scene_where(scene, where, place, sizeof place), key, name, why);
}

static bool has_rolling_friction(const plu_scene *scene)
{
    for (int i = 0; i < scene->laws_count; i++)
        if (scene->laws[i].rolling_friction > 0.0)
            return true;
    return false;
}

static double largest_restitution(const plu_scene *scene)
{
    double e = 0.0;
    for (int i = 0; i < scene->laws_count; i++)
        e = plu_max(e, scene->laws[i].restitution);
    return e;
}

/* What stops on velocities, and what a fallback would solve, is Coulomb's law. */
static plu_status check_associated(plu_stepper *s, plu_error *err)
{
    const plu_solver_spec *spec = s->scene->solver;
    if (!s->settings.solver->associated)
        return refused(s->scene, spec->name_where, "solver.name", spec->name,
                       "does not support law = \"associated\" (" PLU_ASSOCIATED_SOLVERS " do)",
                       err);
    if (s->settings.velocity || s->settings.deep)
        return refused(s->scene, spec->name_where, "solver.criterion",
                       s->settings.velocity ? "velocity" : "weight",
                       "works with Coulomb's law only: law = \"associated\" needs solver.criterion "
                       "= \"scaled\" or \"natural-map\"",
                       err);
    s->settings.fallback = NULL;
    return PLU_OK;
}

/* Refuses what does not support problems of seven rows. */
static plu_status check_pivoting(plu_stepper *s, plu_error *err)
{
    static const char *why =
        "does not support pivoting friction, which a contact law of the scene has";
    const plu_solver_spec *spec = s->scene->solver;
    if (s->settings.local->rows < PLU_ROWS_MAX)
        return refused(s->scene, spec->local_where, "solver.local", spec->local, why, err);
    if (s->settings.solver->no_pivoting)
        return refused(s->scene, spec->name_where, "solver.name", spec->name, why, err);
    if (s->settings.fallback && s->settings.fallback->no_pivoting)
        return refused(s->scene, spec->fallback_where, "solver.fallback", spec->fallback, why, err);
    return PLU_OK;
}

/* Edges of a cell that a stress moves join more than two bodies, which general problems do not. */
static plu_status check_stress_control(plu_stepper *s, plu_error *err)
{
    const plu_solver_spec *spec = s->scene->solver;
    if (!s->settings.solver->step)
        return refused(s->scene, spec->name_where, "solver.name", spec->name,
                       "does not support cell.stress (\"gs\" does)", err);
    if (!s->settings.local->sphere)
        return refused(s->scene, spec->local_where, "solver.local", spec->local,
                       "does not support cell.stress (\"exact\" does)", err);
    s->settings.fallback = NULL;
    return PLU_OK;
}

static plu_status choose_solver(plu_stepper *s, plu_error *err)
{
    const plu_solver_spec *spec = s->scene->solver;
    s->settings = (plu_solve_settings){
        .natural = spec->criterion == PLU_NATURAL_MAP,
        .velocity = spec->criterion == PLU_VELOCITY,
        .step = s->world->step,
        .deep = spec->criterion == PLU_WEIGHT,
        .restitution = largest_restitution(s->scene),
        .unequal = s->world->unequal,
        .tolerance = spec->tolerance,
        .min_iterations = spec->min_iterations,
        .max_iterations = spec->max_iterations,
        .associated = s->scene->law == PLU_ASSOCIATED,
        .momentum = spec->momentum,
        .anderson_after = spec->anderson_after,
        .single = spec->single,
        .solver = plu_solver_named(s->extensions, spec->name),
        .local = plu_local_named(s->extensions, spec->local),
        .fallback = plu_solver_named(s->extensions, spec->fallback),
    };
    if (!s->settings.solver)
        return unknown(s->scene, spec->name_where, "solver.name", spec->name, err);
    if (!s->settings.local)
        return unknown(s->scene, spec->local_where, "solver.local", spec->local, err);
    if (s->settings.local->rows == 3 && has_rolling_friction(s->scene))
        return refused(s->scene, spec->local_where, "solver.local", spec->local,
                       "does not support rolling friction, which a contact law of the scene has",
                       err);
    if (!s->settings.fallback && strcmp(spec->fallback, "none") != 0 && !s->settings.associated)
        return unknown(s->scene, spec->fallback_where, "solver.fallback", spec->fallback, err);
    plu_status status = s->world->pivots ? check_pivoting(s, err) : PLU_OK;
    if (status == PLU_OK && s->world->stress_control.mass > 0.0)
        status = check_stress_control(s, err);
    return status == PLU_OK && s->settings.associated ? check_associated(s, err) : status;
}

static void report(const plu_stepper *s, plu_step_info *info)
{
    const plu_island_result *results = plu_workspace_results(s->workspace);
    info->iterations = 0; /* of the last solve of the step */
    info->residual_scaled = info->residual_natural = info->missed = 0.0;
    info->velocity_error = info->sinking_speed = 0.0;
    info->tolerance = s->settings.tolerance;
    info->converged = true;
    for (int k = 0; k < s->problem.islands_count; k++) {
        const plu_island_result *r = &results[k];
        info->iterations = r->iterations > info->iterations ? r->iterations : info->iterations;
        info->updates += (long)r->iterations * s->problem.islands[k].contacts;
        info->residual_scaled = plu_max(info->residual_scaled, r->residuals.scaled);
        if (!isnan(info->residual_natural)) /* else one is not known yet */
            info->residual_natural = isnan(r->residuals.natural)
                                         ? NAN
                                         : plu_max(info->residual_natural, r->residuals.natural);
        if (!(r->missed <= info->missed))
            info->missed = r->missed;
        info->velocity_error = plu_max(info->velocity_error, r->velocity);
        info->sinking_speed = plu_max(info->sinking_speed, r->sinking);
        if (!r->converged)
            info->tolerance = plu_min(info->tolerance, r->tolerance);
        info->converged &= r->converged;
    }
}

const char *plu_missed_text(const plu_stepper *s, const plu_step_info *info, const char *is,
                            char *text, size_t size)
{
    const double e = info->velocity_error;
    if (!s->settings.velocity)
        snprintf(text, size, "residual %s%.3g (tolerance %g)", is,
                 s->settings.natural ? info->residual_natural : info->residual_scaled,
                 info->tolerance);
    else if (e > info->tolerance)
        snprintf(text, size, "velocity error %s%.3g of %s (allowed %g)", is, e,
                 plu_fall(&s->settings) > 0.0 ? "g h" : "the velocity change of the step",
                 info->tolerance);
    else /* bodies at rest, impacts, heavy bodies and what sinks are judged sharper */
        snprintf(text, size,
                 "velocity error %s%.3g with loads that sink at %.3g m/s, %.3g times what "
                 "solver.tolerance = %g allows here",
                 is, e, info->sinking_speed, info->missed, info->tolerance);
    return text;
}

static plu_status impulses(plu_stepper *s, plu_step_info *info, plu_error *err)
{
    plu_solve_settings settings = s->settings;
    settings.jammed = s->jams.now_count > 0; /* in the step before */
    bool sought = false;
    plu_status status = plu_remember_start(s, err);
    s->problem.yield = plu_strength_now(s);
    if (status == PLU_OK && s->cold)
        status =
            plu_initial_impulses(&s->problem, &settings, s->workspace, &s->served, &sought, err);
    if (sought)
        settings.tolerance *= sought_share;
    if (status == PLU_OK)
        status = plu_solve_step(&s->problem, &settings, s->workspace, err);
    if (status != PLU_OK)
        return status;
    report(s, info);
    s->totals.solver_seconds += plu_workspace_seconds(s->workspace);
    s->totals.fallback_seconds += plu_workspace_fallback_seconds(s->workspace);
    s->totals.fallback_steps += plu_workspace_handed(s->workspace);
    return PLU_OK;
}

void plu_stepper_natural(plu_stepper *s, plu_step_info *info)
{
    if (!isnan(info->residual_natural))
        return;
    if (!s->natural_open) { /* another call has asked */
        info->residual_natural = s->natural;
        return;
    }
    info->residual_natural = 0.0;
    plu_border_swap(s);
    for (int k = 0; k < s->problem.islands_count; k++) {
        double natural = plu_workspace_results(s->workspace)[k].residuals.natural;
        if (isnan(natural))
            natural =
                plu_problem_residual(&s->problem, &s->problem.islands[k], true, false).natural;
        info->residual_natural = plu_max(info->residual_natural, natural);
    }
    plu_border_swap(s);
    s->totals.worst_natural = plu_max(s->totals.worst_natural, info->residual_natural);
    s->totals.natural_open--;
    s->natural_open = false;
    s->natural = info->residual_natural;
}

static plu_status prepare(plu_stepper *s, plu_error *err)
{
    s->workspace = plu_workspace_create(err);
    return s->workspace ? choose_solver(s, err) : PLU_IO;
}

static void discard(plu_stepper *s)
{
    plu_workspace_destroy(s->workspace);
}

const plu_step_method plu_nonsmooth = {
    .prepare = prepare, .impulses = impulses, .discard = discard};
