/* The first step of a run that starts from others: its contacts begin with the impulses that they
 * had there, so that a bed goes on at rest, rather than to find its forces anew.
 *
 *     run before:  (a, b, n, impulse)  ->  a sphere: the same pair, through the nearest image
 *                                          a part of a boundary: the one that b still touches,
 *                                          within 0.05 r and with n'.n > 0.999; of parts in one
 *                                          plane that of the same number
 *
 * Boundaries may be others than then, so that numbers of parts are no help. A contact whose partner
 * is gone is left out. */
#include "assemble/cohesion.h"
#include "base/memory.h"
#include "base/vec3.h"
#include "pluvia/scene.h"
#include "pluvia/start.h"
#include "step/stepper.h"
#include <stdlib.h>
#include <string.h>

/* A part is the one that a contact was with if it is as near as this share of the radius and has
 * the same normal there: the cosine of an angle that a sphere hardly turns by in a step. */
static const double near_share = 0.05, same_normal = 0.999;

/* A contact with its place in the order of the list. */
typedef struct first_contact {
    uint64_t key;
    plu_contact contact;
    plu_impulse impulse;
} first_contact;

static int by_key(const void *x, const void *y)
{
    const first_contact *a = x, *b = y;
    return (a->key > b->key) - (a->key < b->key);
}

/* Boundaries may be others than those of the run, and their parts have other numbers then. Returns
 * -1 where the part is gone. */
static int find_part(const plu_world *w, const double sphere[4], const plu_start_contact *c)
{
    const double reach = (1.0 + near_share) * sphere[3];
    plu_part_search search = plu_parts_near(sphere, reach);
    double best = same_normal;
    int found = -1;
    for (int p; (p = plu_part_next(&w->tree, &search)) >= 0;) {
        double normal[3];
        if (plu_part_gap(&w->parts[p], sphere, normal) > near_share * sphere[3])
            continue;
        /* of two that lie in one plane the one with the number of then, else the first */
        const double alike = plu_dot(normal, c->normal) + (p == -1 - c->a ? 1e-6 : 0.0);
        if (alike > best || (alike == best && p < found)) {
            best = alike;
            found = p;
        }
    }
    return found;
}

/* False where what sphere b touched is not there. */
static bool place_contact(const plu_world *w, int first, const plu_start_contact *c,
                          first_contact *to)
{
    const int b = first + c->b;
    const int part = c->a < 0 ? find_part(w, w->spheres.at[b], c) : 0;
    if (part < 0)
        return false;
    *to = (first_contact){
        .contact = {.a = c->a < 0 ? plu_side_of_part(part)
                                  : plu_contact_image(w, first + c->a, b, c->normal, c->gap),
                    .b = b,
                    .gap = c->gap}};
    memcpy(to->contact.normal, c->normal, sizeof to->contact.normal);
    to->key = plu_contact_key(w, &to->contact);
    to->impulse.n = c->impulse[0];
    memcpy(to->impulse.t, c->impulse + 1, sizeof to->impulse.t);
    memcpy(to->impulse.m, c->impulse + 4, sizeof to->impulse.m);
    return true;
}

/* In the order of the list, of each pair the first. Returns how many. */
static int sort_contacts(first_contact *all, int count)
{
    int kept = 0;
    qsort(all, (size_t)count, sizeof *all, by_key);
    for (int k = 0; k < count; k++)
        if (kept == 0 || all[kept - 1].key < all[k].key)
            all[kept++] = all[k];
    return kept;
}

static plu_status set_contacts(plu_stepper *s, const first_contact *all, int count, plu_error *err)
{
    int(*body)[3] = plu_alloc((size_t)count, sizeof *body, err);
    plu_impulse *impulse = plu_alloc((size_t)count, sizeof *impulse, err);
    plu_contact *contact = plu_alloc((size_t)count, sizeof *contact, err);
    const plu_contacts list = {.count = count, .contact = contact};
    plu_status status = body && impulse && contact ? PLU_OK : PLU_IO;
    for (int k = 0; status == PLU_OK && k < count; k++)
        contact[k] = all[k].contact;
    for (int k = 0; status == PLU_OK && k < count; k++) {
        body[k][0] = plu_side_to_file(all[k].contact.a);
        body[k][1] = all[k].contact.b;
        body[k][2] = plu_side_image(all[k].contact.a);
        impulse[k] = all[k].impulse;
        impulse[k].n += plu_attraction(s->world, &list, k);
    }
    if (status == PLU_OK)
        status = plu_detector_set(s->detector, count, (const int(*)[3])body, impulse, err);
    free(body);
    free(impulse);
    free(contact);
    return status;
}

plu_status plu_stepper_start(plu_stepper *s, plu_start *start, plu_error *err)
{
    size_t most = 0;
    int count = 0;
    for (int e = 0; e < start->entries; e++)
        most += start->entry[e].contacts > 0 ? (size_t)start->entry[e].contacts : 0;
    if (most == 0 || s->scene->method == PLU_PENALTY)
        return PLU_OK;
    first_contact *all = plu_alloc(most, sizeof *all, err);
    if (!all)
        return PLU_IO;
    for (int e = 0; e < start->entries; e++) {
        plu_start_entry *entry = &start->entry[e];
        for (int k = 0; k < entry->contacts; k++)
            entry->found += place_contact(s->world, s->world->first[e], &entry->contact[k],
                                          &all[count + entry->found]);
        count += entry->found;
    }
    const plu_status status = set_contacts(s, all, sort_contacts(all, count), err);
    free(all);
    return status;
}
