/* A scene made by calls instead of as a text: spheres in a row, of which the first is thrown along
 * the ground. Prints how fast each is at 0.1 s, and with -t the scene as a text. */
#include <pluvia/draft.h>
#include <pluvia/scene.h>
#include <pluvia/step.h>
#include <stdio.h>
#include <stdlib.h>

static plu_draft *make(plu_error *err)
{
    const double up[3] = {0, 0, 1}, fast[3] = {1, 0, 0};
    plu_draft *d;
    if (plu_draft_create(&d, err))
        return NULL;
    plu_draft_set_real(d, "time.step", 1e-3);
    plu_draft_set_real(d, "time.end", 0.1);
    plu_draft_set_text(d, "materials[+].name", "glass");
    plu_draft_set_real(d, "materials[-1].density", 2500);
    plu_draft_set(d, "contacts[+].between", "[\"glass\", \"glass\"]");
    plu_draft_set_real(d, "contacts[-1].friction", 0.0);
    plu_draft_set_real(d, "contacts[-1].restitution", 1.0);
    plu_draft_set_reals(d, "boundaries[+].plane.normal", 3, up);
    plu_draft_set_text(d, "boundaries[-1].material", "glass");
    for (int i = 0; i < 3; i++) {
        const double place[3] = {0.06 * i, 0, 0.02};
        plu_draft_set_reals(d, "bodies[+].position", 3, place);
        plu_draft_set_real(d, "bodies[-1].radius", 0.02);
        plu_draft_set_text(d, "bodies[-1].material", "glass");
        if (i == 0)
            plu_draft_set_reals(d, "bodies[-1].velocity", 3, fast);
    }
    return d;
}

int main(int argc, char **argv)
{
    plu_error err = {0};
    plu_scene scene = {0};
    plu_world *world = NULL;
    plu_stepper *stepper = NULL;
    plu_step_info info;
    plu_draft *draft = make(&err);
    char *text = NULL;
    if (!draft || plu_draft_scene(draft, &scene, NULL, "row", &err) ||
        plu_world_create(&world, &scene, &err) || plu_draft_text(draft, &text, &err) ||
        plu_stepper_create(&stepper, world, &scene, NULL, &err))
        return fprintf(stderr, "%s\n", err.text), 1;
    while (plu_world_time(world) < scene.end - 5e-4 && !plu_step(stepper, &info, &err))
        continue;
    for (int i = 0; i < 3; i++)
        printf("%.6f ", plu_world_bodies(world).velocity[i][0]);
    printf("%s\n%s", err.text, argc > 1 && argv[1][1] == 't' ? text : "");
    plu_stepper_destroy(stepper), plu_world_destroy(world), plu_scene_free(&scene);
    plu_draft_destroy(draft), free(text);
    return 0;
}
