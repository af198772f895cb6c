/* What a scene leaves to the run that its bodies come from (run.keep): cell and boundaries. What
 * it says itself counts; boundaries are the same if name and shape are.
 *
 *   scene                                 run                           the scene afterwards
 *   bodies = ({ run: { path, keep } })    cell of 0.1 x 0.1 x 0.2 m     cell.size = [0.1, 0.1, 0.2]
 *   cell = { stress = ... }  no size      tilted by 0.03 m              cell.tilt = 0.03
 *   boundaries = ({ name = "lid" ... })   lid moved by -0.04 m          boundaries[0].start.shift =
 * ...
 *
 * What is taken over is written into the stored text as well (resolve_again): a result can then be
 * continued without the other run. */
#include "scene/adopt.h"
#include "pluvia/body.h"
#include "pluvia/boundary.h"
#include "pluvia/cell.h"
#include "pluvia/writing.h"
#include "scene/describe.h"
#include "scene/reader.h"
#include <stdlib.h>
#include <string.h>

bool plu_scene_keeps(const plu_scene *scene, unsigned what)
{
    bool keeps = false;
    for (int e = 0; e < scene->bodies_count; e++)
        keeps |= scene->bodies[e].kind == PLU_FROM_RUN && (scene->bodies[e].keep & what);
    return keeps;
}

bool plu_scene_lacks_cell(const plu_scene *scene)
{
    return scene->cell->size[0] == 0.0 && plu_scene_keeps(scene, PLU_KEEP_CELL);
}

/* Whether the scene leaves it to the run where boundary b begins. */
static bool scene_lacks_place(const plu_scene *scene, int b)
{
    return !scene->boundaries[b].displaced && plu_scene_keeps(scene, PLU_KEEP_BOUNDARIES);
}

static bool same_numbers(const double *x, const double *y, int count)
{
    bool same = true;
    for (int k = 0; k < count; k++)
        same = same && x[k] == y[k];
    return same;
}

/* Files are compared by their last name: the folder of a scene may be another one than the run's.
 */
bool plu_same_shape(const plu_boundary_spec *x, const plu_boundary_spec *y)
{
    const char *file = strrchr(x->file, '/'), *other = strrchr(y->file, '/'); /* elsewhere, maybe */
    return x->kind == y->kind && same_numbers(x->center, y->center, 3) &&
           same_numbers(x->normal, y->normal, 3) && same_numbers(x->axis, y->axis, 3) &&
           same_numbers(x->direction, y->direction, 3) && same_numbers(x->size, y->size, 2) &&
           x->radius == y->radius && same_numbers(x->radii, y->radii, 2) &&
           x->height == y->height && x->bottom == y->bottom && x->inside == y->inside &&
           same_numbers(x->box[0], y->box[0], 3) && same_numbers(x->box[1], y->box[1], 3) &&
           x->faces == y->faces && x->scale == y->scale && x->angle == y->angle &&
           strcmp(file ? file + 1 : x->file, other ? other + 1 : y->file) == 0 &&
           strcmp(x->type, y->type) == 0 && x->numbers_count == y->numbers_count &&
           same_numbers(x->numbers, y->numbers, x->numbers_count);
}

/* Tests that scene_check.c makes of a cell in a scene; of one from a run they are possible only
 * now. */
static plu_status check_cell(const plu_scene *scene, plu_error *err)
{
    const plu_cell_spec *cell = scene->cell;
    const unsigned sheared = PLU_ALONG_X | PLU_ALONG_Z;
    if (scene->method == PLU_PENALTY)
        return plu_fail(err, PLU_BAD_INPUT,
                        "its run has a periodic cell, which needs method = \"nonsmooth\"; remove "
                        "\"cell\" from run.keep to go on in open space");
    for (int k = 0; k < 3; k++)
        if (!(cell->periodic >> k & 1) && (cell->stress[k] > 0.0 || cell->strain_rate[k] != 0.0))
            return plu_fail(err, PLU_BAD_INPUT,
                            "the cell of its run is not periodic along %c, in which the scene "
                            "moves an edge (cell.stress, cell.strain_rate)",
                            "xyz"[k]);
    if (cell->shear_rate != 0.0 && (cell->periodic & sheared) != sheared)
        return plu_fail(err, PLU_BAD_INPUT,
                        "the cell of its run is not periodic along x and z, as cell.shear_rate "
                        "needs it");
    return PLU_OK;
}

static config_setting_t *group_of(config_setting_t *parent, const char *name)
{
    config_setting_t *group = config_setting_get_member(parent, name);
    return group ? group : config_setting_add(parent, name, CONFIG_TYPE_GROUP);
}

/* The key `name` anew, with these numbers: one, or a vector of three. */
static bool put_numbers(config_setting_t *group, const char *name, const double *value, int count)
{
    if (!group)
        return false;
    config_setting_remove(group, name); /* fails where there is none */
    if (count == 1)
        return config_setting_set_float(config_setting_add(group, name, CONFIG_TYPE_FLOAT), *value);
    config_setting_t *list = config_setting_add(group, name, CONFIG_TYPE_LIST);
    for (int k = 0; list && k < count; k++)
        if (!config_setting_set_float_elem(list, -1, value[k]))
            return false;
    return list != NULL;
}

static bool put_periodic(config_setting_t *cell, unsigned periodic)
{
    static const char *const names[] = {"x", "y", "z"};
    if (!cell)
        return false;
    config_setting_remove(cell, "periodic");
    config_setting_t *list = config_setting_add(cell, "periodic", CONFIG_TYPE_LIST);
    for (int k = 0; list && k < 3; k++)
        if (periodic >> k & 1 && !config_setting_set_string_elem(list, -1, names[k]))
            return false;
    return list != NULL;
}

static const double none[3] = {0.0, 0.0, 0.0};

static bool put_cell(config_setting_t *root, const plu_cell_spec *cell, bool new)
{
    config_setting_t *group = group_of(root, "cell");
    bool put = put_numbers(group, "size", cell->size, 3) &&
               put_numbers(group, "origin", cell->origin, 3) && put_periodic(group, cell->periodic);
    if (put && cell->tilt != 0.0)
        put = put_numbers(group, "tilt", &cell->tilt, 1);
    if (put && new) /* what the reader gives to a cell */
        put = put_numbers(group, "shear_rate", none, 1) &&
              put_numbers(group, "strain_rate", none, 3) && put_numbers(group, "stress", none, 3);
    return put;
}

static bool put_place(config_setting_t *root, int b, const plu_boundary_spec *spec)
{
    config_setting_t *list = config_setting_get_member(root, "boundaries");
    config_setting_t *entry = list ? config_setting_get_elem(list, (unsigned)b) : NULL;
    config_setting_t *start = entry ? group_of(entry, "start") : NULL;
    return put_numbers(start, "shift", spec->start_shift, 3) &&
           put_numbers(start, "angle", &spec->start_angle, 1) &&
           put_numbers(start, "axis", spec->start_axis, 3);
}

/* The settings of the scene with what it took over. */
static plu_status resolve_again(plu_scene *scene, bool cell, bool new, const bool *placed,
                                plu_error *err)
{
    config_t config;
    size_t size = 0;
    char *text = NULL;
    if (!scene->resolved) /* a program made it by itself */
        return PLU_OK;
    config_init(&config);
    bool ok = plu_read_resolved(&config, scene->resolved);
    config_setting_t *root = config_root_setting(&config);
    if (ok && cell)
        ok = put_cell(root, scene->cell, new);
    for (int b = 0; ok && b < scene->boundaries_count; b++)
        if (placed[b])
            ok = put_place(root, b, &scene->boundaries[b]);
    FILE *out = ok ? open_memstream(&text, &size) : NULL;
    if (out)
        plu_print_scene(out, root);
    ok = out && fclose(out) == 0;
    config_destroy(&config);
    if (!ok) {
        free(text);
        return plu_fail(err, PLU_IO, "out of memory for the scene");
    }
    free(scene->resolved);
    scene->resolved = text;
    return PLU_OK;
}

static void take_cell(plu_scene *scene, const plu_adopted *adopted)
{
    plu_cell_spec *cell = scene->cell;
    cell->periodic = cell->given ? cell->periodic & adopted->periodic : adopted->periodic;
    cell->given = true;
    cell->tilt = adopted->tilt;
    memcpy(cell->size, adopted->size, sizeof cell->size);
    memcpy(cell->origin, adopted->origin, sizeof cell->origin);
}

static void take_place(plu_scene *scene, int b, const plu_beginning_place *place)
{
    plu_boundary_spec *spec = &scene->boundaries[b];
    spec->displaced = true;
    spec->start_angle = place->angle;
    memcpy(spec->start_shift, place->shift, sizeof spec->start_shift);
    memcpy(spec->start_axis, place->axis, sizeof spec->start_axis);
    scene->output->boundaries = true;
}

plu_status plu_scene_adopt(plu_scene *scene, const plu_adopted *adopted, plu_error *err)
{
    const bool cell = adopted->cell && plu_scene_lacks_cell(scene), new = !scene->cell->given;
    bool *placed = calloc((size_t)scene->boundaries_count + 1, sizeof *placed);
    bool any = cell;
    if (!placed)
        return plu_fail(err, PLU_IO, "out of memory for the boundaries of the scene");
    for (int b = 0; b < scene->boundaries_count && adopted->place; b++) {
        placed[b] = adopted->place[b].given && scene_lacks_place(scene, b);
        any |= placed[b];
        if (placed[b])
            take_place(scene, b, &adopted->place[b]);
    }
    if (cell)
        take_cell(scene, adopted);
    plu_status status = cell ? check_cell(scene, err) : PLU_OK;
    if (status == PLU_OK && any)
        status = resolve_again(scene, cell, new, placed, err);
    free(placed);
    return status;
}
