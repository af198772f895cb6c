/* Files that a scene names, relative to its own folder.
 *
 *   scenes/drum.cfg:  mesh = { file = "parts/drum.stl"; }   ->  scenes/parts/drum.stl
 *                     file = "/data/grains.csv"             ->  as it is
 *
 * In a stored scene (reader->stored) names stay as they are and nothing is looked for: a result
 * can be read where its files are gone. Below: whether a file looks like a scene, also one that is
 * not finished; commands never write over those. */
#include "pluvia/scene.h"
#include "pluvia/tool/keys.h"
#include "scene/keys.h"
#include "scene/reader.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Whether the user wrote this key; defaults are in the tree as well only after it was read. */
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

/* Whether a file looks like a scene: also one that is not finished, or a part of one. */

/* Keys of a campaign that hold more than a number. */
static const char *const of_campaigns[] = {"scene", "axes", "set", "measures", "targets", "where"};

static bool is_key(const char *name, size_t length)
{
    for (size_t k = 0; k < sizeof of_campaigns / sizeof *of_campaigns; k++)
        if (strlen(of_campaigns[k]) == length && strncmp(of_campaigns[k], name, length) == 0)
            return true;
    for (const plu_key *key = plu_keys; key->path; key++)
        if (length > 0 && strlen(key->path) == length && strncmp(key->path, name, length) == 0)
            return true;
    return false;
}

/* KEY = or KEY :, and then a text, a list or a group, or the rest on the lines that follow: no line
 * of a table is like that. An include is a line of a scene as well. */
static bool is_line_of_a_scene(const char *line)
{
    static const char include[] = "@include";
    line += strspn(line, " \t");
    if (strncmp(line, include, strlen(include)) == 0)
        return true;
    const size_t length = strspn(line, "abcdefghijklmnopqrstuvwxyz_");
    const char *at = line + length + strspn(line + length, " \t");
    if (!is_key(line, length) || (*at != '=' && *at != ':'))
        return false;
    at++;
    at += strspn(at, " \t\r\n");
    return !*at || strchr("{([\"", *at);
}

bool plu_scene_looks_like_one(const char *path)
{
    char *line = NULL;
    size_t size = 0;
    bool found = false;
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    /* A quarter of a megabyte: large files are data, and looking through them would take long. */
    long left = 1 << 18;
    for (ssize_t length; !found && left > 0 && (length = getline(&line, &size, file)) >= 0;) {
        left -= length;
        if (memchr(line, '\0', (size_t)length))
            break; /* no text */
        found = is_line_of_a_scene(line);
    }
    free(line);
    fclose(file);
    return found;
}
