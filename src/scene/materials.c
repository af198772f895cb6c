/* Materials by their names. */
#include "base/words.h"
#include "scene/reader.h"
#include <stdio.h>
#include <string.h>

int plu_scene_material(const plu_scene *scene, const char *name)
{
    for (int m = 0; m < scene->materials_count; m++)
        if (*name && strcmp(scene->materials[m].name, name) == 0)
            return m;
    return -1;
}

int plu_scene_boundary(const plu_scene *scene, const char *name)
{
    for (int b = 0; b < scene->boundaries_count; b++)
        if (*name && strcmp(scene->boundaries[b].name, name) == 0)
            return b;
    return -1;
}

int plu_find_material(plu_reader *reader, const config_setting_t *setting, const char *name)
{
    const plu_scene *scene = reader->scene;
    char known[512] = "";
    const int found = plu_scene_material(scene, name);
    if (found >= 0)
        return found;
    for (int m = 0; m < scene->materials_count; m++) {
        if (!*scene->materials[m].name)
            continue;
        plu_names_add(known, sizeof known, scene->materials[m].name);
    }
    char path[256];
    if (setting && *name) /* else it is missing or wrong, which was said */
        plu_complain(reader, plu_setting_place(reader, setting),
                     "%s: unknown material \"%s\" (known: %s)",
                     plu_setting_path(setting, path, sizeof path), name, *known ? known : "none");
    return -1;
}

int plu_material_of_spheres(plu_reader *reader, const config_setting_t *setting, const char *name)
{
    char path[256];
    const int m = plu_find_material(reader, setting, name);
    const config_setting_t *materials = config_lookup(&reader->config, "materials");
    if (m >= 0 &&
        !config_setting_get_member(config_setting_get_elem(materials, (unsigned)m), "density"))
        plu_complain(
            reader, plu_setting_place(reader, setting),
            "%s: the material \"%s\" needs a density (kg/m^3), because spheres are made of it",
            plu_setting_path(setting, path, sizeof path), name);
    return m;
}
