/* Files that a result may not replace: those from which a run came, as the scene in its trajectory
 * names them. A relative name is looked for from the working folder, from that of the trajectory,
 * and from where the run was started, which the recorded command tells (--output= against where
 * the file is now).
 *
 *   command   pluvia run scenes/pile.cfg --output=output/pile.h5md
 *   file      /home/me/project/output/pile.h5md      started in /home/me/project/
 *   scene     bodies = ( { file = "grains.csv"; } )  looked for as ./grains.csv, output/grains.csv,
 *                                                    scenes/grains.csv and
 *                                                    /home/me/project/scenes/grains.csv
 *
 * Below: whether a table is one of pluvia's, by its first line. A table of bodies is known by a
 * column that only pluvia writes; "x,y,z,radius" alone may be somebody's list of spheres, and is
 * not replaced. */
#include "io/run/run_inputs.h"
#include "io/h5/system_file.h"
#include "pluvia/scene.h"
#include "pluvia/tool/keys.h"
#include "pluvia/trajectory.h"
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The length of the folder in a path, with its slash. */
static int folder_of(const char *path, size_t length)
{
    while (length > 0 && path[length - 1] != '/')
        length--;
    return (int)length;
}

/* The same file by device and inode, whatever its name. */
static bool is_at(const char *folder, int length, const char *name, const struct stat *file)
{
    char path[PATH_MAX + 2 * PLU_PATH];
    struct stat found;
    snprintf(path, sizeof path, "%.*s%s", name[0] == '/' ? 0 : length, folder, name);
    return stat(path, &found) == 0 && found.st_dev == file->st_dev && found.st_ino == file->st_ino;
}

/* A word of the command of a run; `length` 0: there is none. */
typedef struct word {
    const char *text;
    size_t length;
} word;

/* The scene (`output` false), the first word behind "run" that is no option, or what follows
 * "--output=". */
static word word_of(const char *command, bool output)
{
    static const char option[] = "--output=";
    const size_t begin = strlen(option);
    const char *at = strstr(command, " run ");
    for (at = at ? at + strlen(" run ") : ""; *at; at += strspn(at, " ")) {
        const word w = {at, strcspn(at, " ")};
        if (output && w.length > begin && strncmp(at, option, begin) == 0)
            return (word){at + begin, w.length - begin};
        if (!output && *at != '-')
            return w;
        at += w.length;
    }
    return (word){at, 0};
}

/* The folder in which the run was started, from where its trajectory is now; "": unknown. */
static void started_in(const char *trajectory, const char *command, char folder[PATH_MAX])
{
    const word given = word_of(command, true);
    char *now = realpath(trajectory, NULL);
    const size_t length = now ? strlen(now) : 0;
    folder[0] = '\0';
    if (given.length > 0 && *given.text != '/' && length > given.length &&
        strncmp(now + length - given.length, given.text, given.length) == 0)
        snprintf(folder, PATH_MAX, "%.*s", (int)(length - given.length), now);
    free(now);
}

static bool scene_names(const plu_scene *scene, const char *trajectory, const char *command,
                        const struct stat *file)
{
    char started[PATH_MAX], from[PATH_MAX + PLU_PATH];
    const word run = word_of(command, false);
    const int folder = folder_of(run.text, run.length);
    const char *name;
    bool found = false;
    started_in(trajectory, command, started);
    snprintf(from, sizeof from, "%s%.*s", started, folder, run.text);
    for (int k = scene->files_count; (name = plu_scene_input(scene, k)) && !found; k++)
        found = is_at("", 0, name, file) ||
                is_at(trajectory, folder_of(trajectory, strlen(trajectory)), name, file) ||
                is_at(run.text, folder, name, file) || is_at(from, (int)strlen(from), name, file);
    return found;
}

bool plu_run_reads(const char *path, const struct stat *file)
{
    plu_scene scene = {0};
    plu_error none = {0};
    char *text = NULL;
    if (plu_file_kind_of(path) != PLU_KIND_TRAJECTORY)
        return false;
    plu_trajectory_info *info = malloc(sizeof *info);
    const bool read = info && plu_trajectory_info_read(info, path, &none) == PLU_OK &&
                      plu_trajectory_scene(&text, true, path, &none) == PLU_OK &&
                      plu_scene_read_stored(&scene, path, text, &none) == PLU_OK;
    const bool found = read && scene_names(&scene, path, info->command, file);
    if (read)
        plu_scene_free(&scene);
    free(text);
    free(info);
    return found;
}

enum { LINE = 1 << 16 };

/* Tables of fields, of statistics and of contacts, and the history of a solve. */
static const char *const heads[] = {"x_m,y_m,height_m",
                                    "x_m,y_m,z_m,solid_fraction",
                                    "radius_from_m,radius_to_m,spheres,",
                                    "z_from_m,z_to_m,spheres,",
                                    "from,to,density",
                                    "problem,solver,iteration,",
                                    "x_m,y_m,z_m,number_per_m3",
                                    "name,unit,frames,mean,",
                                    "time,id1,id2,boundary,",
                                    "id,x_m,y_m,z_m,radius_m,coordination,"};

/* Columns of bodies: those that a file of spheres may have as well (fill/csv.c), and others. */
static const char *const shared[] = {"time", "radius", "x",  "y",  "z", "vx",
                                     "vy",   "vz",     "wx", "wy", "wz"};
static const char *const own[] = {"step",  "id",       "species",     "mass",        "qw",  "qx",
                                  "qy",    "qz",       "fx",          "fy",          "fz",  "speed",
                                  "fixed", "tx",       "ty",          "tz",          "sxx", "sxy",
                                  "sxz",   "syx",      "syy",         "syz",         "szx", "szy",
                                  "szz",   "pressure", "dissipation", "coordination"};

static bool is_one_of(const char *field, size_t length, const char *const *list, size_t count)
{
    bool found = false;
    for (size_t k = 0; k < count; k++)
        found |= strlen(list[k]) == length && memcmp(list[k], field, length) == 0;
    return found;
}

static bool is_of_bodies(const char *line)
{
    bool any = false;
    for (const char *field = line; *field;) {
        const size_t length = strcspn(field, ",");
        if (is_one_of(field, length, own, sizeof own / sizeof *own))
            any = true;
        else if (!is_one_of(field, length, shared, sizeof shared / sizeof *shared))
            return false;
        field += length + (field[length] == ',');
    }
    return any;
}

/* Columns of measures are GROUP.NAME. */
static bool is_of_measures(const char *line)
{
    for (const char *field = line; *field;) {
        const size_t length = strcspn(field, ","), group = strcspn(field, ".,");
        if (!islower((unsigned char)field[0]) || field[group] != '.' || group + 1 >= length)
            return false;
        field += length + (field[length] == ',');
    }
    return *line != '\0';
}

bool plu_is_own_table(const char *path)
{
    char line[LINE];
    FILE *file = fopen(path, "r");
    const bool read = file && fgets(line, sizeof line, file);
    if (file)
        fclose(file);
    if (!read)
        return false;
    line[strcspn(line, "\n")] = '\0';
    for (size_t k = 0; k < sizeof heads / sizeof *heads; k++)
        if (strncmp(line, heads[k], strlen(heads[k])) == 0)
            return true;
    return is_of_bodies(line) || is_of_measures(line);
}
