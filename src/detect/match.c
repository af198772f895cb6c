/* The warm start: the sweeps of a step begin with the impulses of the last one, which near rest are
 * nearly its solution. Both contact lists are sorted by key (the two sides of a pair), so that one
 * pass through both, as in the merge of a merge sort, finds the contacts that are in both:
 *
 *     before   (1,2)  (1,7)         (3,4)  (5,6)
 *                |      :             |      |
 *     now      (1,2)         (2,9)  (3,4)  (5,6)        (1,7) is gone, (2,9) begins with p = 0
 *
 * A chunk of the new list finds its beginning in the old one by bisection, so threads need not
 * wait for each other. A contact with a wall that is new has a second chance (plu_match_walls): a
 * sphere that rolls from one facet to the next gets another key, but goes on to lean the same way.
 */
#include "detect/match.h"
#include "base/memory.h"
#include "base/vec3.h"
#include <stdlib.h>

static plu_status reserve(plu_contacts *list, size_t count, int keep, plu_error *err)
{
    plu_status s = plu_reserve(&list->contact, &list->contact_capacity, count,
                               sizeof *list->contact, keep, err);
    if (s == PLU_OK)
        s = plu_reserve(&list->key, &list->key_capacity, count, sizeof *list->key, keep, err);
    if (s == PLU_OK)
        s = plu_reserve(&list->impulse, &list->impulse_capacity, count, sizeof *list->impulse, keep,
                        err);
    if (s == PLU_OK && list->rebounds)
        s = plu_reserve(&list->rebound, &list->rebound_capacity, count, sizeof *list->rebound, keep,
                        err);
    return s == PLU_OK ? plu_reserve(&list->previous, &list->previous_capacity, count,
                                     sizeof *list->previous, keep, err)
                       : s;
}

plu_status plu_contacts_reserve(plu_contacts *list, size_t count, plu_error *err)
{
    return reserve(list, count, 0, err);
}

plu_status plu_contacts_extend(plu_contacts *list, size_t count, plu_error *err)
{
    return reserve(list, count, 1, err);
}

void plu_contacts_shift(plu_contacts *list, size_t from, size_t to)
{
    list->contact[to] = list->contact[from];
    list->key[to] = list->key[from];
    list->impulse[to] = list->impulse[from];
    list->previous[to] = list->previous[from];
    if (list->rebounds)
        list->rebound[to] = list->rebound[from];
}

void plu_contacts_free(plu_contacts *list)
{
    free(list->contact);
    free(list->key);
    free(list->impulse);
    free(list->previous);
    free(list->rebound);
    *list = (plu_contacts){0};
}

int plu_contact_place(const plu_contacts *list, uint64_t key, int from)
{
    int low = from, high = list->count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (list->key[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Contact k continues contact `from` of `before`, or is new (-1). */
static inline void go_on(plu_contacts *now, int k, const plu_contacts *before, int from)
{
    now->previous[k] = from;
    if (!now->carried)
        now->impulse[k] = from >= 0 ? before->impulse[from] : (plu_impulse){0};
    if (now->rebounds)
        now->rebound[k] = from >= 0 ? before->rebound[from] : (plu_rebound){0};
}

void plu_contacts_put(plu_contacts *list, size_t to, const plu_contact *contact, uint64_t key)
{
    list->contact[to] = *contact;
    list->key[to] = key;
    go_on(list, (int)to, NULL, -1);
}

bool plu_match(const plu_world *w, const plu_contacts *before, plu_contacts *now, int begin,
               int end)
{
    bool same = true;
    int at =
        begin < end ? plu_contact_place(before, plu_contact_key(w, &now->contact[begin]), 0) : 0;
    for (int k = begin; k < end; k++) {
        const uint64_t key = now->key[k] = plu_contact_key(w, &now->contact[k]);
        while (at < before->count && before->key[at] < key)
            at++;
        const bool there = at < before->count && before->key[at] == key;
        same &= there;
        go_on(now, k, before, there ? at : -1);
    }
    return same;
}

static const double same_direction = 0.9; /* cosine */

/* Walls of a sphere are neighbors in the list: those from *begin to *end - 1. */
static void walls_of(const plu_world *w, const plu_contacts *list, int sphere, int *begin, int *end)
{
    const uint64_t b = plu_identity(&w->spheres, sphere);
    *begin = plu_contact_place(list, PLU_FIRST_WALL | b << 31, 0);
    *end = plu_contact_place(list, PLU_FIRST_WALL | (b + 1) << 31, *begin);
}

static bool is_taken(const plu_contacts *now, int begin, int end, int place)
{
    bool taken = false;
    for (int k = begin; k < end; k++)
        taken |= now->previous[k] == place;
    return taken;
}

/* Cosine of the directions of wall e of `before`, as seen now, and wall k of `now`; of different
 * materials: -1. */
static double cosine_of(const plu_world *w, const plu_contacts *before, int e,
                        const plu_contact *now)
{
    plu_side a;
    int b;
    double normal[3];
    plu_key_sides(w, before->key[e], &a, &b);
    if (plu_side_material(w, a) != plu_side_material(w, now->a))
        return -1.0;
    plu_part_gap(plu_side_surface(w, a), w->spheres.at[b], normal);
    return plu_dot(normal, now->normal);
}

/* The contact of `before` that wall k of `now` continues, -1: none. */
static int beside(const plu_world *w, const plu_contacts *before, const plu_contacts *now, int k)
{
    int begin, end, first, last, best = -1;
    double most = same_direction;
    walls_of(w, before, now->contact[k].b, &begin, &end);
    if (begin == end)
        return -1;
    walls_of(w, now, now->contact[k].b, &first, &last);
    for (int e = begin; e < end; e++) {
        if (is_taken(now, first, last, e))
            continue;
        const double cosine = cosine_of(w, before, e, &now->contact[k]);
        if (cosine > most) {
            most = cosine;
            best = e;
        }
    }
    return best;
}

/* What wall e of `before` stores while no wall of `now` continues it: it goes to the wall in its
 * direction, which was there, too, and stores nothing, as where a sphere lands over the edge of two
 * triangles: one of them bears it. */
static void hand_over(const plu_world *w, const plu_contacts *before, plu_contacts *now, int e)
{
    plu_side a;
    int b, first, last, best = -1;
    double most = same_direction;
    plu_key_sides(w, before->key[e], &a, &b);
    walls_of(w, now, b, &first, &last);
    if (is_taken(now, first, last, e))
        return;
    for (int k = first; k < last; k++) {
        if (now->rebound[k].approach < 0.0)
            continue;
        const double cosine = cosine_of(w, before, e, &now->contact[k]);
        if (cosine > most) {
            most = cosine;
            best = k;
        }
    }
    if (best >= 0)
        now->rebound[best] = before->rebound[e];
}

void plu_match_walls(const plu_world *w, const plu_contacts *before, plu_contacts *now)
{
    for (int k = plu_contact_place(now, PLU_FIRST_WALL, 0); k < now->count; k++) {
        const int from = now->previous[k] < 0 ? beside(w, before, now, k) : -1;
        if (from >= 0)
            go_on(now, k, before, from);
    }
    for (int e = now->rebounds ? plu_contact_place(before, PLU_FIRST_WALL, 0) : before->count;
         e < before->count; e++)
        if (before->rebound[e].approach < 0.0)
            hand_over(w, before, now, e);
}
