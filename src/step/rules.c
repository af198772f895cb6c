/* Rules of the step (src/machinery.md, "Rules of the step"): what a step was too long for. Contacts
 * are looked through only where some body is fast enough for them to matter. */
#include "step/rules.h"
#include "assemble/cohesion.h"
#include "base/team.h"
#include "base/vec3.h"
#include "pluvia/scene.h"
#include "step/limits.h"
#include "step/stepper.h"
#include "world/motion.h"
#include "world/servo.h"
#include <math.h>

/* Of all spheres: as many contacts may turn too far in a step, since single ones among many are hit
 * more often than they turn. */
static const double share = 0.05;

/* The same to name a step that was given, where there are more than a few: flows and beds that fall
 * are as right where a tenth of the contacts turn further for a while. */
static const double named = 0.2;
enum { FEW = 20 };

/* Numbers from this share of the limit on are wanted, to choose steps by them. */
static const double near = 0.35;

/* rad: but each bond counts that turns by more, since it breaks. */
static const double bond = 0.1;

void plu_rules_begin(plu_stepper *s)
{
    const plu_world *w = s->world;
    s->press = HUGE_VAL;
    for (int i = 0; i < w->spheres.count; i++) {
        const double density = w->scene->materials[w->spheres.species[i]].density;
        s->press = plu_min(s->press, 2.0 * w->spheres.at[i][3] * sqrt(density));
    }
}

/* The motion of a part. */
static const plu_motion *motion_of(const plu_world *w, const plu_pose *pose)
{
    int m = 0;
    while (&w->motions[m].pose != pose)
        m++;
    return &w->motions[m];
}

/* Whether it is another surface once it has turned. */
static bool is_round(const plu_motion *motion)
{
    return !motion->endless && motion->reach == 0.0;
}

/* Velocity of the place of a wall where sphere b is, as far as it changes the surface: a belt, and
 * a tube that turns about its axis, stay where they are. */
static void wall_velocity(const plu_world *w, const plu_pose *pose, int b, double velocity[3])
{
    double arm[3], turning[3], spin[3];
    memcpy(velocity, pose->velocity[1], 3 * sizeof *velocity);
    if (is_round(motion_of(w, pose)))
        return;
    for (int k = 0; k < 3; k++)
        spin[k] = pose->spin[1] * pose->axis[k];
    plu_pose_arm(pose, w->spheres.at[b], arm);
    plu_cross(spin, arm, turning);
    plu_add_scaled(velocity, 1.0, turning);
}

/* Velocity of the center of b past a at the start of the step. */
static void pass_by(const plu_world *w, const plu_contact *c, double u[3])
{
    const double *v = plu_sphere_velocity(w, c->b);
    const plu_pose *pose = plu_side_pose(w, c->a);
    double wall[3];
    if (plu_side_is_sphere(c->a)) {
        plu_rate_from(&w->space, plu_side_image(c->a),
                      plu_sphere_velocity(w, plu_side_sphere(c->a)), v, u);
        return;
    }
    memcpy(u, v, 3 * sizeof *u);
    if (!pose || !pose->moves)
        return;
    wall_velocity(w, pose, c->b, wall);
    plu_add_scaled(u, -1.0, wall);
}

/* By how much the normal of a wall differs where the sphere will be: of that surface, or of another
 * that is nearer there and continues it. */
static double turn_on_wall(const plu_world *w, const plu_contact *c, const double way[3])
{
    const double *x = w->spheres.at[c->b];
    const double there[4] = {x[0] + way[0], x[1] + way[1], x[2] + way[2], x[3]};
    double normal[3], differs[3];
    const double gap = plu_part_gap(plu_side_surface(w, c->a), there, normal);
    plu_sub(normal, c->normal, differs);
    /* A contact that lasts has the normal of the middle of the step. */
    const double whole = c->curve != 0.0 && plu_lasts(w, c) ? 2.0 : 1.0;
    double least = whole * plu_norm(differs);
    if (least <= plu_rule_limit(PLU_RULE_TURN))
        return least;
    plu_part_search search = plu_parts_near(there, x[3] + fabs(gap));
    for (int part; (part = plu_part_next(&w->tree, &search)) >= 0;) {
        if (plu_part_gap(&w->parts[part], there, normal) > gap)
            continue;
        plu_sub(normal, c->normal, differs);
        least = plu_min(least, whole * plu_norm(differs));
    }
    return least;
}

/* The angle by which the contact turns as b goes on by u past a. */
static double turn_of(const plu_world *w, const plu_contact *c, const double u[3])
{
    double way[3];
    for (int k = 0; k < 3; k++)
        way[k] = w->step * (u[k] - plu_dot(u, c->normal) * c->normal[k]);
    if (!plu_side_is_sphere(c->a))
        return turn_on_wall(w, c, way);
    const double apart = w->spheres.at[plu_side_sphere(c->a)][3] + w->spheres.at[c->b][3] + c->gap;
    return plu_norm(way) / plu_max(apart, w->spheres.at[c->b][3]);
}

/* |u| h / d of two spheres. Along a wall only what turns matters: a way along a plane is exact. */
static double travel_of(const plu_world *w, const plu_contact *c, const double u[3], double turn)
{
    const double d = 2.0 * plu_pair_radius(w, c->a, c->b);
    return plu_side_is_sphere(c->a) ? w->step * plu_norm(u) / d
                                    : w->step * fabs(plu_dot(u, c->normal)) / d + turn;
}

/* Whether its attraction alone holds the pair. */
static bool is_held(const plu_world *w, const plu_contacts *list, int at)
{
    return w->coheres && list->impulse[at].n < plu_attraction(w, list, at);
}

typedef struct found {
    double travel, turn, held; /* the largest ones; of contacts that are held */
    int turning[2];            /* contacts beyond the limit, and near it */
} found;

/* Whether a body of a contact is fast (fastest). */
static inline bool any_hurries(const plu_stepper *s, uint64_t key)
{
    plu_side a;
    int b;
    plu_key_sides(s->world, key, &a, &b);
    return s->hurries[plu_owner(&s->world->spheres, b)] ||
           (plu_side_is_sphere(a) && s->hurries[plu_side_owner(s->world, a)]);
}

static void look(const plu_stepper *s, double *travel, double *turn, double *held, int turning[2])
{
    const plu_world *w = s->world;
    const plu_contacts *list = s->contacts;
    const double limit = plu_rule_limit(PLU_RULE_TURN);
    const bool all = w->motions_count > 0 || w->space.moves; /* also where bodies are slow */
#pragma omp for schedule(static) nowait reduction(max : travel[:1], turn[:1], held[:1])                      \
    reduction(+ : turning[:2])
    for (int k = 0; k < list->live_count; k++) {
        const plu_contact *c = &list->contact[list->live[k]];
        double u[3];
        if (!(all || any_hurries(s, list->key[list->live[k]])) ||
            !(list->impulse[list->live[k]].n > 0.0))
            continue;
        pass_by(w, c, u);
        /* It turns by less: nothing is rounder than the sphere. */
        const double least = near * limit * plu_smaller_radius(w, c);
        if (w->step * w->step * plu_dot(u, u) <= least * least)
            continue;
        const double angle = turn_of(w, c, u);
        *travel = plu_max(*travel, travel_of(w, c, u, angle));
        *turn = plu_max(*turn, angle);
        turning[0] += angle > limit;
        turning[1] += angle > near * limit;
        if (is_held(w, list, list->live[k]))
            *held = plu_max(*held, angle);
    }
}

/* Of as many contacts as count; not beyond the limit where only as many are near it. */
static double turning(const plu_stepper *s, const found *f)
{
    const int bodies = s->world->bodies.count;
    const bool sharp = s->world->split || bodies < FEW;
    const double many = (sharp ? share : named) * bodies;
    const double most = f->turning[0] > many ? HUGE_VAL : plu_rule_limit(PLU_RULE_TURN);
    return f->turning[1] > many ? plu_min(f->turn, most) : 0.0;
}

/* The largest square of a speed; and who is fast: two others do not pass each other by more than
 * `least` (m/s). */
static void fastest(const plu_stepper *s, double least, double *speed)
{
    const plu_world *w = s->world;
    const double own = 0.4999 * least;
#pragma omp for schedule(static) nowait reduction(max : speed[:1])
    for (int i = 0; i < w->bodies.count; i++) {
        if (w->bodies.state[i] != PLU_ACTIVE)
            continue;
        const double square = plu_dot(w->bodies.row[i], w->bodies.row[i]);
        *speed = plu_max(*speed, square);
        s->hurries[i] = square > own * own;
    }
}

/* Whether something may pass by fast enough. */
static bool matters(const plu_stepper *s)
{
    const plu_world *w = s->world;
    double speed = 0.0, wall = 0.0;
    const double least = near * plu_rule_limit(PLU_RULE_TURN) * s->smallest_radius;
    PLU_TEAM(w->bodies.count > 4000, fastest(s, least / w->step, &speed));
    for (int m = 0; m < w->motions_count; m++)
        if (w->motions[m].pose.moves)
            wall = w->motions[m].endless
                       ? HUGE_VAL
                       : plu_max(wall, sqrt(plu_motion_speed_squared(&w->motions[m])));
    const double most = 2.0 * sqrt(speed) + w->space.fastest + wall;
    return w->step * most > least;
}

static double spin_of(const plu_world *w)
{
    double most = 0.0;
    for (int m = 0; m < w->motions_count; m++) {
        const plu_motion *motion = &w->motions[m];
        const plu_pose *p = &motion->pose;
        if (!p->gone && !is_round(motion))
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
                                  : rule == PLU_RULE_SPIN && !is_round(motion) ? motion->bound[1]
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
        stress = plu_max(stress, w->scene->cell.stress[k]);
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

static void ahead(const plu_stepper *s, double *travel)
{
    const double limit = plu_rule_limit(PLU_RULE_TRAVEL);
    const plu_world *w = s->world;
    const plu_contacts *list = s->contacts;
#pragma omp for schedule(static) nowait reduction(max : travel[:1])
    for (int k = 0; k < list->live_count; k++) {
        const plu_contact *c = &list->contact[list->live[k]];
        double u[3];
        if (c->gap + w->step * c->approach >= 0.0)
            continue;
        pass_by(w, c, u);
        if (w->step * plu_norm(u) >
            limit * plu_smaller_radius(w, c)) /* at least half of it turns */
            *travel = plu_max(*travel, travel_of(w, c, u, turn_of(w, c, u)));
    }
}

double plu_rules_ahead(const plu_stepper *s)
{
    double travel = 0.0;
    if (matters(s))
        PLU_TEAM(s->contacts->live_count > 4000, ahead(s, &travel));
    return travel;
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
    PLU_TEAM(s->contacts->live_count > 4000, made(s, &most));
    return most;
}

void plu_rules_find(const plu_stepper *s, const plu_step_info *info, double value[PLU_RULES])
{
    found f = {0};
    for (int k = 0; k < PLU_RULES; k++)
        value[k] = 0.0;
    if (s->world->motions_count) {
        value[PLU_RULE_SPIN] = spin_of(s->world);
        value[PLU_RULE_PERIOD] = period_of(s->world, false);
    }
    if (has_springs(s))
        return;
    if (matters(s))
        PLU_TEAM(s->contacts->live_count > 4000, look(s, &f.travel, &f.turn, &f.held, f.turning));
    value[PLU_RULE_TRAVEL] = f.travel;
    value[PLU_RULE_TURN] = turning(s, &f);
    if (f.held > bond)
        value[PLU_RULE_TURN] = plu_max(value[PLU_RULE_TURN], f.held);
    value[PLU_RULE_PRESS] = pressed(s, false);
    value[PLU_RULE_OVERLAP] = made_overlap(s, info);
}

void plu_rules_foresee(const plu_stepper *s, double value[PLU_RULES])
{
    const plu_world *w = s->world;
    for (int k = 0; k < PLU_RULES; k++)
        value[k] = 0.0;
    for (int m = 0; m < w->motions_count; m++)
        if (!is_round(&w->motions[m]))
            value[PLU_RULE_SPIN] = plu_max(value[PLU_RULE_SPIN], w->step * w->motions[m].bound[1]);
    value[PLU_RULE_PERIOD] = period_of(w, true);
    if (!has_springs(s))
        value[PLU_RULE_PRESS] = pressed(s, true);
}
