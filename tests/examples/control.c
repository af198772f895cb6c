/* Acts on a run from a call before each step: a sphere of 1 kg is pulled along the ground by a
 * force that grows by 1 N/s, until it slides. Prints the time, and the limit of friction. */
#include <math.h>
#include <pluvia/control.h>
#include <pluvia/scene.h>
#include <stdio.h>

static const char text[] =
    "time: { step = 1e-3; end = 10; };  gravity = [0, 0, -10.0];"
    "materials = ( { name = \"a\"; density = 238.73241463784300; } );" /* 1 kg */
    "contacts = ( { between = [\"a\", \"a\"]; friction = 0.2; rolling_friction = 1; } );"
    "boundaries = ( { plane: { center = [0, 0, 0]; normal = [0, 0, 1]; }; material = \"a\"; } );"
    "bodies = ( { position = [0, 0, 0.1]; radius = 0.1; material = \"a\"; } );";

static plu_status pull(void *user, plu_stepper *stepper, const plu_step_info *info, plu_error *err)
{
    const double force[3] = {plu_world_time(plu_stepper_world(stepper)), 0, 0};
    (void)user, (void)info;
    return plu_stepper_set_load(stepper, 0, force, NULL, err);
}

/* After each step: notes when the sphere has begun to move. */
static plu_status watch(void *user, plu_stepper *stepper, const plu_step_info *info, plu_error *err)
{
    double *const time = user;
    const plu_world *world = plu_stepper_world(stepper);
    (void)info, (void)err;
    if (*time == 0.0 && fabs(plu_world_bodies(world).velocity[0][0]) > 1e-5)
        *time = plu_world_time(world);
    return PLU_OK;
}

int main(void)
{
    plu_error err = {0};
    plu_scene scene = {0};
    plu_world *world = NULL;
    plu_stepper *stepper = NULL;
    plu_step_info info;
    double time = 0.0;
    if (plu_scene_read_text(&scene, "text", text, NULL, 0, &err) ||
        plu_world_create(&world, &scene, &err) ||
        plu_stepper_create(&stepper, world, &scene, NULL, &err))
        return fprintf(stderr, "%s\n", err.text), 1;
    plu_stepper_set_calls(stepper, pull, watch, &time);
    while (time == 0.0 && plu_world_time(world) < scene.end)
        if (plu_step(stepper, &info, &err) != PLU_OK)
            return fprintf(stderr, "%s\n", err.text), 1;
    printf("%.3f s, %g N\n", time, 0.2 * 1.0 * 10.0);
    const double up[3] = {0, 0, 5};
    plu_stepper_set_velocity(stepper, 0, up, NULL, &err);
    while (plu_world_bodies(world).velocity[0][2] > 0.0 && !plu_step(stepper, &info, &err))
        continue;
    printf("%.3f m\n", plu_world_bodies(world).position[0][2] - 0.1);
    plu_stepper_destroy(stepper), plu_world_destroy(world), plu_scene_free(&scene);
    return 0;
}
