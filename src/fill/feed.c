/* Feeders: their spheres, and what they have done so far. Sphere k is due at start + k x interval,
 * at a place on the disc or the square of the feeder,
 *
 *     disc     (x, y) = D/2 sqrt(u) (cos 2 pi v, sin 2 pi v)     uniform over the area: of it the
 *                                                                part within radius a goes with a^2
 *     square   (x, y) = L (u - 1/2, v - 1/2)
 *
 * with u, v from the counter k (base/rng.h): the same for any number of threads and after a
 * restart.
 *
 * The rate so far is (n - 1) / (time of the last release - start): n releases have n - 1 intervals
 * between them. The mass flow leaves out the last sphere for the same reason. Where a sphere waits
 * for longer than those before it did, the time counts up to now. */
#include "base/rng.h"
#include "base/vec3.h"
#include "fill/build.h"
#include "fill/inlet.h"
#include "pluvia/feeder.h"
#include <math.h>
#include <string.h>

/* Numbers drawn for one sphere of the feeder. */
enum { DRAW_GRADE, DRAW_X, DRAW_Y };

void plu_build_feeder(plu_build *build, int entry, int queue)
{
    const plu_scene *scene = build->scene;
    const int index = entry - scene->bodies_count;
    const plu_feeder_spec *spec = &scene->feeders[index];
    const plu_grading *grading = &build->gradings[entry];
    const plu_rng rng = grading->rng;
    plu_new_body body = {.queue = queue};
    memcpy(body.velocity, spec->velocity, sizeof body.velocity);
    memcpy(body.angular_velocity, spec->angular_velocity, sizeof body.angular_velocity);
    for (int k = 0; k < spec->count; k++) {
        const double u = plu_rng_uniform(rng, (uint64_t)k, DRAW_X);
        const double v = plu_rng_uniform(rng, (uint64_t)k, DRAW_Y);
        double x = spec->square * (u - 0.5), y = spec->square * (v - 0.5);
        if (spec->disc > 0.0) {
            x = 0.5 * spec->disc * sqrt(u) * cos(2.0 * PLU_PI * v);
            y = 0.5 * spec->disc * sqrt(u) * sin(2.0 * PLU_PI * v);
        }
        body.position[0] = spec->center[0] + x;
        body.position[1] = spec->center[1] + y;
        body.position[2] = spec->height;
        plu_grading_draw(grading, (uint64_t)k, &body.radius, &body.material);
        body.release = spec->start + k * spec->interval;
        plu_build_put(build, build->first[entry] + k, &body);
    }
}

/* --- What feeders have done so far --- */

/* Releases that are due and wait. */
static int overdue(const plu_world *world, int queue)
{
    int count = 0;
    for (int b = world->queue_head[queue]; b < world->queue_end[queue]; b++)
        count += world->bodies.state[b] == PLU_WAITING &&
                 plu_release_time(world, queue, b) <= plu_world_due(world);
    return count;
}

long plu_world_delayed(const plu_world *world)
{
    long sum = world->delayed;
    for (int q = 0; q < world->queues; q++)
        sum += world->queue_late[q] & PLU_LATE ? overdue(world, q) : 0;
    return sum;
}

/* What is known of the spheres of a feeder, in their order. */
typedef struct stock {
    int count, released;
    double mass, volume; /* kg, m^3: mean of a sphere */
    double came, due;    /* kg: released, due so far */
    double last;         /* kg: the last one that was released */
} stock;

static stock take_stock(const plu_world *world, int queue, int first, int end)
{
    stock s = {.count = end - first};
    for (int b = first; b < end; b++) {
        const double mass = 1.0 / world->bodies.row[b][6];
        s.mass += mass / s.count;
        s.volume += 4.0 / 3.0 * PLU_PI * pow(world->bodies.position[b][3], 3) / s.count;
        s.due += plu_release_time(world, queue, b) <= plu_world_due(world) ? mass : 0.0;
        if (world->bodies.state[b] == PLU_WAITING)
            continue;
        s.released++;
        s.came += mass;
        s.last = mass;
    }
    return s;
}

static double asked_of(const plu_feeder_spec *spec, const stock *s)
{
    if (spec->kind == PLU_PLUVIATION)
        return 1.0 / spec->interval;
    return spec->rate > 0.0 ? spec->rate : spec->mass_flow / s->mass;
}

plu_feed plu_world_feed(const plu_world *world, int feeder)
{
    const plu_feeder_spec *spec = &world->scene->feeders[feeder];
    const int entry = world->scene->bodies_count + feeder;
    int queue = 0, index;
    while (!plu_queue_is_feeder(world->scene, queue, &index) || index != feeder)
        queue++;
    const stock s = take_stock(world, queue, world->first[entry], world->first[entry + 1]);
    const double start = spec->start + spec->begun; /* of a stage that has begun, if any flows */
    const double last = world->queue_last[queue], gap = (last - start) / (s.released - 1.0);
    const bool held =
        world->queue_head[queue] < world->queue_end[queue] && (world->queue_late[queue] & PLU_LATE);
    /* one that waits for longer than those before did is out of step: that time counts */
    const double now = held && s.released > 1 && world->time > last + gap ? world->time : last;
    const double time = now - start;
    const double d = 2.0 * cbrt(s.volume / (4.0 / 3.0 * PLU_PI));
    const bool flows = s.released > 1 && now > start;
    return (plu_feed){.count = s.count,
                      .released = s.released,
                      .delayed = world->queue_delayed[queue] + (held ? overdue(world, queue) : 0),
                      .asked = asked_of(spec, &s),
                      .rate = flows ? (s.released - 1) / time : 0.0,
                      .most = plu_feeder_most(world->scene, feeder, d, s.volume),
                      .sphere_mass = s.mass,
                      .mass = s.came,
                      .mass_due = s.due,
                      .mass_flow = flows ? (s.came - s.last) / time : 0.0,
                      .by_mass = spec->kind == PLU_INLET && spec->mass_flow > 0.0};
}

int plu_world_made(const plu_world *world, int entry)
{
    return world->first[entry + 1] - world->first[entry];
}
