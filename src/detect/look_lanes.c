/* Gap, normal and approach of pairs of spheres, several at a time (compiled for each instruction
 * set, base/cpu.h), and which of them are contacts of the step:
 *
 *     d = x_b - x_a ,  g = |d| - (r_a + r_b) ,  n = d / |d| ,  u_N = n.(v_b - v_a)
 *     active:   g + ahead u_N <= width + speeds + fall          world/reach.c has the terms
 *
 * The first pass (plu_touching) gives a bit for each pair, the second (plu_touch, over those that
 * were found) the contacts; a look at a pair costs the same where it is not, so that lanes do not
 * branch. Pairs on curved ways get the normal of the middle of the step: for two spheres of
 * distance L it is n + h u_T / 2 L, made a unit vector, and c = n_m.u_T = h |u_T|^2 / 2 L times its
 * shrinking (curve.h). */
#include "detect/look_lanes.h"
#include "base/rows.h"
#include "base/space_lanes.h"
#include "detect/look.h"

typedef struct looks {
    vectors normal;
    lanes gap, approach, curve;
    mask touching;
} looks;

/* plu_width_of and `ahead` of the pairs. */
typedef struct reaches {
    lanes ahead, width;
} reaches;

static inline reaches reach_of(const plu_sight *sight, const plu_pair *pair, int count,
                               lanes radius, lanes speeds)
{
    const plu_world *w = sight->world;
    lanes ahead = all(w->reach.ahead), share = all(w->reach.radius), speed = all(w->reach.speed),
          fall = all(w->reach.fall);
    for (int k = 0; k < WIDTH && w->reaches; k++) {
        const plu_pair p = pair[k < count ? k : count - 1];
        const plu_reach *r =
            plu_reach_of(w, w->spheres.species[plu_pair_sphere(p)], w->spheres.species[p.b]);
        ahead[k] = r->ahead;
        share[k] = r->radius;
        speed[k] = r->speed;
        fall[k] = r->fall;
    }
    const lanes change = smaller(share * radius, all(2.0 * sight->fastest));
    return (reaches){ahead, larger(all(PLU_CLOSED) * radius, change) + speed * speeds + fall};
}

/* plu_curve_spheres */
LANES_INLINE void follow(const plu_world *w, lanes radius, lanes length, vectors rate, looks *l)
{
    const double h = w->step;
    const lanes one = all(1.0), zero = all(0.0);
    const vectors way = add_times(rate, -l->approach, l->normal);
    const lanes square = dot(way, way), turn = all(0.5 * h) / length;
    const lanes shrink = one / root(one + turn * turn * square), curve = turn * square * shrink;
    const mask curved = (mask)(all(h) * curve > all(PLU_STRAIGHT) * radius) &
                        (mask)(square > all(plu_least_way(w))),
               lasts =
                   l->gap <= larger(all(PLU_LASTING) * radius, all(PLU_LASTING_WAY * h) * curve),
               turns = curved & lasts & (mask)(all(h) * curve <= all(plu_most_curved(w)) * radius) &
                       (mask)(l->approach >= -curve);
    const lanes opens = smaller(curve, all(plu_most_open(w)) * radius / all(h));
    const vectors sideways = add_times(l->normal, turn, way);
    l->curve = choose(turns, curve, choose(curved & opposite(lasts), opens, zero));
    l->normal = choose3(turns, scaled(shrink, sideways), l->normal);
}

/* Past the end of the pairs the last one is looked at again. */
LANES_INLINE looks look_at(const plu_sight *sight, const plu_pair *pair, int count)
{
    const plu_world *w = sight->world;
    const double *xa[WIDTH], *xb[WIDTH], *va[WIDTH], *vb[WIDTH];
    int image[WIDTH] = {0};
    for (int k = 0; k < WIDTH; k++) {
        const plu_pair p = pair[k < count ? k : count - 1];
        const int sphere = plu_pair_sphere(p);
        xa[k] = w->spheres.at[sphere];
        xb[k] = w->spheres.at[p.b];
        va[k] = plu_sphere_velocity(w, sphere);
        vb[k] = plu_sphere_velocity(w, p.b);
    }
    for (int k = 0; k < WIDTH && w->space.kind == PLU_PERIODIC_SPACE; k++)
        image[k] = plu_pair_image(pair[k < count ? k : count - 1]);
    lanes a[4], b[4], ua[4], ub[4];
    load_short_rows(xa, a);
    load_short_rows(xb, b);
    load_short_rows(va, ua);
    load_short_rows(vb, ub);
    const vectors apart =
        apart_by_lanes(&w->space, image, (vectors){a[0], a[1], a[2]}, (vectors){b[0], b[1], b[2]});
    const vectors rate = rate_by_lanes(&w->space, image, (vectors){ua[0], ua[1], ua[2]},
                                       (vectors){ub[0], ub[1], ub[2]});
    const lanes distance = norm(apart), zero = all(0.0), one = all(1.0);
    const mask apart_at_all = distance > zero;
    const lanes length = choose(apart_at_all, distance, one);
    looks l = {.normal = choose3(apart_at_all,
                                 (vectors){apart.x / length, apart.y / length, apart.z / length},
                                 (vectors){zero, zero, one})};
    l.gap = distance - (a[3] + b[3]);
    l.approach = dot(l.normal, rate);
    const lanes speeds = w->reach.speed > 0.0 ? norm((vectors){ua[0], ua[1], ua[2]}) +
                                                    norm((vectors){ub[0], ub[1], ub[2]})
                                              : zero;
    const reaches reach = reach_of(sight, pair, count, smaller(a[3], b[3]), speeds);
    l.touching = l.gap + reach.ahead * l.approach <= reach.width;
    l.curve = zero;
    if (w->curves)
        follow(w, smaller(a[3], b[3]), a[3] + b[3] + l.gap, rate, &l);
    return l;
}

uint64_t PLU_ISA(plu_touching)(const plu_sight *sight, const plu_pair *pair, int count)
{
    uint64_t found = 0;
    for (int k = 0; k < count; k += WIDTH)
        found |= (uint64_t)bits(look_at(sight, pair + k, count - k).touching) << k;
    return count < 64 ? found & ((UINT64_C(1) << count) - 1) : found;
}

static inline plu_contact contact_of(const looks *l, int k, plu_pair pair)
{
    return (plu_contact){.a = plu_side_of_pair(pair),
                         .b = pair.b,
                         .normal = {l->normal.x[k], l->normal.y[k], l->normal.z[k]},
                         .gap = l->gap[k],
                         .approach = l->approach[k],
                         .curve = l->curve[k]};
}

int PLU_ISA(plu_find)(const plu_sight *sight, const plu_pair *pair, int count, plu_contact *contact)
{
    int found = 0;
    for (int from = 0; from < count; from += WIDTH) {
        const looks l = look_at(sight, pair + from, count - from);
        for (unsigned left = bits(l.touching); left; left &= left - 1) {
            const int k = __builtin_ctz(left);
            if (from + k < count)
                contact[found++] = contact_of(&l, k, pair[from + k]);
        }
    }
    return found;
}

void PLU_ISA(plu_touch)(const plu_sight *sight, const plu_pair *pair, int count,
                        plu_contact *contact)
{
    for (int from = 0; from < count; from += WIDTH) {
        const looks l = look_at(sight, pair + from, count - from);
        for (int k = 0; k < WIDTH && from + k < count; k++)
            contact[from + k] = contact_of(&l, k, pair[from + k]);
    }
}
