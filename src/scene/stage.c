/* From one stage of a scene to another. */
#include "pluvia/scene.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    scene->output.interval = from->output.interval;
    enter_cell(&scene->cell, &from->cell);
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
