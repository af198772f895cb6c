/* Bodies at rest sleep (src/machinery.md, "Sleep"). With e = tolerance g h, the error of a velocity
 * that a solve may leave in a step:
 *
 *                  slower than 0.01 e for 16 steps, and a quarter of all would sleep
 *     awake  ------------------------------------------------------------------>  asleep: v = 0
 *            <------------------------------------------------------------------
 *              its forces would change v by 0.01 e: from the next step on,
 *              by e (a hit): now, with its neighbors, and the step is solved again */
#include "base/exact.h"
#include "base/memory.h"
#include "base/strategy.h"
#include "base/vec3.h"
#include "pluvia/scene.h"
#include "pluvia/solving.h"
#include "step/stepper.h"
#include "world/body_energy.h"
#include "world/groups.h"
#include <stdlib.h>
#include <string.h>

void plu_sleep_set_speeds(plu_stepper *s)
{
    const double scale =
        plu_norm(s->world->gravity) * s->world->step * plu_min(s->scene->solver->tolerance, 1.0);
    s->sleep.speed = sleep_speed * scale;
    s->sleep.change = wake_change * scale;
    s->sleep.shock = wake_shock * scale;
    s->sleep.slow = slow_wall * s->sleep.speed;
    s->sleep.ringing = ringing * s->sleep.speed;
}

plu_status plu_sleep_create(plu_stepper *s, plu_error *err)
{
    plu_sleep *q = &s->sleep;
    const size_t count = (size_t)s->world->bodies.count;
    q->sleeps = q->generation = -1;
    q->held = plu_alloc(count, sizeof *q->held, err);
    q->yielded = plu_alloc(count, sizeof *q->yielded, err);
    q->parent = plu_alloc(count, sizeof *q->parent, err);
    q->size = plu_alloc(count, sizeof *q->size, err);
    q->marked = plu_alloc(count, 1, err);
    q->border = plu_alloc(count, sizeof *q->border, err);
    const bool all = q->held && q->yielded && q->parent && q->size && q->marked && q->border;
    return all ? PLU_OK : PLU_IO;
}

void plu_sleep_free(plu_stepper *s)
{
    free(s->sleep.held);
    free(s->sleep.yielded);
    free(s->sleep.parent);
    free(s->sleep.size);
    free(s->sleep.marked);
    free(s->sleep.border);
    free(s->sleep.touch);
    free(s->sleep.beside);
    plu_compaction_free(&s->sleep.compaction);
}

/* Wakes `other` if body i was marked in an earlier ring, not in this one: `mark` rises by one a
 * ring, so that a pass over the contacts widens what is awake by one layer whatever their order. */
static bool wake_beside(plu_world *w, unsigned char *marked, int mark, int i, int other)
{
    if (!marked[i] || marked[i] >= mark || !plu_asleep(w, other))
        return false;
    plu_wake(w, other);
    marked[other] = (unsigned char)mark;
    return true;
}

/* Wakes what touches bodies that are marked, ring by ring, and marks it. */
static void spread(plu_stepper *s, int rings)
{
    plu_world *w = s->world;
    const plu_contacts *list = s->contacts;
    unsigned char *marked = s->sleep.marked;
    bool any = true;
    for (int ring = 0; ring < rings && any; ring++) {
        any = false;
        for (int i = 0; i < list->count; i++) {
            const plu_contact *c = &list->contact[i];
            if (plu_side_is_sphere(c->a)) {
                const int a = plu_side_owner(w, c->a), b = plu_owner(&w->spheres, c->b);
                any |= wake_beside(w, marked, ring + 2, a, b) ||
                       wake_beside(w, marked, ring + 2, b, a);
            }
        }
    }
}

bool plu_sleep_wake(plu_stepper *s, int round)
{
    plu_sleep *q = &s->sleep;
    plu_world *w = s->world;
    bool again = false;
    plu_border_feel(s);
    for (int i = 0; i < q->border_count; i++)
        again |= plu_exceeds(s, q->border[i], s->problem.v[q->border[i]], q->shock);
    memset(q->marked, 0, (size_t)w->bodies.count);
    for (int i = 0; i < q->border_count; i++) {
        const int body = q->border[i];
        if (plu_exceeds(s, body, s->problem.v[body], q->change)) {
            plu_wake(w, body);
            q->marked[body] = 1;
        }
        memset(s->problem.v[body], 0, 6 * sizeof(double));
    }
    if (again)
        spread(s, round == 1 ? WAKE_RINGS : round < WAKE_ROUNDS ? 4 * WAKE_RINGS : WAKE_FAR);
    return again;
}

/* What grains that move push may be far from them as well. */
static bool is_pushed_slowly(const plu_stepper *s)
{
    return plu_motions_slowest(s->world) < s->sleep.slow || plu_groups_move(s->world);
}

bool plu_sleep_wake_at_walls(plu_stepper *s)
{
    plu_world *w = s->world;
    const plu_contacts *list = s->contacts;
    const long before = w->wakings;
    if (w->motions_count == 0)
        return false;
    if (w->asleep > 0 && is_pushed_slowly(s))
        for (int i = 0; i < w->bodies.count; i++)
            if (plu_asleep(w, i))
                plu_wake(w, i);
    for (int i = plu_contact_place(list, PLU_FIRST_WALL, 0); i < list->count; i++) {
        const int b = plu_owner(&w->spheres, list->contact[i].b);
        if (!plu_side_moves(w, list->contact[i].a))
            continue;
        if (plu_asleep(w, b))
            plu_wake(w, b);
        w->bodies.rest[b] = 0;
    }
    return w->wakings != before;
}

bool plu_is_slow(const plu_stepper *s, int i, const double row[8])
{
    return !plu_exceeds(s, i, row, s->sleep.ringing);
}

static double energy_of(const plu_stepper *s, int i, const double row[8])
{
    const double r = s->world->bodies.position[i][3];
    return plu_dot(row, row) + PLU_TURNING * (r * r * plu_dot(row + 3, row + 3));
}

bool plu_slows_down(const plu_stepper *s, int i, const double before[8], const double after[8])
{
    return plu_is_slow(s, i, before) && plu_is_slow(s, i, after) &&
           energy_of(s, i, after) < PLU_SLOWER * energy_of(s, i, before);
}

/* Whether bodies may sleep at all. */
static bool may_sleep(const plu_stepper *s)
{
    const plu_world *w = s->world;
    return s->scene->solver->quiet && !w->space.moves && s->scene->method != PLU_PENALTY &&
           w->servos_count == 0;
}

/* Stops body i; its kinetic energy (J). */
static double stop(plu_world *w, int i)
{
    const plu_energy e = plu_body_energy(w, i);
    memset(w->bodies.row[i], 0, 6 * sizeof(double));
    return e.translation + e.rotation;
}

/* Marks of bodies: that they slow down, and of each contact that bears them. */
enum { SLOWER = 1, BORNE = 2 };

/* Counts the contacts that bear the bodies that slow down, BORNE for each. */
static void count_bearers(const plu_stepper *s)
{
    const plu_world *w = s->world;
    const plu_contacts *list = s->contacts;
    unsigned char *marked = s->sleep.marked;
    for (int i = 0; i < list->live_count; i++) {
        const plu_contact *c = &list->contact[list->live[i]];
        if (!(list->impulse[list->live[i]].n > 0.0))
            continue;
        const int b = plu_owner(&w->spheres, c->b),
                  a = plu_side_is_sphere(c->a) ? plu_side_owner(w, c->a) : b;
        if (marked[b] && marked[b] <= CALM_BEARERS * BORNE)
            marked[b] += BORNE;
        if (a != b && marked[a] && marked[a] <= CALM_BEARERS * BORNE)
            marked[a] += BORNE;
    }
}

/* A bed at rest rings: the few sweeps of its steps let impulses follow the velocities as springs do
 * that start from those of the step before, so that a bed of n layers swings about the impulses
 * that bear it for some n^2 steps, faster than a body at rest, within what the criterion allows.
 * Each body in it that slows down is therefore stopped, near the impulses that hold it (the kinetic
 * damping of dynamic relaxation, body by body). What sets off to move, by whatever force, gains
 * energy and is not. */
void plu_sleep_calm(plu_stepper *s)
{
    plu_world *w = s->world;
    const bool calm = may_sleep(s) && s->sleep.ringing > 0.0 && w->loads_count == 0 &&
                      !plu_motions_move(w) && w->active > w->fixed &&
                      (double)(s->sleep.slower + w->asleep) >= calm_part * (w->active - w->fixed);
    s->sleep.calm = calm ? s->sleep.calm + (s->sleep.calm < CALM_STEPS) : 0;
    if (s->sleep.calm < CALM_STEPS)
        return;
    plu_exact lost = {0};
    count_bearers(s);
    for (int i = 0; i < w->bodies.count; i++)
        if (s->sleep.marked[i] >= SLOWER + CALM_BEARERS * BORNE &&
            w->bodies.state[i] == PLU_ACTIVE && plu_awake(w, i))
            plu_exact_add(&lost, stop(w, i));
    s->totals.work_impact -= plu_exact_value(&lost);
}

/* Bodies at rest for SLEEP_STEPS steps fall asleep all at once, and only when sleepers would be a
 * fair part of all: fewer are not worth it. */
void plu_sleep_begin(plu_stepper *s)
{
    plu_world *w = s->world;
    if (!may_sleep(s) || w->steps % SLEEP_STEPS != 0 || is_pushed_slowly(s))
        return;
    int ready = 0;
    for (int i = 0; i < w->bodies.count; i++)
        ready +=
            w->bodies.state[i] == PLU_ACTIVE && plu_awake(w, i) && w->bodies.rest[i] >= SLEEP_STEPS;
    if (ready == 0 || (w->asleep + ready) * (long)SLEEP_PART < w->active - w->fixed)
        return;
    plu_exact lost = {0};
    for (int i = 0; i < w->bodies.count; i++) {
        if (w->bodies.state[i] != PLU_ACTIVE || !plu_awake(w, i) || w->bodies.rest[i] < SLEEP_STEPS)
            continue;
        plu_exact_add(&lost, stop(w, i));
        w->bodies.rest[i] = PLU_ASLEEP;
        w->asleep++;
    }
    s->totals.work_impact -= plu_exact_value(&lost);
    w->sleeps++;
}
