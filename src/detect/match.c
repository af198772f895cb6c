#include "detect/match.h"
#include "base/memory.h"
#include "base/team.h"
#include "base/vec3.h"
#include <string.h>

enum { CHUNK = 4096 };

plu_status plu_contacts_reserve(plu_contacts *list, size_t count, plu_error *err)
{
    return plu_reserve(&list->contact, &list->contact_capacity, count, sizeof *list->contact, 0,
                       err);
}

plu_status plu_impulses_reserve(plu_contacts *list, plu_error *err)
{
    const plu_status status = plu_reserve(&list->impulse, &list->impulse_capacity,
                                          (size_t)list->count, sizeof *list->impulse, 0, err);
    return status == PLU_OK ? plu_reserve(&list->previous, &list->previous_capacity,
                                          (size_t)list->count, sizeof *list->previous, 0, err)
                            : status;
}

static void to_tangent_plane(double v[3], const double n[3])
{
    plu_add_scaled(v, -plu_dot(v, n), n);
}

int plu_contact_place(const plu_contacts *list, const plu_contact *contact, int from)
{
    const uint64_t key = plu_contact_key(contact);
    int low = from, high = list->count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (plu_contact_key(&list->contact[middle]) < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void plu_to_tangent_plane(plu_contacts *list, int i)
{
    to_tangent_plane(list->impulse[i].t, list->contact[i].normal);
    to_tangent_plane(list->impulse[i].m, list->contact[i].normal);
}

static bool match_range(const plu_world *world, const plu_contacts *before, plu_contacts *now,
                        int begin, int end)
{
    bool same = true;
    int at = plu_contact_place(before, &now->contact[begin], 0);
    for (int k = begin; k < end; k++) {
        const plu_contact *c = &now->contact[k];
        const uint64_t key = plu_contact_key(c);
        while (at < before->count && plu_contact_key(&before->contact[at]) < key)
            at++;
        if (at < before->count && plu_contact_key(&before->contact[at]) == key) {
            now->previous[k] = at;
            now->impulse[k] = before->impulse[at];
            if (plu_pair_awake(world, c->a, c->b))
                plu_to_tangent_plane(now, k);
        } else {
            now->previous[k] = -1;
            memset(&now->impulse[k], 0, sizeof now->impulse[k]);
            same = false;
        }
    }
    return same;
}

static void match_all(const plu_world *world, const plu_contacts *before, plu_contacts *now,
                      bool *same)
{
#pragma omp for schedule(static) nowait
    for (int begin = 0; begin < now->count; begin += CHUNK) {
        const int end = begin + CHUNK < now->count ? begin + CHUNK : now->count;
        if (!match_range(world, before, now, begin, end)) {
#pragma omp atomic write
            *same = false;
        }
    }
}

bool plu_match(const plu_world *world, const plu_contacts *before, plu_contacts *now)
{
    bool same = before->count == now->count;
    PLU_TEAM(now->count > CHUNK, match_all(world, before, now, &same));
    return same;
}
