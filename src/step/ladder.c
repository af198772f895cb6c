/* Steps that the run chooses. A step H of the scene is made in parts H 2^-k, each of which begins
 * at a multiple of its length, so that parts fit into H exactly and output times are those of H:
 *
 *     level 0   |---------------------------------------|  H
 *     level 1   |-------------------|-------------------|
 *     level 2   |---------|---------|---------|---------|
 *     made      |---------|---------|-------------------|   fine at an impact, coarser after it
 *
 *     keep the state -> make the part -> numbers of the rules <= their limits?   yes: it counts
 *           ^                                     | no
 *           '------- set back, finer level <------'
 *
 * The numbers are nearly in proportion to the length of the part, so their ratio to the limits
 * says how many halvings will do. Coarser again after PATIENCE parts in which twice the numbers
 * would have been allowed, with some room. */
#include "step/ladder.h"
#include "base/vec3.h"
#include "pluvia/scene.h"
#include "step/rules.h"
#include "step/stepper.h"
#include "step/undo.h"
#include <math.h>
#include <string.h>

/* A level is left for a coarser one after so many parts of which none was undone, where the numbers
 * of the rules would be below this share of their limits. */
enum { PATIENCE = 4 };
static const double room = 0.7;

/* What is left of such a number in the next part, for contacts may bear something in every other
 * part only. */
static const double memory = 0.9;

/* Over the smaller diameter: overlaps that a part may make. */
static const double overlap = 0.01;

/* Over d: of impacts that few spheres bear at once, where short parts cost little. A step that is
 * given is named from twice as much on. */
static const double chain = 0.005;

/* Over sqrt(d / |g|): heaps of spheres of 2 cm are as right at 4 ms as at 1 ms. */
static const double fall = 0.09;

/* What is farther below its limits than this cannot break a rule in the coming part, which then
 * need not be kept: the way of a body over its radius. */
static const double slow = 0.01;

static double part_of(const plu_stepper *s, int level)
{
    return ldexp(s->scene->step, -level);
}

/* The limit of a rule for a part. */
static double limit_of(const plu_stepper *s, int rule)
{
    if (rule == PLU_RULE_CHAIN && s->world->bodies.count < PLU_FEW)
        return chain;
    return rule == PLU_RULE_OVERLAP ? overlap : plu_rule_limit(rule);
}

/* The largest number of a rule over its limit. */
static double worst_of(const plu_stepper *s, const double value[PLU_RULES])
{
    double worst = 0.0;
    for (int k = 0; k < PLU_RULES; k++)
        worst = plu_max(worst, value[k] / limit_of(s, k));
    return worst;
}

/* Levels by which numbers halve from `ratio` to below 1. */
static int halves(double ratio)
{
    return ratio > 1.0 ? (int)ceil(log2(ratio) - 1e-9) : 0;
}

/* `by` levels finer, if that is more than none. */
static int finer(const plu_stepper *s, int level, int by)
{
    const int to = level + (by > 0 ? by : 0);
    return to < s->ladder.most ? to : s->ladder.most;
}

/* The coarsest level that the scene and gravity allow: falls, and swings, whose slow turns show no
 * number. */
static int coarsest(const plu_stepper *s)
{
    const int least = s->scene->coarsest;
    const double g = plu_norm(s->world->gravity);
    if (!(g > 0.0) || !isfinite(s->world->smallest) || !s->scene->chooses)
        return least;
    const double swing = plu_rules_swing(s->world, s->scene->step) / plu_rule_limit(PLU_RULE_SWING);
    const double falls = s->scene->step / (fall * sqrt(2.0 * s->world->smallest / g));
    return finer(s, least, halves(plu_max(falls, swing)) - least);
}

/* The coming part has this length: all that was made for another follows. */
static void set_step(plu_stepper *s, double h)
{
    plu_world *w = s->world;
    if (w->step == h)
        return;
    plu_detector_scale(s->detector, h / w->step);
    w->step = h;
    s->settings.step = h;
    plu_world_reach(w);
    plu_stepper_weigh(s);
}

plu_status plu_ladder_begin(plu_stepper *s, plu_error *err)
{
    plu_ladder *l = &s->ladder;
    double value[PLU_RULES];
    l->most = s->scene->finest;
    plu_rules_foresee(s, value);
    l->level = finer(s, s->scene->coarsest, halves(worst_of(s, value)) - s->scene->coarsest);
    l->undo = plu_undo_create(err);
    s->totals.shortest = s->scene->step;
    return l->undo ? PLU_OK : PLU_IO;
}

void plu_ladder_restage(plu_stepper *s)
{
    int *level = &s->ladder.level;
    const plu_scene *scene = s->scene;
    *level = *level > scene->finest ? scene->finest : *level;
    *level = *level < scene->coarsest ? scene->coarsest : *level;
}

void plu_ladder_end(plu_stepper *s)
{
    plu_undo_destroy(s->ladder.undo);
}

/* Whether the coming part may have to be undone. */
static bool at_risk(const plu_stepper *s)
{
    const plu_world *w = s->world;
    double speed = 0.0;
    if (w->motions_count || w->waiting || w->space.moves)
        return true;
    for (int i = 0; i < w->bodies.count; i++)
        if (w->bodies.state[i] == PLU_ACTIVE)
            speed = plu_max(speed, plu_dot(w->bodies.row[i], w->bodies.row[i]));
    return w->step * (sqrt(speed) + w->step * plu_norm(w->gravity)) > slow * w->smallest;
}

bool plu_ladder_gives_up(plu_stepper *s)
{
    if (!s->world->split || !s->ladder.keeps)
        return false;
    memset(s->rule, 0, sizeof s->rule);
    s->rule[PLU_RULE_TRAVEL] = plu_rules_ahead(s);
    return s->rule[PLU_RULE_TRAVEL] > plu_rule_limit(PLU_RULE_TRAVEL);
}

/* What the parts of a step come to: sums of work, the largest of errors and overlaps; the rest is
 * that of the last part. */
static void join(plu_step_info *sum, const plu_step_info *part)
{
    const plu_step_info before = *sum;
    *sum = *part;
    sum->iterations += before.iterations;
    sum->updates += before.updates;
    sum->converged = part->converged && before.converged;
    sum->missed = plu_max(part->missed, before.missed);
    plu_error_work_add(&sum->errors, &before.errors);
    sum->velocity_error = plu_max(part->velocity_error, before.velocity_error);
    sum->sinking_speed = plu_max(part->sinking_speed, before.sinking_speed);
    sum->residual_scaled = plu_max(part->residual_scaled, before.residual_scaled);
    sum->penetration = plu_max(part->penetration, before.penetration);
    sum->penetration_ratio = plu_max(part->penetration_ratio, before.penetration_ratio);
}

/* Steps so far in which bodies went beyond limits of the scene. */
static long beyond(const plu_stepper *s)
{
    const long *of = s->totals.beyond;
    return of[PLU_LIMIT_VELOCITY] + of[PLU_LIMIT_PENETRATION] + of[PLU_LIMIT_PASSAGE];
}

/* Makes the part that begins at `place`, in units of the finest one: undone and made shorter as
 * long as it is too long for a rule, or goes wrong. On return *made is its length. */
static plu_status make_part(plu_stepper *s, plu_part_call *advance, long place, long *made,
                            plu_step_info *part, plu_error *err)
{
    plu_ladder *l = &s->ladder;
    const long whole = 1L << l->most;
    const double start = (double)s->world->steps * s->scene->step;
    for (;;) {
        *made = whole >> l->level;
        const long end = place + *made;
        l->end = end == whole ? (double)(s->world->steps + 1) * s->scene->step
                              : start + (double)end / (double)whole * s->scene->step;
        set_step(s, part_of(s, l->level));
        l->keeps = l->level < l->most && at_risk(s);
        const long before = beyond(s);
        plu_status status = l->keeps ? plu_undo_keep(l->undo, s, err) : PLU_OK;
        if (status == PLU_OK)
            status = advance(s, part, err);
        const double worst = worst_of(s, s->rule);
        const bool wrong = status == PLU_BREAKDOWN || status == PLU_NOT_CONVERGED ||
                           (status == PLU_OK && beyond(s) > before);
        if (!l->keeps || (status != PLU_OK && !wrong) || (!wrong && worst <= 1.0)) {
            plu_undo_release(l->undo, s);
            return status;
        }
        const int level = finer(s, l->level, wrong || worst <= 2.0 ? 1 : halves(worst));
        status = plu_undo_return(l->undo, s, err);
        if (status != PLU_OK)
            return status;
        s->totals.repeated++;
        l->level = level;
        l->calm = 0;
    }
}

/* The level of the next part, which begins at `place`. A coarser one only where the part would
 * begin at a multiple of its length, or later parts would not fit into the step. */
static void choose(plu_stepper *s, long place, int least)
{
    plu_ladder *l = &s->ladder;
    const double worst = worst_of(s, s->rule);
    const long twice = (1L << l->most) >> (l->level - 1 > 0 ? l->level - 1 : 0);
    l->calm += l->calm < PATIENCE;
    l->rate = plu_max(worst / s->world->step, memory * l->rate);
    if (l->calm >= PATIENCE && l->level > least && 2.0 * l->rate * s->world->step <= room &&
        place % twice == 0)
        l->level--;
    if (worst > 1.0) /* none that could be undone */
        l->level = finer(s, l->level, 1);
}

/* A step of the scene in parts, whose numbers it reports as those of one step. */
plu_status plu_ladder_climb(plu_stepper *s, plu_part_call *advance, plu_step_info *info,
                            plu_error *err)
{
    plu_ladder *l = &s->ladder;
    const long whole = 1L << l->most;
    const int least = coarsest(s);
    plu_status status = PLU_OK;
    memset(info, 0, sizeof *info);
    info->converged = true;
    if (l->level < least)
        l->level = least;
    s->world->split = true;
    for (long place = 0, made; place < whole && status == PLU_OK; place += made) {
        plu_step_info part;
        status = make_part(s, advance, place, &made, &part, err);
        if (status != PLU_OK)
            break;
        join(info, &part);
        s->totals.shortest = plu_min(s->totals.shortest, s->world->step);
        plu_rules_count(s, s->rule);
        choose(s, place + made, least);
    }
    s->world->split = false;
    s->world->steps++;
    if (status == PLU_OK)
        plu_sleep_begin(s);
    return status;
}
