/* What a scene means as a whole, once all keys are read: names of materials and boundaries become
 * numbers, axes get unit length, the step divides the time of the run; and values that each may
 * have, but not together, are errors at the line of one of them.
 *
 *   plu_check   step --> solver --> materials --> boundaries (shapes settle themselves, motion,
 * servo)
 *               --> cell --> sizes --> spheres and feeders --> inlets --> sensors --> laws -->
 * method
 *
 * In this order, since laws and bodies refer to materials, and sensors to boundaries. All
 * complaints are collected; nothing ends at the first one. */
#include "base/memory.h"
#include "base/vec3.h"
#include "pluvia/body.h"
#include "pluvia/cell.h"
#include "pluvia/feeder.h"
#include "pluvia/material.h"
#include "pluvia/solving.h"
#include "pluvia/writing.h"
#include "scene/adopt.h"
#include "scene/reader.h"
#include "shape/shape.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static plu_place place_of(const plu_reader *reader, const char *path)
{
    return plu_setting_place(reader, config_lookup(&reader->config, path));
}

static void check_materials(plu_reader *reader)
{
    const plu_scene *scene = reader->scene;
    for (int i = 1; i < scene->materials_count; i++)
        for (int j = 0; j < i; j++)
            if (*scene->materials[i].name &&
                strcmp(scene->materials[i].name, scene->materials[j].name) == 0) {
                plu_complain(reader, plu_entry_place(reader, "materials", i, "name"),
                             "materials[%d].name: the name \"%s\" is already used by materials[%d]",
                             i, scene->materials[i].name, j);
                break;
            }
}

/* The material that an entry names. */
static const config_setting_t *material_of(const plu_reader *reader, const char *list, int index)
{
    const config_setting_t *entries = config_lookup(&reader->config, list);
    return config_setting_get_member(config_setting_get_elem(entries, (unsigned)index), "material");
}

static bool given(void *user, const char *key)
{
    const plu_settled *b = user;
    char path[64];
    snprintf(path, sizeof path, "%s.%s", b->group, key);
    return plu_boundary_has(b->reader, b->index, path);
}

static bool find(void *user, const char *key, const char *given_path, char path[PLU_PATH])
{
    const plu_settled *b = user;
    char name[64], what[96];
    snprintf(name, sizeof name, "%s.%s", b->group, key);
    snprintf(what, sizeof what, "boundaries[%d].%s", b->index, name);
    return !b->reader->stored &&
           plu_path_from_scene(b->reader, plu_entry_place(b->reader, "boundaries", b->index, name),
                               what, given_path, path);
}

typedef struct named {
    const char *name;
    int index;
} named;

static int by_name(const void *x, const void *y)
{
    const named *a = x, *b = y;
    const int order = strcmp(a->name, b->name);
    return order ? order : a->index - b->index;
}

/* Names must differ. They are sorted, for a scene may have thousands of boundaries. */
static void check_names(plu_reader *reader)
{
    const int count = reader->scene->boundaries_count;
    const plu_boundary_spec *all = reader->scene->boundaries;
    named *sorted = plu_alloc((size_t)count, sizeof *sorted, NULL);
    if (!sorted) {
        reader->status = PLU_IO;
        return;
    }
    for (int i = 0; i < count; i++)
        sorted[i] = (named){all[i].name, i};
    qsort(sorted, (size_t)count, sizeof *sorted, by_name);
    for (int k = 1, first = 0; k < count; k++) {
        const int i = sorted[k].index;
        first = strcmp(sorted[k].name, sorted[first].name) == 0 ? first : k;
        if (first < k && *all[i].name)
            plu_complain(reader, plu_entry_place(reader, "boundaries", i, "name"),
                         "boundaries[%d].name: the name \"%s\" is already used by boundaries[%d]",
                         i, all[i].name, sorted[first].index);
    }
    free(sorted);
}

static void check_boundaries(plu_reader *reader)
{
    int number[PLU_BOUNDARY_KINDS] = {0};
    for (int i = 0; i < reader->scene->boundaries_count; i++) {
        plu_boundary_spec *b = &reader->scene->boundaries[i];
        b->since = b->entry = -1; /* until a stage is found to change it (stage_list.c) */
        b->material =
            plu_find_material(reader, material_of(reader, "boundaries", i), b->material_name);
        const plu_shape *shape = plu_shape_of(b->kind);
        number[b->kind]++;
        if (!plu_boundary_has(reader, i, shape->name)) /* it has no kind, which is reported */
            continue;
        if (!*b->name)
            snprintf(b->name, sizeof b->name, "%s-%d", shape->name, number[b->kind]);
        plu_settled user = {reader, i, shape->name};
        shape->settle(&(plu_settling){b, given, find, plu_settled_complain, &user,
                                      reader->extensions, reader->stored});
        plu_check_motion(reader, i);
        plu_check_servo(reader, i);
    }
    check_names(reader);
}

/* The trajectory itself is looked at when it is read (plu_start_read): a run that goes on from a
 * checkpoint does without. */
static void check_run(plu_reader *reader, plu_body_spec *body, int index)
{
    plu_settle_path(reader, "bodies", index, "run.path", body->path);
    const bool keeps = body->keep & PLU_KEEP_MATERIAL;
    if (keeps && *body->material_name)
        plu_complain(reader, plu_entry_place(reader, "bodies", index, "material"),
                     "bodies[%d].material: the spheres keep their materials of the run; remove "
                     "this key, or remove \"material\" from run.keep",
                     index);
    if (!keeps && !*body->material_name)
        plu_complain(reader, plu_entry_place(reader, "bodies", index, "run.keep"),
                     "bodies[%d].material is missing: run.keep does not contain \"material\"",
                     index);
    if (body->radius[0] > 0.0)
        plu_complain(reader, plu_entry_place(reader, "bodies", index, "radius"),
                     "bodies[%d].radius: spheres of a run keep their radii; remove this key",
                     index);
}

static void check_fixed(plu_reader *reader, plu_body_spec *body, int index)
{
    const config_setting_t *entry =
        config_setting_get_elem(config_lookup(&reader->config, "bodies"), (unsigned)index);
    body->fixed_given = config_setting_get_member(entry, "fixed") != NULL;
    const double moves = plu_norm(body->velocity) + plu_norm(body->angular_velocity);
    if (body->fixed && moves > 0.0)
        plu_complain(reader, plu_entry_place(reader, "bodies", index, "fixed"),
                     "bodies[%d]: spheres that are fixed have no velocity; remove velocity and "
                     "angular_velocity, or fixed",
                     index);
    if (body->fixed && reader->scene->method == PLU_PENALTY)
        plu_complain(reader, plu_entry_place(reader, "bodies", index, "fixed"),
                     "bodies[%d].fixed needs method = \"nonsmooth\"", index);
}

/* The motion of spheres that are fixed. */
static void check_group(plu_reader *reader, plu_body_spec *body, int index)
{
    plu_motion_spec *m = &body->motion;
    const double length = plu_norm(m->axis);
    config_setting_t *entry =
        config_setting_get_elem(config_lookup(&reader->config, "bodies"), (unsigned)index);
    if (!body->moves)
        return;
    body->center_given = config_setting_lookup(entry, "motion.center") != NULL;
    const bool turns = m->rate != 0.0 || m->swing != 0.0 || *m->table;
    if (turns && !body->center_given && (body->kind == PLU_FILE || body->kind == PLU_FROM_RUN))
        plu_complain(
            reader, plu_entry_place(reader, "bodies", index, "motion"),
            "bodies[%d].motion.center is missing: spheres of a file or a run that turn, or "
            "follow a table, need it",
            index);
    if (!body->fixed && (body->kind != PLU_FROM_RUN || body->fixed_given))
        plu_complain(reader, plu_entry_place(reader, "bodies", index, "motion"),
                     "bodies[%d].motion is that of spheres that are fixed: add fixed = true; "
                     "`velocity` is the one that others begin with",
                     index);
    if (!(length > 0.0))
        plu_complain(reader, plu_entry_place(reader, "bodies", index, "motion.axis"),
                     "bodies[%d].motion.axis has length 0", index);
    for (int k = 0; k < 3 && length > 0.0; k++)
        m->axis[k] /= length;
    plu_check_path(reader, "bodies", index, "motion.table", m->table);
    if (m->stop > 0.0 && m->stop <= m->start)
        plu_complain(reader, plu_entry_place(reader, "bodies", index, "motion.stop"),
                     "bodies[%d].motion.stop must be later than start = %g (found %g)", index,
                     m->start, m->stop);
}

/* In doubles: the product of three counts can exceed an int, which is what is to be found out. */
static double spheres_of(const plu_body_spec *body)
{
    if (body->kind == PLU_LATTICE)
        return (double)body->counts[0] * body->counts[1] * body->counts[2];
    return body->kind == PLU_PACKING || body->kind == PLU_RESERVE ? body->count : 1.0;
}

static void check_spheres(plu_reader *reader)
{
    plu_scene *scene = reader->scene;
    double spheres = 0.0;
    for (int i = 0; i < scene->bodies_count; i++) {
        plu_body_spec *body = &scene->bodies[i];
        body->material =
            plu_material_of_spheres(reader, material_of(reader, "bodies", i), body->material_name);
        if (body->kind == PLU_FILE)
            plu_check_path(reader, "bodies", i, "file.path", body->path);
        if (body->kind == PLU_FROM_RUN)
            check_run(reader, body, i);
        check_fixed(reader, body, i);
        check_group(reader, body, i);
        if (body->has_fill)
            plu_check_fill(reader, body, i);
        spheres += spheres_of(body);
        if (spheres > INT_MAX) {
            plu_complain(reader, plu_entry_place(reader, "bodies", i, NULL),
                         "bodies[%d]: more than %d spheres", i, INT_MAX);
            spheres = 0.0;
        }
    }
    for (int i = 0; i < scene->feeders_count; i++) {
        plu_feeder_spec *feeder = &scene->feeders[i];
        feeder->material = plu_material_of_spheres(reader, material_of(reader, "feeders", i),
                                                   feeder->material_name);
        spheres += feeder->count;
        if (spheres > INT_MAX) {
            plu_complain(reader, plu_entry_place(reader, "feeders", i, NULL),
                         "feeders[%d]: more than %d spheres", i, INT_MAX);
            spheres = 0.0;
        }
    }
}

/* The cell holds positions to rounding, and its sides meet the next ones step by step. */
static void check_cell_numbers(plu_reader *reader)
{
    const plu_cell_spec *cell = reader->scene->cell;
    const double h = reader->scene->step, limit = 1e9;
    for (int k = 0; k < 3; k++) {
        if (!(cell->size[k] <= limit) || !(fabs(cell->origin[k]) <= limit))
            plu_complain(reader, place_of(reader, "cell"),
                         "cell: %g m from %g m along %c is beyond %g m; lengths are in meters",
                         cell->size[k], cell->origin[k], "xyz"[k], limit);
        if (fabs(cell->strain_rate[k]) * h > 0.5)
            plu_complain(reader, place_of(reader, "cell.strain_rate"),
                         "cell.strain_rate = %g 1/s along %c strains the cell by more than half "
                         "its width in a step (time.step = %g s); take a smaller time.step",
                         cell->strain_rate[k], "xyz"[k], h);
    }
    if (fabs(cell->shear_rate) * cell->size[2] * h > 0.5 * cell->size[0])
        plu_complain(
            reader, place_of(reader, "cell.shear_rate"),
            "cell.shear_rate = %g 1/s moves the upper side by %g m in a step (time.step = %g s), "
            "which is more than half the width of the cell; take a smaller time.step",
            cell->shear_rate, fabs(cell->shear_rate) * cell->size[2] * h, h);
}

/* A size is there, or a run has it. */
static void check_cell_size(plu_reader *reader)
{
    const plu_cell_spec *cell = reader->scene->cell;
    if (cell->size[0] == 0.0 && !plu_scene_lacks_cell(reader->scene))
        plu_complain(reader, place_of(reader, "cell"),
                     "cell.size is missing: 3 numbers [x, y, z] > 0 (m); it can be left out where "
                     "bodies come from a run with a cell, and run.keep contains \"cell\"");
    if (cell->size[0] == 0.0 && cell->tilt != 0.0)
        plu_complain(reader, place_of(reader, "cell.tilt"),
                     "cell.tilt: a cell that is taken from a run keeps its tilt; give cell.size, "
                     "too, or remove this key");
    if (cell->size[0] > 0.0 && fabs(cell->tilt) > 0.5 * cell->size[0] * (1.0 + 1e-9))
        plu_complain(reader, place_of(reader, "cell.tilt"),
                     "cell.tilt = %g m is more than half of the edge along x, %g m; shift it by "
                     "whole edges, which is the same cell",
                     cell->tilt, cell->size[0]);
    const unsigned both = PLU_ALONG_X | PLU_ALONG_Z;
    if (cell->tilt != 0.0 && (cell->periodic & both) != both)
        plu_complain(reader, place_of(reader, "cell.tilt"),
                     "cell.tilt: the cell must be periodic along x and z");
}

static void check_cell(plu_reader *reader)
{
    const plu_scene *scene = reader->scene;
    if (!scene->cell->given)
        return;
    check_cell_size(reader);
    if (scene->cell->periodic == 0)
        plu_complain(reader, place_of(reader, "cell.periodic"),
                     "cell.periodic is empty: name at least one direction, or remove the cell "
                     "where space is open");
    check_cell_numbers(reader);
    if (scene->method == PLU_PENALTY)
        plu_complain(reader, place_of(reader, "cell"),
                     "cell: periodic cells need method = \"nonsmooth\"");
    const unsigned both = PLU_ALONG_X | PLU_ALONG_Z;
    if (scene->cell->shear_rate != 0.0 && (scene->cell->periodic & both) != both)
        plu_complain(reader, place_of(reader, "cell.shear_rate"),
                     "cell.shear_rate needs a cell that is periodic along x and z");
    if (plu_cell_moves(scene->cell) && scene->boundaries_count > 0)
        plu_complain(
            reader, place_of(reader, "cell"),
            "cell: a sheared or deformed cell cannot have boundaries, because their images would "
            "move");
    if (plu_cell_yields(scene->cell) && scene->output->dump != PLU_DUMP_NONE)
        plu_complain(reader, place_of(reader, "cell.stress"),
                     "cell.stress: the contact problems of such a cell are not written "
                     "(output.dump_problems)");
    if (scene->cell->mass > 0.0 && !plu_cell_yields(scene->cell))
        plu_complain(reader, place_of(reader, "cell.mass"),
                     "cell.mass is that of edges that follow a stress; give cell.stress or remove "
                     "it");
    for (int k = 0; k < 3; k++) {
        if (scene->cell->stress[k] == 0.0)
            continue;
        if (!(scene->cell->periodic >> k & 1))
            plu_complain(reader, place_of(reader, "cell.stress"),
                         "cell.stress: the cell is not periodic along %c", "xyz"[k]);
        if (scene->cell->strain_rate[k] != 0.0)
            plu_complain(reader, place_of(reader, "cell.stress"),
                         "cell.stress and cell.strain_rate both move the edge along %c; set one of "
                         "them to 0",
                         "xyz"[k]);
    }
    for (int k = 0; k < 3; k++)
        if (scene->cell->strain_rate[k] != 0.0 && !(scene->cell->periodic >> k & 1))
            plu_complain(reader, place_of(reader, "cell"),
                         "cell.strain_rate: the cell is not periodic along %c", "xyz"[k]);
}

void plu_check(plu_reader *reader)
{
    const plu_scene *scene = reader->scene;
    plu_settle_step(reader);
    if (scene->solver->min_iterations > scene->solver->max_iterations)
        plu_complain(reader, place_of(reader, "solver.max_iterations"),
                     "solver.max_iterations must be >= solver.min_iterations = %d (found %d)",
                     scene->solver->min_iterations, scene->solver->max_iterations);
    if (scene->until_rest > 0.0 && plu_norm(scene->gravity) == 0.0)
        plu_complain(reader, place_of(reader, "time.until_rest"),
                     "time.until_rest needs gravity, because it compares energies with m g d");
    check_materials(reader);
    check_boundaries(reader);
    check_cell(reader);
    plu_check_sizes(reader);
    check_spheres(reader);
    plu_check_inlets(reader);
    plu_check_sensors(reader);
    plu_check_laws(reader);
    plu_check_method(reader);
}
