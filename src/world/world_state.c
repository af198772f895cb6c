/* The state of a world for checkpoints (base/state.h): positions, velocities, what sleeps, queues
 * of feeders, motions, servos, cell, loads. What the scene makes alike each time (radii, masses,
 * meshes, shapes from outside) is not stored but its hash is: where it differs, the state is
 * refused, since a run would go on with other bodies than it began with.
 *
 *   plu_world_state(w, state)   one list of arrays, for saving and for loading:
 *     "world/made_of"           hash; loading compares it
 *     "world/position" [n][4]   saved from here, or loaded into here
 *     ...
 *     loading: counts are made anew from the states of bodies, and must be possible
 *
 * A name that is written must stay as it is: checkpoints of earlier versions are read by it. */
#include "base/hash.h"
#include "base/state.h"
#include "pluvia/boundary.h"
#include "pluvia/scene.h"
#include "pluvia/tool/mesh.h"
#include "world/loads.h"
#include "world/motion.h"
#include "world/servo.h"
#include <string.h>

/* What a run never changes, made from the scene and the files that it names. */
static long made_of(const plu_world *w)
{
    const size_t count = (size_t)w->bodies.count;
    uint64_t hash = plu_hash(PLU_HASH_START, &w->bodies.count, sizeof w->bodies.count);
    for (size_t i = 0; i < count; i++) {
        hash = plu_hash(hash, &w->bodies.position[i][3], sizeof(double));
        hash = plu_hash(hash, w->bodies.row[i] + 6, 2 * sizeof(double));
    }
    hash = plu_hash(hash, w->spheres.species, count * sizeof *w->spheres.species);
    hash = plu_hash(hash, w->bodies.release, count * sizeof *w->bodies.release);
    hash = plu_hash(hash, w->bodies.queue, count * sizeof *w->bodies.queue);
    hash = plu_hash(hash, w->queue_end, (size_t)w->queues * sizeof *w->queue_end);
    return (long)hash;
}

/* Meshes are files that may change from one run to the next. */
static void meshes_state(const plu_world *w, plu_state *state)
{
    uint64_t hash = PLU_HASH_START;
    int meshes = 0;
    for (int b = 0; b < w->scene->boundaries_count; b++)
        if (w->scene->boundaries[b].mesh) {
            const uint64_t one = plu_mesh_reported(w->scene->boundaries[b].mesh)->hash;
            hash = plu_hash(hash, &one, sizeof one);
            meshes++;
        }
    long same = (long)hash;
    if (meshes > 0)
        plu_state_long(state, "world/meshes", 1, 1, &same);
    if (state->status == PLU_OK && same != (long)hash)
        plu_state_refuse(
            state,
            "the triangles of a mesh differ from those of the run; its file must have changed");
}

/* Shapes from outside are known by name and numbers. */
static void own_shapes_state(const plu_world *w, plu_state *state)
{
    uint64_t hash = PLU_HASH_START;
    for (int b = 0; b < w->scene->boundaries_count; b++) {
        const plu_boundary_spec *spec = &w->scene->boundaries[b];
        if (spec->kind != PLU_OWN_SHAPE)
            continue;
        hash = plu_hash(hash, spec->type, sizeof spec->type);
        hash = plu_hash(hash, spec->numbers, (size_t)spec->numbers_count * sizeof *spec->numbers);
    }
    long same = (long)hash;
    if (w->own_shapes)
        plu_state_long(state, "world/own_shapes", 1, 1, &same);
    if (state->status == PLU_OK && same != (long)hash)
        plu_state_refuse(
            state, "the registered shapes of boundaries, or their numbers, differ from those of "
                   "the run");
}

/* What the state of each body says already. */
static void count_states(plu_world *w, plu_state *state)
{
    w->active = w->waiting = w->removed = w->asleep = w->fixed = w->reserved = 0;
    w->sleeps++;
    for (int i = 0; i < w->bodies.count; i++) {
        if (w->bodies.state[i] != PLU_ACTIVE)
            w->bodies.rest[i] = 0;
        w->asleep += plu_asleep(w, i);
        w->fixed += plu_is_fixed(w, i);
        w->active += w->bodies.state[i] == PLU_ACTIVE;
        w->waiting += w->bodies.state[i] == PLU_WAITING;
        w->reserved += plu_is_reserved(w, i);
        w->removed += w->bodies.state[i] == PLU_REMOVED;
    }
    if (w->active + w->waiting + w->removed != w->bodies.count)
        plu_state_refuse(state, "a body has an unknown state");
    for (int q = 0; q < w->queues; q++)
        if (w->queue_head[q] < 0 || w->queue_head[q] > w->queue_end[q])
            plu_state_refuse(state, "queue %d releases a body of another queue", q + 1);
}

/* Counters of queues and servos that a run continues; those of the run: step/stepper_state.c. */
static void check_counts(const plu_world *w, plu_state *state)
{
    static const long most = 1L << 60;
    bool right = true;
    for (int q = 0; q < w->queues; q++)
        right = right && w->queue_delayed[q] >= 0 && w->queue_delayed[q] < most;
    for (int k = 0; k < w->servos_count; k++)
        right = right && w->servos[k].idle >= 0 && w->servos[k].idle < most;
    if (!right)
        plu_state_refuse(state, "a counter has an impossible value");
}

void plu_world_state(plu_world *w, plu_state *state)
{
    const size_t count = (size_t)w->bodies.count, queues = (size_t)w->queues;
    const long made = made_of(w);
    long same = made;
    plu_state_long(state, "world/made_of", 1, 1, &same);
    if (state->status == PLU_OK && same != made)
        plu_state_refuse(state, "the bodies of the scene differ from those of the run; has a "
                                "file of bodies changed, or the run from which it starts?");
    own_shapes_state(w, state);
    meshes_state(w, state);
    plu_state_real(state, "world/time", 1, 1, &w->time);
    plu_state_long(state, "world/steps", 1, 1, &w->steps);
    plu_state_real(state, "world/gravity", 1, 3, w->gravity);
    plu_state_long(state, "world/delayed", 1, 1, &w->delayed);
    plu_state_real(state, "world/position", count, 4, (double *)w->bodies.position);
    plu_state_real(state, "world/velocity", count, 8, (double *)w->bodies.row);
    plu_state_real(state, "world/orientation", count, 4, (double *)w->bodies.orientation);
    plu_state_byte(state, "world/state", count, 1, w->bodies.state);
    plu_state_byte(state, "world/quiet", count, 1, w->bodies.rest);
    plu_state_int(state, "world/queue_head", queues, 1, w->queue_head);
    plu_state_byte(state, "world/queue_late", queues, 1, w->queue_late);
    plu_state_real(state, "world/queue_last", queues, 1, w->queue_last);
    plu_state_long(state, "world/queue_delayed", queues, 1, w->queue_delayed);
    plu_motions_state(w, state);
    plu_servos_state(w, state);
    if (w->image)
        plu_state_int(state, "world/image", count, 3, (int *)w->image);
    plu_loads_state(w, state);
    if (w->space.moves) {
        plu_state_real(state, "world/cell_edges", 3, 3, (double *)w->space.edge);
        plu_state_real(state, "world/cell_rates", 3, 3, (double *)w->space.rate[1]);
        plu_state_real(state, "world/cell_driven", 3, 3, (double *)w->space.driven[1]);
        if (state->loading)
            plu_space_renew(&w->space);
    }
    if (state->loading && state->status == PLU_OK && made_of(w) != made)
        plu_state_refuse(state, "the size or mass of a body differs from the scene");
    if (state->loading && state->status == PLU_OK) {
        plu_world_reach(w);
        count_states(w, state);
        check_counts(w, state);
    }
    w->generation += state->loading; /* no list of neighbors that was made before holds */
}

static void set_queues(plu_world *w)
{
    for (int q = w->queues - 1; q >= 0; q--) {
        const int begin = q == 0 ? 0 : w->queue_end[q - 1];
        int first = begin;
        while (first < w->queue_end[q] &&
               !(w->bodies.queue[first] == q && w->bodies.state[first] == PLU_WAITING))
            first++;
        w->queue_head[q] = first;
    }
}

plu_status plu_world_set(plu_world *w, double time, long steps, const double (*position)[3],
                         const double (*velocity)[3], const double (*angular_velocity)[3],
                         const double (*orientation)[4], const unsigned char *state, plu_error *err)
{
    PLU_SPHERES_ARE_BODIES; /* a sphere is where its body is */
    plu_state checked = {.source = "bodies", .err = err};
    w->time = time;
    w->steps = steps;
    memcpy(w->bodies.state, state, (size_t)w->bodies.count);
    for (int i = 0; i < w->bodies.count; i++) {
        w->bodies.rest[i] = plu_is_fixed(w, i) ? PLU_FIXED : 0;
        if (state[i] == PLU_WAITING)
            continue;
        memcpy(w->bodies.position[i], position[i], sizeof position[i]);
        memcpy(w->bodies.row[i], velocity[i], sizeof velocity[i]);
        memcpy(w->bodies.row[i] + 3, angular_velocity[i], sizeof angular_velocity[i]);
        if (orientation)
            memcpy(w->bodies.orientation[i], orientation[i], sizeof orientation[i]);
    }
    plu_motions_seek(w, steps);
    set_queues(w);
    count_states(w, &checked);
    w->generation++;
    return checked.status;
}
