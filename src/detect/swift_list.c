/* What is known of contacts of pairs that meet in a long stride (swift.c, late.c): a list sorted by
 * key, beside the contact list, that lives for one step.
 *
 *     found by threads, in any order (`missed`, `swift_found`)
 *       keep_first     a body is hit by the first of what it meets; later ones may not come about
 *                      with its new velocity: they do not count until a solve needs them (late.c)
 *       take_found     into the list, by key
 *       replace        those that are contacts become contacts of that moment; others are inserted
 */
#include "base/memory.h"
#include "base/vec3.h"
#include "detect/match.h"
#include "detect/swift.h"
#include <stdlib.h>
#include <string.h>

void plu_swift_note(plu_swift_search *x, const plu_contact *c, plu_swift swift)
{
    plu_detector *d = x->d;
    swift.key = plu_contact_key(d->world, c);
#pragma omp critical
    {
        plu_status status = plu_reserve(&d->missed, &d->missed_capacity, d->missed_count + 1,
                                        sizeof *d->missed, 1, NULL);
        if (status == PLU_OK)
            status = plu_reserve(&d->swift_found, &d->swift_found_capacity, d->missed_count + 1,
                                 sizeof *d->swift_found, 1, NULL);
        if (status == PLU_OK) {
            d->missed[d->missed_count] = (plu_missed){swift.key, *c};
            d->swift_found[d->missed_count++] = swift;
        } else {
            x->status = status;
        }
    }
}

static int by_key(const void *x, const void *y)
{
    const uint64_t a = ((const plu_swift *)x)->key, b = ((const plu_swift *)y)->key;
    return (a > b) - (a < b);
}

static size_t place_of_key(const plu_contacts *list, uint64_t key)
{
    size_t low = 0, high = (size_t)list->swift_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (list->swift[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Adds what was found to what is known of the contacts, or puts it in its place. */
static plu_status take_found(plu_detector *d, plu_error *err)
{
    const size_t known = (size_t)d->now.swift_count;
    size_t all = known;
    const plu_status status = plu_reserve(&d->swift, &d->swift_capacity, known + d->missed_count,
                                          sizeof *d->swift, 1, err);
    if (status != PLU_OK)
        return status;
    d->now.swift = d->swift;
    for (size_t k = 0; k < d->missed_count; k++) {
        const plu_swift *found = &d->swift_found[k];
        const size_t place = place_of_key(&d->now, found->key);
        const bool there = place < known && d->swift[place].key == found->key;
        d->swift[there ? place : all++] = *found;
    }
    qsort(d->swift, all, sizeof *d->swift, by_key);
    d->now.swift_count = (int)all;
    return PLU_OK;
}

/* Those that are contacts already are these now; the others are left in `missed`. */
static void replace(plu_detector *d)
{
    size_t left = 0;
    for (size_t k = 0; k < d->missed_count; k++) {
        const plu_missed *m = &d->missed[k];
        const int place = plu_contact_place(&d->now, m->key, 0);
        if (place < d->now.count && d->now.key[place] == m->key)
            d->now.contact[place] = m->contact;
        else
            d->missed[left++] = *m;
    }
    d->missed_count = left;
}

void plu_swift_sooner(plu_detector *d, int sphere, double when)
{
    if (plu_sphere_fixed(d->world, sphere))
        return; /* as of a wall, any number of its hits come about */
    double *hit = &d->hit[plu_owner(&d->world->spheres, sphere)];
    *hit = plu_min(*hit, when);
}

static bool is_contact(const plu_detector *d, const plu_contact *c)
{
    const uint64_t key = plu_contact_key(d->world, c);
    const int place = plu_contact_place(&d->now, key, 0);
    return place < d->now.count && d->now.key[place] == key;
}

/* The bodies of what was found are hit by the first of it, and the rest may not come about: it is
 * looked for again after a solve. Of that what is a contact already does not count until then. Not
 * so pairs that land, which are not looked for again. */
static void keep_first(plu_detector *d)
{
    const plu_world *w = d->world;
    size_t left = 0;
    for (int i = 0; i < w->bodies.count; i++)
        d->hit[i] = 2.0;
    for (size_t k = 0; k < d->missed_count; k++) {
        const plu_contact *c = &d->missed[k].contact;
        if (d->swift_found[k].fold)
            continue; /* it goes on from there */
        plu_swift_sooner(d, c->b, d->swift_found[k].when);
        if (plu_side_is_sphere(c->a))
            plu_swift_sooner(d, plu_side_sphere(c->a), d->swift_found[k].when);
    }
    for (size_t k = 0; k < d->missed_count; k++) {
        plu_contact *c = &d->missed[k].contact;
        plu_swift *swift = &d->swift_found[k];
        const bool first =
            swift->when <= d->hit[plu_owner(&w->spheres, c->b)] &&
            !(plu_side_is_sphere(c->a) && swift->when > d->hit[plu_side_owner(w, c->a)]);
        if (!first && !swift->fold && swift->when <= 1.0 && !plu_law_of(w, c)->lands) {
            if (!is_contact(d, c))
                continue;
            c->gap = 4.0 * d->stride;
            *swift = (plu_swift){.key = swift->key, .when = 2.0, .bias = c->gap / w->step};
        }
        d->missed[left] = d->missed[k];
        d->swift_found[left++] = *swift;
    }
    d->missed_count = left;
}

/* Whether a contact counts that is met in a long stride. */
bool plu_swift_counts(const plu_detector *d, const plu_contact *c)
{
    const size_t place = place_of_key(&d->now, plu_contact_key(d->world, c));
    const bool known = place < (size_t)d->now.swift_count &&
                       d->now.swift[place].key == plu_contact_key(d->world, c);
    return is_contact(d, c) && !(known && d->now.swift[place].when > 1.0);
}

const plu_swift *plu_swift_of(const plu_contacts *list, int contact)
{
    const size_t place = place_of_key(list, list->key[contact]);
    const plu_swift *swift = &list->swift[place];
    return place < (size_t)list->swift_count && swift->key == list->key[contact] ? swift : NULL;
}

plu_status plu_swift_take(plu_detector *d, bool *added, plu_error *err)
{
    *added = false;
    keep_first(d);
    if (d->missed_count == 0)
        return PLU_OK;
    const plu_status status = take_found(d, err);
    if (status == PLU_OK)
        replace(d);
    *added = d->missed_count > 0;
    return status;
}
