/* Rules of the step (src/machinery.md, "Rules of the step"): what a step was too long for. Each is
 * a number without a unit, compared with a limit of the rule:
 *
 *     spin      h |w|, of boundaries that turn and are not round      rad
 *     period    h f, of vibrations and swings                         periods
 *     press     h sqrt(p) / min(d sqrt(rho)): its square, h^2 p / (rho d^2), is the way on which
 *               the stress p brings a free grain in a step, over its diameter
 *     swing     h sqrt(g / R), R = R_tube - r: the phase of a pendulum in a tube or a bowl
 *     overlap   what steps have made deeper than the start was, over the smaller diameter
 *
 * Travel and turning are those of contacts (rule_contacts.c). */
#include "step/rules.h"
#include "base/team.h"
#include "base/vec3.h"
#include "pluvia/boundary.h"
#include "pluvia/cell.h"
#include "pluvia/material.h"
#include "pluvia/scene.h"
#include "step/limits.h"
#include "step/stepper.h"
#include "world/motion.h"
#include "world/servo.h"
#include <math.h>

void plu_rules_begin(plu_stepper *s)
{
    const plu_world *w = s->world;
    s->press = HUGE_VAL;
    for (int i = 0; i < w->spheres.count; i++) {
        const double density = w->scene->materials[w->spheres.species[i]].density;
        s->press = plu_min(s->press, 2.0 * w->spheres.at[i][3] * sqrt(density));
    }
}

static double spin_of(const plu_world *w)
{
    double most = 0.0;
    for (int m = 0; m < w->motions_count; m++) {
        const plu_motion *motion = &w->motions[m];
        const plu_pose *p = &motion->pose;
        if (!p->gone && !plu_motion_is_round(motion))
            most = plu_max(most, plu_max(fabs(p->spin[0]), fabs(p->spin[1])));
    }
    return w->step * most;
}

static double beat_of(const plu_motion_spec *spec)
{
    const double shakes = plu_norm(spec->amplitude) > 0.0 ? spec->frequency : 0.0;
    return plu_max(shakes, spec->swing != 0.0 ? spec->swing_frequency : 0.0);
}

int plu_rules_boundary(const plu_stepper *s, plu_rule rule)
{
    const plu_world *w = s->world;
    const plu_scene *scene = s->scene;
    double most = 0.0;
    int which = -1;
    for (int b = 0; b < scene->boundaries_count; b++)
        for (int m = 0; m < w->motions_count; m++) {
            const plu_motion *motion = &w->motions[m];
            if (motion->spec != &scene->boundaries[b].motion)
                continue;
            const double number = rule == PLU_RULE_PERIOD ? beat_of(motion->spec)
                                  : rule == PLU_RULE_SPIN && !plu_motion_is_round(motion)
                                      ? motion->bound[1]
                                      : 0.0;
            which = number > most ? b : which;
            most = plu_max(most, number);
        }
    return which;
}

/* `ever`: at any time of the run, else now. */
static double period_of(const plu_world *w, bool ever)
{
    double most = 0.0;
    for (int m = 0; m < w->motions_count; m++) {
        const plu_motion *motion = &w->motions[m];
        if (motion->spec && (ever || (motion->pose.moves && !motion->driven)))
            most = plu_max(most, beat_of(motion->spec));
    }
    return w->step * most;
}

static double pressed(const plu_stepper *s, bool ever)
{
    const plu_world *w = s->world;
    double stress = 0.0;
    for (int k = 0; k < w->servos_count; k++) {
        const plu_world_servo *servo = &w->servos[k];
        const double full = servo->spec->stress != 0.0 ? servo->spec->stress
                            : servo->spec->area > 0.0  ? servo->spec->force / servo->spec->area
                                                       : 0.0;
        const double now = servo->active && servo->area > 0.0 ? servo->force / servo->area : 0.0;
        stress = plu_max(stress, fabs(ever ? full : now));
    }
    for (int k = 0; k < 3; k++)
        stress = plu_max(stress, w->scene->cell->stress[k]);
    return s->press < HUGE_VAL && s->press > 0.0 ? w->step * sqrt(stress) / s->press : 0.0;
}

static bool has_springs(const plu_stepper *s)
{
    return s->scene->method == PLU_PENALTY;
}

/* What steps have made deeper than the start was. */
static double made_overlap(const plu_stepper *s, const plu_step_info *info)
{
    return s->totals.steps > 0 && info->penetration_ratio > s->totals.worst_penetration_ratio
               ? info->penetration_ratio
               : 0.0;
}

static void made(const plu_stepper *s, double *most)
{
    const plu_world *w = s->world;
    const plu_contacts *list = s->contacts;
#pragma omp for schedule(static) nowait reduction(max : most[:1])
    for (int k = 0; k < list->live_count; k++) {
        const plu_contact *c = &list->contact[list->live[k]];
        const double *xb = w->spheres.at[c->b];
        double apart[3], gap;
        if (plu_side_is_sphere(c->a)) {
            const double *xa = w->spheres.at[plu_side_sphere(c->a)];
            plu_apart_from(&w->space, plu_side_image(c->a), xa, xb, apart);
            gap = plu_norm(apart) - xa[3] - xb[3];
        } else {
            gap = plu_part_gap(plu_side_surface(w, c->a), xb, apart);
        }
        const double deeper = plu_max(-gap, 0.0) - plu_max(-c->gap, 0.0);
        *most = plu_max(*most, deeper / (2.0 * plu_smaller_radius(w, c)));
    }
}

double plu_rules_made(const plu_stepper *s)
{
    double most = 0.0;
    PLU_TEAM(plu_many(s->contacts->live_count, 4000), made(s, &most));
    return s->world->bounces ? plu_max(most, plu_detect_deepened(s->detector)) : most;
}

void plu_rules_find(const plu_stepper *s, const plu_step_info *info, double value[PLU_RULES])
{
    for (int k = 0; k < PLU_RULES; k++)
        value[k] = 0.0;
    if (s->world->motions_count) {
        value[PLU_RULE_SPIN] = spin_of(s->world);
        value[PLU_RULE_PERIOD] = period_of(s->world, false);
    }
    if (has_springs(s))
        return;
    plu_rules_contacts(s, value);
    value[PLU_RULE_PRESS] = pressed(s, false);
    value[PLU_RULE_OVERLAP] = made_overlap(s, info);
}

double plu_rules_swing(const plu_world *w, double step)
{
    const plu_scene *scene = w->scene;
    double most = 0.0;
    for (int k = 0; k < scene->boundaries_count && w->bodies.count < PLU_FEW; k++) {
        const plu_boundary_spec *b = &scene->boundaries[k];
        const bool tube = b->kind == PLU_CYLINDER, bowl = b->kind == PLU_FIXED_SPHERE && b->inside;
        for (int i = 0; i < w->spheres.count && (tube || bowl); i++) {
            const double radius = b->radius - w->spheres.at[i][3], *g = w->gravity;
            const double along = tube ? plu_dot(g, b->axis) : 0.0;
            if (radius > 0.0)
                most = plu_max(most, sqrt(plu_max(plu_dot(g, g) - along * along, 0.0)) / radius);
        }
    }
    return step * sqrt(most);
}

void plu_rules_foresee(const plu_stepper *s, double value[PLU_RULES])
{
    const plu_world *w = s->world;
    for (int k = 0; k < PLU_RULES; k++)
        value[k] = 0.0;
    for (int m = 0; m < w->motions_count; m++)
        if (!plu_motion_is_round(&w->motions[m]))
            value[PLU_RULE_SPIN] = plu_max(value[PLU_RULE_SPIN], w->step * w->motions[m].bound[1]);
    value[PLU_RULE_PERIOD] = period_of(w, true);
    if (has_springs(s))
        return;
    value[PLU_RULE_PRESS] = pressed(s, true);
    value[PLU_RULE_SWING] = plu_rules_swing(w, w->step);
}
