/* A scene that a program puts together value by value (Python's dictionaries): each value is read
 * by its key as if it stood in a file, into a place that is thrown away, so that a mistake is
 * reported at once and not when the scene is used.
 *
 *   plu_draft_create(&d)
 *   plu_draft_set_real(d, "time.step", 1e-3)
 *   plu_draft_set_text(d, "materials[+].name", "glass")        [+]: a new entry
 *   plu_draft_set_real(d, "materials[-1].density", 2500.0)     [-1]: the last one
 *   plu_draft_scene(d, &scene, ...)                            tree -> text -> read as any scene
 *   plu_draft_destroy(d)
 *
 * The way over text makes a scene of a program and one of a file the same thing, with the same
 * checks. */
#include "pluvia/draft.h"
#include "base/memory.h"
#include "pluvia/body.h"
#include "pluvia/boundary.h"
#include "pluvia/cell.h"
#include "pluvia/extension.h"
#include "pluvia/feeder.h"
#include "pluvia/material.h"
#include "pluvia/sensor.h"
#include "pluvia/solving.h"
#include "pluvia/stage.h"
#include "pluvia/writing.h"
#include "scene/describe.h"
#include "scene/reader.h"
#include <stdlib.h>
#include <string.h>

/* Where a value is read to test whether its key accepts it; it is not used. */
typedef union scratch {
    plu_scene scene;
    plu_cell_spec cell;
    plu_solver_spec solver;
    plu_limit_spec limits;
    plu_output_spec output;
    plu_material material;
    plu_contact_law law;
    plu_boundary_spec boundary;
    plu_body_spec body;
    plu_feeder_spec feeder;
    plu_mixture_part part;
    plu_sensor_spec sensor;
    plu_stage_spec stage;
} scratch;

struct plu_draft {
    plu_reader reader; /* its tree, and complaints */
    plu_scene scene;   /* of the reader: stays empty */
    scratch scratch;
};

plu_status plu_draft_create(plu_draft **draft, plu_error *err)
{
    plu_draft *d = plu_alloc(1, sizeof *d, err);
    *draft = d;
    if (!d)
        return PLU_IO;
    plu_reader_begin(&d->reader, &d->scene, "");
    return PLU_OK;
}

void plu_draft_destroy(plu_draft *d)
{
    if (d) {
        plu_reader_end(&d->reader, NULL);
        plu_scene_free(&d->scene);
    }
    free(d);
}

/* --- values --- */

/* Those that were kept and those that were only counted. */
static size_t complaints(const plu_reader *reader)
{
    return reader->messages_count + (size_t)reader->messages_lost;
}

static config_setting_t *add(config_t *config, int type)
{
    config_init(config);
    return config_setting_add(config_root_setting(config), "value", type);
}

/* Puts `value`, the setting "value" of `config`, under the key, and destroys `config`. */
static plu_status put(plu_draft *d, const char *key, config_t *config, bool complete)
{
    plu_reader *reader = &d->reader;
    const size_t before = complaints(reader);
    const plu_key *row = NULL;
    config_setting_t *set = NULL;
    if (complete)
        set = plu_assign(reader, key, config_lookup(config, "value"), &row);
    else
        reader->status = PLU_IO;
    config_destroy(config);
    if (set && (row->type == PLU_KEY_GROUP || row->type == PLU_KEY_LIST))
        plu_read_kind(reader, row, set);
    else if (set && !config_setting_is_group(set)) /* else a group of keys in place of a value */
        plu_read_value(reader, row, set, &d->scratch);
    if (reader->status != PLU_OK)
        return reader->status;
    return complaints(reader) == before ? PLU_OK : PLU_BAD_INPUT;
}

plu_status plu_draft_set(plu_draft *d, const char *key, const char *value)
{
    config_t config;
    config_init(&config);
    const size_t before = complaints(&d->reader);
    if (plu_parse_value(&d->reader, key, value, &config))
        return put(d, key, &config, true);
    config_destroy(&config);
    if (complaints(&d->reader) == before)
        d->reader.status = PLU_IO;
    return d->reader.status == PLU_OK ? PLU_BAD_INPUT : d->reader.status;
}

plu_status plu_draft_set_real(plu_draft *d, const char *key, double value)
{
    config_t config;
    config_setting_t *setting = add(&config, CONFIG_TYPE_FLOAT);
    return put(d, key, &config, setting && config_setting_set_float(setting, value));
}

plu_status plu_draft_set_reals(plu_draft *d, const char *key, int count, const double *values)
{
    config_t config;
    config_setting_t *list = add(&config, CONFIG_TYPE_LIST);
    bool complete = list != NULL;
    for (int i = 0; complete && i < count; i++)
        complete = config_setting_set_float_elem(list, -1, values[i]) != NULL;
    return put(d, key, &config, complete);
}

plu_status plu_draft_set_integer(plu_draft *d, const char *key, long long value)
{
    const bool small = (int)value == value;
    config_t config;
    config_setting_t *setting = add(&config, small ? CONFIG_TYPE_INT : CONFIG_TYPE_INT64);
    return put(d, key, &config,
               setting && (small ? config_setting_set_int(setting, (int)value)
                                 : config_setting_set_int64(setting, value)));
}

plu_status plu_draft_set_integers(plu_draft *d, const char *key, int count, const int *values)
{
    config_t config;
    config_setting_t *list = add(&config, CONFIG_TYPE_LIST);
    bool complete = list != NULL;
    for (int i = 0; complete && i < count; i++)
        complete = config_setting_set_int_elem(list, -1, values[i]) != NULL;
    return put(d, key, &config, complete);
}

plu_status plu_draft_set_bool(plu_draft *d, const char *key, bool value)
{
    config_t config;
    config_setting_t *setting = add(&config, CONFIG_TYPE_BOOL);
    return put(d, key, &config, setting && config_setting_set_bool(setting, value));
}

plu_status plu_draft_set_text(plu_draft *d, const char *key, const char *value)
{
    config_t config;
    config_setting_t *setting = add(&config, CONFIG_TYPE_STRING);
    return put(d, key, &config, setting && config_setting_set_string(setting, value));
}

/* --- the scene --- */

plu_status plu_draft_text(const plu_draft *d, char **text, plu_error *err)
{
    size_t size = 0;
    *text = NULL;
    FILE *out = open_memstream(text, &size);
    if (out)
        plu_print_scene(out, config_root_setting(&d->reader.config));
    return out && fclose(out) == 0 ? PLU_OK : plu_fail(err, PLU_IO, "out of memory");
}

plu_status plu_draft_scene(const plu_draft *d, plu_scene *scene, const plu_extensions *extensions,
                           const char *name, plu_error *err)
{
    const plu_reader *reader = &d->reader;
    memset(scene, 0, sizeof *scene);
    if (err)
        *err = (plu_error){0};
    if (reader->status != PLU_OK)
        return plu_fail(err, reader->status, "%s: out of memory", name);
    for (size_t i = 0; i < reader->messages_count; i++)
        plu_error_add(err, PLU_BAD_INPUT, "%s: %s", name, reader->messages[i].text);
    if (reader->messages_lost > 0)
        plu_error_add(err, PLU_BAD_INPUT, "%s: ... and %ld more errors", name,
                      reader->messages_lost);
    if (complaints(reader) > 0)
        return PLU_BAD_INPUT;
    char *text = NULL;
    plu_status status = plu_draft_text(d, &text, err);
    if (status == PLU_OK)
        status = plu_scene_read_text_with(scene, extensions, name, text, NULL, 0, err);
    free(text);
    return status;
}
