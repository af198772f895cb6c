/* While bodies sleep only candidates with a body that is awake are looked at; the contacts among
 * sleepers stay in the list as they are.
 *
 *     candidates    c c c c c c c c c c c c       all pairs within the skins
 *     watched           c       c c               with an awake body: looked at in each step
 *     list          k k k k K k k K K k k k       contacts by key: K new, k copied
 *     live                  K     K K             of the problem; the others keep their impulses
 *
 * The list of candidates must be one list for that (detect.c builds it anew), and the list of those
 * watched holds as long as it, and who sleeps, is the same. */
#include "base/memory.h"
#include "base/team.h"
#include "detect/look.h"
#include "detect/match.h"
#include "detect/minimum.h"
#include <string.h>

static size_t awake(const void *detector, size_t begin, size_t end, void *out)
{
    const plu_detector *d = detector;
    const bool all = d->world->asleep == 0; /* then no body has to be looked at */
    int *live = out;
    size_t count = 0;
    for (size_t i = begin; i < end; i++) {
        plu_side a;
        int b;
        plu_key_sides(d->world, d->now.key[i], &a, &b);
        live[count] = (int)i;
        count += all || plu_pair_awake(d->world, a, b);
    }
    return count;
}

plu_status plu_list_live(plu_detector *d, plu_error *err)
{
    const size_t all = (size_t)d->now.count;
    size_t count = 0;
    plu_status s = plu_reserve(&d->live, &d->live_capacity, all, sizeof *d->live, 0, err);
    if (s == PLU_OK)
        s = plu_compact(&d->compaction, all, sizeof *d->live, awake, d, d->live, &count, err);
    d->live_count = (int)count;
    return s;
}

/* What a candidate joins. */
static void sides_of(const plu_detector *d, size_t candidate, plu_side *a, int *b)
{
    const bool wall = candidate >= d->spheres.count;
    const plu_pair pair =
        wall ? d->walls.pair[candidate - d->spheres.count] : d->spheres.pair[candidate];
    *a = wall ? plu_side_of_part(pair.a) : plu_side_of_pair(pair);
    *b = pair.b;
}

plu_status plu_watch(plu_detector *d, plu_error *err)
{
    const size_t candidates = d->spheres.count + d->walls.count;
    const plu_contacts *list = &d->now;
    d->watched_count = 0;
    for (size_t k = 0; k < candidates; k++) {
        plu_side a;
        int b;
        sides_of(d, k, &a, &b);
        if (!plu_pair_awake(d->world, a, b))
            continue;
        const plu_status s = plu_reserve(&d->watched, &d->watched_capacity, d->watched_count + 1,
                                         sizeof *d->watched, 1, err);
        if (s != PLU_OK)
            return s;
        d->watched[d->watched_count++] = (plu_watched){k, -1, false};
    }
    /* Both lists are in the order of the candidates, and a live contact is a watched candidate. */
    for (size_t k = 0, next = 0; k < d->watched_count && next < (size_t)d->live_count; k++) {
        plu_side a;
        int b;
        sides_of(d, d->watched[k].candidate, &a, &b);
        const plu_contact *c = &list->contact[d->live[next]];
        if (c->b == b && plu_side_same(c->a, a))
            d->watched[k].contact = d->live[next++];
    }
    d->watching = true;
    return plu_reserve(&d->fresh, &d->fresh_capacity, d->watched_count, sizeof *d->fresh, 0, err);
}

/* Looks at all; `same` becomes false where others are contacts than before. */
static void watch_spheres(plu_detector *d, bool *same)
{
#pragma omp for schedule(static) nowait
    for (int k = 0; k < (int)d->watched_count; k++) {
        plu_watched *w = &d->watched[k];
        w->found = plu_look(d, w->candidate, &d->fresh[k]);
        if (w->found && w->candidate >= d->spheres.count) {
            const size_t wall = w->candidate - d->spheres.count;
            const plu_looked none = {wall, wall, NULL};
            w->found = plu_silencer(d, wall, &d->fresh[k], &none) == wall;
        }
        if (w->found != (w->contact >= 0)) {
#pragma omp atomic write
            *same = false;
        }
    }
}

static void update(plu_detector *d)
{
#pragma omp for schedule(static) nowait
    for (int k = 0; k < (int)d->watched_count; k++) {
        const int contact = d->watched[k].contact;
        if (contact >= 0)
            d->now.contact[contact] = d->fresh[k];
    }
}

/* Appends the contacts from *next to end of the old list to the new one. */
static void copy_until(const plu_contacts *old, plu_contacts *list, int *next, int end)
{
    const size_t count = (size_t)(end - *next);
    memcpy(list->contact + list->count, old->contact + *next, count * sizeof *list->contact);
    memcpy(list->key + list->count, old->key + *next, count * sizeof *list->key);
    memcpy(list->impulse + list->count, old->impulse + *next, count * sizeof *list->impulse);
    if (list->rebounds)
        memcpy(list->rebound + list->count, old->rebound + *next, count * sizeof *list->rebound);
    for (int k = *next; k < end; k++)
        list->previous[list->count + k - *next] = k;
    list->count += (int)count;
    *next = end;
}

/* A new list of the contacts that sleep and those that were found. */
static plu_status merge(plu_detector *d, plu_error *err)
{
    const plu_contacts old = d->now;
    plu_contacts *list = &d->before;
    list->count = old.count + (int)d->watched_count; /* at most */
    plu_status s = plu_contacts_reserve(list, (size_t)list->count, err);
    if (s == PLU_OK)
        s = plu_reserve(&d->live, &d->live_capacity, d->watched_count, sizeof *d->live, 0, err);
    list->count = d->live_count = 0;
    if (s != PLU_OK)
        return s;
    int next = 0;
    for (size_t k = 0; k < d->watched_count; k++) {
        plu_watched *w = &d->watched[k];
        const int was = w->contact;
        if (was < 0 && !w->found)
            continue;
        const uint64_t key = plu_contact_key(d->world, &d->fresh[k]);
        copy_until(&old, list, &next, was >= 0 ? was : plu_contact_place(&old, key, next));
        next += was >= 0;
        w->contact = w->found ? list->count : -1;
        if (!w->found)
            continue;
        list->contact[list->count] = d->fresh[k];
        list->key[list->count] = key;
        list->previous[list->count] = was;
        list->impulse[list->count] = was >= 0 ? old.impulse[was] : (plu_impulse){0};
        if (list->rebounds)
            list->rebound[list->count] = was >= 0 ? old.rebound[was] : (plu_rebound){0};
        d->live[d->live_count++] = list->count++;
    }
    copy_until(&old, list, &next, old.count);
    d->now = *list;
    d->now.carried = NULL;
    d->before = old;
    plu_match_walls(d->world, &d->before, &d->now);
    return PLU_OK;
}

plu_status plu_look_at_watched(plu_detector *d, plu_error *err)
{
    plu_status s = PLU_OK;
    d->same_graph = d->wakings == d->world->wakings;
    if (!d->same_graph) {
        s = plu_list_live(d, err);
        if (s == PLU_OK)
            s = plu_watch(d, err);
        d->wakings = d->world->wakings;
    }
    if (s != PLU_OK)
        return s;
    const bool many = plu_many(d->watched_count, PLU_FEW_CANDIDATES);
    bool same = true;
    PLU_TEAM(many, watch_spheres(d, &same));
    if (same) {
        PLU_TEAM(many, update(d));
        return PLU_OK;
    }
    d->same_graph = false;
    return merge(d, err);
}
