#include "detect/verdict.h"
#include "base/vec3.h"
#include "detect/look.h"
#include "detect/minimum.h"
#include <math.h>
#include <string.h>

/* In radii: spheres that move by more in a step would use up what is worked out for them at once,
 * and what holds for less is not worth it; where nothing was found that holds, nothing is looked
 * for nearby. */
static const double slow = 0.01, enough = 0.03, worth = 0.001, in_vain = 0.01;

/* The closest point of the part moves by no more than the center; it is on no other part while it
 * has not come near one. */
static double counts_for(const plu_detector *d, size_t k, const plu_contact *c)
{
    const plu_world *w = d->world;
    const double *x = w->spheres.at[c->b];
    size_t first, end;
    double point[4], normal[3], least = 0.5 * x[3];
    plu_walls_beside(&d->walls, k, &first, &end);
    memcpy(point, x, 3 * sizeof *point);
    plu_add_scaled(point, -(c->gap + x[3]), c->normal);
    point[3] = 0.0;
    for (size_t j = first; j < end && least > 0.0; j++) {
        const plu_part *other = &w->parts[d->walls.pair[j].a];
        if (j == k || other->alone)
            continue;
        if (other->pose)
            return 0.0;
        least =
            plu_min(least, fabs(plu_part_gap(other, point, normal)) - 1.001 * PLU_ON_PART * x[3]);
    }
    return least;
}

/* The silencer first: mostly it will do. */
static double hidden_for(const plu_detector *d, size_t k, size_t silencer, const double x[4])
{
    const plu_world *w = d->world;
    const plu_part *part = &w->parts[d->walls.pair[k].a];
    size_t first, end;
    double most = 0.0;
    plu_walls_beside(&d->walls, k, &first, &end);
    for (size_t n = 0; n <= end - first && most < enough * x[3]; n++) {
        const size_t j = n == 0 ? silencer : first + n - 1;
        const plu_part *other = &w->parts[d->walls.pair[j].a];
        if (j != k && !other->pose && !other->alone)
            most = plu_max(most, part->surface->covered(part, other, x));
    }
    return most;
}

void plu_note_verdict(plu_detector *d, size_t k, size_t silencer, const plu_contact *c)
{
    const plu_world *w = d->world;
    const plu_part *part = &w->parts[d->walls.pair[k].a];
    const double *x = w->spheres.at[c->b];
    plu_wall_note *note = &d->wall_note[k];
    if (!part->surface->covered || part->pose || w->step * plu_speed_of(w, c->b) > slow * x[3])
        return;
    if (note->radius < 0.0 && plu_is_near_note(note, x))
        return;
    const double radius = silencer == k ? counts_for(d, k, c) : hidden_for(d, k, silencer, x);
    note->radius = radius < worth * x[3] ? -in_vain * x[3] : radius;
    note->counts = silencer == k;
    memcpy(note->center, x, sizeof note->center);
}
