/* A pair on its straight way (in gravity what falls: its parabola), d(t) = d + t u + t^2 f / 2:
 *
 *     two spheres        |d + t u| = r_a + r_b: the smaller root of a square equation
 *     sphere and part    gap(x + t u + t^2 g / 2) = 0 in [0, h] (overlap: [-h, 0]) by the Illinois
 *                        method: regula falsi that halves the value of an end which stays twice
 *     w_N, e > 0         -v_N, by the velocity that the bounce leaves at the end of the step:
 *                        v_N = -e n*.u* + (h - t) n*.g */
#include "assemble/hits.h"
#include "assemble/rebound.h"
#include "base/memory.h"
#include "base/team.h"
#include "base/vec3.h"
#include "pluvia/scene.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Over the smaller radius: what is open by less touches already. */
static const double touching = 1e-6;

/* Pairs whose normal turns by less in a step (rad) are left as they are, and so are the bits of
 * slow scenes. */
static const double least_turn = 1e-3;

/* Two surfaces and the way of one of them relative to the other, in the time t from the start of
 * the step: x + t rate + t^2 fall / 2. */
typedef struct flight {
    const plu_world *world;
    const plu_part *part; /* NULL: two spheres */
    const double *sphere; /* of a part */
    double apart[3], radii;
    double rate[3], fall[3];
    bool falls; /* fall is not 0 */
} flight;

static double gap_at(const flight *f, double t, double normal[3])
{
    const double *from = f->part ? f->sphere : f->apart;
    double place[4];
    for (int k = 0; k < 3; k++)
        place[k] = from[k] + t * (f->rate[k] + 0.5 * t * f->fall[k]);
    if (f->part) {
        place[3] = f->sphere[3];
        return plu_part_gap(f->part, place, normal);
    }
    const double distance = plu_norm(place);
    for (int k = 0; k < 3; k++)
        normal[k] = place[k] / distance;
    return distance - f->radii;
}

/* When two spheres touch; NAN: they pass each other. Of those that overlap: when they did. */
static double touch_of_spheres(const flight *f)
{
    const double square = plu_dot(f->rate, f->rate), along = plu_dot(f->apart, f->rate);
    const double open = plu_dot(f->apart, f->apart) - f->radii * f->radii;
    const double root = along * along - square * open;
    if (!(root >= 0.0) || along >= 0.0)
        return NAN;
    return open >= 0.0 ? open / (sqrt(root) - along) : (-along - sqrt(root)) / square;
}

/* When a sphere touches what does not fall with it, within the step, or within the one before if
 * they overlap: by the Illinois method. */
static double touch_of_still(const flight *f, double gap)
{
    enum { MOST = 60 };
    const double h = f->world->step, close = 1e-14 * (f->part ? f->sphere[3] : f->radii);
    double normal[3], low = gap > 0.0 ? 0.0 : -h, high = low + h;
    double at_low = gap_at(f, low, normal), at_high = gap_at(f, high, normal), t = NAN;
    int side = 0;
    if (!(at_high <= 0.0 && at_low > 0.0))
        return NAN;
    for (int i = 0; i < MOST; i++) {
        t = (at_low * high - at_high * low) / (at_low - at_high);
        const double at = gap_at(f, t, normal);
        if (fabs(at) <= close || high - low <= 1e-15 * h)
            break;
        if (at > 0.0) {
            low = t;
            at_low = at;
            at_high *= side == 1 ? 0.5 : 1.0;
            side = 1;
        } else {
            high = t;
            at_high = at;
            at_low *= side == -1 ? 0.5 : 1.0;
            side = -1;
        }
    }
    return t;
}

/* Over the smallest radius, the largest: small grains that are squeezed out among others are
 * stopped by landings, which hold at the end of the step. */
static const double unequal = 4.5;

/* Whether the pair may be a hit at all: it flies together faster than gravity would have it
 * (`least`, m/s). */
static bool may_hit(const plu_world *w, const plu_contacts *list, int at, double least)
{
    const plu_contact *c = &list->contact[at];
    if (!(c->approach < -least))
        return false;
    const double radius = plu_pair_radius(w, c->a, c->b), h = w->step;
    if (c->gap + h * c->approach > 0.03 * radius)
        return false;
    const plu_pair_law *law = plu_law_of(w, c);
    const bool open = c->gap > touching * radius;
    if (law->cohesion > 0.0 || (c->curve != 0.0 && plu_lasts(w, c)) ||
        (list->swift_count > 0 && plu_swift_of(list, at)))
        return false;
    if (law->restitution == 0.0 && w->unequal > unequal)
        return false;
    if (!open && law->restitution == 0.0)
        return false;
    if (!open) { /* what was borne in the step before lasts */
        const plu_impulse *p = plu_warm_start(list, at);
        if (c->gap > -touching * radius || (p && p->n > 0.0))
            return false;
    }
    if (law->rebounds && plu_rebounds(w, c, &list->rebound[at]))
        return false;
    if (plu_side_is_sphere(c->a))
        return true;
    const plu_part *part = plu_side_surface(w, c->a);
    return !part->pose && part->surface != &plu_surface_triangle;
}

static flight flight_of(const plu_world *w, const plu_contact *c)
{
    flight f = {.world = w};
    const double *v = plu_sphere_velocity(w, c->b);
    if (plu_side_is_part(c->a)) {
        f.part = plu_side_surface(w, c->a);
        f.sphere = w->spheres.at[c->b];
        memcpy(f.rate, v, sizeof f.rate);
        memcpy(f.fall, w->gravity, sizeof f.fall);
        f.falls = true;
        return f;
    }
    const int a = plu_side_sphere(c->a), image = plu_side_image(c->a);
    plu_apart_from(&w->space, image, w->spheres.at[a], w->spheres.at[c->b], f.apart);
    plu_rate_from(&w->space, image, plu_sphere_velocity(w, a), v, f.rate);
    f.radii = w->spheres.at[a][3] + w->spheres.at[c->b][3];
    f.falls = plu_sphere_fixed(w, a) || plu_sphere_fixed(w, c->b);
    for (int k = 0; k < 3 && f.falls; k++)
        f.fall[k] = plu_sphere_fixed(w, a) ? w->gravity[k] : -w->gravity[k];
    return f;
}

/* Whether the normal turns on the way. */
static bool turns(const flight *f, const plu_contact *c)
{
    double end[3], change[3];
    (void)gap_at(f, f->world->step, end);
    plu_sub(end, c->normal, change);
    return plu_dot(change, change) > least_turn * least_turn;
}

/* Surfaces that pass each other on their straight ways stop nothing. */
static bool miss(const flight *f, const plu_pair_law *law, plu_contact *c, plu_hit *hit)
{
    const double h = f->world->step;
    double normal[3];
    if (f->part || c->gap < 0.0)
        return false;
    const double end = gap_at(f, h, normal);
    if (!(end > 0.0))
        return false;
    hit->misses = true;
    hit->alone = true;
    hit->share = NAN;
    hit->bias = end / h - c->approach;
    if (law->lands) { /* w_N is gap / h */
        c->gap = end - h * c->approach;
        c->curve = 0.0;
    }
    return true;
}

/* Theta by which a body that has v_0 along the normal at the start, v_1 at the end and touches at t
 * goes as far as it does. */
static double share_of(const flight *f, double t, double v0, double v1, double pull, bool leaves)
{
    const double h = f->world->step, left = h - t;
    const double way =
        t * v0 + 0.5 * t * t * pull + left * v1 - (leaves ? 0.5 * left * left * pull : 0.0);
    return (way - h * v0) / (h * (v1 - v0));
}

/* Theta of its bodies. By Newton's law that of all others, with which what falls and bounces keeps
 * its energy, and two spheres their center. Off a boundary along whose normal gravity does nothing
 * it goes as it does, also from a touch in the step before (t < 0: up to 2), else it would be off
 * by up to its way in half a step after each bounce, in a tube always to the outside. */
static double theta_of_hit(const flight *f, const plu_pair_law *law, double t, double v0, double v1,
                           double pull)
{
    const double g = plu_norm(f->world->gravity);
    if (!law->lands && !(f->falls && fabs(pull) <= 1e-9 * g))
        return NAN;
    const double share = share_of(f, t, v0, v1, pull, law->restitution > 0.0);
    return law->lands ? share : plu_min(2.0, share);
}

/* A body that moves by the theta of all others goes from x to x + h ((1 - theta) v + theta v'), so
 * that the impulse r n of what stands gives it the angular momentum (x + (1 - theta) h v) x r n,
 * wherever in the step it touches: with the normal of that place it is none about the axis of a
 * round wall. With the normal of the touch balls in a bowl were driven round. */
static void bounce_in_the_middle(const flight *f, const plu_pair_law *law, plu_hit *hit,
                                 double normal[3])
{
    const plu_world *w = f->world;
    flight straight = *f;
    double middle[3];
    memset(straight.fall, 0, sizeof straight.fall);
    (void)gap_at(&straight, (1.0 - w->scene->theta) * w->step, middle);
    const double old = plu_dot(middle, f->rate);
    if (!(old < 0.0))
        return;
    memcpy(normal, middle, sizeof middle);
    hit->old = old;
    hit->bias = law->restitution * old;
}

void plu_hits_join(const plu_world *w, plu_hit *hit, const plu_pair_law *law)
{
    hit->joined = true;
    hit->bias = law->restitution * plu_min(hit->old, 0.0);
    hit->share = w->scene->theta;
    hit->early = 0.0;
}

static bool find_hit(const plu_hits *hits, const plu_world *w, const plu_contacts *list, int at,
                     plu_hit *hit)
{
    plu_contact *c = &list->contact[at];
    const plu_pair_law *law = plu_law_of(w, c);
    const double e = law->restitution, h = w->step;
    const flight f = flight_of(w, c);
    const bool flat = !turns(&f, c), later = plu_hits_later(hits, w, c, law);
    if (flat && (!law->rebounds || (f.part && !later)))
        return false; /* the rules of all others are as good */
    const double t = f.falls ? touch_of_still(&f, c->gap) : touch_of_spheres(&f);
    *hit = (plu_hit){.key = list->key[at], .was = *c};
    if (!(t <= h))
        return miss(&f, law, c, hit);
    if (!(t >= (law->lands ? -0.5 : -1.0) * h))
        return false;
    double normal[3], touch[3];
    (void)gap_at(&f, t, normal);
    for (int k = 0; k < 3; k++)
        touch[k] = f.rate[k] + t * f.fall[k];
    const double pull = plu_dot(normal, f.fall), speed = plu_dot(normal, touch);
    /* By Newton's law in gravity it has what it had at its place. */
    const double leaves = law->lands ? -e * speed + (h - t) * pull : -e * plu_dot(normal, f.rate);
    if (!(speed < 0.0) || (e > 0.0 && !(leaves > 0.0)))
        return false; /* gravity brings it back within the step */
    hit->old = plu_dot(normal, f.rate);
    hit->bias = e > 0.0 ? -leaves : 0.0;
    hit->early = law->lands && e > 0.0 ? 0.5 * (h - 2.0 * t) * pull : 0.0;
    const double share = theta_of_hit(&f, law, t, hit->old, -hit->bias, pull);
    hit->share = law->lands ? plu_min(1.0, share) : share;
    if (isnan(share) && f.falls)
        bounce_in_the_middle(&f, law, hit, normal);
    hit->alone = law->lands && !later;
    if (later && !(share <= 1.0) && plu_dot(w->gravity, w->gravity) > 0.0)
        plu_hits_join(w, hit, law);
    memcpy(c->normal, normal, sizeof normal);
    c->approach = speed;
    c->gap = plu_min(c->gap, 0.0);
    c->curve = 0.0; /* its way is straight up to there, and its normal that of the touch */
    return true;
}

/* The squared speed of the faster body of a contact. */
static double square_of(const plu_world *w, const plu_contact *c)
{
    const double *b = plu_sphere_velocity(w, c->b);
    const double *a = plu_side_is_sphere(c->a) ? plu_sphere_velocity(w, plu_side_sphere(c->a)) : b;
    return plu_max(plu_dot(a, a), plu_dot(b, b));
}

static void find_fastest(const plu_world *w, const plu_contacts *list, double *fastest)
{
#pragma omp for schedule(static) nowait reduction(max : fastest[:1])
    for (int k = 0; k < list->live_count; k++)
        *fastest = plu_max(*fastest, square_of(w, &list->contact[list->live[k]]));
}

static void find_all(plu_hits *hits, const plu_world *w, const plu_contacts *list, bool *failed)
{
    const double least = 2.0 * w->step * plu_norm(w->gravity);
#pragma omp for schedule(static) nowait
    for (int k = 0; k < list->live_count; k++) {
        const int at = list->live[k];
        plu_hit hit;
        if (!may_hit(w, list, at, least) || !find_hit(hits, w, list, at, &hit))
            continue;
#pragma omp critical
        {
            const plu_status status = plu_reserve(&hits->hit, &hits->capacity,
                                                  (size_t)hits->count + 1, sizeof hit, 1, NULL);
            if (status == PLU_OK)
                hits->hit[hits->count++] = hit;
            *failed |= status != PLU_OK;
        }
    }
}

static int by_key(const void *x, const void *y)
{
    const uint64_t a = ((const plu_hit *)x)->key, b = ((const plu_hit *)y)->key;
    return (a > b) - (a < b);
}

plu_status plu_hits_find(plu_hits *hits, const plu_world *w, plu_contacts *list, plu_error *err)
{
    static const double more = 16.0; /* times the fastest speed */
    static const double far = 3.0;   /* smallest radii: what goes farther in a step has to land */
    bool failed = false;
    double fastest = 0.0;
    hits->count = 0;
    if (w->scene->method != PLU_NONSMOOTH || w->scene->forecast != PLU_TOUCH || w->space.moves)
        return PLU_OK;
    if (w->rebounds)
        PLU_TEAM(plu_many(list->live_count, 4000), find_fastest(w, list, &fastest));
    fastest = sqrt(fastest);
    hits->later = w->step * fastest <= far * w->smallest
                      ? more * (fastest + w->step * plu_norm(w->gravity))
                      : 0.0;
    PLU_TEAM(plu_many(list->live_count, 4000), find_all(hits, w, list, &failed));
    if (failed)
        return plu_fail(err, PLU_IO, "out of memory for impacts");
    if (hits->count > 1)
        qsort(hits->hit, (size_t)hits->count, sizeof *hits->hit, by_key);
    return PLU_OK;
}

const plu_hit *plu_hit_of(const plu_hits *hits, uint64_t key)
{
    const plu_hit wanted = {.key = key};
    return hits->count > 0 ? bsearch(&wanted, hits->hit, (size_t)hits->count, sizeof wanted, by_key)
                           : NULL;
}

void plu_hits_revoke(plu_hits *hits, int k, plu_contacts *list)
{
    const plu_hit *hit = &hits->hit[k];
    list->contact[plu_contact_place(list, hit->key, 0)] = hit->was;
    hits->count--;
    memmove(&hits->hit[k], &hits->hit[k + 1], (size_t)(hits->count - k) * sizeof *hit);
}

void plu_hits_free(plu_hits *hits)
{
    free(hits->hit);
}

bool plu_hits_later(const plu_hits *hits, const plu_world *w, const plu_contact *c,
                    const plu_pair_law *law)
{
    const bool still = law->restitution < 1.0 && plu_dot(w->gravity, w->gravity) > 0.0;
    if (!law->rebounds || still || hits->later == 0.0)
        return false;
    if (plu_side_is_sphere(c->a))
        return true;
    const plu_part *part = plu_side_surface(w, c->a);
    return !part->pose && part->surface != &plu_surface_triangle;
}

static double bias_of(const plu_hits *hits, const plu_world *w, const plu_contacts *list, int at,
                      double bias)
{
    const plu_contact *c = &list->contact[at];
    const plu_pair_law *law = plu_law_of(w, c);
    const plu_hit *hit =
        law->restitution > 0.0 && c->approach < 0.0 ? plu_hit_of(hits, list->key[at]) : NULL;
    const plu_swift *swift = list->swift_count > 0 ? plu_swift_of(list, at) : NULL;
    if (swift && swift->fold)
        return bias;
    if (hit)
        bias = hit->bias;
    else if (!swift && plu_is_open(w, c) && !plu_goes_on(w, c) && plu_hits_later(hits, w, c, law) &&
             !plu_rebounds(w, c, &list->rebound[at]))
        bias = hits->later + c->gap / w->step;
    const double turned = plu_lasts(w, c) ? plu_min(c->curve, 0.0) : 0.0; /* by no bounce */
    return hits->calm ? plu_max(bias, turned) : bias;
}

void plu_hits_bias(const plu_world *w, const plu_contacts *list,
                   const plu_contact *const contact[PLU_LANES], double bias[PLU_LANES])
{
    for (int k = 0; list->hits && k < PLU_LANES; k++)
        if (contact[k])
            bias[k] = bias_of(list->hits, w, list, (int)(contact[k] - list->contact), bias[k]);
}
