/* Files that a scene names, relative to its own folder. */
#include "scene/reader.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

bool plu_boundary_has(const plu_reader *reader, int index, const char *name)
{
    const config_setting_t *list = config_lookup(&reader->config, "boundaries");
    return config_setting_lookup(config_setting_get_elem(list, (unsigned)index), name) != NULL;
}

bool plu_path_from_scene(plu_reader *reader, plu_place place, const char *what, const char *given,
                         char path[PLU_PATH])
{
    const char *from = reader->scene->path, *slash = strrchr(from, '/');
    const int folder = slash && given[0] != '/' ? (int)(slash - from) + 1 : 0;
    if (snprintf(path, PLU_PATH, "%.*s%s", folder, from, given) < PLU_PATH)
        return true;
    plu_complain(reader, place, "%s is too long", what);
    return false;
}

bool plu_settle_path(plu_reader *reader, const char *list, int index, const char *key,
                     char file[PLU_PATH])
{
    char path[PLU_PATH], what[64];
    snprintf(what, sizeof what, "%s[%d].%s", list, index, key);
    if (!*file || reader->stored ||
        !plu_path_from_scene(reader, plu_entry_place(reader, list, index, key), what, file, path))
        return false;
    strcpy(file, path);
    return true;
}

void plu_check_path(plu_reader *reader, const char *list, int index, const char *key,
                    char file[PLU_PATH])
{
    const plu_place place = plu_entry_place(reader, list, index, key);
    struct stat info;
    if (!plu_settle_path(reader, list, index, key, file))
        return;
    if (stat(file, &info) != 0)
        plu_complain(reader, place, "%s[%d].%s: %s: no such file", list, index, key, file);
    else if (S_ISDIR(info.st_mode))
        plu_complain(reader, place, "%s[%d].%s: %s is a directory", list, index, key, file);
}
