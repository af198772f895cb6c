/* A run that solves its steps badly looks right: a servo is balanced by any impulses, so that the
 * stress is that of the scene, and unbalanced forces are as small as in a right one. What tells is
 * work. Let e be the velocity errors of the contacts (blocks/errors.h). p_N e_N < 0 is the work of
 * a contact that is pressed and closes all the same: bodies approach each other as no law allows,
 * and a bed gets denser. Per step, over the islands that are driven,
 *   net = sum p_N e_N ,   D = max(-sum (p_T . u_T + m_R . omega_R), 2e-6 sum p_N d / h) ,
 * the least D being the work of a creep of 2e-6 d in the step. A right run of a pressed bed has
 * |net| / D of 0.003 to 0.02, one with a void ratio that is wrong by 0.01 has 0.08 and more.
 *
 * Errors are judged whenever they have done harm: when contacts have come nearer to each other, or
 * parted, by `harm` diameters. If friction has moved them by less than harm / share until then,
 * errors have taken more than that share of its work:
 *
 *   way by errors
 *     harm |- - - - - - - - - +--  too much       Impacts count as friction, with the weight that
 *          |   wrong  _.-'    |                   the criterion gives them: beds that fall together
 *          |     _.-'         |  fine, anew       are solved to a share of what impacts take.
 *          |_.-'______right___|
 *                       harm / share    way by friction
 *
 * A bed that is pressed and should rest may also creep by errors that cancel in net, as contacts
 * slip that would hold. Then the work of all errors, sum |p . e|, is more than D, where right runs
 * have 0.1 to 0.4 of it. Grains without rolling friction that are strained have 2 to 3 times the
 * work of friction in errors of impulses that are not unique, which do no harm: there it counts so
 * many times. */
#include "step/error_work.h"
#include "base/vec3.h"
#include "blocks/errors.h"
#include "pluvia/scene.h"
#include "step/stepper.h"
#include "world/groups.h"
#include <math.h>
#include <stdio.h>

static const double least_strain = 2e-6; /* d: way of a contact in a step */
static const double impacts = 15.0;      /* of sum m |v - v_free|^2 */
static const double strained = 5.0;      /* of friction beyond that creep, for all errors */
static const double weight = 0.1; /* of sum m g h * g h: by this share of g h loads may sink */

/* What is too much: a share of the work of friction, once errors have made a way of so many
 * diameters. */
static const struct {
    double share, harm;
} limits[] = {[PLU_WATCHED_NET] = {0.05, 5e-4}, [PLU_WATCHED_ALL] = {1.0, 1.5e-3}};

/* Whether a servo, a stress or a group presses, or something moves without gravity. */
static bool may_be_driven(const plu_stepper *s)
{
    const plu_world *w = s->world;
    if (s->scene->method == PLU_PENALTY)
        return false;
    if (w->servos_count > 0 || w->stress_control.mass > 0.0 || plu_groups_move(w))
        return true;
    return !(plu_norm(w->gravity) > 0.0) && (w->motions_count > 0 || w->space.moves);
}

/* Under gravity only islands of servos and of groups are driven. */
static bool island_may_be(const plu_problem *p, int island, bool all)
{
    bool pressed = all;
    for (int k = 0; k < p->servos_count; k++)
        pressed = pressed || p->servos[k].island == island;
    return pressed;
}

void plu_error_work_add(plu_error_work *sum, const plu_error_work *more)
{
    sum->net += more->net;
    sum->all += more->all;
    sum->friction += more->friction;
    sum->impacts += more->impacts;
}

static void say(const plu_stepper *s, int watched, double taken)
{
    char what[160];
    if (watched == PLU_WATCHED_ALL)
        snprintf(what, sizeof what,
                 "errors of the solver do %.3g times the work of friction (less than %g times is "
                 "right): what should rest creeps",
                 taken, limits[watched].share);
    else
        snprintf(what, sizeof what,
                 "errors of the solver take %.3g %% of the work of friction (at most %g %% is "
                 "right): the bed gets %s than it should",
                 100.0 * taken, 100.0 * limits[watched].share,
                 s->errors[watched].work < 0.0 ? "denser" : "looser");
    plu_log_write(&s->log, PLU_LOG_WARNING,
                  "step %ld (t = %g s): %s; take a shorter time.step, a larger "
                  "solver.max_iterations, or the default criterion with a smaller tolerance. "
                  "Further times are only counted",
                  s->world->steps + 1, s->world->time + s->world->step, what);
}

/* Adds a step, and judges the errors where they have done harm, or friction so much that they have
 * not. */
static void watch(plu_stepper *s, int watched, double work, double scale, double held)
{
    plu_error_watch *w = &s->errors[watched];
    plu_totals *t = &s->totals;
    const double share = limits[watched].share, harm = limits[watched].harm;
    w->work += work;
    w->scale += scale;
    w->way += work * s->world->step / held;
    w->of += scale * s->world->step / held;
    const bool harmed = fabs(w->way) >= harm;
    if (!harmed && share * w->of < harm)
        return;
    const double taken = fabs(w->work) / w->scale;
    if (harmed && taken > share) {
        if (t->errors_beyond++ == 0 && !(t->locked > 0.0)) /* being locked says more */
            say(s, watched, taken);
        t->errors_time = s->world->time + s->world->step;
    }
    *w = (plu_error_watch){0};
}

void plu_error_work_measure(plu_stepper *s, plu_step_info *info)
{
    const double h = s->world->step;
    const bool all = !(plu_norm(s->settings.pull) > 0.0) || plu_groups_move(s->world);
    plu_error_work sum = {0};
    double scale = 0.0, held = 0.0, beyond = 0.0;
    if (!may_be_driven(s))
        return;
    for (int k = 0; k < s->problem.islands_count; k++) {
        if (!island_may_be(&s->problem, k, all))
            continue;
        const plu_errors e =
            plu_problem_errors(&s->problem, &s->problem.islands[k], s->settings.pull, false);
        if (!e.driven)
            continue;
        const double friction = plu_max(e.rubbed, least_strain * e.held / h);
        plu_error_work_add(&sum, &(plu_error_work){e.net, e.work, friction, e.struck});
        scale += plu_max(friction, weight * e.weight * e.pull) + impacts * e.struck;
        beyond += friction - least_strain * e.held / h;
        held += e.held;
    }
    info->errors = sum;
    if (!(held > 0.0))
        return;
    plu_error_work_add(&s->totals.errors, &sum);
    watch(s, PLU_WATCHED_NET, sum.net, scale, held);
    watch(s, PLU_WATCHED_ALL, sum.all, scale + (strained - 1.0) * beyond, held);
}

void plu_error_work_state(plu_stepper *s, plu_state *state)
{
    plu_totals *t = &s->totals;
    double sums[] = {t->errors.net, t->errors.all, t->errors.friction, t->errors.impacts,
                     t->errors_time};
    plu_state_real(state, "totals/errors", sizeof sums / sizeof *sums, 1, sums);
    plu_state_real(state, "totals/errors_watched", PLU_WATCHES, 4, &s->errors[0].work);
    plu_state_long(state, "totals/errors_beyond", 1, 1, &t->errors_beyond);
    t->errors = (plu_error_work){sums[0], sums[1], sums[2], sums[3]};
    t->errors_time = sums[4];
}
