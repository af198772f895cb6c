/* Adds, moves, fixes and removes spheres while a run lasts: one falls on another that is fixed in
 * the air, and on the ground once that is gone; then a drag lets it sink. */
#include <pluvia/control.h>
#include <pluvia/edit.h>
#include <pluvia/scene.h>
#include <stdio.h>

static const char text[] =
    "time: { step = 1e-3; end = 10; };  gravity = [0, 0, -10.0];"
    "materials = ( { name = \"a\"; density = 238.73241463784300; } );" /* 1 kg */
    "contacts = ( { between = [\"a\", \"a\"]; friction = 0.2; } );"
    "boundaries = ( { plane: { center = [0, 0, 0]; normal = [0, 0, 1]; }; material = \"a\"; } );"
    "bodies = ( { reserve: { count = 2; }; radius = 0.1; material = \"a\"; } );";

static plu_status steps(plu_stepper *stepper, int count, plu_error *err)
{
    plu_step_info info;
    plu_status status = PLU_OK;
    for (int k = 0; k < count && status == PLU_OK; k++)
        status = plu_step(stepper, &info, err);
    const double *x = plu_world_bodies(plu_stepper_world(stepper)).position[1];
    printf("%.2f s: z = %.3f m\n", plu_world_time(plu_stepper_world(stepper)), x[2]);
    return status;
}

int main(void)
{
    static const int both[2] = {0, 1}, low = 0, high = 1;
    static const double places[2][3] = {{0, 0, 1}, {0, 0, 1.5}}, up[1][3] = {{0, 0, 5}}, drag = 10;
    plu_error err = {0};
    plu_scene scene = {0};
    plu_world *world = NULL;
    plu_stepper *stepper = NULL;
    if (plu_scene_read_text(&scene, "text", text, NULL, 0, &err) ||
        plu_world_create(&world, &scene, &err) ||
        plu_stepper_create(&stepper, world, &scene, NULL, &err) ||
        plu_stepper_add(stepper, 2, both, places, NULL, NULL, &err) ||
        plu_stepper_fix(stepper, 1, &low, true, &err) || steps(stepper, 500, &err) ||
        plu_stepper_remove(stepper, 1, &low, &err) || steps(stepper, 1000, &err) ||
        plu_stepper_move(stepper, 1, &high, up, NULL, &err) ||
        plu_stepper_set_drags(stepper, 1, &high, &drag, NULL, &err) || steps(stepper, 1000, &err))
        return fprintf(stderr, "%s\n", err.text), 1;
    plu_stepper_destroy(stepper), plu_world_destroy(world), plu_scene_free(&scene);
    return 0;
}
