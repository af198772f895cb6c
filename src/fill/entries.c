/* The bodies of entries of a scene: in the arrays, from files, from other runs. Each entry has
 * consecutive numbers, first[entry] up to first[entry + 1]:
 *
 *     | bodies[0] | bodies[1] | ... | feeders[0] | ... |     active, or waiting in a queue
 *
 * Spheres of radius r have m = 4/3 pi r^3 rho and I = 2/5 m r^2; rows hold 1/m and 1/I. Those of a
 * file that are there from the start come first, then the others by the time at which they are
 * released. */
#include "base/vec3.h"
#include "fill/build.h"
#include "pluvia/body.h"
#include "pluvia/feeder.h"
#include "pluvia/material.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The entries of a scene that have bodies: where one was written, and a body of it in the arrays.
 */

void plu_build_put(const plu_build *build, int index, const plu_new_body *body)
{
    PLU_SPHERES_ARE_BODIES; /* its mass is that of a sphere */
    plu_world *world = build->world;
    const double r = body->radius;
    const double density = build->scene->materials[body->material].density;
    const double mass = 4.0 / 3.0 * PLU_PI * r * r * r * density;
    int s[3];
    memcpy(world->bodies.position[index], body->position, sizeof body->position);
    if (world->space.kind == PLU_PERIODIC_SPACE)
        plu_space_wrap(&world->space, world->bodies.position[index], s);
    world->bodies.position[index][3] = r;
    double *velocity = world->bodies.row[index];
    memcpy(velocity, body->velocity, sizeof body->velocity);
    memcpy(velocity + 3, body->angular_velocity, sizeof body->angular_velocity);
    velocity[6] = 1.0 / mass;
    velocity[7] = 1.0 / (0.4 * mass * r * r);
    world->bodies.orientation[index][0] = 1.0;
    world->spheres.species[index] = body->material;
    world->bodies.release[index] = body->release;
    world->bodies.queue[index] = body->queue;
    world->bodies.state[index] = body->queue < 0 ? PLU_ACTIVE : PLU_WAITING;
    world->active += body->queue < 0;
    world->waiting += body->queue >= 0;
}

/* Spheres that wait until a call adds them: no queue releases them. */
void plu_build_reserve(plu_build *build, int entry)
{
    plu_world *world = build->world;
    const plu_grading *grading = &build->gradings[entry];
    plu_new_body body = {.queue = -1};
    for (int b = build->first[entry]; b < build->first[entry + 1]; b++) {
        plu_grading_draw(grading, (uint64_t)(b - build->first[entry]), &body.radius,
                         &body.material);
        plu_build_put(build, b, &body);
        world->bodies.state[b] = PLU_WAITING;
        world->active--;
        world->waiting++;
        world->reserved++;
    }
}

plu_where plu_build_entry_where(const plu_build *build, int entry)
{
    const plu_scene *scene = build->scene;
    return entry < scene->bodies_count ? scene->bodies[entry].where
                                       : scene->feeders[entry - scene->bodies_count].where;
}

bool plu_queue_is_feeder(const plu_scene *scene, int queue, int *index)
{
    for (int e = 0; e < scene->bodies_count; e++)
        if (scene->bodies[e].kind == PLU_FILE && queue-- == 0) {
            *index = e;
            return false;
        }
    *index = queue;
    return true;
}

double plu_release_time(const plu_world *world, int queue, int body)
{
    int index;
    const bool feeder = plu_queue_is_feeder(world->scene, queue, &index);
    return world->bodies.release[body] + (feeder ? world->scene->feeders[index].begun : 0.0);
}

int plu_wait_for_stage(const plu_world *world)
{
    int count = 0, index;
    for (int q = 0; q < world->queues; q++)
        if (plu_queue_is_feeder(world->scene, q, &index) &&
            isinf(world->scene->feeders[index].begun))
            count += world->queue_end[q] - world->queue_head[q];
    return count;
}

/* Spheres that are there from the start come first, in the order of the file; then by time. */
static int earlier_first(const void *a, const void *b)
{
    const plu_csv_row *x = a, *y = b;
    const double s = fmax(x->value[PLU_CSV_TIME], 0.0), t = fmax(y->value[PLU_CSV_TIME], 0.0);
    return s != t ? (s > t) - (s < t) : (x->line > y->line) - (x->line < y->line);
}

static void fill_radii(const plu_build *build, int entry)
{
    plu_grading *grading = &build->gradings[entry];
    const plu_csv *csv = &build->tables[entry];
    int material; /* that of the entry: files are no mixtures */
    grading->count = (uint64_t)csv->count;
    for (int k = 0; k < csv->count; k++)
        plu_grading_draw(grading, (uint64_t)k, &csv->rows[k].value[PLU_CSV_RADIUS], &material);
}

plu_status plu_build_tables(plu_build *build)
{
    const plu_scene *scene = build->scene;
    plu_status status = PLU_OK;
    for (int e = 0; e < scene->bodies_count; e++) {
        const plu_body_spec *spec = &scene->bodies[e];
        if (spec->kind != PLU_FILE)
            continue;
        char where[PLU_PATH + 32];
        plu_csv *csv = &build->tables[e];
        const plu_status read =
            plu_csv_read(csv, spec->path, plu_scene_where(scene, spec->where, where, sizeof where),
                         !(spec->radius[0] > 0.0), build->err);
        if (read != PLU_OK) {
            status = status == PLU_OK ? read : status;
            continue;
        }
        if (!csv->has[PLU_CSV_RADIUS])
            fill_radii(build, e);
        qsort(csv->rows, (size_t)csv->count, sizeof *csv->rows, earlier_first);
    }
    return status;
}

void plu_build_file(plu_build *build, int entry, int queue)
{
    const plu_body_spec *spec = &build->scene->bodies[entry];
    const plu_csv *csv = &build->tables[entry];
    for (int k = 0; k < csv->count; k++) {
        const double *value = csv->rows[k].value;
        plu_new_body body = {.radius = value[PLU_CSV_RADIUS],
                             .release = value[PLU_CSV_TIME],
                             .material = spec->material,
                             .queue = value[PLU_CSV_TIME] > 0.0 ? queue : -1};
        memcpy(body.position, &value[PLU_CSV_X], sizeof body.position);
        for (int i = 0; i < 3; i++) {
            const int v = PLU_CSV_VX + i, w = PLU_CSV_WX + i;
            body.velocity[i] = csv->has[v] ? value[v] : spec->velocity[i];
            body.angular_velocity[i] = csv->has[w] ? value[w] : spec->angular_velocity[i];
        }
        plu_build_put(build, build->first[entry] + k, &body);
    }
}

/* --- Spheres of other runs (pluvia/start.h) --- */

/* A world cannot read a trajectory: its maker has to. */
plu_status plu_build_check_runs(const plu_build *build)
{
    const plu_scene *scene = build->scene;
    for (int e = 0; e < scene->bodies_count; e++) {
        const bool read = build->start && e < build->start->entries && build->start->entry[e].read;
        char where[PLU_PATH + 32];
        if (scene->bodies[e].kind == PLU_FROM_RUN && !read && !build->known)
            return plu_error_add(
                build->err, PLU_BAD_INPUT,
                "%s: the run that contains these spheres was not read (plu_start_read)",
                plu_scene_where(scene, scene->bodies[e].where, where, sizeof where));
    }
    return PLU_OK;
}

void plu_build_run(plu_build *build, int entry)
{
    const plu_start_entry *from = &build->start->entry[entry];
    const int first = build->first[entry];
    for (int k = 0; k < from->count; k++) {
        plu_new_body body = {
            .radius = from->position[k][3], .material = from->species[k], .queue = -1};
        memcpy(body.position, from->position[k], sizeof body.position);
        memcpy(body.velocity, from->velocity[k], sizeof body.velocity);
        memcpy(body.angular_velocity, from->velocity[k] + 3, sizeof body.angular_velocity);
        plu_build_put(build, first + k, &body);
        memcpy(build->world->bodies.orientation[first + k], from->orientation[k],
               sizeof from->orientation[k]);
        if (from->image && build->world->image)
            memcpy(build->world->image[first + k], from->image[k], sizeof from->image[k]);
    }
}

/* The bodies of a run at a moment of it, in place of those that its scene takes from files or
 * other runs. */

/* Whether the number of bodies of the entry follows from the known ones alone. */
bool plu_build_counts_known(const plu_build *build, int entry)
{
    if (!build->known || entry >= build->scene->bodies_count)
        return false;
    const plu_body_kind kind = build->scene->bodies[entry].kind;
    return kind == PLU_FROM_RUN || (kind == PLU_FILE && !build->reads_files);
}

/* Whether its bodies are known ones. */
bool plu_build_knows(const plu_build *build, int entry)
{
    return build->known && entry < build->scene->bodies_count &&
           !(build->scene->bodies[entry].kind == PLU_FILE && build->reads_files);
}

/* How the bodies are shared among several entries is not known, nor does it matter: each of them
 * has its numbers by itself. The first such entry gets all. */
int plu_build_known_count(const plu_build *build, int entry, double others)
{
    for (int e = 0; e < entry; e++)
        if (plu_build_counts_known(build, e))
            return 0;
    return build->known->count > others ? build->known->count - (int)others : 0;
}

plu_status plu_build_check_known(const plu_build *build)
{
    const plu_known_bodies *known = build->known;
    if (known->count != build->world->bodies.count)
        return plu_error_add(build->err, PLU_BAD_INPUT,
                             "the scene has %d spheres, but the run has %d",
                             build->world->bodies.count, known->count);
    for (int b = 0; b < known->count; b++)
        if (known->species[b] < 0 || known->species[b] >= build->scene->materials_count)
            return plu_error_add(
                build->err, PLU_BAD_INPUT,
                "sphere %d has the material number %d, but the scene has %d materials", b,
                known->species[b], build->scene->materials_count);
    return PLU_OK;
}

/* When those that wait were due is not known: they stay out. */
void plu_build_known(const plu_build *build, int entry, int queue)
{
    const plu_known_bodies *known = build->known;
    for (int b = build->first[entry]; b < build->first[entry + 1]; b++) {
        const bool waits = known->state[b] == PLU_WAITING;
        plu_new_body body = {.radius = known->radius[b],
                             .release = waits ? DBL_MAX : 0.0,
                             .material = known->species[b],
                             .queue = waits ? queue : -1};
        memcpy(body.position, known->position[b], sizeof body.position);
        if (known->velocity)
            memcpy(body.velocity, known->velocity[b], sizeof body.velocity);
        if (known->angular_velocity)
            memcpy(body.angular_velocity, known->angular_velocity[b], sizeof body.angular_velocity);
        plu_build_put(build, b, &body);
    }
}
