/* Where something stands in the files of a scene, for messages. */
#include "pluvia/scene.h"
#include <stdio.h>

const char *plu_scene_where(const plu_scene *scene, plu_where where, char *buffer, size_t size)
{
    if (where.file >= 0 && where.file < scene->files_count)
        snprintf(buffer, size, "%s:%d", scene->files[where.file], where.line);
    else if (where.file == -1 && where.line >= 0 && where.line < scene->overrides_count)
        snprintf(buffer, size, "-s %s", scene->overrides[where.line]);
    else
        snprintf(buffer, size, "%s", scene->path);
    return buffer;
}

const char *plu_scene_input(const plu_scene *scene, int k)
{
    if (k < scene->files_count)
        return scene->files[k];
    int left = k - scene->files_count;
    for (int b = 0; b < scene->bodies_count; b++)
        if (scene->bodies[b].path[0] && left-- == 0)
            return scene->bodies[b].path;
    for (int b = 0; b < scene->boundaries_count; b++) {
        const plu_boundary_spec *spec = &scene->boundaries[b];
        const char *const named[] = {spec->kind == PLU_MESH ? spec->file : "", spec->motion.table,
                                     spec->servo.table};
        for (size_t n = 0; n < sizeof named / sizeof *named; n++)
            if (named[n][0] && left-- == 0)
                return named[n];
    }
    for (int s = 0; s < scene->stages_count; s++)
        for (int b = 0; b < scene->boundaries_count; b++) {
            const plu_boundary_spec *spec = &scene->stages[s].scene->boundaries[b];
            const char *const named[] = {spec->motion.table, spec->servo.table};
            for (size_t n = 0; n < sizeof named / sizeof *named; n++)
                if (spec->since == s && named[n][0] && left-- == 0)
                    return named[n];
        }
    return NULL;
}
