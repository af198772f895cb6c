/* hits.h: impacts at the moment at which surfaces touch (src/theory.md, "Oblique impacts").
 *
 * A pair that flies together within the step turns on its way: the normal of the start of the step
 * is not that of the impact. A hit has the normal of the moment of touch, and what the two have
 * there bounces; its bodies move with the velocity of the start until then and with the new one
 * from then on. */
#ifndef ASSEMBLE_HITS_H
#define ASSEMBLE_HITS_H

#include "blocks/blocks.h"
#include "detect/detect.h"

typedef struct plu_hit {
    uint64_t key;    /* of its contact */
    plu_contact was; /* the contact as it was found */
    double bias;     /* w_N (m/s) */
    double share;    /* theta of its bodies: the part of the step after the impact; NAN: the rule of
                      * all others */
    double old;      /* approach at the start of the step, by the normal of the touch (m/s) */
    double early; /* m/s, (h - 2 t) n.g / 2: times r_N what contacts take by the moment of the hit
                   * beyond its law, and theta gives back as height, or the other way round */
    bool misses;  /* surfaces pass each other: nothing touches in the step */
    bool alone;   /* counts only where its bodies bear nothing else that this would move */
    bool joined;  /* plu_hits_join */
} plu_hit;

typedef struct plu_hits {
    int count;
    size_t capacity;
    plu_hit *hit; /* by key */
    bool calm;    /* the problems that follow are those without restitution */
    double later; /* m/s: more than pairs come together with in the step; 0: all have to land */
} plu_hits;

void plu_hits_free(plu_hits *hits);

/* Finds the hits among the live contacts, and gives these the normal, the approach and the gap (0,
 * unless they overlap) of the moment of touch. PLU_OK or PLU_IO. */
plu_status plu_hits_find(plu_hits *hits, const plu_world *world, plu_contacts *contacts,
                         plu_error *err);

/* The hit of a contact; NULL: it is none. */
const plu_hit *plu_hit_of(const plu_hits *hits, uint64_t key);

/* Hit number k is none: its contact is again as it was found. */
void plu_hits_revoke(plu_hits *hits, int k, plu_contacts *contacts);

/* In gravity bodies that bear a hit and something else cannot go both ways. The hit then bounces as
 * by Newton's law, with what there was at the start of the step, and its bodies move by both
 * velocities of the step: with e = 1 together they keep the energy that they have. */
void plu_hits_join(const plu_world *world, plu_hit *hit, const plu_pair_law *law);

/* w_N of a contact whose law keeps account of energy and which is open and no hit: whether it may
 * stay out of this step. What others drive together in the step then bounces in the next one, with
 * all that it has. Beds, which come to rest, need landings instead. */
bool plu_hits_later(const plu_hits *hits, const plu_world *world, const plu_contact *contact,
                    const plu_pair_law *law);

/* w_N of the contacts of a block (NULL: a spare lane), which `bias` has by the rules of all others.
 */
void plu_hits_bias(const plu_world *world, const plu_contacts *contacts,
                   const plu_contact *const contact[PLU_LANES], double bias[PLU_LANES]);

#endif
