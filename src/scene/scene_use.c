/* What is done with a scene that has been read: places for messages, its files, its stages, the
 * end.
 *
 * A scene with stages holds one whole scene for each (stages[k].scene). To enter a stage is to
 * copy what a stage can change (gravity, cell, laws, motions, servos, output.interval, steps),
 * nothing else:
 *
 *   stage     0 "fill"        1 "press"             motions that stage 1 gives start at t(1) +
 * start; time      0 ------- t(1) ------------           those that it does not mention go on with
 * the beginning of the stage that gave them (`since`) */
#include "base/memory.h"
#include "pluvia/body.h"
#include "pluvia/boundary.h"
#include "pluvia/cell.h"
#include "pluvia/feeder.h"
#include "pluvia/material.h"
#include "pluvia/solving.h"
#include "pluvia/stage.h"
#include "pluvia/tool/keys.h"
#include "pluvia/tool/mesh.h"
#include "pluvia/writing.h"
#include "scene/reader.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Beginning and end of a scene --- */

bool plu_scene_sections(plu_scene *scene)
{
    scene->cell = plu_alloc(1, sizeof *scene->cell, NULL);
    scene->solver = plu_alloc(1, sizeof *scene->solver, NULL);
    scene->limits = plu_alloc(1, sizeof *scene->limits, NULL);
    scene->output = plu_alloc(1, sizeof *scene->output, NULL);
    return scene->cell && scene->solver && scene->limits && scene->output;
}

/* The scenes of stages have no stages themselves. */
static void free_stages(plu_scene *scene)
{
    for (int k = 0; scene->stages && k < scene->stages_count; k++) {
        if (scene->stages[k].scene)
            plu_scene_free(scene->stages[k].scene);
        free(scene->stages[k].scene);
    }
    free(scene->stages);
}

void plu_scene_free(plu_scene *scene)
{
    free(scene->cell);
    free(scene->solver);
    free(scene->limits);
    free(scene->output);
    free(scene->materials);
    free(scene->laws);
    for (int b = 0; b < scene->boundaries_count; b++) {
        plu_mesh_free(scene->boundaries[b].mesh);
        free(scene->boundaries[b].own);
    }
    free(scene->boundaries);
    for (int i = 0; scene->bodies && i < scene->bodies_count; i++)
        free(scene->bodies[i].mixture);
    for (int i = 0; scene->feeders && i < scene->feeders_count; i++)
        free(scene->feeders[i].mixture);
    free(scene->bodies);
    free(scene->feeders);
    free(scene->sensors);
    free_stages(scene);
    free(scene->text);
    free(scene->resolved);
    free(scene->files);
    for (int i = 0; i < scene->overrides_count; i++)
        free(scene->overrides[i]);
    free(scene->overrides);
    memset(scene, 0, sizeof *scene);
}

/* --- Where something stands in the files of a scene, for messages --- */

const char *plu_scene_where(const plu_scene *scene, plu_where where, char *buffer, size_t size)
{
    if (where.file >= 0 && where.file < scene->files_count)
        snprintf(buffer, size, "%s:%d", scene->files[where.file], where.line);
    else if (where.file == -1 && where.line >= 0 && where.line < scene->overrides_count)
        snprintf(buffer, size, "-s %s", scene->overrides[where.line]);
    else
        snprintf(buffer, size, "%s", scene->path);
    return buffer;
}

/* Scene files first, then what they name: tables of spheres, runs, meshes, tables of motions. */
const char *plu_scene_input(const plu_scene *scene, int k)
{
    if (k < scene->files_count)
        return scene->files[k];
    int left = k - scene->files_count;
    for (int b = 0; b < scene->bodies_count; b++)
        if (scene->bodies[b].path[0] && left-- == 0)
            return scene->bodies[b].path;
    for (int b = 0; b < scene->boundaries_count; b++) {
        const plu_boundary_spec *spec = &scene->boundaries[b];
        const char *const named[] = {spec->kind == PLU_MESH ? spec->file : "", spec->motion.table,
                                     spec->servo.table};
        for (size_t n = 0; n < sizeof named / sizeof *named; n++)
            if (named[n][0] && left-- == 0)
                return named[n];
    }
    for (int s = 0; s < scene->stages_count; s++)
        for (int b = 0; b < scene->boundaries_count; b++) {
            const plu_boundary_spec *spec = &scene->stages[s].scene->boundaries[b];
            const char *const named[] = {spec->motion.table, spec->servo.table};
            for (size_t n = 0; n < sizeof named / sizeof *named; n++)
                if (spec->since == s && named[n][0] && left-- == 0)
                    return named[n];
        }
    return NULL;
}

/* --- From one stage of a scene to another --- */

/* Times count from the beginning of the stage that gave them. */
static void delay(plu_boundary_spec *b, double begun)
{
    double *const starts[] = {&b->motion.start, &b->servo.start};
    double *const ends[] = {&b->motion.stop, &b->servo.stop, &b->until};
    for (size_t k = 0; k < sizeof starts / sizeof *starts; k++)
        *starts[k] += begun;
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
        if (*ends[k] > 0.0)
            *ends[k] += begun;
}

static void enter_boundary(plu_boundary_spec *b, const plu_boundary_spec *from, const double *begun)
{
    b->moves = from->moves;
    b->motion = from->motion;
    b->has_servo = from->has_servo;
    b->servo = from->servo;
    b->until = from->until;
    b->absent = from->absent;
    b->added = from->added;
    b->since = from->since;
    b->entry = from->entry;
    if (b->since >= 0)
        delay(b, begun[b->since]);
}

static void enter_cell(plu_cell_spec *cell, const plu_cell_spec *from)
{
    cell->shear_rate = from->shear_rate;
    memcpy(cell->strain_rate, from->strain_rate, sizeof cell->strain_rate);
    memcpy(cell->stress, from->stress, sizeof cell->stress);
    cell->mass = from->mass;
}

void plu_scene_enter(plu_scene *scene, int stage, const double *begun)
{
    const plu_scene *from = scene->stages[stage].scene;
    scene->stage = stage;
    memcpy(scene->gravity, from->gravity, sizeof scene->gravity);
    scene->until_rest = scene->stages[stage].rest;
    scene->output->interval = from->output->interval;
    scene->chooses = from->chooses;
    scene->coarsest = from->coarsest;
    scene->finest = from->finest;
    enter_cell(scene->cell, from->cell);
    for (int l = 0; l < scene->laws_count; l++)
        scene->laws[l] = from->laws[l];
    for (int b = 0; b < scene->boundaries_count; b++)
        enter_boundary(&scene->boundaries[b], &from->boundaries[b], begun);
    for (int f = 0; f < scene->feeders_count; f++) {
        plu_feeder_spec *feeder = &scene->feeders[f];
        if (*feeder->stage_name)
            feeder->begun = stage >= feeder->stage ? begun[feeder->stage] : HUGE_VAL;
    }
}

int plu_scene_stage(const plu_scene *scene, const char *name)
{
    for (int k = 0; k < scene->stages_count; k++)
        if (strcmp(scene->stages[k].name, name) == 0)
            return k;
    char *end;
    const long k = strtol(name, &end, 10);
    return *name && !*end && k >= 0 && k < scene->stages_count ? (int)k : -1;
}
