/* Checks and completes sensors; the names of their numbers.
 *
 *   kind        numbers, summed since the start            written as
 *   boundary    impulse, angular impulse: x, y, z          /observables/sensor_NAME_impulse_x ...
 *   plane, disc, rectangle   mass, grains, first           what has passed; time of the first one
 *   box         mass, grains, mass_time, grain_time, first what is in it now; integrals over time
 *
 * Sums lose nothing between two frames: differences of them are exact means. The names of two
 * sensors must not make two numbers with one name, as "p" with p_mean_mass and "p_mean" with its
 * mass. */
#include "pluvia/sensor.h"
#include "pluvia/boundary.h"
#include "scene/reader.h"
#include <ctype.h>
#include <string.h>

static const struct {
    const char *group; /* NULL: a key */
    int count;
    const char *name[PLU_SENSOR_NUMBERS], *unit[PLU_SENSOR_NUMBERS];
} kinds[] = {
    [PLU_SENSOR_BOUNDARY] = {NULL,
                             6,
                             {"impulse_x", "impulse_y", "impulse_z", "angular_impulse_x",
                              "angular_impulse_y", "angular_impulse_z"},
                             {"N s", "N s", "N s", "N m s", "N m s", "N m s"}},
    [PLU_SENSOR_PLANE] = {"plane", 3, {"mass", "grains", "first"}, {"kg", "", "s"}},
    [PLU_SENSOR_DISC] = {"disc", 3, {"mass", "grains", "first"}, {"kg", "", "s"}},
    [PLU_SENSOR_RECTANGLE] = {"rectangle", 3, {"mass", "grains", "first"}, {"kg", "", "s"}},
    [PLU_SENSOR_BOX] = {"box",
                        5,
                        {"mass", "grains", "mass_time", "grain_time", "first"},
                        {"kg", "", "kg s", "s", "s"}},
};
_Static_assert(sizeof kinds / sizeof *kinds == PLU_SENSOR_KINDS, "a row for each kind");

int plu_sensor_numbers(plu_sensor_kind kind)
{
    return kinds[kind].count;
}

const char *plu_sensor_number_name(plu_sensor_kind kind, int i)
{
    return kinds[kind].name[i];
}

const char *plu_sensor_number_unit(plu_sensor_kind kind, int i)
{
    return kinds[kind].unit[i];
}

static plu_place place_of(const plu_reader *reader, int index, const char *key)
{
    return plu_entry_place(reader, "sensors", index, key);
}

enum { LONGEST = 32 }; /* characters of a name, to which those of its numbers are added */

/* "p" and "p_mean": both would have a p_mean_mass. */
static bool is_mistaken(const char *name, const char *longer)
{
    static const char *const beginnings[] = {"_mean",    "_angular", "_mass",  "_grain",
                                             "_impulse", "_force",   "_moment"};
    const size_t length = strlen(name);
    if (strncmp(name, longer, length) != 0)
        return false;
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strcmp(longer + length, beginnings[i]) == 0)
            return true;
    return false;
}

static void check_name(plu_reader *reader, int index)
{
    const plu_sensor_spec *all = reader->scene->sensors;
    if (strlen(all[index].name) > LONGEST)
        plu_complain(reader, place_of(reader, index, "name"),
                     "sensors[%d].name: at most %d characters", index, LONGEST);
    for (const char *c = all[index].name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_' && *c != '-') {
            plu_complain(reader, place_of(reader, index, "name"),
                         "sensors[%d].name: \"%s\" must be of letters, digits, _ and -", index,
                         all[index].name);
            return;
        }
    for (int k = 0; k < reader->scene->sensors_count; k++)
        if (k != index && is_mistaken(all[k].name, all[index].name)) {
            plu_complain(reader, place_of(reader, index, "name"),
                         "sensors[%d].name: numbers of \"%s\" would be called as some of \"%s\", "
                         "sensors[%d]; choose another name",
                         index, all[index].name, all[k].name, k);
            return;
        }
    for (int k = 0; k < index; k++)
        if (strcmp(all[k].name, all[index].name) == 0) {
            plu_complain(reader, place_of(reader, index, "name"),
                         "sensors[%d].name: the name \"%s\" is already used by sensors[%d]", index,
                         all[index].name, k);
            return;
        }
}

static void settle_surface(plu_reader *reader, plu_sensor_spec *s, int index)
{
    const char *group = kinds[s->kind].group;
    if (plu_settle_normal(reader, "sensors", index, group, s->normal) &&
        s->kind == PLU_SENSOR_RECTANGLE)
        plu_settle_edge(reader, "sensors", index, group, s->normal, s->direction);
}

static void check_box(plu_reader *reader, const plu_sensor_spec *s, int index)
{
    for (int k = 0; k < 3; k++)
        if (!(s->lower[k] < s->upper[k])) {
            plu_complain(reader, place_of(reader, index, "box"),
                         "sensors[%d].box is empty: upper must be above lower along %c", index,
                         "xyz"[k]);
            return;
        }
}

static void find_boundary(plu_reader *reader, plu_sensor_spec *s, int index)
{
    const plu_scene *scene = reader->scene;
    for (s->boundary = 0; s->boundary < scene->boundaries_count; s->boundary++)
        if (strcmp(scene->boundaries[s->boundary].name, s->boundary_name) == 0)
            break;
    if (s->boundary == scene->boundaries_count)
        plu_complain(reader, place_of(reader, index, "boundary"),
                     "sensors[%d].boundary: there is no boundary \"%s\"", index, s->boundary_name);
    if (*s->material_name || s->radii[1] > 0.0)
        plu_complain(reader, place_of(reader, index, NULL),
                     "sensors[%d]: material and radii choose the spheres that are counted; the "
                     "forces on a boundary are those of all",
                     index);
}

/* Which spheres count. */
static void settle_choice(plu_reader *reader, plu_sensor_spec *s, int index)
{
    s->material = *s->material_name ? plu_scene_material(reader->scene, s->material_name) : -1;
    if (*s->material_name && s->material < 0)
        plu_complain(reader, place_of(reader, index, "material"),
                     "sensors[%d].material: there is no material \"%s\"", index, s->material_name);
    if (s->radii[1] > 0.0 ? s->radii[0] > s->radii[1] : s->radii[0] > 0.0)
        plu_complain(reader, place_of(reader, index, "radii"),
                     "sensors[%d].radii: the range from %g to %g m is empty", index, s->radii[0],
                     s->radii[1]);
}

void plu_check_sensors(plu_reader *reader)
{
    if (reader->scene->sensors_count > PLU_SENSORS)
        plu_complain(reader, place_of(reader, PLU_SENSORS, NULL),
                     "sensors: there are %d; at most %d can be written",
                     reader->scene->sensors_count, PLU_SENSORS);
    for (int i = 0; i < reader->scene->sensors_count; i++) {
        plu_sensor_spec *s = &reader->scene->sensors[i];
        check_name(reader, i);
        settle_choice(reader, s, i);
        if (s->kind == PLU_SENSOR_BOUNDARY && *s->boundary_name)
            find_boundary(reader, s, i);
        else if (s->kind == PLU_SENSOR_BOX)
            check_box(reader, s, i);
        else if (s->kind != PLU_SENSOR_BOUNDARY)
            settle_surface(reader, s, i);
    }
}
