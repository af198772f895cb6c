#include "detect/look.h"
#include "detect/minimum.h"
#include "detect/verdict.h"
#include <math.h>

enum { WORD = 64 };

/* Candidates of a sphere that were farther from it where it got its skin are farther now than what
 * counts (detect/minimum.h): distances change by no more than the center has moved. */
static double nearest_that_counts(const plu_detector *d, int sphere)
{
    const plu_world *w = d->world;
    double moved[3];
    plu_apart_from(&w->space, 0, d->origin[sphere], w->spheres.at[sphere], moved);
    const double r = w->spheres.at[sphere][3], speed = plu_speed_of(w, sphere);
    return plu_norm(moved) + w->reach.ahead * speed + plu_width_of(&d->sight, &w->reach, r, speed) +
           PLU_ON_PART * r;
}

/* Looks at the candidates; those in *certain count, as their notes say. */
static uint64_t look_at(const plu_detector *d, size_t from, int count, plu_contact *contact,
                        double *gap, uint64_t *certain)
{
    const plu_pair *pair = d->walls.pair + from;
    uint64_t found = 0;
    double allowed = 0.0;
    for (int k = 0; k < count; k++) {
        if (k == 0 || pair[k].b != pair[k - 1].b)
            allowed = nearest_that_counts(d, pair[k].b);
        const plu_wall_note *note = &d->wall_note[from + (size_t)k];
        gap[k] = HUGE_VAL;
        if (note->gap > allowed)
            continue;
        const bool known = plu_verdict_holds(note, d->world->spheres.at[pair[k].b]);
        if (known && !note->counts) {
            gap[k] = NAN;
            continue;
        }
        found |= (uint64_t)plu_look_at_wall(&d->sight, pair[k], &contact[k]) << k;
        *certain |= (uint64_t)known << k;
        gap[k] = contact[k].gap;
    }
    return found;
}

uint64_t plu_touching_walls(plu_detector *d, size_t from, int count, plu_contact *contact)
{
    uint64_t certain = 0;
    double gap[WORD];
    uint64_t found = look_at(d, from, count, contact, gap, &certain);
    const plu_looked looked = {from, from + (size_t)count, gap};
    for (uint64_t left = found & ~certain; left; left &= left - 1) {
        const int k = __builtin_ctzll(left);
        const size_t candidate = from + (size_t)k,
                     silencer = plu_silencer(d, candidate, &contact[k], &looked);
        if (silencer != candidate)
            found &= ~(UINT64_C(1) << k);
        plu_note_verdict(d, candidate, silencer, &contact[k]);
    }
    return found;
}
