/* A shape of boundaries of one's own, "ring": a torus around z, numbers = [radius, radius of its
 * tube]. Upright, a ball rolls to and fro in it. Prints when that is at the bottom first. */
#include <math.h>
#include <pluvia/scene.h>
#include <pluvia/step.h>
#include <stdio.h>

static const char text[] =
    "time: { step = 1e-4; end = 1; };  gravity = [0, 0, -10.0];"
    "materials = ( { name = \"a\"; density = 2500.0; } );"
    "contacts = ( { between = [\"a\", \"a\"]; friction = 1.0; } );"
    "boundaries = ( { own = { type = \"ring\"; numbers = [1.2, 0.1]; axis = [1, 0, 0];"
    "                         angle = 1.5707963267948966; }; material = \"a\"; } );"
    "bodies = ( { position = [0.01, 0, -0.99995]; radius = 0.1; material = \"a\"; } );";

static int parts(void *u, const plu_own_numbers *in, char why[PLU_OWN_WHY])
{
    snprintf(why, PLU_OWN_WHY, "a ring has two radii, the second one smaller");
    return (void)u, in->count == 2 && in->value[0] > in->value[1] && in->value[1] > 0;
}

static void bounds(void *u, const plu_own_numbers *in, int part, double low[3], double high[3])
{
    for (int k = ((void)u, (void)part, 0); k < 3; k++)
        low[k] = -(high[k] = in->value[1] + (k < 2 ? in->value[0] : 0));
}

/* From the circle in the middle of the tube. */
static double distance(void *u, const plu_own_numbers *in, int part, const double x[3], double n[3])
{
    const double out = hypot(x[0], x[1]), beside = out - in->value[0], from = hypot(beside, x[2]);
    n[0] = ((void)u, (void)part, out > 0 ? beside / from * x[0] / out : beside / from);
    n[1] = out > 0 ? beside / from * x[1] / out : 0;
    n[2] = x[2] / from;
    return from - in->value[1];
}

int main(void)
{
    const plu_own_shape ring = {parts, bounds, distance, NULL};
    plu_error err = {0};
    plu_scene scene = {0};
    plu_world *world = NULL;
    plu_stepper *stepper = NULL;
    plu_extensions *own;
    plu_step_info info;
    if (plu_extensions_create(&own, &err) ||
        plu_extensions_add_shape(own, "ring", &ring, NULL, &err) ||
        plu_scene_read_text_with(&scene, own, "text", text, NULL, 0, &err) ||
        plu_world_create(&world, &scene, &err) ||
        plu_stepper_create(&stepper, world, &scene, NULL, &err))
        return fprintf(stderr, "%s\n", err.text), 1;
    while (plu_world_bodies(world).position[0][0] > 0 && !plu_step(stepper, &info, &err))
        continue;
    printf("%.4f s%s\n", plu_world_time(world), err.text);
    plu_stepper_destroy(stepper), plu_world_destroy(world), plu_scene_free(&scene);
    plu_extensions_destroy(own);
    return 0;
}
