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
