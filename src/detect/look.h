/* look.h: narrow phase: gap, normal and forecast of one candidate. */
#ifndef DETECT_LOOK_H
#define DETECT_LOOK_H

#include "base/vec3.h"
#include "detect/curve.h"
#include "detect/detector.h"

/* The reach of the pair's law; where all laws have the same, that of the world. */
static inline const plu_reach *plu_reach_of(const plu_world *w, int material, int other)
{
    return w->reaches ? &plu_world_law(w, material, other)->reach : &w->reach;
}

/* How wide open a contact may be that does not approach (m). */
static inline double plu_width_of(const plu_sight *sight, const plu_reach *reach, double radius,
                                  double speeds)
{
    const double change = plu_min(reach->radius * radius, 2.0 * sight->fastest);
    return plu_max(PLU_CLOSED * radius, change) + reach->speed * speeds + reach->fall;
}

static inline double plu_speed_of(const plu_world *w, int sphere)
{
    return plu_norm(plu_sphere_velocity(w, sphere));
}

/* A pair that is apart by more than it can approach: |d| > R gives -u_N <= -d.u / R, so that no
 * root is needed to tell most candidates from contacts. */
static inline bool plu_too_far(const plu_sight *sight, plu_pair pair, const plu_reach *r)
{
    const plu_world *w = sight->world;
    const int a = plu_pair_sphere(pair), image = plu_pair_image(pair);
    const double *xa = w->spheres.at[a], *xb = w->spheres.at[pair.b];
    double apart[3], rate[3];
    plu_apart_from(&w->space, image, xa, xb, apart);
    const double radii = xa[3] + xb[3], square = plu_dot(apart, apart);
    if (square <= radii * radii)
        return false;
    plu_rate_from(&w->space, image, plu_sphere_velocity(w, a), plu_sphere_velocity(w, pair.b),
                  rate);
    const double speeds = r->speed > 0.0 ? plu_speed_of(w, a) + plu_speed_of(w, pair.b) : 0.0;
    const double nearer = r->ahead * -plu_dot(apart, rate) / radii;
    const double reach = radii + plu_width_of(sight, r, radii, speeds) + plu_max(nearer, 0.0);
    return square > reach * reach;
}

/* The contact of two spheres, `apart` from a to b, which come nearer by `rate`. */
static inline void plu_join_spheres(const plu_world *w, plu_pair pair, const double apart[3],
                                    const double rate[3], plu_contact *c)
{
    const double *xa = w->spheres.at[plu_pair_sphere(pair)], *xb = w->spheres.at[pair.b];
    const double distance = plu_norm(apart);
    c->a = plu_side_of_pair(pair);
    c->b = pair.b;
    if (distance > 0.0) {
        for (int k = 0; k < 3; k++)
            c->normal[k] = apart[k] / distance;
    } else { /* same center: any normal will do, if always the same */
        c->normal[0] = c->normal[1] = 0.0;
        c->normal[2] = 1.0;
    }
    c->gap = distance - (xa[3] + xb[3]);
    c->approach = plu_dot(c->normal, rate);
    c->curve = 0.0;
}

static inline bool plu_look_at_spheres(const plu_sight *sight, plu_pair pair, plu_contact *c)
{
    const plu_world *w = sight->world;
    const int a = plu_pair_sphere(pair), image = plu_pair_image(pair);
    const plu_reach *reach = plu_reach_of(w, w->spheres.species[a], w->spheres.species[pair.b]);
    if (plu_too_far(sight, pair, reach))
        return false;
    const double *xa = w->spheres.at[a], *xb = w->spheres.at[pair.b];
    double apart[3], rate[3];
    plu_apart_from(&w->space, image, xa, xb, apart);
    plu_rate_from(&w->space, image, plu_sphere_velocity(w, a), plu_sphere_velocity(w, pair.b),
                  rate);
    plu_join_spheres(w, pair, apart, rate, c);
    const double speeds = reach->speed > 0.0 ? plu_speed_of(w, a) + plu_speed_of(w, pair.b) : 0.0;
    if (c->gap + reach->ahead * c->approach >
        plu_width_of(sight, reach, plu_min(xa[3], xb[3]), speeds))
        return false;
    if (w->curves)
        plu_curve_spheres(w, plu_min(xa[3], xb[3]), xa[3] + xb[3] + c->gap, rate, plu_least_way(w),
                          c);
    return true;
}

/* The approach of a contact with a part that moves is relative to it. Returns how fast the part
 * comes towards the sphere (m/s): as it is, at the end of the step or by its way in it, the
 * largest. */
static inline double plu_wall_advance(const plu_pose *pose, const double sphere[4], plu_contact *c)
{
    double arm[3], velocity[3], speed[PLU_RATES];
    plu_pose_arm(pose, sphere, arm);
    plu_add_scaled(arm, -(sphere[3] + c->gap), c->normal);
    for (int which = 0; which < PLU_RATES; which++) {
        plu_pose_velocity(pose, which, arm, c->normal, velocity);
        speed[which] = plu_dot(c->normal, velocity);
    }
    c->approach -= speed[0];
    return plu_max(speed[0], plu_max(speed[1], speed[PLU_MEAN]));
}

static inline bool plu_look_at_wall(const plu_sight *sight, plu_pair pair, plu_contact *c)
{
    const plu_world *w = sight->world;
    c->a = plu_side_of_part(pair.a);
    c->b = pair.b;
    c->gap = plu_part_gap(&w->parts[pair.a], w->spheres.at[pair.b], c->normal);
    c->approach = plu_dot(c->normal, plu_sphere_velocity(w, pair.b));
    c->curve = 0.0;
    double nearer = c->approach;
    if (w->parts[pair.a].pose)
        nearer -= plu_wall_advance(w->parts[pair.a].pose, w->spheres.at[pair.b], c);
    const plu_reach *reach = plu_reach_of(w, w->parts[pair.a].material, w->spheres.species[pair.b]);
    const double speed = reach->speed > 0.0 ? plu_speed_of(w, pair.b) : 0.0;
    return c->gap + reach->ahead * nearer <=
           plu_width_of(sight, reach, w->spheres.at[pair.b][3], speed);
}

/* Candidate number k, sphere pairs before walls: true when it is a contact. */
static inline bool plu_look(const plu_detector *d, size_t k, plu_contact *c)
{
    const size_t spheres = d->spheres.count;
    return k < spheres ? plu_look_at_spheres(&d->sight, d->spheres.pair[k], c)
                       : plu_look_at_wall(&d->sight, d->walls.pair[k - spheres], c);
}

/* --- narrow phase of candidates with walls --- */

/* Which of the candidates with walls from `from` on, at most 64, are contacts that count: bit k for
 * candidate from + k. contact[k], of 64 of them, has the contact then. Writes the notes of these
 * alone. */
uint64_t plu_touching_walls(plu_detector *detector, size_t from, int count, plu_contact *contact);

#endif
