/* Pairs that the new velocities of a step bring together although nothing before it hinted at that:
 * a small grain that large ones squeeze out flies into a third one within the same step.
 *
 *     detect -> solve -> did a velocity change by more than its share of the reach? -- no --> go on
 *                 ^          yes: its candidates once more, with v_{k+1}
 *                 |          nearest approach on the straight way x + t v_{k+1}, 0 <= t <= h:
 *                 |          deeper than `deep` -> a contact more
 *                 '------------------'
 *
 * A pair that was no contact was open by more than its reach: the sum of what either body may use
 * up of it. So where no change exceeds its share no pair has been missed, and as a rule nothing is
 * looked at. Bodies that leave their skins get candidates first, so that what is found does not
 * depend on when the list was built. */
#include "base/memory.h"
#include "base/team.h"
#include "base/vec3.h"
#include "detect/look.h"
#include "detect/match.h"
#include "detect/minimum.h"
#include "pluvia/scene.h"
#include "world/groups.h"
#include <math.h>
#include <stdlib.h>

/* Over the smaller diameter: pairs that get deeper into each other are added. Each is worth another
 * solve of the step. */
static const double usual_deep = 0.02, chosen_deep = 0.008;

/* Less where the run chooses its steps, which are longer. */
static double too_deep_of(const plu_world *w)
{
    return w->scene->chooses ? chosen_deep : usual_deep;
}

/* Over the smallest radius: strides for which candidates are listed also where no pair lands, for
 * what looks back at the step (passage.c). */
static const double long_stride = 0.5;

/* What is looked for, and found. */
typedef struct search {
    plu_detector *d;
    const double (*fresh)[8]; /* by body: its row of velocities after the solve */
    plu_status status;
} search;

static const double *fresh_of(const search *x, int sphere)
{
    return x->fresh[plu_owner(&x->d->world->spheres, sphere)];
}

/* A pair that is no contact is apart by its reach (world.h) beyond what its velocities close. Half
 * of it, and of what the pair may get too deep, is a body's own share, which a change of its
 * velocity must use up before one of its pairs gets there (m): that of a body at rest, and what its
 * speed adds. */
static double share_at_rest(const plu_detector *d)
{
    const plu_world *w = d->world;
    const double deep = too_deep_of(w) * w->smallest;
    if (w->reaches) /* some pairs have less */
        return deep;
    return deep + 0.5 * plu_min(w->reach.radius * w->smallest, 2.0 * d->sight.fastest) +
           0.5 * w->reach.fall;
}

static bool exceeds(const double change[3], double limit)
{
    return plu_dot(change, change) > limit * limit;
}

/* Marks the bodies whose velocities have changed by more than that. */
static void mark_unexpected(const search *x, double share, int *count)
{
    plu_detector *d = x->d;
    const plu_world *w = d->world;
    const double h = w->step, by_speed = w->reaches ? 0.0 : w->reach.speed;
#pragma omp for schedule(static) nowait reduction(+ : count[:1])
    for (int i = 0; i < w->bodies.count; i++) {
        double change[3];
        d->unexpected[i] = false;
        if (w->bodies.state[i] != PLU_ACTIVE || !(plu_awake(w, i) || plu_group_moves(w, i)))
            continue;
        plu_sub(x->fresh[i], w->bodies.row[i], change);
        if (!exceeds(change, share / h))
            continue;
        d->unexpected[i] = exceeds(change, (share + by_speed * plu_norm(w->bodies.row[i])) / h);
        *count += d->unexpected[i];
    }
}

static bool is_unexpected(const search *x, int sphere)
{
    return x->d->unexpected[plu_owner(&x->d->world->spheres, sphere)];
}

/* The spheres that leave their skins in this step: their candidates are listed anew. */
static plu_status list_candidates(search *x, plu_error *err)
{
    plu_detector *d = x->d;
    const plu_world *w = d->world;
    const double h = w->step, cell_moved = plu_cell_moved(d) + h * w->space.fastest;
    d->over_count = 0;
    for (int i = 0; i < w->spheres.count; i++)
        if (is_unexpected(x, i))
            plu_check_skin(d, i, cell_moved, h * plu_norm(fresh_of(x, i)));
    if (d->over_count == 0)
        return PLU_OK;
    d->fresh_rows = x->fresh;
    const plu_status status = plu_list_candidates(d, err);
    d->fresh_rows = NULL;
    d->watching = false;
    return status;
}

/* Notes a pair, unless it is a contact already. */
static void note(search *x, plu_contact c)
{
    plu_detector *d = x->d;
    const uint64_t key = plu_contact_key(d->world, &c);
    const int place = plu_contact_place(&d->now, key, 0);
    if (place < d->now.count && d->now.key[place] == key)
        return;
#pragma omp critical
    {
        const plu_status status = plu_reserve(&d->missed, &d->missed_capacity, d->missed_count + 1,
                                              sizeof *d->missed, 1, NULL);
        if (status == PLU_OK)
            d->missed[d->missed_count++] = (plu_missed){key, c};
        else
            x->status = status;
    }
}

/* How near two spheres come in the step (m): the centers, squared. */
static double nearest_square(const double apart[3], const double way[3])
{
    const double square = plu_dot(way, way);
    const double when = square > 0.0 ? -plu_dot(apart, way) / square : 0.0;
    const double t = plu_min(plu_max(when, 0.0), 1.0);
    double then[3];
    for (int k = 0; k < 3; k++)
        then[k] = apart[k] + t * way[k];
    return plu_dot(then, then);
}

/* What keeps account of energy bounces off with what it had at the start of the step, which tells
 * nothing here: it waits for the next one. */
static bool is_looked_for(const plu_pair_law *law)
{
    return law->lands && !law->rebounds;
}

static void look_at_pair(search *x, plu_pair pair)
{
    const plu_world *w = x->d->world;
    const int a = plu_pair_sphere(pair), image = plu_pair_image(pair);
    if (!is_unexpected(x, a) && !is_unexpected(x, pair.b))
        return;
    const double *xa = w->spheres.at[a], *xb = w->spheres.at[pair.b], h = w->step;
    const double deep = 2.0 * too_deep_of(w) * plu_min(xa[3], xb[3]), near = xa[3] + xb[3] - deep;
    double apart[3], rate[3], way[3];
    plu_apart_from(&w->space, image, xa, xb, apart);
    plu_rate_from(&w->space, image, fresh_of(x, a), fresh_of(x, pair.b), rate);
    for (int k = 0; k < 3; k++)
        way[k] = h * rate[k];
    if (nearest_square(apart, way) >= near * near ||
        !is_looked_for(plu_world_law(w, w->spheres.species[a], w->spheres.species[pair.b])))
        return;
    plu_contact c;
    plu_join_spheres(w, pair, apart, rate, &c);
    note(x, c);
}

static void look_at_wall(search *x, size_t k)
{
    const plu_detector *d = x->d;
    const plu_world *w = d->world;
    const plu_pair pair = d->walls.pair[k];
    const plu_part *part = &w->parts[pair.a];
    const double *at = w->spheres.at[pair.b];
    if (!is_unexpected(x, pair.b) ||
        !is_looked_for(plu_world_law(w, part->material, w->spheres.species[pair.b])))
        return;
    plu_contact c;
    (void)plu_look_at_wall(&d->sight, pair, &c);
    const double wall = plu_dot(c.normal, plu_sphere_velocity(w, pair.b)) - c.approach;
    c.approach = plu_dot(c.normal, fresh_of(x, pair.b)) - wall;
    if (c.gap + w->step * c.approach >= -2.0 * too_deep_of(w) * at[3])
        return;
    const plu_looked none = {0, 0, NULL};
    if (plu_silencer(d, k, &c, &none) == k)
        note(x, c);
}

static void look_at_candidates(search *x)
{
    const plu_detector *d = x->d;
#pragma omp for schedule(static) nowait
    for (size_t k = 0; k < d->spheres.count; k++)
        look_at_pair(x, d->spheres.pair[k]);
#pragma omp for schedule(static) nowait
    for (size_t k = 0; k < d->extra.count; k++)
        look_at_pair(x, d->extra.pair[k]);
#pragma omp for schedule(static) nowait
    for (size_t k = 0; k < d->walls.count; k++)
        look_at_wall(x, k);
}

static int by_key(const void *x, const void *y)
{
    const uint64_t a = ((const plu_missed *)x)->key, b = ((const plu_missed *)y)->key;
    return (a > b) - (a < b);
}

/* Puts what was found into the list, from its end on; it is new, and stores nothing. */
static plu_status insert(plu_detector *d, plu_error *err)
{
    plu_contacts *list = &d->now;
    size_t left = d->missed_count, old = (size_t)list->count, to = old + left;
    const plu_status status = plu_contacts_extend(list, to, err);
    if (status != PLU_OK)
        return status;
    list->count = (int)to;
    qsort(d->missed, left, sizeof *d->missed, by_key);
    for (; left > 0; to--) {
        const plu_missed *last = &d->missed[left - 1];
        if (old > 0 && list->key[old - 1] > last->key) {
            plu_contacts_shift(list, old - 1, to - 1);
            old--;
        } else {
            plu_contacts_put(list, to - 1, &last->contact, last->key);
            left--;
        }
    }
    return PLU_OK;
}

plu_status plu_insert_missed(plu_detector *d, plu_error *err)
{
    const plu_status status = insert(d, err);
    d->watching = false;
    return status == PLU_OK ? plu_detect_woken(d, err) : status;
}

plu_status plu_detect_unforeseen(plu_detector *d, const double (*fresh)[8], bool *found,
                                 plu_error *err)
{
    const plu_world *w = d->world;
    search x = {d, fresh, PLU_OK};
    int unexpected = 0;
    *found = false;
    d->missed_count = 0;
    if (!w->lands && 4.0 * d->stride <= long_stride * w->smallest)
        return PLU_OK;
    PLU_TEAM(plu_many(w->bodies.count, 4000), mark_unexpected(&x, share_at_rest(d), &unexpected));
    if (unexpected == 0)
        return PLU_OK;
    plu_status status = list_candidates(&x, err);
    if (status != PLU_OK)
        return status;
    PLU_TEAM(plu_many(d->spheres.count, PLU_FEW_CANDIDATES), look_at_candidates(&x));
    if (x.status != PLU_OK)
        return plu_fail(err, PLU_IO, "out of memory for contacts");
    *found = d->missed_count > 0;
    if (!*found)
        return PLU_OK;
    return plu_insert_missed(d, err);
}
