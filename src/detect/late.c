/* Pairs that the velocities of a solve bring together in what is left of a step with long strides
 * (src/theory.md, "Long strides"). A body that is hit at the share s goes on with its new velocity,
 * and may meet others then:
 *
 *     0          ta          tb          1        shares of the step at which a and b were hit
 *     |--- v_a --|------- fresh_a -------|        three stretches with constant velocities: on each
 *     |------- v_b ----------|- fresh_b -|        touch is a root of the square equation
 *       known     looked at    looked at        |d + s h u| = r_a + r_b
 *
 * On the first stretch nothing is new: detect/swift.c has looked. What is found joins the contacts,
 * and the step is solved again. Only pairs with restitution are looked for, and they bounce with
 * what they had at the start of the step: by the new velocities energy could be gained. */
#include "base/team.h"
#include "detect/look.h"
#include "detect/swift.h"
#include <string.h>

/* What new velocities bring together. */
typedef struct late {
    plu_swift_search found;
    const double (*fresh)[8];
} late;

/* When bodies got their new velocities: what is hit in a long stride then, others at the start. */
static void find_hits(plu_detector *d, const double (*fresh)[8])
{
    const plu_world *w = d->world;
    for (int i = 0; i < w->bodies.count; i++)
        d->hit[i] = 2.0;
    for (int k = 0; k < d->now.swift_count; k++) {
        plu_side a;
        int b;
        plu_key_sides(w, d->now.swift[k].key, &a, &b);
        /* what goes over folds meets nothing else in the step */
        const double when = d->now.swift[k].fold ? 1.0 : d->now.swift[k].when;
        plu_swift_sooner(d, b, when);
        if (plu_side_is_sphere(a))
            plu_swift_sooner(d, plu_side_sphere(a), when);
    }
    for (int i = 0; i < w->bodies.count; i++) {
        double change[3];
        plu_sub(fresh[i], w->bodies.row[i], change);
        if (d->hit[i] > 1.0) /* changes that nothing tells the moment of count from the start on */
            d->hit[i] = w->step * plu_norm(change) > PLU_SLOW_STRIDE * w->smallest ? 0.0 : 1.0;
    }
}

static const double *velocity_at(const late *l, int sphere, double when)
{
    const plu_detector *d = l->found.d;
    const int body = plu_owner(&d->world->spheres, sphere);
    return when < d->hit[body] ? d->world->bodies.row[body] : l->fresh[body];
}

/* A pair found late bounces with what it had at the start of the step: no energy is gained. */
static void look_at_late_pair(late *l, plu_pair pair)
{
    const plu_detector *d = l->found.d;
    const plu_world *w = d->world;
    const int a = plu_pair_sphere(pair), image = plu_pair_image(pair);
    const plu_pair_law *law = plu_world_law(w, w->spheres.species[a], w->spheres.species[pair.b]);
    const double *xa = w->spheres.at[a], *xb = w->spheres.at[pair.b], h = w->step;
    const double radii = xa[3] + xb[3], least = PLU_LONG_STRIDE * plu_min(xa[3], xb[3]);
    const double ta = d->hit[plu_owner(&w->spheres, a)],
                 tb = d->hit[plu_owner(&w->spheres, pair.b)];
    const double time[4] = {0.0, plu_min(ta, tb), plu_max(ta, tb), 1.0};
    if (time[1] >= 1.0 || law->lands || law->restitution == 0.0 || !plu_swift_law(w, law))
        return;
    double apart[3], nearest;
    plu_apart_from(&w->space, image, xa, xb, apart);
    for (int k = 0; k < 3; k++) {
        double rate[3], way[3];
        plu_rate_from(&w->space, image, velocity_at(l, a, time[k]), velocity_at(l, pair.b, time[k]),
                      rate);
        for (int i = 0; i < 3; i++)
            way[i] = h * (time[k + 1] - time[k]) * rate[i];
        const double share = plu_share_until(apart, way, radii, &nearest);
        if (k == 0 || share > 1.0 || h * h * plu_dot(rate, rate) <= least * least) {
            plu_add_scaled(apart, 1.0, way);
            continue;
        }
        plu_contact c;
        plu_add_scaled(apart, share, way);
        plu_rate_from(&w->space, image, plu_sphere_velocity(w, a), plu_sphere_velocity(w, pair.b),
                      rate);
        plu_join_spheres(w, pair, apart, rate, &c);
        c.gap = 0.0;
        if (!plu_swift_counts(d, &c))
            plu_swift_note(&l->found, &c,
                           (plu_swift){.when = time[k] + share * (time[k + 1] - time[k]),
                                       .bias = law->restitution * plu_min(c.approach, 0.0)});
        return;
    }
}

static void look_at_late_wall(late *l, plu_pair pair)
{
    const plu_detector *d = l->found.d;
    const plu_world *w = d->world;
    const plu_part *part = &w->parts[pair.a];
    const plu_pair_law *law = plu_wall_law(w, pair);
    const int body = plu_owner(&w->spheres, pair.b);
    const double *v = w->bodies.row[body], *at = w->spheres.at[pair.b], h = w->step;
    const double hit = d->hit[body];
    if (hit >= 1.0 || law->lands || law->restitution == 0.0 || !plu_swift_law(w, law))
        return;
    plu_flight f = {.from = hit, .radius = at[3]};
    for (int k = 0; k < 3; k++) {
        f.velocity[k] = l->fresh[body][k];
        f.at[k] = at[k] + hit * h * v[k];
    }
    plu_contact c = {plu_side_of_part(pair.a), pair.b, {0.0}, 0.0, 0.0, 0.0};
    plu_meeting m;
    if (h * plu_closing_speed(w, part, &f) <= PLU_LONG_STRIDE * at[3] || plu_swift_counts(d, &c) ||
        !plu_meets_part(w, part, &f, &m))
        return;
    double rate[3];
    plu_sub(v, m.surface, rate);
    memcpy(c.normal, m.normal, sizeof c.normal);
    c.approach = plu_dot(rate, c.normal);
    plu_swift swift = {.when = m.when, .given = true};
    if (c.approach < 0.0) /* it goes by its new velocity from its first hit on */
        plu_swift_leave(w, c.normal, c.approach, hit, law->restitution, &swift);
    memcpy(swift.surface, m.surface, sizeof swift.surface);
    plu_swift_note(&l->found, &c, swift);
}

static void look_at_late(late *l)
{
    const plu_detector *d = l->found.d;
#pragma omp for schedule(static) nowait
    for (size_t k = 0; k < d->spheres.count; k++)
        look_at_late_pair(l, d->spheres.pair[k]);
#pragma omp for schedule(static) nowait
    for (size_t k = 0; k < d->extra.count; k++)
        look_at_late_pair(l, d->extra.pair[k]);
#pragma omp for schedule(static) nowait
    for (size_t k = 0; k < d->walls.count; k++)
        look_at_late_wall(l, d->walls.pair[k]);
}

plu_status plu_detect_late(plu_detector *d, const double (*fresh)[8], bool *found, plu_error *err)
{
    late l = {{.d = d, .status = PLU_OK}, fresh};
    bool added;
    *found = false;
    d->missed_count = 0;
    if (!d->world->bounces || d->now.swift_count == 0)
        return PLU_OK;
    find_hits(d, fresh);
    PLU_TEAM(plu_many(d->spheres.count, PLU_FEW_CANDIDATES), look_at_late(&l));
    if (l.found.status != PLU_OK)
        return plu_fail(err, PLU_IO, "out of memory for contacts");
    *found = d->missed_count > 0;
    const plu_status status = plu_swift_take(d, &added, err);
    return status == PLU_OK && *found ? plu_insert_missed(d, err) : status;
}
