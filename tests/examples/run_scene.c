/* Runs a scene to its end and prints where its first sphere is: time, position, velocity, spin.
 *
 *   cc run_scene.c $(pkg-config --cflags --libs pluvia) -o run_scene
 *   ./run_scene scenes/rolling/sliding.cfg */
#include <pluvia/scene.h>
#include <pluvia/step.h>
#include <stdio.h>

static int report(const plu_error *err)
{
    fprintf(stderr, "%s\n", err->text);
    return (int)err->status;
}

static plu_status run(const plu_scene *scene, plu_world *world, plu_stepper *stepper,
                      plu_error *err)
{
    plu_status status = PLU_OK;
    while (status == PLU_OK && plu_world_time(world) < scene->end - 0.5 * scene->step) {
        plu_step_info info;
        status = plu_step(stepper, &info, err);
    }
    return status;
}

int main(int argc, char **argv)
{
    plu_error err = {0};
    plu_scene scene = {0};
    plu_world *world = NULL;
    plu_stepper *stepper = NULL;
    if (argc != 2) {
        fprintf(stderr, "usage: run_scene SCENE.cfg\n");
        return PLU_USAGE;
    }
    plu_status status = plu_scene_read(&scene, argv[1], NULL, 0, &err);
    if (status == PLU_OK)
        status = plu_world_create(&world, &scene, &err);
    if (status == PLU_OK)
        status = plu_stepper_create(&stepper, world, &scene, NULL, &err);
    if (status == PLU_OK)
        status = run(&scene, world, stepper, &err);
    if (status == PLU_OK) {
        const plu_bodies_view bodies = plu_world_bodies(world);
        const double *x = bodies.position[0], *v = bodies.velocity[0];
        printf("%g  %.6f %.6f %.6f  %.6f %.6f %.6f  %.6f %.6f %.6f\n", plu_world_time(world), x[0],
               x[1], x[2], v[0], v[1], v[2], v[3], v[4], v[5]);
    }
    plu_stepper_destroy(stepper);
    plu_world_destroy(world);
    plu_scene_free(&scene);
    return status == PLU_OK ? 0 : report(&err);
}
