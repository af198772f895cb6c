#include "detect/match.h"
#include "base/memory.h"
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

/* First contact of the list whose key is not smaller. */
static int lower_bound(const plu_contacts *list, uint64_t key)
{
    int low = 0, high = list->count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (plu_contact_key(&list->contact[middle]) < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool match_range(const plu_contacts *before, plu_contacts *now, int begin, int end)
{
    bool same = true;
    int at = lower_bound(before, plu_contact_key(&now->contact[begin]));
    for (int k = begin; k < end; k++) {
        const plu_contact *c = &now->contact[k];
        const uint64_t key = plu_contact_key(c);
        while (at < before->count && plu_contact_key(&before->contact[at]) < key)
            at++;
        if (at < before->count && plu_contact_key(&before->contact[at]) == key) {
            now->previous[k] = at;
            now->impulse[k] = before->impulse[at];
            to_tangent_plane(now->impulse[k].t, c->normal);
            to_tangent_plane(now->impulse[k].m, c->normal);
        } else {
            now->previous[k] = -1;
            memset(&now->impulse[k], 0, sizeof now->impulse[k]);
            same = false;
        }
    }
    return same;
}

bool plu_match(const plu_contacts *before, plu_contacts *now)
{
    int same = before->count == now->count;
#pragma omp parallel for schedule(static) reduction(& : same) if (now->count > CHUNK)
    for (int begin = 0; begin < now->count; begin += CHUNK)
        same &= match_range(before, now, begin,
                            begin + CHUNK < now->count ? begin + CHUNK : now->count);
    return same;
}
