#include "io/run/own_table.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

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

static bool is_one_of(const char *word, size_t length, const char *const *list, size_t count)
{
    bool found = false;
    for (size_t k = 0; k < count; k++)
        found |= strlen(list[k]) == length && memcmp(list[k], word, length) == 0;
    return found;
}

static bool is_of_bodies(const char *line)
{
    bool any = false;
    for (const char *word = line; *word;) {
        const size_t length = strcspn(word, ",");
        if (is_one_of(word, length, own, sizeof own / sizeof *own))
            any = true;
        else if (!is_one_of(word, length, shared, sizeof shared / sizeof *shared))
            return false;
        word += length + (word[length] == ',');
    }
    return any;
}

/* Columns of measures are GROUP.NAME. */
static bool is_of_measures(const char *line)
{
    for (const char *word = line; *word;) {
        const size_t length = strcspn(word, ","), group = strcspn(word, ".,");
        if (!islower((unsigned char)word[0]) || word[group] != '.' || group + 1 >= length)
            return false;
        word += length + (word[length] == ',');
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
