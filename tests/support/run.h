/* run.h: runs of scenes written as text, through the same reader that users have. */
#ifndef SUPPORT_RUN_H
#define SUPPORT_RUN_H

#include "near.h"
#include "pluvia/scene.h"
#include "pluvia/step.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct run {
    plu_scene scene;
    plu_world *world;
    plu_stepper *stepper;
    plu_step_info info; /* of the last step */
    plu_error err;
} run;

static inline void run_check(run *r, plu_status status)
{
    if (status != PLU_OK) {
        fprintf(stderr, "%s\n", r->err.text);
        fail();
    }
}

/* World and stepper of the scene that was read with this status. */
static inline run *run_begin(run *r, plu_status read)
{
    run_check(r, read);
    run_check(r, plu_world_create(&r->world, &r->scene, &r->err));
    run_check(r, plu_stepper_create(&r->stepper, r->world, &r->scene, NULL, &r->err));
    return r;
}

/* Opens the scene of a file. */
static inline run *run_of_file(const char *path)
{
    run *r = calloc(1, sizeof *r);
    return run_begin(r, plu_scene_read(&r->scene, path, NULL, 0, &r->err));
}

/* Opens the scene that printf would write from `format` and what follows. */
static inline run *run_open(const char *format, ...)
{
    run *r = calloc(1, sizeof *r);
    char path[] = "/tmp/pluvia-test-XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    assert_non_null(file);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(file, format, arguments);
    va_end(arguments);
    fclose(file);
    const plu_status status = plu_scene_read(&r->scene, path, NULL, 0, &r->err);
    unlink(path);
    return run_begin(r, status);
}

static inline void run_step(run *r)
{
    run_check(r, plu_step(r->stepper, &r->info, &r->err));
}

/* Steps until the time is at least t (to rounding). */
static inline void run_to(run *r, double t)
{
    while (plu_world_time(r->world) < t - 0.5 * r->scene.step)
        run_step(r);
}

static inline void run_close(run *r)
{
    plu_stepper_destroy(r->stepper);
    plu_world_destroy(r->world);
    plu_scene_free(&r->scene);
    free(r);
}

static inline const double *run_position(const run *r, int body)
{
    return plu_world_bodies(r->world).position[body];
}

static inline const double *run_velocity(const run *r, int body)
{
    return plu_world_bodies(r->world).velocity[body];
}

/* Whether the velocities of four bodies are those of the first run of several, up to what solvers
 * leave: `first` says that this is it, and sets the reference. */
static inline void run_agrees(const run *r, bool first, double reference[6])
{
    for (int k = 0; k < 6; k++) {
        double found = 0.0;
        for (int b = 0; b < 4; b++)
            found += (b + 1) * run_velocity(r, b)[k];
        if (first)
            reference[k] = found;
        assert_near(found, reference[k], k < 3 ? 1e-5 : 1e-3);
    }
}

static inline double run_energy(const run *r)
{
    const plu_energy e = plu_world_energy(r->world);
    return e.translation + e.rotation + e.potential;
}

/* Materials "grain" and "plate" with one law for all pairs; used by most scenes of the tests. */
#define RUN_MATERIALS(density, friction, rolling, restitution)                                     \
    "materials = ( { name = \"grain\"; density = " density "; }, { name = \"plate\"; } );\n"       \
    "contacts = ( { between = [\"grain\", \"grain\"]; friction = " friction                        \
    "; rolling_friction = " rolling "; restitution = " restitution "; },\n"                        \
    "  { between = [\"grain\", \"plate\"]; friction = " friction "; rolling_friction = " rolling   \
    "; restitution = " restitution "; } );\n"

#define RUN_PLANE                                                                                  \
    "boundaries = ( { plane: { center = [0, 0, 0]; normal = [0, 0, 1]; }; material = \"plate\"; "  \
    "} );\n"

#endif
