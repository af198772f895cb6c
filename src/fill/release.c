/* Bodies that come in while a run lasts: those of feeders, and those of files with a time of
 * release. They wait in queues, in the order in which they are due:
 *
 *     released . . . | head: the first that waits | due | due | not due yet . . . | end
 *
 * In each step each queue goes on from its head as long as bodies are due. One that would overlap
 * something waits: behind it all others of the queue do, too, but for an inlet, which draws another
 * place in each step, and whose next bodies may find room meanwhile. */
#include "base/exact.h"
#include "fill/build.h"
#include "fill/inlet.h"
#include "fill/near.h"
#include "pluvia/body.h"
#include "pluvia/boundary.h"
#include "pluvia/feeder.h"
#include "world/body_energy.h"
#include <stdio.h>
#include <string.h>

/* Releases due by rounding, as a share of the step. */
#define TIME_ROUNDING 1e-9

/* One search through all bodies is cheap; with more of them in one step a grid is made. */
enum { SEARCHES_WITHOUT_GRID = 8 };

/* Spheres of an inlet that find no room in a step, after which it is full for this step. */
enum { BLOCKED_MOST = 256 };

/* What stands in the way: a body, NOTHING, or boundary part k as PART - k. */
enum { NOTHING = -1, PART = -2 };

/* More bits of queue_late: one message that a queue waits, and one that it continues. A delay of a
 * few steps, as when spheres follow each other by just their diameter, gives none. */
enum { WARNED_LATE = 2, WARNED_ON = 4, PATIENCE = 10 /* steps */ };

struct releases {
    plu_world *world;
    const plu_log *log;
    plu_exact inserted; /* energy of those released (J) */
    plu_error *err;
    int searches;
    bool has_grid;
    plu_near grid; /* the spheres of active bodies */
};

/* The one with the smallest number. */
static int part_in_the_way(const plu_world *world, const double sphere[4])
{
    double normal[3];
    plu_part_search search = plu_parts_near(sphere, sphere[3]);
    int first = world->parts_count;
    for (int p; (p = plu_part_next(&world->tree, &search)) >= 0;)
        if (p < first && plu_part_gap(&world->parts[p], sphere, normal) < 0.0)
            first = p;
    return first < world->parts_count ? PART - first : NOTHING;
}

static int sphere_in_the_way(const plu_world *world, const double sphere[4])
{
    for (int b = 0; b < world->spheres.count; b++) {
        if (world->bodies.state[plu_owner(&world->spheres, b)] != PLU_ACTIVE)
            continue;
        double from[3];
        plu_apart(&world->space, sphere, world->spheres.at[b], from);
        const double reach = world->spheres.at[b][3] + sphere[3];
        if (plu_dot(from, from) < reach * reach)
            return b;
    }
    return NOTHING;
}

static plu_status make_grid(struct releases *releases)
{
    const plu_world *world = releases->world;
    double largest = 0.0;
    for (int b = 0; b < world->spheres.count; b++)
        largest = fmax(largest, world->spheres.at[b][3]);
    const plu_status status =
        plu_near_create(&releases->grid, &world->space, (const double(*)[4])world->spheres.at,
                        world->spheres.count, largest, releases->err);
    releases->has_grid = status == PLU_OK;
    for (int b = 0; b < world->spheres.count && status == PLU_OK; b++)
        if (world->bodies.state[plu_owner(&world->spheres, b)] == PLU_ACTIVE)
            plu_near_add(&releases->grid, b);
    return status;
}

static plu_status find_obstacle(struct releases *releases, const double sphere[4], int *obstacle)
{
    PLU_SPHERES_ARE_BODIES; /* all spheres of the body need their place */
    const plu_world *world = releases->world;
    *obstacle = part_in_the_way(world, sphere);
    if (*obstacle != NOTHING)
        return PLU_OK;
    if (releases->searches++ == SEARCHES_WITHOUT_GRID && make_grid(releases) != PLU_OK)
        return PLU_IO;
    *obstacle = releases->has_grid ? plu_near_overlapping(&releases->grid, sphere)
                                   : sphere_in_the_way(world, sphere);
    return PLU_OK;
}

static const char *queue_name(const plu_scene *scene, int queue, char *buffer, size_t size)
{
    int index;
    if (plu_queue_is_feeder(scene, queue, &index))
        snprintf(buffer, size, "feeder %d", index + 1);
    else
        snprintf(buffer, size, "%s", scene->bodies[index].path);
    return buffer;
}

/* The first of the queue, which finds no place. */
static void hold_back(const struct releases *releases, int queue, int obstacle)
{
    plu_world *world = releases->world;
    unsigned char *late = &world->queue_late[queue];
    const int body = world->queue_head[queue];
    *late |= PLU_LATE;
    const double patience = PATIENCE * world->step;
    if ((*late & WARNED_LATE) || world->time < plu_release_time(world, queue, body) + patience)
        return;
    *late |= WARNED_LATE;
    char name[PLU_PATH], what[PLU_NAME + 64];
    if (obstacle <= PART)
        snprintf(what, sizeof what, "boundary \"%s\", which does not move, is in the way",
                 world->scene->boundaries[world->parts[PART - obstacle].boundary].name);
    else
        snprintf(what, sizeof what, "sphere %d is in the way", obstacle);
    plu_log_write(releases->log, PLU_LOG_WARNING,
                  "%s: sphere %d waits for a free place since t = %g s (%s)",
                  queue_name(world->scene, queue, name, sizeof name), body,
                  plu_release_time(world, queue, body), what);
}

double plu_world_due(const plu_world *world)
{
    return world->time + TIME_ROUNDING * world->step;
}

/* Also where its own place was free, but one before it in the queue had none. */
static bool is_delayed(const plu_world *world, int queue, int body)
{
    return plu_release_time(world, queue, body) <= plu_world_due(world) - world->step;
}

/* The first of a queue goes on, which may have waited. */
static void go_on(struct releases *releases, int queue, int body)
{
    plu_world *world = releases->world;
    unsigned char *late = &world->queue_late[queue];
    if ((*late & PLU_LATE) && (*late & WARNED_LATE) && !(*late & WARNED_ON)) {
        char name[PLU_PATH];
        plu_log_write(releases->log, PLU_LOG_INFO,
                      "%s: sphere %d is released at t = %g s; later delays are only counted",
                      queue_name(world->scene, queue, name, sizeof name), body, world->time);
        *late |= WARNED_ON;
    }
    *late &= (unsigned char)~PLU_LATE;
}

static void release_body(struct releases *releases, int queue, int body)
{
    PLU_SPHERES_ARE_BODIES; /* all spheres of the body join the grid */
    plu_world *world = releases->world;
    world->delayed += is_delayed(world, queue, body);
    world->queue_delayed[queue] += is_delayed(world, queue, body);
    world->bodies.state[body] = PLU_ACTIVE;
    world->queue_last[queue] = world->time;
    world->waiting--;
    world->active++;
    world->generation++;
    plu_exact_add(&releases->inserted, plu_energy_sum(plu_body_energy(world, body)));
    if (releases->has_grid)
        plu_near_add(&releases->grid, body);
    if (body == world->queue_head[queue]) {
        go_on(releases, queue, body);
        while (world->queue_head[queue] < world->queue_end[queue] &&
               world->bodies.state[world->queue_head[queue]] != PLU_WAITING)
            world->queue_head[queue]++;
    }
}

/* The inlet that a queue belongs to; -1: none. */
static int inlet_of(const plu_scene *scene, int queue)
{
    int index;
    const bool feeder = plu_queue_is_feeder(scene, queue, &index);
    return feeder && scene->feeders[index].kind == PLU_INLET ? index : -1;
}

/* Where body `body` may be now: an inlet tries another place in each step since it was due. */
static void find_place(const plu_world *world, int queue, int inlet, int body, double sphere[4])
{
    PLU_SPHERES_ARE_BODIES; /* its only sphere is where it is */
    memcpy(sphere, world->spheres.at[body], 4 * sizeof *sphere);
    if (inlet < 0)
        return;
    const double waited =
        (plu_world_due(world) - plu_release_time(world, queue, body)) / world->step;
    plu_inlet_place(world->scene, inlet, body - world->first[world->scene->bodies_count + inlet],
                    (long)waited, sphere);
    int s[3];
    if (world->space.kind == PLU_PERIODIC_SPACE)
        plu_space_wrap(&world->space, sphere, s);
}

static plu_status release_queue(struct releases *releases, int queue)
{
    plu_world *world = releases->world;
    const double now = plu_world_due(world);
    const int inlet = inlet_of(world->scene, queue);
    int blocked = 0;
    for (int b = world->queue_head[queue];
         b < world->queue_end[queue] && plu_release_time(world, queue, b) <= now; b++) {
        if (world->bodies.state[b] != PLU_WAITING)
            continue;
        double sphere[4];
        int obstacle;
        find_place(world, queue, inlet, b, sphere);
        const plu_status status = find_obstacle(releases, sphere, &obstacle);
        if (status != PLU_OK)
            return status;
        if (obstacle == NOTHING) {
            memcpy(world->spheres.at[b], sphere, 3 * sizeof *sphere);
            if (world->space.moves)
                plu_space_flow(&world->space, 0, 1.0, sphere, world->bodies.row[b]);
            release_body(releases, queue, b);
            continue;
        }
        if (b == world->queue_head[queue])
            hold_back(releases, queue, obstacle);
        if (inlet < 0 || ++blocked == BLOCKED_MOST)
            break;
    }
    return PLU_OK;
}

plu_status plu_world_release(plu_world *world, const plu_log *log, double *inserted, plu_error *err)
{
    struct releases releases = {.world = world, .log = log, .err = err};
    plu_status status = PLU_OK;
    for (int q = 0; q < world->queues && status == PLU_OK; q++)
        status = release_queue(&releases, q);
    plu_near_free(&releases.grid);
    *inserted += plu_exact_value(&releases.inserted);
    return status;
}
