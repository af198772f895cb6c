/* Overrides KEY=VALUE of a scene (--set, campaigns, stages): the path KEY is followed through the
 * tree of settings and the table of keys at once, so that a list needs an index or *, a component
 * of a vector a number, and groups on the way are made; VALUE is read as it would be in a file,
 * where a word or a text may come without quotes. */
#include "scene/describe.h"
#include "scene/reader.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One override on its way through the tree. */
typedef struct override {
    plu_reader *reader;
    plu_place place;
    char **source; /* the entry of scene->overrides: the hook of what is set */
    const config_setting_t *value;
    const char *mixed;      /* a value on the way that may be a group instead; NULL: none */
    bool found;             /* at least one entry of each list on the way */
    bool grows;             /* of a draft: an entry behind the last one is made */
    int component;          /* of a vector, which alone is set; < 0: all of the value */
    const plu_key *vector;  /* its key */
    config_setting_t *last; /* that was set */
} override;

/* Cuts the first part off a path: "contacts" of "contacts[0].friction", then "0", then
 * "friction". NULL at the end. */
static char *next_part(char **path)
{
    char *part = *path + strspn(*path, ".");
    if (!*part)
        return NULL;
    char *end = part + strcspn(part, ".[]");
    *path = end + strspn(end, ".[]"); /* also many of them: at the end nothing must be left */
    *end = '\0';
    return part;
}

/* Whether a part of a path behind a list names entries of it. */
static bool is_entry(const override *o, const char *part)
{
    const bool index = *part && strspn(part, "0123456789") == strlen(part);
    return index || strcmp(part, "*") == 0 ||
           (o->grows && (strcmp(part, "+") == 0 || strcmp(part, "-1") == 0));
}

static void complain_of_entry(const override *o, const plu_key *list)
{
    const char *path = list->path;
    if (o->grows)
        plu_complain(o->reader, o->place,
                     "%s is a list: write %s[0].KEY for its first entry, %s[+].KEY for a new one",
                     path, path, path);
    else
        plu_complain(o->reader, o->place,
                     "%s is a list: write %s.0.KEY for its first entry, %s.*.KEY for all", path,
                     path, path);
}

/* Whether the rest of a path behind a key is the number of a component of its vector. */
static bool is_component(const plu_key *key, const char *part, const char *rest)
{
    return key->type == PLU_KEY_REAL && key->count > 1 && !*rest &&
           strspn(part, "0123456789") == strlen(part) && strtol(part, NULL, 10) < key->count;
}

/* The row of the table that KEY names; complains if there is none. `path` is destroyed. */
static const plu_key *find_key(override *o, char *path)
{
    const plu_key *key = plu_keys;
    for (char *part = next_part(&path); part; part = next_part(&path)) {
        if (key->type == PLU_KEY_LIST) {
            if (!is_entry(o, part)) {
                complain_of_entry(o, key);
                return NULL;
            }
            part = next_part(&path);
            if (!part)
                break;
        }
        if (is_component(key, part, path)) {
            o->component = (int)strtol(part, NULL, 10);
            o->vector = key;
            return key;
        }
        const plu_key *child = plu_key_child(key, part);
        if (!child) {
            char hint[512];
            if (!plu_key_has_keys(key))
                snprintf(hint, sizeof hint, "; it is a single value and must be given as a whole");
            else
                plu_key_hint(key, part, hint, sizeof hint);
            plu_complain(o->reader, o->place, "unknown key \"%s\"%s%s%s", part,
                         *key->path ? " in " : "", key->path, hint);
            return NULL;
        }
        if (key->type == PLU_KEY_RADIUS)
            o->mixed = plu_key_name(key);
        key = child;
    }
    if (key == plu_keys)
        plu_complain(o->reader, o->place,
                     o->grows ? "the key is empty" : "the key in front of \"=\" is missing");
    return key == plu_keys ? NULL : key;
}

static void set(override *o, config_setting_t *parent, const char *name, int index)
{
    config_setting_t *setting = plu_setting_put(parent, name, index, o->value);
    if (setting)
        config_setting_set_hook(setting, o->source);
    else
        o->reader->status = PLU_IO;
    o->last = setting;
}

static bool parse(const override *o, const plu_key *key, const char *text, config_t *config);

/* Gives the group `parent` the default of a vector that the scene does not give, if it has one. */
static config_setting_t *default_vector(override *o, config_setting_t *parent, const char *name)
{
    config_t config;
    config_setting_t *vector = NULL;
    config_init(&config);
    if (o->vector->fallback && parse(o, o->vector, o->vector->fallback, &config))
        vector = plu_setting_put(parent, name, 0, config_lookup(&config, "value"));
    if (vector)
        config_setting_set_hook(vector, o->source);
    config_destroy(&config);
    return vector;
}

/* Sets a component of the vector `name` of the group `parent`. */
static void set_component(override *o, config_setting_t *parent, const char *name)
{
    config_setting_t *vector = config_setting_get_member(parent, name);
    if (!vector)
        vector = default_vector(o, parent, name);
    o->found = true;
    if (vector && config_setting_is_list(vector) && o->component < config_setting_length(vector))
        set(o, vector, NULL, o->component);
    else
        plu_complain(o->reader, o->place,
                     "component %d is set where the scene does not give the vector %s; give all "
                     "of it",
                     o->component, name);
}

static void descend(override *o, config_setting_t *setting, char *path);

/* The part of the path behind a list: an index or *. */
static void descend_list(override *o, config_setting_t *list, char *path)
{
    const char *part = next_part(&path);
    int length = config_setting_length(list);
    const bool all = strcmp(part, "*") == 0;
    const long index = all                      ? 0
                       : strcmp(part, "+") == 0 ? length
                       : *part == '-'           ? length - 1L
                                                : strtol(part, NULL, 10);
    if (o->grows && !all && index == length) {
        if (!config_setting_add(list, NULL, CONFIG_TYPE_GROUP)) {
            o->reader->status = PLU_IO;
            return;
        }
        length++;
    }
    const int first = index >= 0 && index < length ? (int)index : length;
    if (!all && first >= length)
        plu_complain(o->reader, o->place, "%s has no entry %s: it has %d entries, counted from 0",
                     config_setting_name(list), part, length);
    o->found = o->found || first < length;
    for (int i = first; i < length && (all || i == first); i++) {
        config_setting_t *element = config_setting_get_elem(list, (unsigned)i);
        char *rest = strdup(path);
        if (!rest) {
            o->reader->status = PLU_IO;
            return;
        }
        if (*rest && config_setting_is_group(element))
            descend(o, element, rest);
        else if (!*rest)
            set(o, list, NULL, i);
        free(rest);
    }
}

/* Follows a path that the table knows; what is of a wrong type on the way is reported later. */
static void descend(override *o, config_setting_t *setting, char *path)
{
    const char *name = next_part(&path);
    if (!*path) {
        set(o, setting, name, 0);
        o->found = true;
        return;
    }
    if (o->component >= 0 && !strpbrk(path, ".[")) {
        set_component(o, setting, name);
        return;
    }
    config_setting_t *member = config_setting_get_member(setting, name);
    const bool list = isdigit((unsigned char)*path) || (*path && strchr("*+-", *path));
    if (!member) {
        member = config_setting_add(setting, name, list ? CONFIG_TYPE_LIST : CONFIG_TYPE_GROUP);
        if (!member) {
            o->reader->status = PLU_IO;
            return;
        }
        config_setting_set_hook(member, o->source);
    }
    if (list && config_setting_is_list(member))
        descend_list(o, member, path);
    else if (!list && config_setting_is_group(member))
        descend(o, member, path);
    else if (o->mixed && strcmp(name, o->mixed) == 0)
        plu_complain(o->reader, o->place,
                     "%s is a single value in this scene, not a group: give it as a whole", name);
    else
        o->found = true;
}

/* Text may come without quotes: all of it where the key holds text, else a single word. */
static bool is_bare(const plu_key *key, const char *text)
{
    const bool holds_text = key->type == PLU_KEY_TEXT || key->type == PLU_KEY_CHOICE;
    if (*text == '"')
        return false;
    if (holds_text)
        return true;
    for (const char *c = text; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("_-", *c))
            return false;
    return isalpha((unsigned char)*text) && strcmp(text, "true") != 0 && strcmp(text, "false") != 0;
}

/* Reads VALUE as the setting "value" of `config`. */
static bool parse(const override *o, const plu_key *key, const char *text, config_t *config)
{
    plu_reader *reader = o->reader;
    if (is_bare(key, text)) {
        config_setting_t *setting =
            config_setting_add(config_root_setting(config), "value", CONFIG_TYPE_STRING);
        return setting && config_setting_set_string(setting, text);
    }
    const size_t before = reader->messages_count, size = strlen(text) + sizeof "value = ;";
    char *line = malloc(size);
    if (!line) {
        reader->status = PLU_IO;
        return false;
    }
    snprintf(line, size, "value = %s;", text);
    plu_scan scan = {.mode = PLU_SCAN_CODE};
    plu_scan_line(reader, &scan, line, strlen(line), o->place);
    plu_scan_end_of_file(reader, &scan);
    plu_scan_end(reader, &scan);
    const bool scanned = reader->messages_count == before;
    const bool parsed = scanned && config_read_string(config, line) == CONFIG_TRUE &&
                        config_setting_length(config_root_setting(config)) == 1;
    if (scanned && !parsed)
        plu_complain(reader, o->place, "\"%s\" is not a value", text);
    free(line);
    return parsed;
}

void plu_override(plu_reader *reader, int index)
{
    char **source = &reader->scene->overrides[index];
    override o = {.reader = reader, .place = -1 - index, .source = source, .component = -1};
    const char *equals = strchr(*source, '=');
    size_t length = equals ? (size_t)(equals - *source) : 0;
    while (length > 0 && (*source)[length - 1] == ' ')
        length--;
    char *path = strndup(*source, length);
    char *walked = path ? strdup(path) : NULL;
    config_t config;
    config_init(&config);
    if (!walked) {
        reader->status = PLU_IO;
    } else if (!equals || strpbrk(*source, "\n\r")) {
        plu_complain(reader, o.place,
                     "an override has the form KEY=VALUE, for example time.end=2.5");
    } else {
        const plu_key *key = find_key(&o, walked);
        if (key && parse(&o, key, equals + 1 + strspn(equals + 1, " "), &config)) {
            o.value = config_lookup(&config, "value");
            const size_t before = reader->messages_count;
            descend(&o, config_root_setting(&reader->config), path);
            if (!o.found && reader->messages_count == before)
                plu_complain(reader, o.place,
                             "the scene has no entry that this override could change");
        }
    }
    config_destroy(&config);
    free(walked);
    free(path);
}

/* Puts the key in front of what the reader has reported of a value since it had `before` messages.
 */
static void name_key(plu_reader *reader, size_t before, const char *path)
{
    for (size_t i = before; i < reader->messages_count; i++) {
        char *text = reader->messages[i].text;
        const size_t size = strlen(path) + strlen(text) + sizeof ": ";
        char *named = malloc(size);
        if (!named)
            return;
        snprintf(named, size, "%s: %s", path, text);
        free(text);
        reader->messages[i].text = named;
    }
}

bool plu_parse_value(plu_reader *reader, const char *path, const char *text, config_t *config)
{
    override o = {.reader = reader, .grows = true, .component = -1};
    char *walked = strdup(path);
    if (!walked)
        reader->status = PLU_IO;
    const plu_key *key = walked ? find_key(&o, walked) : NULL;
    const size_t before = reader->messages_count;
    const bool parsed = key && parse(&o, key, text, config);
    if (key && !parsed)
        name_key(reader, before, path);
    free(walked);
    return parsed;
}

config_setting_t *plu_assign(plu_reader *reader, const char *path, const config_setting_t *value,
                             const plu_key **key)
{
    override o = {.reader = reader, .value = value, .grows = true, .component = -1};
    const size_t before = reader->messages_count;
    char *walked = strdup(path), *followed = strdup(path);
    if (!walked || !followed)
        reader->status = PLU_IO;
    else if ((*key = find_key(&o, walked)))
        descend(&o, config_root_setting(&reader->config), followed);
    if (walked && followed && *key && !o.found && reader->messages_count == before)
        plu_complain(reader, 0, "%s: the scene has no entry that this override could change", path);
    free(walked);
    free(followed);
    return o.last;
}
