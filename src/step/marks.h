/* marks.h: the bodies of contacts and of hits, within a step (impacts.c, joined.c). */
#ifndef STEP_MARKS_H
#define STEP_MARKS_H

#include "step/stepper.h"
#include <math.h>

/* The bodies of a contact; that of a wall twice. */
static inline plu_contact_pair plu_owners_of(const plu_stepper *s, plu_side a, int sphere)
{
    const int b = plu_owner(&s->world->spheres, sphere);
    return (plu_contact_pair){plu_side_is_sphere(a) ? plu_side_owner(s->world, a) : b, b};
}

/* The same of those that an impact moves, by the key of the contact: a body that is fixed is as a
 * wall. */
static inline plu_contact_pair plu_moved_of(const plu_stepper *s, uint64_t key)
{
    plu_side a;
    int sphere;
    plu_key_sides(s->world, key, &a, &sphere);
    const plu_contact_pair pair = plu_owners_of(s, a, sphere);
    if (s->world->fixed == 0)
        return pair;
    if (plu_is_fixed(s->world, pair.a))
        return (plu_contact_pair){pair.b, pair.b};
    return plu_is_fixed(s->world, pair.b) ? (plu_contact_pair){pair.a, pair.a} : pair;
}

/* What impacts of a step have made of a body. */
typedef struct plu_marked {
    double share;        /* theta; NAN: by the rule of all others */
    double sum, weighed; /* impulses of its contacts, and each times its theta */
} plu_marked;
_Static_assert(sizeof(plu_marked) == PLU_HIT_RECORD * sizeof(double), "plu_stepper.hit_theta");

struct plu_impacts {
    int rounds; /* of this step */
    int marked; /* bodies in `mark` */
    size_t marks;
    int *mark;                /* bodies of hits */
    unsigned char *marked_at; /* by body: it is one of these */
    size_t keeps;
    double (*kept)[3]; /* by marked body: its new velocity */
    plu_marked *of;    /* by body */
};

static inline void plu_marks_forget(struct plu_impacts *m)
{
    for (int k = 0; k < m->marked; k++) {
        m->of[m->mark[k]].share = NAN;
        m->marked_at[m->mark[k]] = 0;
    }
    m->marked = 0;
}

static inline const plu_contact *plu_contact_of_hit(const plu_stepper *s, const plu_hit *hit)
{
    return &s->contacts->contact[plu_contact_place(s->contacts, hit->key, 0)];
}

static inline void plu_mark(struct plu_impacts *m, int body, double share)
{
    if (!m->marked_at[body])
        m->mark[m->marked++] = body;
    m->marked_at[body] = 1;
    m->of[body].share = share;
}

static inline bool plu_is_marked(const struct plu_impacts *m, plu_contact_pair pair)
{
    return m->marked_at[pair.a] | m->marked_at[pair.b];
}

static inline double plu_live_impulse(const plu_stepper *s, int live)
{
    const int slot = s->problem.slot_of_contact[live];
    return plu_block_of(&s->problem, slot)->p[0][slot % PLU_LANES];
}

/* Joins the hits (plu_hits_join) of bodies that bear more than one contact; whether there were
 * some. */
bool plu_impacts_join(plu_stepper *stepper);

#endif
