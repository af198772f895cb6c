/* A world from a scene, in stages that need what those before have made (build.h):
 *
 *     gradings -> tables of spheres -> boundary parts and their motions -> how many spheres
 *        -> laws of pairs -> arrays -> cell -> spheres, entry by entry -> which of them are fixed,
 *        and move as groups -> reach of contacts -> servos -> checks (cell, overlaps, shapes)
 *
 * Files and numbers are checked before memory for spheres is taken. A stage that fails ends it. A
 * trajectory or a checkpoint knows its spheres (plu_known_bodies): then nothing is placed or
 * checked for overlaps again. */
#include "base/memory.h"
#include "fill/build.h"
#include "fill/inlet.h"
#include "pluvia/body.h"
#include "pluvia/feeder.h"
#include "pluvia/material.h"
#include "pluvia/writing.h"
#include "world/loads.h"
#include "world/motion.h"
#include "world/servo.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* As many spheres as the side of a contact can name (pluvia/side.h). */
enum { BODIES_MAX = PLU_SIDE_SPHERES - 1 };

static double bodies_of_entry(const plu_build *build, int entry);

/* Of all entries that are not counted by the known bodies. */
static double bodies_of_others(const plu_build *build)
{
    double count = 0.0;
    for (int e = 0; e < build->entries; e++)
        if (!plu_build_counts_known(build, e))
            count += bodies_of_entry(build, e);
    return count;
}

static double bodies_of_entry(const plu_build *build, int entry)
{
    const plu_scene *scene = build->scene;
    if (entry >= scene->bodies_count)
        return plu_feeder_count(&scene->feeders[entry - scene->bodies_count],
                                &build->gradings[entry]);
    const plu_body_spec *spec = &scene->bodies[entry];
    if (plu_build_counts_known(build, entry))
        return plu_build_known_count(build, entry, bodies_of_others(build));
    switch (spec->kind) {
    case PLU_LATTICE:
        return (double)spec->counts[0] * spec->counts[1] * spec->counts[2];
    case PLU_PACKING:
        return spec->has_fill ? plu_packing_count(spec, &build->gradings[entry]) : spec->count;
    case PLU_RESERVE:
        return spec->count;
    case PLU_FILE:
        return build->tables[entry].count;
    case PLU_FROM_RUN:
        return build->start->entry[entry].count;
    case PLU_SPHERE:
        break;
    }
    return 1.0;
}

static plu_status count_bodies(plu_build *build)
{
    double count = 0.0;
    for (int e = 0; e < build->entries; e++) {
        count += bodies_of_entry(build, e);
        if (!(count <= BODIES_MAX)) {
            char where[PLU_PATH + 32];
            plu_scene_where(build->scene, plu_build_entry_where(build, e), where, sizeof where);
            return plu_error_add(build->err, PLU_BAD_INPUT,
                                 "%s: the scene has %.0f spheres up to here; %d are possible",
                                 where, count, BODIES_MAX);
        }
        build->first[e + 1] = (int)count;
        build->gradings[e].count = (uint64_t)(build->first[e + 1] - build->first[e]);
    }
    build->world->bodies.count = (int)count;
    return PLU_OK;
}

static plu_status allocate(plu_build *build)
{
    plu_world *world = build->world;
    plu_error *err = build->err;
    for (int e = 0; e < build->scene->bodies_count; e++)
        world->queues += build->scene->bodies[e].kind == PLU_FILE;
    world->queues += build->scene->feeders_count;
    const size_t queues = (size_t)world->queues;
    if (plu_grains_create(&world->bodies, &world->spheres, build->first[build->entries], err) !=
        PLU_OK)
        return PLU_IO;
    const bool ok = (world->queue_head = plu_alloc(queues, sizeof *world->queue_head, err)) &&
                    (world->queue_end = plu_alloc(queues, sizeof *world->queue_end, err)) &&
                    (world->queue_late = plu_alloc(queues, sizeof *world->queue_late, err)) &&
                    (world->queue_last = plu_alloc(queues, sizeof *world->queue_last, err)) &&
                    (world->queue_delayed = plu_alloc(queues, sizeof *world->queue_delayed, err));
    return ok ? PLU_OK : PLU_IO;
}

/* Queue `queue` is the waiting bodies of `entry`, which are its last ones. */
static void open_queue(const plu_build *build, int entry, int queue)
{
    plu_world *world = build->world;
    int head = build->first[entry];
    const int end = build->first[entry + 1];
    while (head < end && world->bodies.state[head] != PLU_WAITING)
        head++;
    world->queue_head[queue] = head;
    world->queue_end[queue] = end;
}

static plu_status place_bodies(plu_build *build)
{
    const plu_scene *scene = build->scene;
    plu_status status = PLU_OK;
    int queue = 0;
    for (int e = 0; e < build->entries; e++) {
        const bool feeder = e >= scene->bodies_count;
        if (feeder && scene->feeders[e - scene->bodies_count].kind == PLU_INLET) {
            plu_build_inlet(build, e, queue);
        } else if (feeder) {
            plu_build_feeder(build, e, queue);
        } else if (scene->bodies[e].kind == PLU_RESERVE) {
            plu_build_reserve(build, e);
        } else if (plu_build_knows(build, e)) {
            plu_build_known(build, e, queue);
        } else if (scene->bodies[e].kind == PLU_FROM_RUN) {
            plu_build_run(build, e);
        } else if (scene->bodies[e].kind == PLU_FILE) {
            plu_build_file(build, e, queue);
        } else if (scene->bodies[e].kind == PLU_PACKING) {
            const plu_status packed = plu_build_packing(build, e);
            status = status == PLU_OK ? packed : status;
        } else {
            plu_build_lattice(build, e);
        }
        if (feeder || scene->bodies[e].kind == PLU_FILE)
            open_queue(build, e, queue++);
    }
    return status;
}

/* A mass or a moment of inertia that is no number would spoil energies, and then velocities. */
static plu_status check_masses(const plu_build *build)
{
    for (int e = 0; e < build->entries; e++)
        for (int b = build->first[e]; b < build->first[e + 1]; b++) {
            const double *inverse = build->world->bodies.row[b] + 6;
            if (isnormal(inverse[0]) && isnormal(inverse[1]))
                continue;
            char where[PLU_PATH + 32];
            plu_scene_where(build->scene, plu_build_entry_where(build, e), where, sizeof where);
            return plu_error_add(
                build->err, PLU_BAD_INPUT,
                "%s: a sphere of radius %g m and density %g kg/m^3 has a mass that is too small or "
                "too large for a number; give both in SI units",
                where, build->world->bodies.position[b][3],
                build->scene->materials[build->world->spheres.species[b]].density);
        }
    return PLU_OK;
}

/* Rounding that would change what is seen is a mistake in the scene. It is found here, where radii
 * are known, so that a check finds it as a run does. */
static plu_status check_rounding(const plu_build *build)
{
    static const double most = 0.01;
    const double error = build->scene->output->position_error, radius = build->world->smallest;
    if (!(error > most * radius))
        return PLU_OK;
    char where[PLU_PATH + 32];
    plu_scene_where(build->scene, build->scene->output->position_error_where, where, sizeof where);
    return plu_fail(build->err, PLU_BAD_INPUT,
                    "%s: output.position_error = %g m is more than %g %% of the smallest radius, "
                    "%g m; set it to at most %g m",
                    where, error, 100.0 * most, radius, most * radius);
}

static plu_status build_gradings(plu_build *build)
{
    plu_status status = PLU_OK;
    for (int e = 0; e < build->entries && status == PLU_OK; e++)
        status = plu_grading_make(&build->gradings[e], build->scene, e, build->err);
    return status;
}

static plu_status build_world(plu_build *build)
{
    plu_status status = build_gradings(build);
    if (status != PLU_OK)
        return status;
    const bool files = !build->known || build->reads_files;
    const plu_status tables = files ? plu_build_tables(build) : PLU_OK;
    const plu_status parts = plu_build_parts(build);
    status = tables != PLU_OK ? tables : parts;
    if (status == PLU_OK)
        status = plu_build_check_runs(build);
    if (status == PLU_OK) /* numbers of bodies before arrays, laws before anything is placed */
        status = count_bodies(build);
    if (status == PLU_OK && build->known)
        status = plu_build_check_known(build);
    if (status == PLU_OK)
        status = plu_build_laws(build);
    if (status == PLU_OK)
        status = allocate(build);
    if (status == PLU_OK)
        status = plu_build_cell(build);
    if (status == PLU_OK)
        status = place_bodies(build);
    if (status == PLU_OK)
        status = plu_build_fixed(build);
    if (status == PLU_OK)
        status = plu_build_check_fixed_cell(build);
    if (status == PLU_OK)
        status = plu_build_groups(build);
    if (status == PLU_OK && !build->known) /* a state that is known has these velocities */
        plu_build_flow(build);
    if (status == PLU_OK) { /* from here on what looks at all bodies */
        plu_world_reach(build->world);
        status = check_masses(build);
    }
    if (status == PLU_OK)
        status = check_rounding(build);
    if (status == PLU_OK)
        status = plu_build_servos(build);
    if (status == PLU_OK)
        status = plu_build_check_cell(build);
    if (status == PLU_OK && !build->scene->allow_overlap && !build->known)
        status = plu_build_check_overlaps(build);
    if (status == PLU_OK)
        status = plu_world_shapes_fault(build->world, build->err);
    return status;
}

/* Whether the scene takes bodies from files, or from other runs. */
static bool takes(const plu_scene *scene, bool files)
{
    bool any = false;
    for (int e = 0; e < scene->bodies_count; e++)
        any |=
            scene->bodies[e].kind == PLU_FROM_RUN || (files && scene->bodies[e].kind == PLU_FILE);
    return any;
}

static plu_status create(plu_world **world, plu_build *build)
{
    const plu_scene *scene = build->scene;
    *world = NULL;
    if (build->err)
        *build->err = (plu_error){0};
    const size_t entries = (size_t)scene->bodies_count + (size_t)scene->feeders_count;
    build->entries = (int)entries;
    if (!takes(scene, !build->reads_files))
        build->known = NULL;
    plu_status status = PLU_IO;
    if ((build->world = plu_alloc(1, sizeof *build->world, build->err)) &&
        (build->tables =
             plu_alloc((size_t)scene->bodies_count, sizeof *build->tables, build->err)) &&
        (build->gradings = plu_alloc(entries, sizeof *build->gradings, build->err)) &&
        (build->first = plu_alloc(entries + 1, sizeof *build->first, build->err))) {
        build->world->scene = scene;
        build->world->step = scene->step;
        memcpy(build->world->gravity, scene->gravity, sizeof scene->gravity);
        build->world->first = build->first;
        status = build_world(build);
    }
    for (int e = 0; build->tables && e < scene->bodies_count; e++)
        free(build->tables[e].rows);
    for (size_t e = 0; build->gradings && e < entries; e++)
        plu_grading_free(&build->gradings[e]);
    free(build->tables);
    free(build->gradings);
    if (status == PLU_OK)
        *world = build->world;
    else
        plu_world_destroy(build->world);
    return status;
}

plu_status plu_world_create(plu_world **world, const plu_scene *scene, plu_error *err)
{
    return create(world, &(plu_build){.scene = scene, .err = err});
}

plu_status plu_world_create_from(plu_world **world, const plu_scene *scene, const plu_start *start,
                                 plu_error *err)
{
    return create(world, &(plu_build){.scene = scene, .start = start, .err = err});
}

plu_status plu_world_create_known(plu_world **world, const plu_scene *scene,
                                  const plu_known_bodies *known, plu_error *err)
{
    return create(world, &(plu_build){.scene = scene, .known = known, .err = err});
}

plu_status plu_world_create_again(plu_world **world, const plu_scene *scene,
                                  const plu_known_bodies *known, plu_error *err)
{
    return create(world,
                  &(plu_build){.scene = scene, .known = known, .reads_files = true, .err = err});
}

void plu_world_destroy(plu_world *world)
{
    if (!world)
        return;
    plu_grains_free(&world->bodies, &world->spheres);
    free(world->image);
    free(world->wrapped);
    free(world->queue_head);
    free(world->queue_end);
    free(world->queue_late);
    free(world->queue_last);
    free(world->queue_delayed);
    free(world->parts);
    plu_motions_free(world);
    plu_loads_free(world);
    plu_servos_free(world);
    plu_part_tree_free(&world->tree);
    free(world->laws);
    free(world->first);
    free(world);
}
