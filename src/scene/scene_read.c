/* Fills a plu_scene from the tree of settings: each group of the table of keys (keys.h) is read
 * key by key, what is missing gets its default, and what the table does not know is an error with
 * a hint (nearest.c). Defaults go into the tree as well, which is the scene that a result stores.
 *
 *   tree (libconfig)          table of keys                        struct
 *   time = {                  "time"       group                   plu_scene
 *     step = 1e-3;      ->    "time.step"  real, offset      ->      .step = 1e-3
 *   };                        "time.theta" real, default     ->      .theta = 0.5, added to the
 * tree materials = ( {...} )     "materials"  list, size, count ->      .materials[0],
 * .materials_count
 *
 * A key is where its row says: `base` + `offset`, of a section in the struct that it points to. */
#include "base/memory.h"
#include "scene/describe.h"
#include "scene/reader.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void read_group(plu_reader *reader, const plu_key *group, config_setting_t *setting,
                       void *base);

static void complain_of_unknown(plu_reader *reader, const plu_key *group,
                                const config_setting_t *setting)
{
    for (int i = 0; i < config_setting_length(setting); i++) {
        const config_setting_t *member = config_setting_get_elem(setting, (unsigned)i);
        const char *name = config_setting_name(member);
        if (plu_key_child(group, name))
            continue;
        char path[256], hint[512];
        plu_setting_path(setting, path, sizeof path);
        if (strcmp(group->path, "stages") == 0 && plu_key_find(name)) {
            plu_complain(reader, plu_setting_place(reader, member),
                         "%s: a stage cannot change %s; it can change %s (`pluvia help stages`)",
                         path, name, plu_keys_staged(plu_keys, hint, sizeof hint));
            continue;
        }
        plu_complain(reader, plu_setting_place(reader, member), "unknown key \"%s\"%s%s%s", name,
                     *path ? " in " : "", path, plu_key_hint(group, name, hint, sizeof hint));
    }
}

static const char *full_path(const config_setting_t *setting, const char *name, char *text,
                             size_t size)
{
    plu_setting_path(setting, text, size);
    const size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", used ? "." : "", name);
    return text;
}

/* Exactly one of the keys marked ONE_OF must be there. */
static void check_alternatives(plu_reader *reader, const plu_key *group,
                               const config_setting_t *setting)
{
    char names[256] = "", path[256];
    const config_setting_t *second = NULL;
    int given = 0;
    for (const plu_key *key = plu_key_next(group, NULL); key; key = plu_key_next(group, key)) {
        if (key->need != PLU_ONE_OF)
            continue;
        const config_setting_t *member = config_setting_get_member(setting, plu_key_name(key));
        if (member && given++ > 0)
            second = member;
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", plu_key_name(key));
    }
    if (!*names || given == 1)
        return;
    const bool one = !strchr(names, ',');
    plu_setting_path(setting, path, sizeof path);
    plu_complain(reader, plu_setting_place(reader, second ? second : setting), "%s needs %s%s%s",
                 path, one ? "the key " : "exactly one of ", names,
                 given > 1 ? " (found more than one)" : "");
}

/* Adds a number, a word or a text in quotes as libconfig would; NULL: the text is something else.
 */
static config_setting_t *put_scalar(config_setting_t *group, const char *name, const char *text)
{
    const size_t length = strlen(text);
    const bool number = strspn(text, "+-.0123456789eE") == length;
    const bool yes = strcmp(text, "true") == 0;
    char *end, word[64];
    config_setting_t *added = NULL;
    const long whole = strtol(text, &end, 10);
    if (number && *end == '\0' && whole >= INT_MIN && whole <= INT_MAX) {
        added = config_setting_add(group, name, CONFIG_TYPE_INT);
        config_setting_set_int(added, (int)whole);
        return added;
    }
    const double real = strtod(text, &end);
    if (number && *end == '\0') {
        added = config_setting_add(group, name, CONFIG_TYPE_FLOAT);
        config_setting_set_float(added, real);
    } else if (yes || strcmp(text, "false") == 0) {
        added = config_setting_add(group, name, CONFIG_TYPE_BOOL);
        config_setting_set_bool(added, yes);
    } else if (length > 1 && length < sizeof word && text[0] == '"' &&
               strcspn(text + 1, "\"\\") == length - 2) {
        snprintf(word, sizeof word, "%.*s", (int)length - 2, text + 1);
        added = config_setting_add(group, name, CONFIG_TYPE_STRING);
        config_setting_set_string(added, word);
    }
    return added;
}

static const char alone[] = "default";

/* The default of a key that is no scalar. Valid until the next one. */
static const config_setting_t *parse_default(plu_reader *reader, const plu_key *key)
{
    char text[256];
    plu_scan scan = {.mode = PLU_SCAN_CODE};
    snprintf(text, sizeof text, "%s = %s;\n", alone, key->fallback);
    plu_scan_line(reader, &scan, text, strlen(text), 0);
    if (!config_read_string(&reader->defaults, text)) {
        reader->status = PLU_IO;
        return NULL;
    }
    return config_setting_get_member(config_root_setting(&reader->defaults), alone);
}

/* The default of a key; NULL: no memory. Most keys of the table are in no scene, so that each is
 * read when it is asked for. Valid until the next one. */
static const config_setting_t *default_of(plu_reader *reader, const plu_key *key)
{
    config_setting_t *root = config_root_setting(&reader->defaults);
    config_setting_remove(root, alone); /* fails where there is none */
    const config_setting_t *scalar = put_scalar(root, alone, key->fallback);
    return scalar ? scalar : parse_default(reader, key);
}

/* Puts what is missing into the tree: a default, or an empty group to be filled. */
static config_setting_t *fill_in(plu_reader *reader, const plu_key *key, config_setting_t *setting)
{
    const char *name = plu_key_name(key);
    config_setting_t *added = NULL;
    if (key->fallback && !(added = put_scalar(setting, name, key->fallback))) {
        const config_setting_t *parsed = parse_default(reader, key);
        added = parsed ? plu_setting_put(setting, name, 0, parsed) : NULL;
    }
    if (!key->fallback && key->type == PLU_KEY_GROUP && key->need == PLU_REQUIRED)
        added = config_setting_add(setting, name, CONFIG_TYPE_GROUP);
    else if (!key->fallback)
        return NULL;
    if (!added)
        reader->status = PLU_IO;
    return added;
}

static void complain_of_missing(plu_reader *reader, const plu_key *key,
                                const config_setting_t *setting)
{
    char path[256], wanted[256];
    for (int k = 0; k < 3; k++)
        if (key->unless[k] && config_setting_get_member(setting, key->unless[k]))
            return;
    if (key->need == PLU_REQUIRED)
        plu_complain(reader, plu_setting_place(reader, setting), "%s is missing: %s",
                     full_path(setting, plu_key_name(key), path, sizeof path),
                     plu_key_wanted(key, 0, wanted, sizeof wanted));
}

/* `base` is the struct that has the array. */
static void read_list(plu_reader *reader, const plu_key *key, config_setting_t *setting, char *base)
{
    const int length = config_setting_length(setting);
    char *array = plu_alloc((size_t)length, key->size, NULL);
    if (!array) {
        reader->status = PLU_IO;
        return;
    }
    memcpy(base + key->offset, &array, sizeof array);
    memcpy(base + key->count_offset, &length, sizeof length);
    for (int i = 0; i < length && reader->status == PLU_OK; i++) {
        config_setting_t *element = config_setting_get_elem(setting, (unsigned)i);
        char *place = array + (size_t)i * key->size;
        const plu_where where = plu_place_where(reader, plu_setting_place(reader, element));
        memcpy(place + key->where_offset, &where, sizeof where);
        if (config_setting_is_group(element)) {
            read_group(reader, key, element, place);
        } else {
            char path[256], found[80];
            plu_complain(reader, plu_setting_place(reader, element),
                         "%s must be a group { ... } (found %s)",
                         plu_setting_path(element, path, sizeof path),
                         plu_setting_found(element, found, sizeof found));
        }
    }
}

bool plu_read_kind(plu_reader *reader, const plu_key *key, const config_setting_t *setting)
{
    const bool group = key->type == PLU_KEY_GROUP;
    if (config_setting_type(setting) == (group ? CONFIG_TYPE_GROUP : CONFIG_TYPE_LIST))
        return true;
    char path[256], wanted[256], found[80];
    plu_complain(reader, plu_setting_place(reader, setting), "%s must be %s (found %s)",
                 plu_setting_path(setting, path, sizeof path),
                 plu_key_wanted(key, 0, wanted, sizeof wanted),
                 plu_setting_found(setting, found, sizeof found));
    return false;
}

static void read_member(plu_reader *reader, const plu_key *key, config_setting_t *member,
                        void *base)
{
    const bool group = key->type == PLU_KEY_GROUP, list = key->type == PLU_KEY_LIST;
    if (key->type == PLU_KEY_RADIUS && config_setting_is_group(member)) {
        read_group(reader, key, member, base);
        return;
    }
    if (!group && !list) {
        const config_setting_t *sense = key->fallback ? default_of(reader, key) : NULL;
        if (sense) /* later checks see it where the value is wrong */
            plu_read_value(reader, key, sense, base);
        plu_read_value(reader, key, member, base);
        if (key->where_offset) {
            const plu_where where = plu_place_where(reader, plu_setting_place(reader, member));
            memcpy((char *)base + key->where_offset, &where, sizeof where);
        }
        return;
    }
    if (!plu_read_kind(reader, key, member))
        return;
    if (list) {
        read_list(reader, key, member, base);
        return;
    }
    /* Sections of a scene are structs of their own, to which the scene has pointers. */
    if (key->section)
        memcpy(&base, (char *)base + key->section, sizeof base);
    char *place = (char *)base + key->offset;
    if (key->size == sizeof(bool))
        *(bool *)place = key->given != 0;
    else if (key->size == sizeof key->given)
        memcpy(place, &key->given, sizeof key->given);
    read_group(reader, key, member, base);
}

static void read_group(plu_reader *reader, const plu_key *group, config_setting_t *setting,
                       void *base)
{
    complain_of_unknown(reader, group, setting);
    check_alternatives(reader, group, setting);
    for (const plu_key *key = plu_key_next(group, NULL); key && reader->status == PLU_OK;
         key = plu_key_next(group, key)) {
        config_setting_t *member = config_setting_get_member(setting, plu_key_name(key));
        if (!member)
            member = fill_in(reader, key, setting);
        if (member)
            read_member(reader, key, member, base);
        else
            complain_of_missing(reader, key, setting);
    }
}

/* A file with a base scene and what varies or is measured is no scene with many mistakes. */
static bool is_campaign(plu_reader *reader, const config_setting_t *root)
{
    const config_setting_t *first = NULL;
    char names[128] = "";
    for (int i = 0; i < config_setting_length(root); i++) {
        const config_setting_t *member = config_setting_get_elem(root, (unsigned)i);
        const size_t used = strlen(names);
        if (!plu_word_of_campaigns(config_setting_name(member)))
            continue;
        first = first ? first : member;
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                 config_setting_name(member));
    }
    if (!config_setting_get_member(root, "scene") || !strchr(names, ','))
        return false;
    plu_complain(reader, plu_setting_place(reader, first),
                 "this is a campaign, not a scene (keys %s): use \"pluvia sweep\"%s", names,
                 config_setting_get_member(root, "targets") ? " or \"pluvia calibrate\"" : "");
    return true;
}

void plu_read_tree(plu_reader *reader)
{
    config_setting_t *root = config_root_setting(&reader->config);
    if (!is_campaign(reader, root))
        read_group(reader, plu_keys, root, reader->scene);
}
