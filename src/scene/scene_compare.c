/* What differs between two scenes, and whether a run begun with one may continue with the other.
 * The trees with all defaults filled in are walked side by side:
 *
 *     key in both, same value          nothing; 1 and 1.0 are the same number
 *     key in both, other value         allowed if the table says that it may change, else an error
 *     key in one alone                 the same, "absent" being its value in the other */
#include "pluvia/scene.h"
#include "scene/describe.h"
#include "scene/reader.h"
#include <stdlib.h>
#include <string.h>

typedef struct comparison {
    char *changes; /* those that are allowed */
    size_t size;
    plu_error *err;
    int refused;
} comparison;

/* "stages[1].until.within": of entries of lists the only key that may change. */
static bool is_limit(const char *path)
{
    static const char end[] = "].until.within";
    const size_t length = strlen(path), ends = strlen(end);
    return strncmp(path, "stages[", 7) == 0 && length > ends &&
           strcmp(path + length - ends, end) == 0;
}

/* `before` or `now` is NULL where only the other scene has the setting. */
static void scene_differ(comparison *c, const config_setting_t *before, const config_setting_t *now)
{
    char path[256], was[80] = "absent", is[80] = "absent";
    plu_setting_path(now ? now : before, path, sizeof path);
    if (before)
        plu_setting_found(before, was, sizeof was);
    if (now)
        plu_setting_found(now, is, sizeof is);
    const plu_key *key = plu_key_find(is_limit(path) ? "stages.until.within" : path);
    const size_t used = strlen(c->changes);
    if (key && key->may_change) {
        snprintf(c->changes + used, c->size - used, "%s%s = %s", used ? ", " : "", path, is);
        return;
    }
    c->refused++;
    plu_error_add(c->err, PLU_BAD_INPUT, "%s was %s when the run began and is %s now", path, was,
                  is);
}

static bool same_value(const config_setting_t *before, const config_setting_t *now)
{
    char was[80], is[80];
    const bool whole = config_setting_type(before) != CONFIG_TYPE_FLOAT &&
                       config_setting_type(now) != CONFIG_TYPE_FLOAT;
    if (config_setting_is_number(before) && config_setting_is_number(now))
        return whole ? config_setting_get_int64(before) == config_setting_get_int64(now)
                     : config_setting_get_float(before) == config_setting_get_float(now);
    if (config_setting_type(before) != config_setting_type(now))
        return false;
    if (config_setting_type(before) == CONFIG_TYPE_STRING)
        return strcmp(config_setting_get_string(before), config_setting_get_string(now)) == 0;
    return strcmp(plu_setting_found(before, was, sizeof was),
                  plu_setting_found(now, is, sizeof is)) == 0;
}

static void scene_compare(comparison *c, const config_setting_t *before,
                          const config_setting_t *now);

static void compare_members(comparison *c, const config_setting_t *before,
                            const config_setting_t *now)
{
    for (int i = 0; i < config_setting_length(before); i++) {
        const config_setting_t *was = config_setting_get_elem(before, (unsigned)i);
        const config_setting_t *is = config_setting_get_member(now, config_setting_name(was));
        if (is)
            scene_compare(c, was, is);
        else
            scene_differ(c, was, NULL);
    }
    for (int i = 0; i < config_setting_length(now); i++) {
        const config_setting_t *is = config_setting_get_elem(now, (unsigned)i);
        if (!config_setting_get_member(before, config_setting_name(is)))
            scene_differ(c, NULL, is);
    }
}

static void scene_compare(comparison *c, const config_setting_t *before,
                          const config_setting_t *now)
{
    const bool group = config_setting_is_group(before);
    const bool list = config_setting_is_aggregate(before) && !group;
    if (group && config_setting_is_group(now)) {
        compare_members(c, before, now);
    } else if (list && config_setting_is_aggregate(now) && !config_setting_is_group(now) &&
               config_setting_length(before) == config_setting_length(now)) {
        for (int i = 0; i < config_setting_length(before); i++)
            scene_compare(c, config_setting_get_elem(before, (unsigned)i),
                          config_setting_get_elem(now, (unsigned)i));
    } else if (group || list || !same_value(before, now)) {
        scene_differ(c, before, now);
    }
}

/* "[" becomes "(" outside of texts, as scan.c does for scenes: stored texts go without a scan. */
bool plu_read_resolved(config_t *config, const char *text)
{
    char *code = strdup(text);
    bool quoted = false;
    for (char *c = code; c && *c; c++) {
        if (quoted && *c == '\\' && c[1])
            c++;
        else if (*c == '"')
            quoted = !quoted;
        else if (!quoted && *c == '[')
            *c = '(';
        else if (!quoted && *c == ']')
            *c = ')';
    }
    const bool read = code && !plu_find_include(code) && config_read_string(config, code);
    free(code);
    return read;
}

plu_status plu_scene_compare(const char *before, const char *now, char *changes, size_t size,
                             plu_error *err)
{
    comparison c = {changes, size, err, 0};
    config_t old, new;
    changes[0] = '\0';
    if (err)
        *err = (plu_error){0};
    config_init(&old);
    config_init(&new);
    if (plu_read_resolved(&old, before) && plu_read_resolved(&new, now)) {
        scene_compare(&c, config_root_setting(&old), config_root_setting(&new));
    } else {
        plu_fail(err, PLU_BAD_INPUT,
                 "the scene of the run, which the result stores, cannot be read%s",
                 plu_find_include(before) ? ", because it is damaged: it contains an include" : "");
        c.refused++;
    }
    config_destroy(&old);
    config_destroy(&new);
    return c.refused ? PLU_BAD_INPUT : PLU_OK;
}
