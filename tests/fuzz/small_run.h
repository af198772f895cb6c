/* small_run.h: a scene that has a little of all, as a stepper. */
#ifndef FUZZ_SMALL_RUN_H
#define FUZZ_SMALL_RUN_H

#include "pluvia/scene.h"
#include "pluvia/step.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char small_scene[] =
    "time: { step = 1e-3; end = 0.02; };\n"
    "materials = ( { name = \"m\"; density = 1300.0; } );\n"
    "contacts = ( { between = [\"m\", \"m\"]; friction = 0.3; rolling_friction = 1e-3; } );\n"
    "boundaries = ( { plate: { size = [1, 1]; }; material = \"m\"; } );\n"
    "bodies = ( { position = [0, 0, 0.01]; material = \"m\"; radius = 0.01; },\n"
    "           { position = [0.015, 0, 0.0235]; material = \"m\"; radius = 0.01; } );\n"
    "feeders = ( { pluviation: { count = 3; interval = 0.006; height = 0.1;\n"
    "                            footprint: { square = 0.02; }; };\n"
    "              material = \"m\"; radius = [0.005, 0.01]; } );\n"
    "domain: { box = [[-1, -1, -1], [1, 1, 1]]; };\n"
    "output: { contacts = true;\n"
    "          quantities = [\"position\", \"velocity\", \"angular_velocity\", \"orientation\",\n"
    "                        \"force\"]; };\n";

typedef struct small_run {
    plu_scene scene;
    plu_world *world;
    plu_stepper *stepper;
} small_run;

/* Reads the scene; world and stepper come with small_run_begin. */
static inline void small_run_read(small_run *run)
{
    char path[] = "/tmp/pluvia-fuzz-XXXXXX";
    const int file = mkstemp(path);
    const ssize_t size = (ssize_t)sizeof small_scene - 1;
    if (file < 0 || write(file, small_scene, sizeof small_scene - 1) != size)
        abort();
    close(file);
    if (plu_scene_read(&run->scene, path, NULL, 0, NULL) != PLU_OK)
        abort();
    unlink(path);
}

static inline void small_run_begin(small_run *run)
{
    if (plu_world_create(&run->world, &run->scene, NULL) != PLU_OK ||
        plu_stepper_create(&run->stepper, run->world, &run->scene, NULL, NULL) != PLU_OK)
        abort();
}

static inline void small_run_end(small_run *run)
{
    plu_stepper_destroy(run->stepper);
    plu_world_destroy(run->world);
}

#endif
