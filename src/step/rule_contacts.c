/* Rules of the step at its contacts, which are looked through only where some body is fast enough
 * for them to matter: travel (|u| h / d), turning (h |u_T| / L), swing (h sqrt(|g.n| / rho)). */
#include "assemble/cohesion.h"
#include "base/team.h"
#include "base/vec3.h"
#include "step/bonds.h"
#include "step/passes.h"
#include "step/rules.h"
#include "step/stepper.h"
#include <math.h>

/* Of all spheres: as many contacts may turn too far in a step, since single ones among many are hit
 * more often than they turn. */
static const double share = 0.05;

/* The same to name a step that was given, where there are more than a few: flows and beds that fall
 * are as right where a tenth of the contacts turn further for a while. */
static const double named = 0.2;

/* Numbers from this share of the limit on are wanted, to choose steps by them. */
static const double near = 0.35;

/* rad: but each bond counts that turns by more, since it may break. Rings of 2 to 12 are right to
 * 3e-5 at 0.3, and rings of 3 and 12 fly apart at 0.4. */
static const double bond = 0.3;

/* rad: contacts that last are right along a curve up to here: circles in tubes exactly, loops of a
 * ball to 1 % at 0.27. What gravity does to them is the rule of swings. */
static const double smooth = 0.3;

/* Whether its attraction alone holds the pair. */
static bool is_held(const plu_world *w, const plu_contacts *list, int at)
{
    return w->coheres && list->impulse[at].n < plu_attraction(w, list, at);
}

typedef struct found {
    double travel, turn, held, swing; /* the largest ones; held: of contacts that are */
    int turning[2];                   /* contacts beyond the limit, and near it */
} found;

/* Whether single contacts count, as they do for what is given where there are few spheres. */
static bool is_sharp(const plu_stepper *s)
{
    return s->world->split || s->world->bodies.count < PLU_FEW;
}

/* Whether a body of a contact is fast (fastest). */
static inline bool any_hurries(const plu_stepper *s, uint64_t key)
{
    plu_side a;
    int b;
    plu_key_sides(s->world, key, &a, &b);
    return s->hurries[plu_owner(&s->world->spheres, b)] ||
           (plu_side_is_sphere(a) && s->hurries[plu_side_owner(s->world, a)]);
}

/* Whether a contact goes on along what is curved. Folds of a mesh turn at once, whatever the step.
 */
static bool goes_on(const plu_world *w, const plu_contacts *list, int at)
{
    const plu_contact *c = &list->contact[at];
    const plu_swift *swift = list->swift_count > 0 ? plu_swift_of(list, at) : NULL;
    return c->curve != 0.0 && plu_lasts(w, c) && !(swift && swift->fold);
}

/* h sqrt(g / radius) of a sphere that gravity swings along what stands: within what is round, or
 * held by it; a face that turns is curved in time only. */
static double swing_of(const plu_world *w, const plu_contact *c, const double u[3], double turn,
                       bool held)
{
    if (!(held || c->curve < 0.0) ||
        (plu_side_moves(w, c->a) && plu_surface_is_flat(plu_side_surface(w, c->a)->surface)) ||
        (plu_side_is_sphere(c->a) && !plu_sphere_fixed(w, plu_side_sphere(c->a)) &&
         !plu_sphere_fixed(w, c->b)))
        return 0.0;
    return sqrt(w->step * fabs(plu_dot(w->gravity, c->normal)) * turn / plu_norm(u));
}

/* Whether the impact of the contact is exact however long the step: it is met where and when it
 * is, and its bodies bear nothing else of note. `bears`: the contacts of each body that do. */
static bool is_exact(const plu_stepper *s, int at, const unsigned char *bears)
{
    const plu_world *w = s->world;
    const plu_contacts *list = s->contacts;
    const plu_contact *c = &list->contact[at];
    const plu_hit *hit = plu_hit_of(&s->hits, list->key[at]);
    const plu_swift *swift = list->swift_count > 0 ? plu_swift_of(list, at) : NULL;
    return ((hit && !hit->misses) || (swift && !swift->fold && swift->when <= 1.0)) &&
           bears[plu_owner(&w->spheres, c->b)] <= 1 &&
           (plu_side_is_part(c->a) || bears[plu_side_owner(w, c->a)] <= 1);
}

static void count_turn(found *f, double angle)
{
    const double limit = plu_rule_limit(PLU_RULE_TURN);
    f->turn = plu_max(f->turn, angle);
    f->turning[0] += angle > limit;
    f->turning[1] += angle > near * limit;
}

/* What attraction does: to bonds that are hit, and to what passes by without touching. */
static void look_at_bond(const plu_stepper *s, int at, found *f)
{
    const plu_world *w = s->world;
    const plu_contact *c = &s->contacts->contact[at];
    double u[3];
    const double angle = plu_bond_turn(s, at);
    if (angle > 0.0) {
        count_turn(f, plu_rules_clump(s, at) * angle);
        f->held = plu_max(f->held, angle);
    }
    plu_pass_rate(w, c, u);
    const double past = plu_rules_attracted(s, at, u);
    if (past > 0.0)
        count_turn(f, past);
}

/* A contact that bears something, of bodies that are fast enough. */
static void look_at_load(const plu_stepper *s, int at, bool few, found *f)
{
    const plu_world *w = s->world;
    const plu_contacts *list = s->contacts;
    const plu_contact *c = &list->contact[at];
    double u[3];
    plu_pass_rate(w, c, u);
    /* It turns by less: nothing is rounder than the sphere. */
    const double least = near * plu_rule_limit(PLU_RULE_TURN) * plu_smaller_radius(w, c);
    if (w->step * w->step * plu_dot(u, u) <= least * least)
        return;
    const bool lasts = goes_on(w, list, at);
    const double angle = plu_pass_turn(w, c, lasts, u);
    f->travel = plu_max(f->travel, plu_pass_travel(w, c, u, angle));
    if (w->split || !few || !lasts || angle > smooth)
        count_turn(f, angle);
    const bool holds = is_held(w, list, at);
    if (holds)
        f->held = plu_max(f->held, angle);
    if (few && lasts)
        f->swing = plu_max(f->swing, swing_of(w, c, u, angle, holds));
}

static void look(const plu_stepper *s, const unsigned char *bears, found *f)
{
    const plu_world *w = s->world;
    const plu_contacts *list = s->contacts;
    const bool all = w->motions_count > 0 || w->space.moves; /* also where bodies are slow */
    const bool few = w->bodies.count < PLU_FEW;
    found own = {0};
#pragma omp for schedule(static) nowait
    for (int k = 0; k < list->live_count; k++) {
        const int at = list->live[k];
        if (w->coheres)
            look_at_bond(s, at, &own);
        if ((all || any_hurries(s, list->key[at])) && list->impulse[at].n > 0.0 &&
            !(bears && is_exact(s, at, bears)))
            look_at_load(s, at, few, &own);
    }
#pragma omp critical
    {
        f->travel = plu_max(f->travel, own.travel);
        f->turn = plu_max(f->turn, own.turn);
        f->held = plu_max(f->held, own.held);
        f->swing = plu_max(f->swing, own.swing);
        f->turning[0] += own.turning[0];
        f->turning[1] += own.turning[1];
    }
}

/* Of as many contacts as count; not beyond the limit where only as many are near it. */
static double turning(const plu_stepper *s, const found *f)
{
    const int bodies = s->world->bodies.count;
    const double many = (is_sharp(s) ? share : named) * bodies;
    const double most = f->turning[0] > many ? HUGE_VAL : plu_rule_limit(PLU_RULE_TURN);
    return f->turning[1] > many ? plu_min(f->turn, most) : 0.0;
}

/* The largest square of a speed; and who is fast: two others do not pass each other by more than
 * `least` (m/s). */
static void fastest(const plu_stepper *s, double least, double *speed)
{
    const plu_world *w = s->world;
    const double own = 0.4999 * least;
#pragma omp for schedule(static) nowait reduction(max : speed[:1])
    for (int i = 0; i < w->bodies.count; i++) {
        if (w->bodies.state[i] != PLU_ACTIVE)
            continue;
        const double square = plu_dot(w->bodies.row[i], w->bodies.row[i]);
        *speed = plu_max(*speed, square);
        s->hurries[i] = square > own * own;
    }
}

/* Whether something may pass by fast enough. */
static bool matters(const plu_stepper *s)
{
    const plu_world *w = s->world;
    double speed = 0.0, wall = 0.0;
    const double least = near * plu_rule_limit(PLU_RULE_TURN) * s->smallest_radius;
    PLU_TEAM(plu_many(w->bodies.count, 4000), fastest(s, least / w->step, &speed));
    for (int m = 0; m < w->motions_count; m++)
        if (w->motions[m].pose.moves)
            wall = w->motions[m].endless
                       ? HUGE_VAL
                       : plu_max(wall, sqrt(plu_motion_speed_squared(&w->motions[m])));
    const double most = 2.0 * sqrt(speed) + w->space.fastest + wall;
    return w->step * most > least || w->coheres;
}

static void ahead(const plu_stepper *s, double *travel)
{
    const double limit = plu_rule_limit(PLU_RULE_TRAVEL);
    const plu_world *w = s->world;
    const plu_contacts *list = s->contacts;
#pragma omp for schedule(static) nowait reduction(max : travel[:1])
    for (int k = 0; k < list->live_count; k++) {
        const plu_contact *c = &list->contact[list->live[k]];
        double u[3];
        if (c->gap + w->step * c->approach >= 0.0)
            continue;
        plu_pass_rate(w, c, u);
        if (w->step * plu_norm(u) >
            limit * plu_smaller_radius(w, c)) /* at least half of it turns */
            *travel = plu_max(
                *travel,
                plu_pass_travel(w, c, u, plu_pass_turn(w, c, goes_on(w, list, list->live[k]), u)));
    }
}

double plu_rules_ahead(const plu_stepper *s)
{
    double travel = 0.0;
    if (matters(s))
        PLU_TEAM(plu_many(s->contacts->live_count, 4000), ahead(s, &travel));
    return travel;
}

static void give(const plu_stepper *s, const found *f, double value[PLU_RULES])
{
    value[PLU_RULE_TRAVEL] = f->travel;
    value[PLU_RULE_TURN] = turning(s, f);
    if (f->held > bond)
        value[PLU_RULE_TURN] = plu_max(value[PLU_RULE_TURN], f->held);
    value[PLU_RULE_SWING] = f->swing;
}

/* Contacts of bodies that bear more than a weight, as those do that an impact passes on to. */
static void count_bearing(const plu_stepper *s)
{
    static const double weights = 10.0;
    const plu_world *w = s->world;
    const plu_contacts *list = s->contacts;
    const double rest = weights * w->step * plu_norm(w->gravity);
    memset(s->bears, 0, (size_t)w->bodies.count);
    for (int k = 0; k < list->live_count; k++) {
        const int at = list->live[k];
        const plu_contact *c = &list->contact[at];
        const int body[2] = {plu_owner(&w->spheres, c->b),
                             plu_side_is_sphere(c->a) ? plu_side_owner(w, c->a) : -1};
        for (int i = 0; i < 2; i++)
            if (body[i] >= 0 && list->impulse[at].n * w->bodies.row[body[i]][6] > rest)
                s->bears[body[i]] += s->bears[body[i]] < 2;
    }
}

void plu_rules_contacts(const plu_stepper *s, double value[PLU_RULES])
{
    const bool many = plu_many(s->contacts->live_count, 4000);
    found f = {0};
    value[PLU_RULE_CHAIN] = plu_rules_chain(s);
    if (matters(s)) {
        value[PLU_RULE_CROWD] = plu_rules_crowd(s);
        PLU_TEAM(many, look(s, NULL, &f));
    }
    give(s, &f, value);
    if (s->world->split || (value[PLU_RULE_TRAVEL] <= plu_rule_limit(PLU_RULE_TRAVEL) &&
                            value[PLU_RULE_TURN] <= plu_rule_limit(PLU_RULE_TURN)))
        return;
    f = (found){0}; /* what is to be named: without impacts that are exact */
    count_bearing(s);
    PLU_TEAM(many, look(s, s->bears, &f));
    give(s, &f, value);
}
