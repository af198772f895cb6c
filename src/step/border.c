/* The border between bodies that sleep and those that do not (src/machinery.md, "Sleep"). */
#include "assemble/cohesion.h"
#include "base/vec3.h"
#include "step/stepper.h"
#include <stdlib.h>
#include <string.h>

enum {
    TOUCHED = 2, /* mark of a body that sleeps and has a live contact */
    SMALL = 8    /* bodies in a group that does not push */
};

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
    if (!plu_awake(w, b))
        return b;
    return plu_side_is_part(c->a) || plu_side_awake(w, c->a) ? -1 : plu_side_owner(w, c->a);
}

/* Marks the bodies that sleep of which a live contact, or the lack of one, may be felt. */
static void mark_border(plu_stepper *s)
{
    plu_quiet *q = &s->quiet;
    const plu_world *w = s->world;
    const plu_contacts *list = s->contacts;
    const bool all = q->naps != w->naps || q->generation != w->generation;
    q->naps = w->naps;
    q->generation = w->generation;
    for (int i = 0; i < w->bodies.count; i++)
        q->marked[i] = all && !plu_awake(w, i);
    for (int i = 0; i < q->border_count; i++)
        q->marked[q->border[i]] = !plu_awake(w, q->border[i]);
    for (int i = 0; i < list->live_count; i++) {
        const plu_contact *c = &list->contact[list->live[i]];
        const int sleeper = sleeper_of(w, c);
        if (sleeper >= 0)
            q->marked[sleeper] = TOUCHED;
    }
}

static bool is_marked(const plu_stepper *s, plu_side side)
{
    return plu_side_is_sphere(side) && s->quiet.marked[plu_side_owner(s->world, side)];
}

/* Adds what the attraction of a contact does to its marked bodies. */
static void add_attraction(const plu_stepper *s, const plu_contact *c)
{
    const plu_quiet *q = &s->quiet;
    const double pull = plu_attraction(s->world, c);
    const int b = plu_owner(&s->world->spheres, c->b);
    if (q->marked[b])
        plu_add_scaled(q->held[b], -pull * q->held[b][6], c->normal);
    if (is_marked(s, c->a)) {
        double *row = q->held[plu_side_owner(s->world, c->a)];
        plu_add_scaled(row, pull * row[6], c->normal);
    }
}

/* v_free of the marked bodies: what weight, attraction and dormant contacts do to them, from rest.
 */
static void hold(const plu_stepper *s)
{
    const plu_world *w = s->world;
    const plu_contacts *list = s->contacts;
    const unsigned char *marked = s->quiet.marked;
    double(*row)[8] = s->quiet.held;
    for (int i = 0; i < w->bodies.count; i++) {
        if (!marked[i])
            continue;
        memcpy(row[i], w->bodies.row[i], sizeof *row);
        for (int k = 0; k < 3; k++)
            row[i][k] = s->scene->step * s->world->gravity[k];
    }
    for (int i = 0; i < list->count; i++) {
        const plu_contact *c = &list->contact[i];
        const int b = plu_owner(&w->spheres, c->b);
        const bool of_a = is_marked(s, c->a), of_b = marked[b];
        if (w->coheres)
            add_attraction(s, c);
        if ((!of_a && !of_b) || plu_pair_awake(w, c->a, c->b))
            continue;
        if (of_b)
            add_effect(w, c, &list->impulse[i], b, row[b]);
        if (of_a) {
            const int a = plu_side_owner(w, c->a);
            add_effect(w, c, &list->impulse[i], a, row[a]);
        }
    }
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
    plu_quiet *q = &s->quiet;
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
    plu_quiet *q = &s->quiet;
    plu_world *w = s->world;
    const plu_contacts *list = s->contacts;
    group(s);
    for (int i = 0; i < q->border_count; i++)
        w->bodies.quiet[q->border[i]] = PLU_PINNED;
    for (int i = 0; i < list->live_count; i++) {
        const plu_contact *c = &list->contact[list->live[i]];
        const int sleeper = sleeper_of(w, c);
        if (sleeper < 0)
            continue;
        const int b = plu_owner(&w->spheres, c->b);
        const int awake = sleeper == b ? plu_side_owner(w, c->a) : b; /* else it is not live */
        if (q->size[root_of(q->parent, awake)] > SMALL)
            w->bodies.quiet[sleeper] = PLU_ASLEEP;
    }
}

void plu_border_prepare(plu_stepper *s)
{
    plu_quiet *q = &s->quiet;
    const plu_world *w = s->world;
    if (w->asleep == 0) {
        q->border_count = 0;
        return;
    }
    mark_border(s);
    hold(s);
    q->border_count = 0;
    for (int i = 0; i < w->bodies.count; i++)
        if (q->marked[i] == TOUCHED || (q->marked[i] && plu_exceeds(s, i, q->held[i], q->change)))
            q->border[q->border_count++] = i;
    pin(s);
}

void plu_border_place(plu_stepper *s)
{
    const plu_quiet *q = &s->quiet;
    for (int i = 0; i < q->border_count; i++) {
        const int body = q->border[i];
        const bool pinned = s->world->bodies.quiet[body] == PLU_PINNED;
        memset(s->problem.v_free[body], 0, sizeof *q->held);
        if (!pinned)
            memcpy(s->problem.v_free[body], q->held[body], sizeof *q->held);
        memcpy(s->problem.v[body], s->problem.v_free[body], sizeof *q->held);
    }
}

static plu_impulse impulse_of(const plu_stepper *s, int live)
{
    const int slot = s->problem.slot_of_contact[live], k = slot % PLU_LANES;
    const plu_block *block = plu_block_of(&s->problem, slot);
    return (plu_impulse){block->p[0][k],
                         {block->p[1][k], block->p[2][k], block->p[3][k]},
                         {block->p[4][k], block->p[5][k], block->p[6][k]}};
}

void plu_border_feel(plu_stepper *s)
{
    const plu_quiet *q = &s->quiet;
    const plu_world *w = s->world;
    const plu_contacts *list = s->contacts;
    for (int i = 0; i < q->border_count; i++)
        memcpy(s->problem.v[q->border[i]], q->held[q->border[i]], sizeof *q->held);
    for (int i = 0; i < list->live_count; i++) {
        const plu_contact *c = &list->contact[list->live[i]];
        const int sleeper = sleeper_of(w, c);
        if (sleeper < 0)
            continue;
        const plu_impulse p = impulse_of(s, i);
        add_effect(w, c, &p, sleeper, s->problem.v[sleeper]);
    }
}
