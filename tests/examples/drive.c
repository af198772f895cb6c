/* Moves a boundary and turns gravity over by calls: a sphere that cannot roll lies on a plate,
 * which accelerates more and more until the sphere slips. Then gravity points upward. Prints the
 * acceleration of the plate at the slip, the limit of friction, and how far the sphere rises. */
#include <math.h>
#include <pluvia/control.h>
#include <pluvia/scene.h>
#include <stdio.h>

static const char text[] =
    "time: { step = 1e-3; end = 10; };  gravity = [0, 0, -10.0];"
    "materials = ( { name = \"a\"; density = 2500.0; } );"
    "contacts = ( { between = [\"a\", \"a\"]; friction = 0.2; rolling_friction = 1; } );"
    "boundaries = ( { name = \"plate\"; plane: {}; motion: {}; material = \"a\"; } );"
    "bodies = ( { position = [0, 0, 0.1]; radius = 0.1; material = \"a\"; } );";

/* Before each step: an acceleration of 1 m/s^3 t, until the time at the end of the step. */
static plu_status push(void *user, plu_stepper *stepper, const plu_step_info *info, plu_error *err)
{
    const double t = plu_world_time(plu_stepper_world(stepper)) + 1e-3;
    const plu_drive drive = {.velocity = {0.5 * t * t, 0, 0}};
    (void)info;
    return plu_stepper_drive_boundary(stepper, *(int *)user, &drive, err);
}

int main(void)
{
    const double up[3] = {0, 0, 10};
    plu_error err = {0};
    plu_scene scene = {0};
    plu_world *world = NULL;
    plu_stepper *stepper = NULL;
    plu_step_info info;
    if (plu_scene_read_text(&scene, "text", text, NULL, 0, &err) ||
        plu_world_create(&world, &scene, &err) ||
        plu_stepper_create(&stepper, world, &scene, NULL, &err))
        return fprintf(stderr, "%s\n", err.text), 1;
    int plate = plu_scene_boundary(&scene, "plate");
    double t = 0, slip = 0;
    plu_stepper_set_calls(stepper, push, NULL, &plate);
    for (; slip < 1e-5 && !plu_step(stepper, &info, &err); t = plu_world_time(world))
        slip = 0.5 * pow(plu_world_time(world), 2) - plu_world_bodies(world).velocity[0][0];
    printf("%.3f m/s^2, %g m/s^2\n", t, 0.2 * 10);
    plu_stepper_set_gravity(stepper, up, &err);
    while (plu_world_time(world) < t + 0.0995 && !plu_step(stepper, &info, &err))
        continue;
    printf("%.4f m\n%s", plu_world_bodies(world).position[0][2] - 0.1, err.text);
    plu_stepper_destroy(stepper), plu_world_destroy(world), plu_scene_free(&scene);
    return 0;
}
