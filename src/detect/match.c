#include "detect/match.h"
#include "base/memory.h"
#include <stdlib.h>

plu_status plu_contacts_reserve(plu_contacts *list, size_t count, plu_error *err)
{
    plu_status s =
        plu_reserve(&list->contact, &list->contact_capacity, count, sizeof *list->contact, 0, err);
    if (s == PLU_OK)
        s = plu_reserve(&list->key, &list->key_capacity, count, sizeof *list->key, 0, err);
    if (s == PLU_OK)
        s = plu_reserve(&list->impulse, &list->impulse_capacity, count, sizeof *list->impulse, 0,
                        err);
    if (s == PLU_OK && list->rebounds)
        s = plu_reserve(&list->rebound, &list->rebound_capacity, count, sizeof *list->rebound, 0,
                        err);
    return s == PLU_OK ? plu_reserve(&list->previous, &list->previous_capacity, count,
                                     sizeof *list->previous, 0, err)
                       : s;
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
        now->previous[k] = there ? at : -1;
        same &= there;
        if (!now->carried)
            now->impulse[k] = there ? before->impulse[at] : (plu_impulse){0};
        if (now->rebounds)
            now->rebound[k] = there ? before->rebound[at] : (plu_rebound){0};
    }
    return same;
}
