/* Frees a scene. */
#include "pluvia/scene.h"
#include <stdlib.h>
#include <string.h>

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
