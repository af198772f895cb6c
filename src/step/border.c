/* The border between bodies that sleep and those that do not (src/machinery.md, "Sleep").
 *
 *     o o o o     awake: bodies of the contact problem
 *     | | | |     live contacts, solved in each step
 *     B B B B     border: asleep, with a live contact
 *     : : : :     sleeping contacts: not solved, impulses p kept as they are
 *     z z z z     asleep: no rows
 *
 * A body of the border takes part in the solve as a free body that starts from rest, with
 *
 *     v_free = h g + M^-1 sum over its sleeping contacts of H p ,
 *
 * which its live contacts bring back to 0 in a bed that stays at rest. What the solve leaves,
 *
 *     v = v_free + M^-1 sum over its live contacts of H p ,
 *
 * is the error of putting it back to rest after the step, and it wakes where that is too large
 * (plu_sleep_wake). */
#include "assemble/cohesion.h"
#include "base/memory.h"
#include "base/strategy.h"
#include "base/vec3.h"
#include "step/stepper.h"
#include <stdlib.h>
#include <string.h>

enum { TOUCHED = 2 }; /* mark of a body that sleeps and has a live contact */

bool plu_exceeds(const plu_stepper *s, int i, const double row[8], double limit)
{
    const double r = s->world->bodies.position[i][3];
    return plu_dot(row, row) > limit * limit || r * r * plu_dot(row + 3, row + 3) > limit * limit;
}

/* Adds what impulse p of contact c does to body i, which is one of its two; attraction is none of
 * it.
 */
static void add_effect(const plu_world *w, const plu_contact *c, const plu_impulse *p, int i,
                       double row[8])
{
    PLU_SPHERES_ARE_BODIES; /* the arm lies along the normal */
    const double side = i == plu_owner(&w->spheres, c->b) ? 1.0 : -1.0;
    double moment[3];
    plu_cross(c->normal, p->t, moment);
    for (int k = 0; k < 3; k++) {
        row[k] += side * row[6] * (p->n * c->normal[k] + p->t[k]);
        row[3 + k] += row[7] * (side * p->m[k] - w->spheres.at[i][3] * moment[k]);
    }
}

/* The body of a live contact that sleeps, -1 for none. */
static int sleeper_of(const plu_world *w, const plu_contact *c)
{
    const int b = plu_owner(&w->spheres, c->b);
    if (plu_asleep(w, b))
        return b;
    const int a = plu_side_is_part(c->a) ? -1 : plu_side_owner(w, c->a);
    return a >= 0 && plu_asleep(w, a) ? a : -1;
}

static size_t find_touch(const void *stepper, size_t begin, size_t end, void *out)
{
    const plu_stepper *s = stepper;
    const plu_contacts *list = s->contacts;
    int *found = out;
    size_t count = 0;
    for (size_t i = begin; i < end; i++)
        if (sleeper_of(s->world, &list->contact[list->live[i]]) >= 0)
            found[count++] = (int)i;
    return count;
}

/* Marks the bodies that sleep of which a live contact, or the lack of one, may be felt. */
static plu_status mark_border(plu_stepper *s, plu_error *err)
{
    plu_sleep *q = &s->sleep;
    const plu_world *w = s->world;
    const plu_contacts *list = s->contacts;
    const size_t live = (size_t)list->live_count;
    const bool all = q->sleeps != w->sleeps || q->generation != w->generation;
    plu_status status = plu_reserve(&q->touch, &q->touch_capacity, live, sizeof *q->touch, 0, err);
    if (status == PLU_OK)
        status = plu_compact(&q->compaction, live, sizeof *q->touch, find_touch, s, q->touch,
                             &q->touch_count, err);
    if (status != PLU_OK)
        return status;
    q->sleeps = w->sleeps;
    q->generation = w->generation;
    for (int i = 0; i < w->bodies.count; i++)
        q->marked[i] = all && plu_asleep(w, i);
    for (int i = 0; i < q->border_count; i++)
        q->marked[q->border[i]] = plu_asleep(w, q->border[i]);
    for (size_t k = 0; k < q->touch_count; k++)
        q->marked[sleeper_of(w, &list->contact[list->live[q->touch[k]]])] = TOUCHED;
    return PLU_OK;
}

static bool is_marked(const plu_stepper *s, plu_side side)
{
    return plu_side_is_sphere(side) && s->sleep.marked[plu_side_owner(s->world, side)];
}

/* Adds what the attraction of contact i does to its marked bodies. */
static void add_attraction(const plu_stepper *s, int i)
{
    const plu_sleep *q = &s->sleep;
    const plu_contact *c = &s->contacts->contact[i];
    const double pull = plu_attraction(s->world, s->contacts, i);
    const int b = plu_owner(&s->world->spheres, c->b);
    if (q->marked[b])
        plu_add_scaled(q->held[b], -pull * q->held[b][6], c->normal);
    if (is_marked(s, c->a)) {
        double *row = q->held[plu_side_owner(s->world, c->a)];
        plu_add_scaled(row, pull * row[6], c->normal);
    }
}

static size_t find_beside(const void *stepper, size_t begin, size_t end, void *out)
{
    const plu_stepper *s = stepper;
    const plu_world *w = s->world;
    int *found = out;
    size_t count = 0;
    for (size_t i = begin; i < end; i++) {
        const plu_contact *c = &s->contacts->contact[i];
        const bool marked = s->sleep.marked[plu_owner(&w->spheres, c->b)] || is_marked(s, c->a);
        if (marked && (w->coheres || !plu_pair_awake(w, c->a, c->b)))
            found[count++] = (int)i;
    }
    return count;
}

/* Adds what contact i does to its marked bodies: its attraction, and its impulse if it sleeps.
 */
static void hold_by(const plu_stepper *s, int i)
{
    const plu_world *w = s->world;
    const plu_contact *c = &s->contacts->contact[i];
    const plu_impulse *p = &s->contacts->impulse[i];
    double(*row)[8] = s->sleep.held;
    const int b = plu_owner(&w->spheres, c->b);
    if (w->coheres)
        add_attraction(s, i);
    if (plu_pair_awake(w, c->a, c->b))
        return;
    if (s->sleep.marked[b])
        add_effect(w, c, p, b, row[b]);
    if (is_marked(s, c->a)) {
        const int a = plu_side_owner(w, c->a);
        add_effect(w, c, p, a, row[a]);
    }
}

/* v_free of the marked bodies: what weight, attraction and sleeping contacts do to them, from rest.
 */
static plu_status hold(plu_stepper *s, plu_error *err)
{
    plu_sleep *q = &s->sleep;
    const plu_world *w = s->world;
    const size_t count = (size_t)s->contacts->count;
    size_t found = 0;
    q->held_step = w->step;
    for (int i = 0; i < w->bodies.count; i++) {
        if (!q->marked[i])
            continue;
        memcpy(q->held[i], w->bodies.row[i], sizeof *q->held);
        for (int k = 0; k < 3; k++)
            q->held[i][k] = s->world->step * w->gravity[k];
    }
    plu_status status =
        plu_reserve(&q->beside, &q->beside_capacity, count, sizeof *q->beside, 0, err);
    if (status == PLU_OK)
        status = plu_compact(&q->compaction, count, sizeof *q->beside, find_beside, s, q->beside,
                             &found, err);
    for (size_t k = 0; status == PLU_OK && k < found; k++)
        hold_by(s, q->beside[k]);
    return status;
}

static int root_of(int *parent, int i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

/* Groups of bodies that are awake and touch. */
static void group(plu_stepper *s)
{
    plu_sleep *q = &s->sleep;
    const plu_world *w = s->world;
    const plu_contacts *list = s->contacts;
    for (int i = 0; i < w->bodies.count; i++) {
        q->parent[i] = i;
        q->size[i] = 0;
    }
    for (int i = 0; i < list->live_count; i++) {
        const plu_contact *c = &list->contact[list->live[i]];
        const int b = plu_owner(&w->spheres, c->b);
        if (!plu_side_awake(w, c->a) || !plu_awake(w, b))
            continue;
        const int x = root_of(q->parent, plu_side_owner(w, c->a)), y = root_of(q->parent, b);
        q->parent[x > y ? x : y] = x > y ? y : x;
    }
    for (int i = 0; i < w->bodies.count; i++)
        if (plu_awake(w, i))
            q->size[root_of(q->parent, i)]++;
}

/* Whom a large group touches can be pushed, all others are pinned. */
static void pin(plu_stepper *s)
{
    plu_sleep *q = &s->sleep;
    plu_world *w = s->world;
    const plu_contacts *list = s->contacts;
    group(s);
    for (int i = 0; i < q->border_count; i++)
        w->bodies.rest[q->border[i]] = PLU_PINNED;
    for (size_t k = 0; k < q->touch_count; k++) {
        const plu_contact *c = &list->contact[list->live[q->touch[k]]];
        const int sleeper = sleeper_of(w, c), b = plu_owner(&w->spheres, c->b);
        const int awake = sleeper == b ? plu_side_owner(w, c->a) : b; /* else it is not live */
        if (q->size[root_of(q->parent, awake)] > SMALL_GROUP)
            w->bodies.rest[sleeper] = PLU_ASLEEP;
    }
}

plu_status plu_border_prepare(plu_stepper *s, plu_error *err)
{
    plu_sleep *q = &s->sleep;
    const plu_world *w = s->world;
    if (w->asleep == 0) {
        q->border_count = 0;
        return PLU_OK;
    }
    plu_status status = mark_border(s, err);
    if (status == PLU_OK)
        status = hold(s, err);
    if (status != PLU_OK)
        return status;
    q->border_count = 0;
    for (int i = 0; i < w->bodies.count; i++)
        if (q->marked[i] == TOUCHED || (q->marked[i] && plu_exceeds(s, i, q->held[i], q->change)))
            q->border[q->border_count++] = i;
    pin(s);
    return PLU_OK;
}

/* Pinned bodies start the solve from rest, others from what weight and sleeping contacts do to
 * them, so that live contacts find them at rest as long as they carry no more than before. */
void plu_border_place(plu_stepper *s)
{
    const plu_sleep *q = &s->sleep;
    for (int i = 0; i < q->border_count; i++) {
        const int body = q->border[i];
        const bool pinned = s->world->bodies.rest[body] == PLU_PINNED;
        memset(s->problem.v_free[body], 0, sizeof *q->held);
        if (!pinned)
            memcpy(s->problem.v_free[body], q->held[body], sizeof *q->held);
        memcpy(s->problem.v[body], s->problem.v_free[body], sizeof *q->held);
    }
}

/* Impulses lie by slot, seven lanes of a block: this gathers those of one live contact. */
static plu_impulse impulse_of(const plu_stepper *s, int live)
{
    const int slot = s->problem.slot_of_contact[live], k = slot % PLU_LANES;
    const plu_block *block = plu_block_of(&s->problem, slot);
    return (plu_impulse){block->p[0][k],
                         {block->p[1][k], block->p[2][k], block->p[3][k]},
                         {block->p[4][k], block->p[5][k], block->p[6][k]}};
}

/* After a solve: what the border would do were it free (`v`), by its weight, its sleeping contacts
 * and the live impulses just found, while `yielded` has how it moved within the solve. The first
 * decides who wakes. */
void plu_border_feel(plu_stepper *s)
{
    const plu_sleep *q = &s->sleep;
    const plu_world *w = s->world;
    const plu_contacts *list = s->contacts;
    for (int i = 0; i < q->border_count; i++) {
        const int body = q->border[i];
        memcpy(q->yielded[body], s->problem.v[body], sizeof *q->yielded);
        memcpy(s->problem.v[body], q->held[body], sizeof *q->held);
    }
    for (size_t k = 0; k < q->touch_count; k++) {
        const plu_contact *c = &list->contact[list->live[q->touch[k]]];
        const plu_impulse p = impulse_of(s, q->touch[k]);
        const int sleeper = sleeper_of(w, c);
        add_effect(w, c, &p, sleeper, s->problem.v[sleeper]);
    }
}

void plu_border_swap(plu_stepper *s)
{
    const plu_sleep *q = &s->sleep;
    for (int i = 0; i < q->border_count; i++) {
        double row[8];
        memcpy(row, q->yielded[q->border[i]], sizeof row);
        memcpy(q->yielded[q->border[i]], s->problem.v[q->border[i]], sizeof row);
        memcpy(s->problem.v[q->border[i]], row, sizeof row);
    }
}
