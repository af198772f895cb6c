/* Contacts that yield, and the bodies that they jam (src/theory.md, "Jams"). Between a boundary
 * that moves on, whatever resists it, and something that does not give way, no impulses keep both
 * contacts from closing:
 *
 *     ==> | o |      V     r_N <= P = h F: the impulse that a contact bears at most; at P it may
 *     ==> | o |            close, u_N < 0 being no error, and the body overlaps by h |u_N| more in
 *       wall   wall        each step. Here such contacts are found, counted and reported.
 */
#include "step/jams.h"
#include "base/memory.h"
#include "base/state.h"
#include "base/vec3.h"
#include "blocks/yield.h"
#include "pluvia/boundary.h"
#include "pluvia/scene.h"
#include "step/stepper.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPORTED = 10 }; /* jams that are reported one by one */

/* A contact that bears all it may, and closes by more than rounding (over the radius), yields. */
static const double all_but_rounding = 1.0 - 1e-9, closes = 1e-9;

/* A contact that bears more than this share of what it may is part of a jam. */
static const double pressed = 0.5;

/* A body stays jammed until it overlaps by less than this (over the smaller diameter). */
static const double freed = 0.02;

/* A contact of the live ones that yields. */
typedef struct place {
    const plu_contact *contact;
    double depth; /* at the end of the step (m) */
    double force; /* N */
} place;

static bool yields(const plu_stepper *s, int live, place *at)
{
    const plu_problem *p = &s->problem;
    const int slot = p->slot_of_contact[live], k = slot % PLU_LANES;
    const plu_block *c = plu_block_of(p, slot);
    const double most = plu_slot_most(p, slot);
    if (most == 0.0 || c->p[0][k] < most * all_but_rounding)
        return false;
    double y[7];
    plu_slot_velocity(c, k, p->v[c->a[k]], p->v[c->b[k]], y);
    const double h = s->world->step, u = y[0] - c->bias[k];
    *at = (place){.contact = &s->contacts->contact[s->contacts->live[live]], .force = most / h};
    at->depth = -at->contact->gap - h * u;
    return -h * y[0] > closes * plu_smaller_radius(s->world, at->contact);
}

/* The contact by which a body is held from the other side: that which pushes most against `n`. */
static const plu_contact *held_by(const plu_stepper *s, int body, const plu_contact *other,
                                  const double n[3])
{
    const plu_contacts *list = s->contacts;
    const plu_contact *found = NULL;
    double most = 0.0;
    for (int i = 0; i < list->live_count; i++) {
        const plu_contact *c = &list->contact[list->live[i]];
        const int slot = s->problem.slot_of_contact[i], b = plu_owner(&s->world->spheres, c->b);
        const bool second = b == body;
        if (c == other ||
            !(second || (plu_side_is_sphere(c->a) && plu_side_owner(s->world, c->a) == body)))
            continue;
        const double against = (second ? -1.0 : 1.0) * plu_dot(n, c->normal) *
                               plu_block_of(&s->problem, slot)->p[0][slot % PLU_LANES];
        if (against > most) {
            most = against;
            found = c;
        }
    }
    return found;
}

/* "body 3", or the name of the boundary. */
static const char *name_of(const plu_world *w, plu_side side, char *buffer, size_t size)
{
    if (plu_side_is_sphere(side))
        snprintf(buffer, size, "body %d", plu_side_owner(w, side));
    else
        snprintf(buffer, size, "%s",
                 w->scene->boundaries[plu_side_surface(w, side)->boundary].name);
    return buffer;
}

/* As in files: a body, or -1 - the number of a boundary. */
static long number_of(const plu_world *w, plu_side side)
{
    return plu_side_is_sphere(side) ? plu_side_owner(w, side)
                                    : -1L - plu_side_surface(w, side)->boundary;
}

/* The side of c that is not the body. */
static plu_side beyond(const plu_stepper *s, const plu_contact *c, int body)
{
    return plu_owner(&s->world->spheres, c->b) == body ? c->a : plu_side_of_sphere(c->b);
}

/* The body that a contact jams: b, or a where b is fixed. */
static int jammed_by(const plu_stepper *s, const plu_contact *c)
{
    const int b = plu_owner(&s->world->spheres, c->b);
    return plu_is_fixed(s->world, b) && plu_side_is_sphere(c->a) ? plu_side_owner(s->world, c->a)
                                                                 : b;
}

/* What holds it from the other side. */
static const plu_contact *holder_of(const plu_stepper *s, const plu_contact *c, int body)
{
    const double side = plu_owner(&s->world->spheres, c->b) == body ? 1.0 : -1.0;
    const double n[3] = {side * c->normal[0], side * c->normal[1], side * c->normal[2]};
    return held_by(s, body, c, n);
}

/* Notes an overlap of a jammed body if it is the deepest so far. */
static void note_depth(plu_stepper *s, const plu_contact *c, double depth, plu_step_info *info)
{
    plu_totals *t = &s->totals;
    const int b = jammed_by(s, c);
    info->yield_depth = plu_max(info->yield_depth, depth);
    if (depth <= t->jam.depth)
        return;
    const plu_contact *held = holder_of(s, c, b);
    t->jam = (plu_jam){.time = s->world->time + s->world->step,
                       .depth = depth,
                       .force = t->jam.force,
                       .body = b,
                       .between = {number_of(s->world, beyond(s, c, b)), PLU_NOBODY}};
    if (held)
        t->jam.between[1] = number_of(s->world, beyond(s, held, b));
}

static void say(const plu_stepper *s, const place *at, const plu_contact *held, int body)
{
    const plu_world *w = s->world;
    char a[PLU_NAME], b[PLU_NAME], apart[96];
    if (at->depth > 0.0)
        snprintf(apart, sizeof apart, "they overlap by %.3g m, %.3g of the smaller diameter",
                 at->depth, at->depth / (2.0 * plu_smaller_radius(w, at->contact)));
    else
        snprintf(apart, sizeof apart, "they come together and are %.3g m apart", -at->depth);
    plu_log_write(&s->log, PLU_LOG_WARNING,
                  "step %ld (t = %g s): body %d is jammed between %s and %s: a contact of %.3g N "
                  "yields, %s (contacts.strength)%s",
                  w->steps + 1, w->time + w->step, body,
                  name_of(w, beyond(s, at->contact, body), a, sizeof a),
                  held ? name_of(w, beyond(s, held, body), b, sizeof b) : "what it cannot move",
                  at->force, apart,
                  s->totals.jams == REPORTED ? "; further jams are only counted" : "");
}

static bool is_in(const int *list, int count, int body)
{
    int low = 0, high = count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (list[middle] < body)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && list[low] == body;
}

static bool is_jammed(const plu_stepper *s, int body)
{
    return is_in(s->jams.now, s->jams.now_count, body);
}

static void add(plu_jams *j, int body)
{
    int at = j->now_count;
    if (is_in(j->now, j->now_count, body))
        return;
    for (; at > 0 && j->now[at - 1] > body; at--)
        j->now[at] = j->now[at - 1];
    j->now[at] = body;
    j->now_count++;
}

/* What is fixed is never jammed. */
static void add_body(plu_stepper *s, int body)
{
    if (!plu_is_fixed(s->world, body))
        add(&s->jams, body);
}

static void add_both(plu_stepper *s, const plu_contact *c)
{
    add_body(s, plu_owner(&s->world->spheres, c->b));
    if (plu_side_is_sphere(c->a))
        add_body(s, plu_side_owner(s->world, c->a));
}

/* What presses on a contact that yields goes through others, which bear much as well: the positions
 * that their bodies get overlap there. */
static void add_chains(plu_stepper *s)
{
    for (int i = 0; i < s->contacts->live_count; i++) {
        const int slot = s->problem.slot_of_contact[i];
        const double most = plu_slot_most(&s->problem, slot);
        if (most > 0.0 && plu_block_of(&s->problem, slot)->p[0][slot % PLU_LANES] > pressed * most)
            add_both(s, &s->contacts->contact[s->contacts->live[i]]);
    }
}

static bool was_jammed(const plu_stepper *s, int body)
{
    return is_in(s->jams.before, s->jams.before_count, body);
}

/* Bodies that were jammed before, and overlap still. */
static void keep(plu_stepper *s)
{
    for (int i = 0; i < s->contacts->count; i++) {
        const plu_contact *c = &s->contacts->contact[i];
        if (!(-c->gap > freed * 2.0 * plu_smaller_radius(s->world, c)))
            continue;
        if (plu_side_is_sphere(c->a) && was_jammed(s, plu_side_owner(s->world, c->a)))
            add_body(s, plu_side_owner(s->world, c->a));
        if (was_jammed(s, plu_owner(&s->world->spheres, c->b)))
            add_body(s, plu_owner(&s->world->spheres, c->b));
    }
}

bool plu_are_jammed(const plu_stepper *s, const plu_contact *c)
{
    return is_jammed(s, plu_owner(&s->world->spheres, c->b)) ||
           (plu_side_is_sphere(c->a) && is_jammed(s, plu_side_owner(s->world, c->a)));
}

static void note_depths(plu_stepper *s, plu_step_info *info)
{
    for (int i = 0; i < s->contacts->count; i++) {
        const plu_contact *c = &s->contacts->contact[i];
        if (-c->gap > info->yield_depth && plu_are_jammed(s, c))
            note_depth(s, c, -c->gap, info);
    }
}

static bool any_yields(const plu_problem *p)
{
    bool any = false;
    for (int k = 0; k < p->islands_count && !any; k++)
        any = p->islands[k].bound.most > 0.0;
    return any;
}

static void note(plu_stepper *s, const place *at, plu_step_info *info)
{
    const plu_contact *c = at->contact;
    const int b = jammed_by(s, c);
    const bool known = was_jammed(s, b) || is_jammed(s, b) ||
                       (plu_side_is_sphere(c->a) && was_jammed(s, plu_side_owner(s->world, c->a)));
    info->yielding++;
    s->totals.jam.force = plu_max(s->totals.jam.force, at->force);
    note_depth(s, c, at->depth, info);
    if (!known && ++s->totals.jams <= REPORTED)
        say(s, at, holder_of(s, c, b), b);
    add_both(s, c);
}

plu_status plu_jams_note(plu_stepper *s, plu_step_info *info, plu_error *err)
{
    plu_jams *j = &s->jams;
    int *list = j->before;
    const size_t capacity = j->before_capacity;
    j->before = j->now;
    j->before_count = j->now_count;
    j->before_capacity = j->now_capacity;
    j->now = list;
    j->now_capacity = capacity;
    j->now_count = 0;
    const bool any = any_yields(&s->problem);
    if (!any && j->before_count == 0)
        return PLU_OK;
    const plu_status status = plu_reserve(&j->now, &j->now_capacity, (size_t)s->world->bodies.count,
                                          sizeof *j->now, 0, err);
    if (status != PLU_OK)
        return status;
    place at;
    for (int i = 0; any && i < s->contacts->live_count; i++)
        if (yields(s, i, &at))
            note(s, &at, info);
    if (info->yielding > 0)
        add_chains(s);
    if (j->before_count > 0)
        keep(s);
    note_depths(s, info);
    s->totals.yielding_steps += info->yielding > 0;
    s->totals.yields += info->yielding;
    return PLU_OK;
}

void plu_jams_free(plu_stepper *s)
{
    free(s->jams.now);
    free(s->jams.before);
}

void plu_jams_state(plu_stepper *s, plu_state *state)
{
    plu_jams *j = &s->jams;
    const int bodies = s->world->bodies.count;
    plu_state_int(state, "jams/count", 1, 1, &j->now_count);
    if (state->loading && state->status == PLU_OK) {
        if (j->now_count < 0 || j->now_count > bodies) {
            plu_state_refuse(state, "more bodies are jammed than there are");
            return;
        }
        state->status =
            plu_reserve(&j->now, &j->now_capacity, (size_t)bodies, sizeof *j->now, 0, state->err);
    }
    plu_state_int(state, "jams/body", (size_t)j->now_count, 1, j->now);
    for (int i = 0; state->loading && state->status == PLU_OK && i < j->now_count; i++)
        if (j->now[i] < 0 || j->now[i] >= bodies || (i > 0 && j->now[i] <= j->now[i - 1])) {
            plu_state_refuse(state, "the jammed bodies are not numbers of bodies in rising order");
            return;
        }
}
