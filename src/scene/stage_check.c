/* Checks stages: their ends, and what all of them together do to boundaries.
 *
 *     stage          0      1      2
 *     boundary a     there  there  gone     stage 2 removes it
 *     boundary b     -      there  there    not there before the first stage that adds it
 *
 * A boundary turns about one axis in all stages, because its place is stored as one angle: the axis
 * and center that are found first are put into the scenes of all stages. */
#include "base/vec3.h"
#include "pluvia/boundary.h"
#include "pluvia/cell.h"
#include "pluvia/feeder.h"
#include "pluvia/sensor.h"
#include "pluvia/stage.h"
#include "pluvia/writing.h"
#include "scene/reader.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static plu_place place_of(const plu_reader *reader, int k, const char *key)
{
    return plu_entry_place(reader, "stages", k, key);
}

static bool has(const plu_reader *reader, int k, const char *key)
{
    const config_setting_t *list = config_lookup(&reader->config, "stages");
    config_setting_t *entry = config_setting_get_elem(list, (unsigned)k);
    return config_setting_lookup(entry, key) != NULL;
}

static void check_names(plu_reader *reader)
{
    const plu_stage_spec *all = reader->scene->stages;
    for (int k = 1; k < reader->scene->stages_count; k++)
        for (int j = 0; j < k; j++)
            if (strcmp(all[k].name, all[j].name) == 0) {
                plu_complain(reader, place_of(reader, k, "name"),
                             "stages[%d].name: the name \"%s\" is already used by stages[%d]", k,
                             all[k].name, j);
                break;
            }
}

/* The place of a word in a list; -1. */
static int place_in(const char *const *words, int count, const char *word)
{
    for (int i = 0; i < count; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    return -1;
}

static bool read_of_boundary(const plu_scene *scene, const char *owner, const char *what,
                             plu_stage_number *reading)
{
    static const char *const forces[] = {"force_x", "force_y", "force_z", "force"},
                             *const places[] = {"x", "y", "z"};
    const int b = plu_scene_boundary(scene, owner);
    const int force = place_in(forces, 4, what), place = place_in(places, 3, what);
    const bool stress = strcmp(what, "stress") == 0;
    if (b < 0 || (force < 0 && place < 0 && !stress))
        return false;
    *reading = (plu_stage_number){stress       ? PLU_READ_STRESS
                                  : force >= 0 ? PLU_READ_FORCE
                                               : PLU_READ_PLACE,
                                  b, stress ? 0 : plu_max(force, place)};
    return true;
}

static bool read_of_sensor(const plu_scene *scene, const char *owner, const char *what,
                           plu_stage_number *reading)
{
    for (int s = 0; s < scene->sensors_count; s++)
        for (int i = 0; i < plu_sensor_numbers(scene->sensors[s].kind); i++)
            if (strcmp(scene->sensors[s].name, owner) == 0 &&
                strcmp(plu_sensor_number_name(scene->sensors[s].kind, i), what) == 0) {
                *reading = (plu_stage_number){PLU_READ_SENSOR, s, i};
                return true;
            }
    return false;
}

/* A number by its name; false: there is none. */
static bool find_reading(const plu_scene *scene, const char *name, plu_stage_number *reading)
{
    static const char *const plain[] = {"grains",         "contacts",       "coordination",
                                        "kinetic_energy", "solid_fraction", "void_ratio"},
                             *const stresses[] = {"cell_stress_xx", "cell_stress_yy",
                                                  "cell_stress_zz", "cell_stress_xy",
                                                  "cell_stress_xz", "cell_stress_yz"};
    static const plu_stage_number_kind kinds[] = {PLU_READ_GRAINS,         PLU_READ_CONTACTS,
                                                  PLU_READ_COORDINATION,   PLU_READ_KINETIC,
                                                  PLU_READ_SOLID_FRACTION, PLU_READ_VOID_RATIO};
    const int k = place_in(plain, 6, name), s = place_in(stresses, 6, name);
    const char *dot = strrchr(name, '.');
    char owner[2 * PLU_NAME];
    if (k >= 0 || s >= 0) {
        *reading = (plu_stage_number){k >= 0 ? kinds[k] : PLU_READ_CELL_STRESS, 0, plu_max(s, 0)};
        return true;
    }
    if (!dot)
        return false;
    snprintf(owner, sizeof owner, "%.*s", (int)(dot - name), name);
    return read_of_boundary(scene, owner, dot + 1, reading) ||
           read_of_sensor(scene, owner, dot + 1, reading);
}

static void check_number(plu_reader *reader, plu_stage_spec *stage, int k)
{
    const bool above = has(reader, k, "until.above"), below = has(reader, k, "until.below");
    if (!above)
        stage->least = -HUGE_VAL;
    if (!below)
        stage->most = HUGE_VAL;
    if (!*stage->number) {
        if (above || below || stage->hold > 0.0)
            plu_complain(reader, place_of(reader, k, "until"),
                         "stages[%d].until: above, below and hold go with a `number`", k);
        return;
    }
    if (!find_reading(reader->scene, stage->number, &stage->reading))
        plu_complain(reader, place_of(reader, k, "until.number"),
                     "stages[%d].until.number: there is no number \"%s\" (`pluvia help "
                     "stages.until.number` names them)",
                     k, stage->number);
    if ((!above && !below) || !(stage->least <= stage->most))
        plu_complain(reader, place_of(reader, k, "until"),
                     above && below ? "stages[%d].until: `above` must not be larger than `below`"
                                    : "stages[%d].until: `number` needs `above` or `below`",
                     k);
}

/* Resolves the stages between which a sensor sums. */
static void check_sensor(plu_reader *reader, int s)
{
    plu_scene *scene = reader->scene;
    plu_sensor_spec *sensor = &scene->sensors[s];
    const char *name[] = {sensor->stage_name, sensor->last_stage_name};
    static const char *const key[] = {"stage", "last_stage"};
    int stage[] = {0, PLU_STAGES};
    for (int i = 0; i < 2; i++)
        if (*name[i] && (stage[i] = plu_scene_stage(scene, name[i])) < 0)
            plu_complain(reader, plu_entry_place(reader, "sensors", s, key[i]),
                         "sensors[%d].%s: the scene has no stage \"%s\"", s, key[i], name[i]);
    sensor->stage = stage[0];
    sensor->last_stage = stage[1];
    if (stage[1] >= 0 && stage[1] < stage[0])
        plu_complain(reader, plu_entry_place(reader, "sensors", s, "last_stage"),
                     "sensors[%d].last_stage: \"%s\" is before \"%s\"", s, name[1], name[0]);
}

void plu_check_users_of_stages(plu_reader *reader)
{
    plu_scene *scene = reader->scene;
    for (int s = 0; s < scene->sensors_count; s++)
        check_sensor(reader, s);
    for (int f = 0; f < scene->feeders_count; f++) {
        plu_feeder_spec *feeder = &scene->feeders[f];
        if (!*feeder->stage_name)
            continue;
        feeder->stage = plu_scene_stage(scene, feeder->stage_name);
        feeder->begun = feeder->stage > 0 ? HUGE_VAL : 0.0;
        if (feeder->stage < 0)
            plu_complain(reader, plu_entry_place(reader, "feeders", f, "stage"),
                         "feeders[%d].stage: the scene has no stage \"%s\"", f, feeder->stage_name);
    }
}

void plu_check_stages(plu_reader *reader)
{
    plu_scene *scene = reader->scene;
    check_names(reader);
    if (scene->stages_count > PLU_STAGES)
        plu_complain(reader, place_of(reader, PLU_STAGES, NULL),
                     "stages: there are %d; at most %d are possible", scene->stages_count,
                     PLU_STAGES);
    if (scene->until_rest > 0.0)
        plu_complain(reader,
                     plu_setting_place(reader, config_lookup(&reader->config, "time.until_rest")),
                     "time.until_rest is that of a scene without stages: give the last stage "
                     "until = { rest = %g; }",
                     scene->until_rest);
    for (int k = 0; k < scene->stages_count; k++) {
        plu_stage_spec *stage = &scene->stages[k];
        if (!stage->ends && k + 1 < scene->stages_count)
            plu_complain(reader, place_of(reader, k, NULL),
                         "stages[%d].until is missing: only the last stage may last to time.end",
                         k);
        check_number(reader, stage, k);
    }
}

/* --- what depends on the scenes of stages --- */

static bool in_stage(const plu_scene *scene, const plu_stage_number *reading)
{
    const bool cell = scene->cell->given && scene->cell->periodic == 7;
    bool servo = false;
    for (int b = 0; b < scene->boundaries_count; b++)
        servo |= scene->boundaries[b].has_servo;
    switch (reading->kind) {
    case PLU_READ_SOLID_FRACTION:
    case PLU_READ_VOID_RATIO:
        return cell || servo;
    case PLU_READ_CELL_STRESS:
        return cell;
    case PLU_READ_STRESS:
        return scene->boundaries[reading->index].has_servo ||
               scene->boundaries[reading->index].kind == PLU_PLANE;
    default:
        return true;
    }
}

static void check_end(plu_reader *reader, const plu_stage_spec *stage, int k)
{
    const plu_scene *scene = stage->scene;
    if (stage->rest > 0.0 && plu_norm(scene->gravity) == 0.0)
        plu_complain(reader, place_of(reader, k, "until.rest"),
                     "stages[%d].until.rest needs gravity, because it compares energies with m g d",
                     k);
    if (*stage->number && !in_stage(scene, &stage->reading))
        plu_complain(reader, place_of(reader, k, "until.number"),
                     "stages[%d].until.number: there is no %s in this stage: it needs %s", k,
                     stage->number,
                     stage->reading.kind == PLU_READ_STRESS ? "a plane, or a servo"
                     : stage->reading.kind == PLU_READ_CELL_STRESS
                         ? "a cell that is periodic in all directions"
                         : "a servo, or a cell that is periodic in all directions");
}

/* Adds or removes the boundaries of a list. */
static void change_presence(plu_reader *reader, int k, bool add, bool *there)
{
    const plu_stage_spec *stage = &reader->scene->stages[k];
    const int count = add ? stage->add_count : stage->remove_count;
    const char *key = add ? "add" : "remove";
    for (int i = 0; i < count; i++) {
        const char *name = add ? stage->add[i] : stage->remove[i];
        const int b = plu_scene_boundary(reader->scene, name);
        if (b < 0) {
            plu_complain(reader, place_of(reader, k, key),
                         "stages[%d].%s: the scene has no boundary \"%s\"", k, key, name);
            continue;
        }
        if (there[b] == add)
            plu_complain(reader, place_of(reader, k, key),
                         "stages[%d].%s: \"%s\" is %sthere already", k, key, name,
                         add ? "" : "not ");
        there[b] = add;
        reader->scene->boundaries[b].staged = true;
        stage->scene->boundaries[b].added = add;
    }
}

/* A boundary is not there before the first stage that adds it. */
static void find_presence(plu_reader *reader)
{
    plu_scene *scene = reader->scene;
    bool *there = calloc((size_t)scene->boundaries_count + 1, sizeof *there);
    bool *known = calloc((size_t)scene->boundaries_count + 1, sizeof *known);
    for (int b = 0; there && known && b < scene->boundaries_count; b++) {
        there[b] = true;
        for (int k = 0; k < scene->stages_count && !known[b]; k++) {
            for (int i = 0; i < scene->stages[k].remove_count; i++)
                known[b] |= strcmp(scene->stages[k].remove[i], scene->boundaries[b].name) == 0;
            for (int i = 0; i < scene->stages[k].add_count && !known[b]; i++)
                if (strcmp(scene->stages[k].add[i], scene->boundaries[b].name) == 0) {
                    known[b] = true;
                    there[b] = false;
                }
        }
    }
    for (int k = 0; there && known && k < scene->stages_count; k++) {
        change_presence(reader, k, false, there);
        change_presence(reader, k, true, there);
        for (int b = 0; b < scene->boundaries_count; b++)
            scene->stages[k].scene->boundaries[b].absent = !there[b];
    }
    if (!there || !known)
        reader->status = PLU_IO;
    free(there);
    free(known);
}

static bool turns(const plu_boundary_spec *b)
{
    return b->moves && (b->motion.rate != 0.0 || b->motion.swing != 0.0 || *b->motion.table);
}

/* The boundary in the scene itself (k < 0) or in a stage. */
static plu_boundary_spec *boundary_in(const plu_scene *scene, int k, int b)
{
    return k < 0 ? &scene->boundaries[b] : &scene->stages[k].scene->boundaries[b];
}

/* A boundary turns about one axis in all stages: its place is one angle about that. */
static void share_axis(plu_reader *reader, int b)
{
    static const double same = 1e-9, upright[3] = {0.0, 0.0, 1.0};
    plu_scene *scene = reader->scene;
    const plu_boundary_spec *own = &scene->boundaries[b];
    const bool turned = own->displaced && own->start_angle != 0.0;
    double axis[3], center[3];
    memcpy(axis, turned ? own->start_axis : upright, sizeof axis);
    memcpy(center, own->motion.center, sizeof center);
    for (int k = -1, found = turned; k < scene->stages_count; k++) {
        const plu_boundary_spec *in = boundary_in(scene, k, b);
        double apart[3];
        if (!turns(in))
            continue;
        plu_sub(in->motion.center, center, apart);
        if (found && (plu_dot(in->motion.axis, axis) < 1.0 - same ||
                      plu_norm(apart) > same * (1.0 + plu_norm(center))))
            plu_complain(reader, place_of(reader, k, "boundaries"),
                         "stages[%d]: boundary \"%s\" turns about another axis or center than "
                         "before; one boundary can turn about one axis only",
                         k, own->name);
        if (!found) {
            memcpy(axis, in->motion.axis, sizeof axis);
            memcpy(center, in->motion.center, sizeof center);
        }
        found = true;
    }
    for (int k = -1; k < scene->stages_count; k++) {
        plu_boundary_spec *in = boundary_in(scene, k, b);
        memcpy(in->motion.axis, axis, sizeof axis);
        memcpy(in->motion.center, center, sizeof center);
    }
}

static bool has_pose(const plu_boundary_spec *b)
{
    return b->moves || b->has_servo || b->until > 0.0 || b->displaced;
}

static void check_motions(plu_reader *reader)
{
    plu_scene *scene = reader->scene;
    for (int b = 0; b < scene->boundaries_count; b++) {
        plu_boundary_spec *own = &scene->boundaries[b];
        for (int k = -1; k < scene->stages_count; k++)
            own->staged |= has_pose(boundary_in(scene, k, b));
        if (own->staged)
            share_axis(reader, b);
        scene->output->boundaries |= own->staged;
    }
    for (int k = 0; k < scene->stages_count; k++)
        scene->cell->staged |= plu_cell_moves(scene->stages[k].scene->cell);
}

/* A number of a boundary that is not there, or of a sensor that sums nothing, ends no stage. */
static void check_presence(plu_reader *reader, const plu_stage_spec *stage, int k)
{
    const plu_stage_number_kind kind = stage->reading.kind;
    const bool of_boundary =
        kind == PLU_READ_STRESS || kind == PLU_READ_FORCE || kind == PLU_READ_PLACE;
    if (*stage->number && of_boundary && stage->scene->boundaries[stage->reading.index].absent)
        plu_complain(reader, place_of(reader, k, "until.number"),
                     "stages[%d].until.number: \"%s\" is not there in this stage", k,
                     stage->scene->boundaries[stage->reading.index].name);
    const plu_sensor_spec *sensor =
        kind == PLU_READ_SENSOR ? &reader->scene->sensors[stage->reading.index] : NULL;
    if (*stage->number && sensor && (k < sensor->stage || k > sensor->last_stage))
        plu_complain(reader, place_of(reader, k, "until.number"),
                     "stages[%d].until.number: sensor \"%s\" sums nothing in this stage "
                     "(sensors.stage, last_stage)",
                     k, sensor->name);
}

void plu_check_staged(plu_reader *reader)
{
    plu_share_steps(reader);
    for (int k = 0; k < reader->scene->stages_count; k++)
        check_end(reader, &reader->scene->stages[k], k);
    find_presence(reader);
    for (int k = 0; k < reader->scene->stages_count; k++)
        check_presence(reader, &reader->scene->stages[k], k);
    check_motions(reader);
}
