/* By which of its two velocities a body moves in a step, x_{k+1} = x_k + h (theta v_{k+1} + (1 -
 * theta) v_k), and which bodies have one of their own:
 *
 *     theta     body
 *     scene     most: 1/2 is exact for constant forces, and for what rolls or slides steadily
 *     1         was hit: its contacts want the gap 0 by the new velocity, which half of the old one
 *               would miss by h u / 2. It was where its velocity changed by more than 2 |g| h,
 *               beyond what its contacts on curved ways turn it by (assemble/turn.h)
 *     1 - s     met something after the share s of a long stride (detect/swift.c)
 *     its own   a hit at a moment of its own (assemble/hits.h, impacts.c)
 *
 * Bounces by Newton's law keep the theta of the scene, since their flight would lose or gain
 * height. */
#include "assemble/rebound.h"
#include "assemble/turn.h"
#include "base/memory.h"
#include "base/vec3.h"
#include "pluvia/scene.h"
#include "step/integrate.h"
#include "step/stepper.h"
#include "world/loads.h"
#include <string.h>

enum { BY_NEWTON = 1, BY_ENERGY = 2, SWIFTLY = 4 }; /* how a body bounces */

double plu_theta_given(const plu_stepper *s, int body)
{
    return s->hit_marked && s->hit_marked[body] ? s->hit_theta[PLU_HIT_RECORD * (size_t)body] : NAN;
}

/* A body that was hit goes where its contacts want it, with the new velocity alone: what lands has
 * no gap then, and what bounces off by the law of energy counts on it. Others by the theta rule,
 * also those that bounce by Newton's law, whose flight would else lose or gain height, and what
 * rolls or slides in contact, which theta = 1 would stop half a step short. What boundaries do to
 * bodies that they carry is no hit.
 */
double plu_theta_of(const plu_stepper *s, int i, const double change[3])
{
    const plu_world *w = s->world;
    const unsigned char how = w->bounces || s->swift ? s->bounced[i] : 0;
    if (how & SWIFTLY)
        return 1.0 - s->arrival[i];
    const double share = plu_theta_given(s, i);
    if (!isnan(share))
        return share;
    const plu_turn *turn = &plu_assembler_turns(s->assembler)[i];
    const plu_load *load = plu_load_of(w, i);
    const double pushed = load ? plu_norm(load->acting) * w->bodies.row[i][6] : 0.0;
    const double limit =
        s->hit + s->jerk + 2.0 * w->step * pushed + plu_theta_turns(w) * plu_turn_most(turn);
    double own[3];
    for (int k = 0; k < 3; k++)
        own[k] = change[k] + 2.0 * plu_turn_along(turn, s->turn_unit, k);
    const bool hit = plu_dot(own, own) > limit * limit || how == BY_ENERGY;
    return w->lands && hit && !(how & BY_NEWTON) ? 1.0 : w->scene->theta;
}

/* Whether a contact that keeps account of energy is in one of the two steps of a bounce that
 * counts.
 */
static bool accounts(const plu_stepper *s, const plu_contact *c, int at)
{
    const plu_rebound *stored = &s->contacts->rebound[at];
    return plu_rebounds(s->world, c, stored)
               ? stored->approach < -s->hit
               : plu_is_open(s->world, c) && c->approach < -s->hit && !plu_goes_on(s->world, c);
}

/* Whether a contact that loses nothing bounces, in gravity, from what there is at the start of the
 * step: by the rule of Newton's law, in one step. */
static bool stays_at(const plu_stepper *s, const plu_contact *c, int at)
{
    const double *g = s->world->gravity;
    return !plu_is_open(s->world, c) && plu_dot(g, g) > 0.0 && !plu_goes_on(s->world, c) &&
           !plu_rebounds(s->world, c, &s->contacts->rebound[at]) &&
           plu_hits_later(&s->hits, s->world, c, plu_law_of(s->world, c));
}

bool plu_was_hit(const plu_stepper *s, int body)
{
    return s->swift && s->bounced[body] & SWIFTLY;
}

static void arrive(plu_stepper *s, int body, double when)
{
    s->arrival[body] = s->bounced[body] & SWIFTLY ? plu_min(s->arrival[body], when) : when;
    s->bounced[body] |= SWIFTLY;
}

/* What meets in a long stride moves by its old velocity until then, by the new one from then on. */
static void find_arrivals(plu_stepper *s)
{
    const plu_world *w = s->world;
    const plu_contacts *list = s->contacts;
    for (int i = 0; i < list->swift_count; i++) {
        const plu_swift *swift = &list->swift[i];
        const int at = plu_contact_place(list, swift->key, 0);
        if (swift->fold || swift->when > 1.0 || !(list->impulse[at].n > 0.0))
            continue;
        const plu_contact *c = &list->contact[at];
        arrive(s, plu_owner(&w->spheres, c->b), swift->when);
        if (plu_side_is_sphere(c->a))
            arrive(s, plu_side_owner(w, c->a), swift->when);
    }
}

/* What contacts with a restitution that bear something do to their bodies, where others land. */
static void find_bounced(plu_stepper *s)
{
    const plu_world *w = s->world;
    const plu_contacts *list = s->contacts;
    for (int i = 0; i < list->live_count; i++) {
        const int at = list->live[i];
        const plu_contact *c = &list->contact[at];
        const plu_pair_law *law = list->impulse[at].n > 0.0 ? plu_law_of(w, c) : NULL;
        const bool stays = law && law->rebounds && stays_at(s, c, at);
        if (!law || (law->lands && !stays && !(law->rebounds && accounts(s, c, at))))
            continue;
        const unsigned char how = law->rebounds && !stays ? BY_ENERGY : BY_NEWTON;
        s->bounced[plu_owner(&w->spheres, c->b)] |= how;
        if (plu_side_is_sphere(c->a))
            s->bounced[plu_side_owner(w, c->a)] |= how;
    }
}

plu_status plu_theta_find(plu_stepper *s, plu_error *err)
{
    const bool bounces = s->world->lands && s->world->bounces;
    s->swift = s->contacts->swift_count > 0;
    if (s->swift || s->world->bounces) /* whoever reads it, reads this step's */
        memset(s->bounced, 0, (size_t)s->world->bodies.count);
    if (bounces)
        find_bounced(s);
    const size_t hit = s->swift ? (size_t)s->world->bodies.count : 0;
    const plu_status room =
        plu_reserve(&s->arrival, &s->arrival_capacity, hit, sizeof *s->arrival, 0, err);
    if (room != PLU_OK)
        return room;
    if (s->swift)
        find_arrivals(s);
    return PLU_OK;
}
