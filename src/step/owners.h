/* owners.h: the bodies of a contact. */
#ifndef STEP_OWNERS_H
#define STEP_OWNERS_H

#include "step/stepper.h"

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

#endif
