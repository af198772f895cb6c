/* Whether a file looks like a scene: also one that is not finished, or a part of one. */
#include "pluvia/scene.h"
#include "scene/keys.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
