/* match.h: the warm start: impulses follow their pair from one contact list to the next. */
#ifndef DETECT_MATCH_H
#define DETECT_MATCH_H

#include "detect/detect.h"

/* Makes room for `count` contacts in a list; the contents of its arrays are not kept. */
plu_status plu_contacts_reserve(plu_contacts *list, size_t count, plu_error *err);

/* As plu_contacts_reserve, but contents are kept. */
plu_status plu_contacts_extend(plu_contacts *list, size_t count, plu_error *err);

/* Contact `from` moves to place `to`. */
void plu_contacts_shift(plu_contacts *list, size_t from, size_t to);

/* A new contact, which continues none, gets place `to`. */
void plu_contacts_put(plu_contacts *list, size_t to, const plu_contact *contact, uint64_t key);

void plu_contacts_free(plu_contacts *list);

/* Fills keys of the contacts begin to end - 1, now->previous, and, unless now->carried is set,
 * impulses: for a pair that is also in `before` its impulse as it was, else zero; so what it
 * stores. Both lists are sorted by plu_contact_key; of `before` only keys, impulses and what is
 * stored are read. True: all of them are in `before`. */
bool plu_match(const plu_world *world, const plu_contacts *before, plu_contacts *now, int begin,
               int end);

/* A contact with a wall that is not in `before` is mostly one that was there with the part beside
 * it, as when a sphere rolls from one triangle of a mesh to the next: it takes the impulse, and
 * what is stored, of the contact of its sphere that is gone, was with a part of the same material
 * and lies in the same direction as seen now (cosine > 0.9). Each goes to one contact only.
 * What is stored by a contact that nothing continues so goes to one of its sphere that was there
 * and stores nothing, by the same rule.
 * `previous` of both lists' walls is filled. */
void plu_match_walls(const plu_world *world, const plu_contacts *before, plu_contacts *now);

/* Makes the list one of these pairs and impulses, without normals and gaps and with nothing stored;
 * they have to be in the order of the list. PLU_OK, PLU_BAD_INPUT or PLU_IO. */
plu_status plu_contacts_set(plu_contacts *list, const plu_world *world, int count,
                            const int (*body)[3], const plu_impulse *impulse, plu_error *err);

/* Saves or sets the pairs of a list, their impulses and what they store; a list that was set has no
 * normals and gaps. */
void plu_contacts_state(plu_contacts *list, const plu_world *world, plu_state *state);

#endif
