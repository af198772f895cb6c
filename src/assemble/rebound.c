/* w_N, the bias of the normal velocity of a contact (blocks/blocks.h): what u_N + w_N >= 0 asks
 * for.
 *
 *   kind of contact                  w_N                         so that at the end of the step
 *   bounce, by Newton's law          e min(u_k, 0)               it parts with e times its approach
 *   landing (forecast "touch")       g / h, and the curve        the gap g is closed, not more
 *   landed, restitution by energy    -(speed of the rebound)     it parts in the step after the
 * landing attracted from afar              see bias_beside
 *
 * A pair whose restitution is one of energy takes two steps: in the first it lands, and stores the
 * speed and the gap that it had; in the second it leaves:
 *
 *       o |          gap g, approach u < 0      stored
 *        o|          landed: the step took what was left of the way
 *       o |          v^2/2 + a h v = e^2 (u^2 - (g/h)^2 + ... )/2,  with a the part of gravity
 * along n
 *
 * so that the height of the next flight does not depend on where within a step the impact was. */
#include "assemble/rebound.h"
#include "assemble/cohesion.h"
#include "base/team.h"
#include "base/vec3.h"
#include <math.h>

/* A pair that landed bounces off when it is open by no more than this share of the smaller radius:
 * others may have moved its bodies since. */
static const double met = 0.01;

/* Over the smaller radius: what landed is open by rounding, of either sign. */
static const double shut = 1e-9;

bool plu_is_open(const plu_world *w, const plu_contact *c)
{
    return c->gap > shut * plu_pair_radius(w, c->a, c->b);
}

bool plu_rebounds(const plu_world *w, const plu_contact *c, const plu_rebound *stored)
{
    return stored->approach < 0.0 && c->gap <= met * plu_pair_radius(w, c->a, c->b);
}

/* The acceleration a by which gravity brings the two together. */
static double fall_of(const plu_world *w, const plu_contact *c)
{
    return plu_side_is_sphere(c->a) ? 0.0 : plu_max(-plu_dot(c->normal, w->gravity), 0.0);
}

/* The landing left the speed G / h of the whole U; that of now is counted instead, for the normal
 * may have turned. A body that leaves with v moves by h v in this step, so that
 * v^2 / 2 + a h v has to be e^2 times the energy at the moment of contact. */
static double rebound_bias(const plu_world *w, const plu_contact *c, const plu_pair_law *law,
                           const plu_rebound *stored)
{
    const double h = w->step, e = law->restitution;
    if (plu_rebounds(w, c, stored)) {
        const double a = fall_of(w, c), u = stored->approach, left = stored->gap / h;
        const double square =
            u * u - left * left + c->approach * c->approach + 2.0 * a * stored->gap;
        return a * h - sqrt(a * a * h * h + e * e * plu_max(square, 0.0));
    }
    if (plu_goes_on(w, c))
        return plu_gap_bias(c, h) + c->curve;
    const bool open = e > 0.0 ? plu_is_open(w, c) : c->gap > 0.0;
    return (open ? c->gap / h : e * plu_min(c->approach, 0.0)) + (plu_lasts(w, c) ? c->curve : 0.0);
}

static void store(const plu_world *w, plu_contacts *list)
{
#pragma omp for schedule(static) nowait
    for (int i = 0; i < list->live_count; i++) {
        const int at = list->live[i];
        const plu_contact *c = &list->contact[at];
        plu_rebound *stored = &list->rebound[at];
        const bool lands = plu_is_open(w, c) && c->approach < 0.0 && list->impulse[at].n > 0.0 &&
                           !plu_goes_on(w, c);
        *stored = lands && plu_law_of(w, c)->rebounds && !plu_rebounds(w, c, stored)
                      ? (plu_rebound){c->approach, c->gap}
                      : (plu_rebound){0};
    }
}

void plu_rebound_store(const plu_world *w, plu_contacts *contacts)
{
    PLU_TEAM(plu_many(contacts->live_count, 4000), store(w, contacts));
}

/* --- w_N of contacts --- */

/* Over the smaller radius: a way that attraction alone makes in a step, and that is short; and one
 * that no body makes. */
static const double short_way = 0.005, longest_way = 100.0;

/* How far attraction brings the two together in a step. */
static double pulled(const plu_world *w, const plu_contact *c, const plu_pair_law *law)
{
    return law->cohesion * plu_pair_lightness(w, c->a, c->b) * w->step * w->step;
}

/* Of a pair that is listed for its attraction alone: it closes and no more. One with a restitution
 * bounces off with what it has where it is met, so that nothing takes from that in this step, as
 * without attraction; only what strong attraction would press into each other is held. */
static double bias_beside(const plu_world *w, const plu_contact *c, const plu_pair_law *law)
{
    const double h = w->step, radius = plu_pair_radius(w, c->a, c->b);
    if (!(law->restitution > 0.0))
        return c->gap / h;
    if (pulled(w, c, law) < short_way * radius)
        return (c->gap + longest_way * radius) / h;
    return plu_max(c->gap / h, -c->approach);
}

double plu_bias_of(const plu_world *w, const plu_contacts *list, int at)
{
    const plu_contact *c = &list->contact[at];
    const plu_pair_law *law = plu_law_of(w, c);
    const plu_swift *swift = list->swift_count > 0 ? plu_swift_of(list, at) : NULL;
    if (swift)
        return swift->bias;
    if (law->rebounds)
        return rebound_bias(w, c, law, &list->rebound[at]);
    if (law->lands)
        return plu_gap_bias(c, w->step) + c->curve;
    if (law->cohesion > 0.0 && !plu_closes(w, c, law))
        return bias_beside(w, c, law);
    if (plu_goes_on(w, c))
        return plu_gap_bias(c, w->step) + c->curve;
    return law->restitution * plu_min(c->approach, 0.0) + (plu_lasts(w, c) ? c->curve : 0.0);
}
