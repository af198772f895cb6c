/* What is left is estimated from the last tenth of the steps, not from the last seconds: single
 * steps may take a thousand times as long as others, and stages of a run differ. The first steps,
 * which set up their tables, count only while there is nothing else.
 *
 * Where bodies are added, time goes with their number: as many stay as did lately, and they come
 * as fast as lately. Then, in a scene in which nothing else moves, the bed comes to rest, and the
 * last steps are no measure for those to come. A run that ends with that has the time that the
 * kinetic energy takes to fall to its limit, between that of an exponential and that of a power of
 * time. Until that is seen, and in stages that wait for something, a part of the time that it may
 * take.
 *
 *   marks  |--|--|--|--|--|--|--|--|--|--*           a mark each all/200 steps: wall time, steps,
 *                                 |      now         sum of bodies, kinetic energy
 *                                 since(0.1)
 *   left = (wall(now) - wall(since)) / (steps between) x steps to come x factors
 *
 *   energy K over its limit L at step n, half-way back to its top at n/2 (age = n):
 *     K ~ exp(-t/T)   soon = log(K/L) (age - at_half) / log(K_half/K)
 *     K ~ t^-a        late = ((K/L)^(1/a) - 1) age,  a = log(K_half/K) / log(age/at_half)
 *     steps to rest   sqrt(soon late) */
#include "cli/run/eta.h"
#include <math.h>

enum { FIRST = 2, ENOUGH = 20 }; /* steps left out, once there are as many as that */

/* Of all steps: those from which the time of others is estimated, and the same of beds that calm
 * down.
 */
static const double usually = 0.1, lately = 0.02;
/* Time of steps after the last body has come over that before, and of those to come over that of
 * the last ones, where a bed comes to rest (scenes/pile/pile.cfg: 0.13; box/settle.cfg, fill.cfg).
 */
static const double afterwards = 0.2, calming = 0.7;
/* ... and of steps of bodies that fall, without contacts, over those of a bed of them. */
static const double falling = 0.25;

/* ... and of steps to come while a load has still to rise: in a step of given length a larger
 * stress moves grains farther (scenes/oedometer.cfg: 1.4 to 2.8). */
static const double rising = 1.6;

/* A quarter of `most`; once that has passed, half as long again as until now, but not beyond
 * `most`. */
double plu_eta_open_end(double most, double passed)
{
    static const double expected = 0.25, goes_on = 0.5; /* of `most`, of `passed` */
    return fmin(fmax(most - passed, 0.0), fmax(expected * most - passed, goes_on * passed));
}

void plu_eta_start(plu_eta *e, const plu_eta_run *run, double wall)
{
    e->run = *run;
    e->expected = INFINITY;
    e->now = (plu_eta_mark){.wall = wall,
                            .steps = run->made,
                            .active = run->active,
                            .waiting = run->waiting,
                            .kinetic = NAN};
    e->mark[0] = e->now;
    e->marks = 1;
}

/* A mark after the first two steps, then one each part of all steps; true: the kinetic energy is
 * asked for (plu_eta_kinetic), which takes a pass over all bodies. */
bool plu_eta_step(plu_eta *e, double wall, int active, int waiting)
{
    const long begun = e->mark[0].steps;
    e->now.steps++;
    e->now.wall = wall;
    e->now.bodies += active;
    e->now.active = active;
    e->now.waiting = waiting;
    const double part = (double)e->run.all / PLU_ETA_MARKS;
    const int room = (int)(sizeof e->mark / sizeof *e->mark);
    const bool first = e->now.steps == begun + FIRST,
               next = floor((double)e->now.steps / part) > floor((double)(e->now.steps - 1) / part);
    if (e->marks == room || !(first || next))
        return false;
    e->mark[e->marks++] = e->now;
    return true;
}

void plu_eta_kinetic(plu_eta *e, double share)
{
    e->mark[e->marks - 1].kinetic = share;
}

void plu_eta_touch(plu_eta *e, int contacts)
{
    e->now.contacts = contacts;
}

void plu_eta_load(plu_eta *e, bool rises)
{
    e->rises = rises;
}

void plu_eta_expect(plu_eta *e, double steps)
{
    e->expected = steps;
}

/* Steps to come, if nothing ends the run that is not foreseen. */
static double steps_left(const plu_eta *e)
{
    return fmin((double)(e->run.all - e->now.steps), e->expected);
}

/* From where on steps count: `share` of all steps ago. */
static const plu_eta_mark *since(const plu_eta *e, double share)
{
    const double all = (double)e->now.steps + steps_left(e);
    const long begun = e->mark[0].steps, from = e->now.steps - (long)(share * all);
    const plu_eta_mark *best = &e->mark[0];
    if (e->now.steps - begun >= ENOUGH && e->marks > 1)
        best = &e->mark[1];
    for (int k = 1; k < e->marks && e->mark[k].steps <= from; k++)
        best = &e->mark[k];
    return best->steps < e->now.steps ? best : &e->mark[0];
}

static double step_time(const plu_eta *e, const plu_eta_mark *from)
{
    return (e->now.wall - from->wall) / (double)(e->now.steps - from->steps);
}

/* The factor by which steps will take longer where bodies of a run that ends at rest still fall. */
static double landing(const plu_eta *e)
{
    const double touch = fmin(1.0, 0.5 * e->now.contacts / fmax(e->now.active, 1.0));
    return e->run.until_rest > 0.0 ? 1.0 / (falling + (1.0 - falling) * touch) : 1.0;
}

/* The time that is left (s) where bodies are still to come. */
static double feeding_left(const plu_eta *e, double left)
{
    const plu_eta_mark *from = since(e, usually);
    const double steps = (double)(e->now.steps - from->steps);
    const double bodies = fmax((e->now.bodies - from->bodies) / steps, 1.0); /* mean */
    const double came = from->waiting - e->now.waiting, grew = e->now.active - from->active;
    const double stay = came > 0.0 ? fmin(fmax(grew / came, 0.0), 1.0) : 1.0;
    const double feeds = came > 0.0 ? fmin(left, e->now.waiting * steps / came) : left;
    const double more = stay * e->now.waiting, active = e->now.active;
    return step_time(e, from) * (feeds * fmax((active + 0.5 * more) / bodies, 1.0) +
                                 (left - feeds) * fmax((active + more) / bodies, 1.0) *
                                     (e->run.rests ? afterwards : 1.0));
}

/* Steps until the bed is at rest and the run over; `left` where that is not to be seen. */
static double steps_to_rest(const plu_eta *e, double left)
{
    const plu_eta_mark *last = &e->mark[e->marks - 1], *top = last;
    for (int k = 0; k < e->marks; k++)
        if (e->mark[k].kinetic > top->kinetic)
            top = &e->mark[k];
    const plu_eta_mark *half = top + (last - top) / 2;
    const double to_go = last->kinetic / e->run.until_rest,
                 fell = log(half->kinetic / last->kinetic);
    if (last - top < 2 || !(last->kinetic < 0.5 * top->kinetic))
        return left; /* it has only begun to fall */
    if (to_go <= 1.0)
        return fmin(left, usually * (double)last->steps); /* single bodies are faster */
    if (!(fell > 0.0))
        return left;
    const double age = (double)(last->steps - top->steps),
                 at_half = (double)(half->steps - top->steps);
    /* Below 0.3 the power law would expect next to eternity. */
    const double power = fmax(fell / log(age / at_half), 0.3);
    const double soon = log(to_go) * (age - at_half) / fell,
                 late = (pow(to_go, 1.0 / power) - 1.0) * age;
    return fmin(left, sqrt(soon * late));
}

bool plu_eta_sees_rest(const plu_eta *e)
{
    const double left = steps_left(e);
    return e->now.waiting == 0 && e->run.until_rest > 0.0 && steps_to_rest(e, left) < left;
}

double plu_eta_left(const plu_eta *e)
{
    double left = steps_left(e);
    if (e->now.steps == e->mark[0].steps)
        return INFINITY;
    if (e->now.waiting > 0)
        return feeding_left(e, left);
    const bool ends = plu_eta_sees_rest(e);
    if (e->run.until_rest > 0.0)
        left = fmin(left, plu_eta_open_end((double)e->run.all, (double)e->now.steps));
    const bool calms = ends || (e->run.rests && e->mark[0].waiting > 0);
    return step_time(e, since(e, calms ? lately : usually)) * (calms ? calming : landing(e)) *
           (e->rises ? rising : 1.0) * (ends ? steps_to_rest(e, left) : left);
}
