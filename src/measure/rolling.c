/* The history of a sphere that slides and rolls on a plane: from samples of it the times at which
 * it changes its mode, and where it stops. With the speed U of its center along the plane, the
 * speed R Omega of its surface by rotation and the slip U - R Omega:
 *
 *     slides and turns --> turns without slip --> still
 *             '--> slides without turning --'
 *
 * A speed counts as zero below 1e-4 of the largest at the start. */
#include "base/vec3.h"
#include "measure/view.h"
#include <string.h>

#define STILL 1e-4 /* times the largest speed at the start: lower speeds count as zero */

plu_roll_sample plu_roll_sample_of(const plu_view *view, int body)
{
    const double unknown = view->contacts < 0 ? NAN : 0.0;
    plu_roll_sample s = {.time = view->time,
                         .velocity = {NAN, NAN, NAN},
                         .spin = {NAN, NAN, NAN},
                         .normal = unknown,
                         .friction = unknown,
                         .moment = unknown};
    memcpy(s.position, plu_view_position(view, body), sizeof s.position);
    if (view->velocity.at)
        memcpy(s.velocity, plu_row(view->velocity, body), sizeof s.velocity);
    if (view->spin.at)
        memcpy(s.spin, plu_row(view->spin, body), sizeof s.spin);
    for (int k = 0; k < view->contacts; k++) {
        const plu_contact_row *c = &view->contact[k];
        if (c->b != body || !plu_view_loaded(view, c))
            continue;
        s.normal += c->impulse_normal / view->dt;
        s.friction += plu_norm(c->impulse_tangent) / view->dt;
        double moment[3];
        plu_tangential(c->impulse_moment, c->normal, moment);
        s.moment += plu_norm(moment) / view->dt;
    }
    return s;
}

/* Speeds of one sample along the plane (m/s): of the center, of the surface by rotation, of slip.
 */
typedef struct speeds {
    double center, turn, slip;
} speeds;

typedef struct plane {
    const plu_roll_sample *sample;
    long count;
    const double *normal;
    double radius, still;
} plane;

static speeds speeds_of(const plane *p, long k)
{
    const double *n = p->normal, *v = p->sample[k].velocity, *w = p->sample[k].spin;
    double turn[3], center[3], slip[3];
    plu_cross(w, n, turn);
    memcpy(center, v, sizeof center);
    plu_add_scaled(center, -plu_dot(v, n), n);
    for (int i = 0; i < 3; i++)
        turn[i] *= p->radius;
    plu_sub(center, turn, slip);
    return (speeds){plu_norm(center), plu_norm(turn), plu_norm(slip)};
}

static int mode_of(const plane *p, speeds s)
{
    return (s.slip > p->still ? PLU_ROLL_SLIDES : 0) | (s.turn > p->still ? PLU_ROLL_TURNS : 0);
}

static double of_mode(speeds s, int bit)
{
    return bit == PLU_ROLL_SLIDES ? s.slip : s.turn;
}

/* The time at which the speed of mode `bit` becomes zero between samples k - 1 and k, by linear
 * extrapolation of the two samples on the side where it is not zero. */
static double zero_of(const plane *p, long k, int bit)
{
    const bool ends = of_mode(speeds_of(p, k - 1), bit) > p->still;
    const long near = ends ? k - 1 : k, far = ends ? k - 2 : k + 1;
    const double before = p->sample[k - 1].time, after = p->sample[k].time;
    if (far < 0 || far >= p->count)
        return ends ? after : before;
    const double at = p->sample[near].time;
    const double u = of_mode(speeds_of(p, near), bit), v = of_mode(speeds_of(p, far), bit);
    if (!(v > u)) /* does not go to zero here: a jump */
        return ends ? after : before;
    const double zero = at + u * (at - p->sample[far].time) / (v - u);
    return plu_min(plu_max(zero, before), after);
}

static double change(const plane *p, long k, int before, int after)
{
    const int bit = (before ^ after) & PLU_ROLL_SLIDES ? PLU_ROLL_SLIDES : PLU_ROLL_TURNS;
    return zero_of(p, k, bit);
}

/* Means over the inner samples of a phase; in the samples at its ends the mode changes within the
 * step. */
static void mean_forces(const plane *p, plu_roll_phase *phase, long from, long to)
{
    double friction = 0.0, moment = 0.0;
    long count = 0;
    for (long k = from; k < to; k++) {
        const plu_roll_sample *s = &p->sample[k];
        if (!(s->time > phase->from && s->time < phase->to) || !(s->normal > 0.0))
            continue;
        friction += s->friction / s->normal;
        moment += s->moment / s->normal;
        count++;
    }
    phase->friction = count > 0 ? friction / (double)count : NAN;
    phase->moment = count > 0 ? moment / (double)count : NAN;
}

static void add_phase(plu_rolling *rolling, const plane *p, plu_roll_phase phase, long from,
                      long to)
{
    if (!(phase.to > phase.from) || rolling->phases_count == PLU_ROLL_PHASES)
        return;
    mean_forces(p, &phase, from, to);
    rolling->phases[rolling->phases_count++] = phase;
}

static void find_phases(plu_rolling *rolling, const plane *p)
{
    int mode = mode_of(p, speeds_of(p, 0));
    double since = p->sample[0].time;
    long first = 0;
    for (long k = 1; k < p->count; k++) {
        const int next = mode_of(p, speeds_of(p, k));
        if (next == mode)
            continue;
        const double at = change(p, k, mode, next);
        add_phase(rolling, p, (plu_roll_phase){.mode = mode, .from = since, .to = at}, first, k);
        mode = next;
        since = at;
        first = k;
    }
    const double end = p->sample[p->count - 1].time;
    add_phase(rolling, p, (plu_roll_phase){.mode = mode, .from = since, .to = end}, first,
              p->count);
    if (mode != PLU_ROLL_REST || first == 0)
        return;
    double way[3];
    plu_sub(p->sample[p->count - 1].position, p->sample[0].position, way);
    plu_add_scaled(way, -plu_dot(way, p->normal), p->normal);
    rolling->stop_time = since;
    rolling->stop_distance = plu_norm(way);
}

void plu_measure_rolling(plu_rolling *rolling, const plu_roll_sample *sample, long count,
                         const double normal[3], double radius)
{
    *rolling = (plu_rolling){.stop_time = NAN, .stop_distance = NAN};
    plane p = {sample, count, normal, radius, 0.0};
    if (count == 0)
        return;
    const speeds start = speeds_of(&p, 0);
    if (isnan(start.slip))
        return;
    p.still = STILL * plu_max(start.center, start.turn);
    find_phases(rolling, &p);
}
