/* The list of contacts in a checkpoint: pairs, impulses, and how pairs that bounce approached.
 * Normals and gaps are not stored: detection finds them anew from positions, and matches pairs by
 * keys that must rise strictly, which is checked, because a file may be damaged.
 *
 *   contacts/count    n
 *   contacts/body     [n][3]  a as files have it (pluvia/side.h), b, image of a in a periodic cell
 *   contacts/impulse  [n][7]  r_N, r_T, m_R in the world frame
 *   contacts/rebound  [n][2]  speed of approach, gap; only where a law rebounds */
#include "base/memory.h"
#include "detect/match.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    NUMBERS = sizeof(plu_impulse) / sizeof(double),
    STORED = sizeof(plu_rebound) / sizeof(double)
};

/* The match goes through the list by its order. */
static void check_list(const plu_contacts *list, const plu_world *world, plu_state *state)
{
    for (int k = 0; k < list->count; k++) {
        const plu_contact *c = &list->contact[k];
        const bool known = c->b >= 0 && c->b < world->spheres.count &&
                           (plu_side_is_sphere(c->a) ? plu_side_sphere(c->a) < world->spheres.count
                                                     : plu_side_part(c->a) < world->parts_count);
        if (!known || (k > 0 && list->key[k - 1] >= list->key[k]))
            plu_state_refuse(state,
                             "contact %d is between bodies that do not exist, or is out of "
                             "order",
                             k);
    }
}

/* A pair stores how it approached, and the gap that it had. */
static void check_stored(const plu_contacts *list, plu_state *state)
{
    for (int k = 0; list->rebounds && k < list->count; k++) {
        const plu_rebound *r = &list->rebound[k];
        if (!(r->approach <= 0.0 && r->gap >= 0.0 && isfinite(r->approach) && isfinite(r->gap)))
            plu_state_refuse(state, "contact %d stores an impossible bounce", k);
    }
}

static void make_room(plu_contacts *list, int count, plu_state *state)
{
    if (count < 0) {
        plu_state_refuse(state, "it has %d contacts, which is impossible", count);
        return;
    }
    state->status = plu_contacts_reserve(list, (size_t)count, state->err);
    list->count = state->status == PLU_OK ? count : 0;
}

static void set_pair(plu_contacts *list, const plu_world *world, int k, const int body[3])
{
    list->contact[k] = (plu_contact){.a = plu_side_from_file(body[0], body[2]), .b = body[1]};
    list->key[k] = plu_contact_key(world, &list->contact[k]);
}

plu_status plu_contacts_set(plu_contacts *list, const plu_world *world, int count,
                            const int (*body)[3], const plu_impulse *impulse, plu_error *err)
{
    plu_state state = {.loading = true, .source = "contacts", .err = err};
    make_room(list, count, &state);
    for (int k = 0; state.status == PLU_OK && k < count; k++) {
        set_pair(list, world, k, body[k]);
        list->impulse[k] = impulse[k];
        if (list->rebounds)
            list->rebound[k] = (plu_rebound){0};
    }
    if (state.status == PLU_OK)
        check_list(list, world, &state);
    return state.status;
}

void plu_contacts_state(plu_contacts *list, const plu_world *world, plu_state *state)
{
    int count = list->count;
    plu_state_int(state, "contacts/count", 1, 1, &count);
    if (state->loading && state->status == PLU_OK)
        make_room(list, count, state);
    if (state->status != PLU_OK || count == 0)
        return;
    int(*body)[3] = plu_alloc((size_t)count, sizeof *body, state->err);
    if (!body) {
        state->status = PLU_IO;
        return;
    }
    for (int k = 0; k < count && !state->loading; k++) {
        body[k][0] = plu_side_to_file(list->contact[k].a);
        body[k][1] = list->contact[k].b;
        body[k][2] = plu_side_image(list->contact[k].a);
    }
    plu_state_int(state, "contacts/body", (size_t)count, 3, (int *)body);
    plu_state_real(state, "contacts/impulse", (size_t)count, NUMBERS, &list->impulse[0].n);
    if (list->rebounds)
        plu_state_real(state, "contacts/rebound", (size_t)count, STORED,
                       &list->rebound[0].approach);
    if (state->loading) {
        for (int k = 0; k < count; k++)
            set_pair(list, world, k, body[k]);
        if (state->status == PLU_OK)
            check_list(list, world, state);
        if (state->status == PLU_OK)
            check_stored(list, state);
    }
    free(body);
}
