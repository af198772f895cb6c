/* integrate.c for several bodies at a time (compiled for each instruction set, base/cpu.h): the
 * same operations in the same order, so that the bits are the same.
 *
 *     change = v' - v ,  own = change + 2 sum of its shares of c n_m      (assemble/turn.h)
 *     theta  = |own|^2 > limit^2 ? 1 : theta of the scene
 *     x     += h (theta v' + (1 - theta) v + (2 theta - 1) sum)
 *     q     <- exp(h omega / 2) q ,  omega alike: cos and sin by their series to the sixth and
 *              seventh power, for turns below PLU_SMALL_TURN (others by integrate.c), then one
 *              Newton step of 1/|q| back to length 1
 *
 * and what else a pass over the bodies may as well find: the theta term of the energy, potential
 * energy, speeds, and who is at rest or slows down. */
#include "step/move_lanes.h"
#include "base/rows.h"
#include "step/sleep.h"

/* Past the end the last body is read again. */
LANES_INLINE int number_of(const int *body, int count, int k)
{
    return body[k < count ? k : count - 1];
}

/* q <- exp(h omega / 2) q where that is a small turn. */
LANES_INLINE void turn(lanes q[4], vectors omega, double h, plu_moved *moved, int k)
{
    const lanes one = all(1.0), half = all(0.5);
    const lanes x = all(0.25 * h * h) * dot(omega, omega);
    const mask small = x < all(PLU_SMALL_TURN);
    const lanes c = one - x * (half - x * (all(1.0 / 24.0) - x * all(1.0 / 720.0)));
    const lanes s = all(0.5 * h) *
                    (one - x * (all(1.0 / 6.0) - x * (all(1.0 / 120.0) - x * all(1.0 / 5040.0))));
    const vectors v = scaled(s, omega), u = {q[1], q[2], q[3]}, across = cross(v, u);
    const lanes w = c * q[0] - dot(v, u);
    const vectors turned = {c * u.x + q[0] * v.x + across.x, c * u.y + q[0] * v.y + across.y,
                            c * u.z + q[0] * v.z + across.z};
    const lanes scale = all(1.5) - half * (w * w + dot(turned, turned));
    const mask turns = small & (x != all(0.0));
    q[0] = choose(turns, w * scale, q[0]);
    q[1] = choose(turns, turned.x * scale, u.x);
    q[2] = choose(turns, turned.y * scale, u.y);
    q[3] = choose(turns, turned.z * scale, u.z);
    moved->turns |= bits(opposite(small)) << k;
    store(moved->omega[0] + k, omega.x);
    store(moved->omega[1] + k, omega.y);
    store(moved->omega[2] + k, omega.z);
}

/* theta a + (1 - theta) b */
LANES_INLINE vectors between(lanes theta, vectors a, vectors b)
{
    return combined(theta, a, all(1.0) - theta, b);
}

/* What the new velocities, after those before, say of the bodies. */
LANES_INLINE void note(const plu_moving *m, const lanes before[8], vectors v, vectors omega,
                       lanes radius, plu_moved *moved, int k)
{
    const vectors v0 = {before[0], before[1], before[2]}, w0 = {before[3], before[4], before[5]};
    const lanes square = radius * radius, center = dot(v, v), surface = square * dot(omega, omega),
                center0 = dot(v0, v0), surface0 = square * dot(w0, w0),
                limit = all(m->rest_speed * m->rest_speed),
                most = all(m->slow_speed * m->slow_speed);
    const mask slow = (center <= most) & (surface <= most);
    const mask less = center + all(PLU_TURNING) * surface <
                      all(PLU_SLOWER) * (center0 + all(PLU_TURNING) * surface0);
    store(moved->speed + k, choose(center > surface, center, surface));
    moved->still |= bits((center <= limit) & (surface <= limit)) << k;
    moved->slow |= bits(slow) << k;
    moved->slows |= bits(slow & less & (center0 <= most) & (surface0 <= most)) << k;
}

/* The bodies k to k + WIDTH - 1. */
LANES_INLINE void move_some(const plu_moving *m, const int *body, int count, int k,
                            plu_moved *moved)
{
    double *row[WIDTH], *place[WIDTH], *pose[WIDTH];
    const double *fresh[WIDTH];
    for (int i = 0; i < WIDTH; i++) {
        const int b = number_of(body, count, k + i);
        row[i] = m->row[b];
        place[i] = m->position[b];
        pose[i] = m->orientation[b];
        fresh[i] = m->fresh[b];
    }
    lanes old[8], new[8], x[4], q[4];
    load_rows((const double *const *)row, old);
    load_rows(fresh, new);
    load_short_rows((const double *const *)place, x);
    load_short_rows((const double *const *)pose, q);
    const vectors v = {old[0], old[1], old[2]}, next = {new[0], new[1], new[2]},
                  spin = {old[3], old[4], old[5]}, after = {new[3], new[4], new[5]},
                  change = difference(next, v),
                  g = {all(m->gravity[0]), all(m->gravity[1]), all(m->gravity[2])};
    vectors beside = {all(0.0), all(0.0), all(0.0)};
    lanes most = all(0.0);
    uint64_t turned_at_all = 0;
    for (int i = 0; i < WIDTH; i++)
        turned_at_all |= m->turn[number_of(body, count, k + i)].most;
    for (int i = 0; turned_at_all && i < WIDTH; i++) {
        const plu_turn *turned = &m->turn[number_of(body, count, k + i)];
        beside.x[i] = plu_turn_along(turned, m->turn_unit, 0);
        beside.y[i] = plu_turn_along(turned, m->turn_unit, 1);
        beside.z[i] = plu_turn_along(turned, m->turn_unit, 2);
        most[i] = plu_turn_most(turned);
    }
    const lanes limit = all(m->hit) + all(m->turns) * most;
    const vectors own = add_times(change, all(2.0), beside);
    const mask hit = dot(own, own) > limit * limit;
    const lanes theta = m->lands ? choose(hit, all(1.0), all(m->theta)) : all(m->theta);
    beside = scaled(all(2.0) * theta - all(1.0), beside);
    const vectors chord = between(theta, next, v),
                  way = {chord.x + beside.x, chord.y + beside.y, chord.z + beside.z};
    x[0] += all(m->step) * way.x;
    x[1] += all(m->step) * way.y;
    x[2] += all(m->step) * way.z;
    turn(q, between(theta, after, spin), m->step, moved, k);
    new[6] = old[6];
    new[7] = old[7];
    const lanes mass = all(1.0) / old[6];
    const lanes gain = (theta - all(0.5)) * mass * dot(g, change) + mass * dot(g, beside);
    store(moved->theta + k, choose(theta != all(0.5), gain, all(0.0)));
    store(moved->potential + k, mass * dot(g, (vectors){x[0], x[1], x[2]}));
    note(m, old, next, after, x[3], moved, k);
    for (int i = 0; i < WIDTH; i++)
        if (k + i >= count)
            row[i] = place[i] = pose[i] = NULL;
    store_rows(row, new);
    store_short_rows(place, x);
    store_short_rows(pose, q);
}

void PLU_ISA(plu_move_bodies)(const plu_moving *motion, const int *body, int count,
                              plu_moved *moved)
{
    moved->still = moved->turns = moved->slow = moved->slows = 0;
    for (int k = 0; k < count; k += WIDTH)
        move_some(motion, body, count, k, moved);
}
