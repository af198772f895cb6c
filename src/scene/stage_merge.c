/* What a stage changes, put into the tree of a scene: the tree is that of the scene with the
 * changes of all stages up to this one, key by key,
 *
 *     scene   { a = 1; b = { c = 2; d = 3; } }
 *     stage   {        b = { c = 5; } }
 *     gives   { a = 1; b = { c = 5; d = 3; } }
 *
 * lists of boundaries by name, contacts by the pair. Only keys that the table marks as such may be
 * changed. */
#include "scene/describe.h"
#include "scene/reader.h"
#include <string.h>

typedef struct merge {
    plu_reader *reader;
    int stage;
    plu_since *since;
} merge;

static void merge_group(merge *m, const plu_key *group, config_setting_t *into,
                        const config_setting_t *from);

static void complain(const merge *m, const config_setting_t *setting, const plu_key *group)
{
    const char *name = config_setting_name(setting);
    char hint[512];
    if (plu_key_child(group, name))
        plu_complain(m->reader, plu_setting_place(m->reader, setting),
                     "%s%s%s: a stage cannot change it; here it can change %s (`pluvia help "
                     "stages`)",
                     group->path, *group->path ? "." : "", name,
                     plu_keys_staged(group, hint, sizeof hint));
    else
        plu_complain(m->reader, plu_setting_place(m->reader, setting), "unknown key \"%s\" in %s%s",
                     name, group->path, plu_key_hint(group, name, hint, sizeof hint));
}

static const char *text_of(const config_setting_t *setting)
{
    return setting && config_setting_type(setting) == CONFIG_TYPE_STRING
               ? config_setting_get_string(setting)
               : NULL;
}

static bool is_pair(const config_setting_t *x, const config_setting_t *y)
{
    const char *name[4];
    for (unsigned k = 0; k < 4; k++) {
        const config_setting_t *of = k < 2 ? x : y;
        if (!of || !config_setting_is_aggregate(of) || config_setting_length(of) != 2 ||
            !(name[k] = text_of(config_setting_get_elem(of, k % 2))))
            return false;
    }
    return (strcmp(name[0], name[2]) == 0 && strcmp(name[1], name[3]) == 0) ||
           (strcmp(name[0], name[3]) == 0 && strcmp(name[1], name[2]) == 0);
}

/* The members of an entry but for the one that says which entry it is. */
static void merge_entry(merge *m, const plu_key *list, config_setting_t *into,
                        const config_setting_t *from, const char *which)
{
    for (int i = 0; i < config_setting_length(from); i++) {
        const config_setting_t *member = config_setting_get_elem(from, (unsigned)i);
        const char *name = config_setting_name(member);
        const plu_key *key = plu_key_child(list, name);
        if (strcmp(name, which) == 0)
            continue;
        if (!key || !plu_key_staged(key))
            complain(m, member, list);
        else if (strcmp(key->path, "boundaries.servo") == 0 && config_setting_is_group(member) &&
                 config_setting_get_member(into, name))
            merge_group(m, key, config_setting_get_member(into, name), member);
        else if (!plu_setting_graft(into, member))
            m->reader->status = PLU_IO;
    }
}

/* Dynamic friction that is that of contacts that stick stays so (penalty method). */
static void keep_dynamic(config_setting_t *law, const config_setting_t *from)
{
    const config_setting_t *friction = config_setting_get_member(law, "friction"),
                           *dynamic = config_setting_get_member(law, "friction_dynamic");
    if (config_setting_get_member(from, "friction") && friction && dynamic &&
        config_setting_get_float(friction) == config_setting_get_float(dynamic))
        config_setting_remove(law, "friction_dynamic");
}

/* Of all pairs, or of one. */
static void merge_law(merge *m, const plu_key *list, config_setting_t *laws,
                      const config_setting_t *from)
{
    const config_setting_t *pair = config_setting_get_member(from, "between");
    bool found = false;
    for (int i = 0; i < config_setting_length(laws); i++) {
        config_setting_t *law = config_setting_get_elem(laws, (unsigned)i);
        if (pair && !is_pair(pair, config_setting_get_member(law, "between")))
            continue;
        found = true;
        keep_dynamic(law, from);
        merge_entry(m, list, law, from, "between");
    }
    if (!found)
        plu_complain(m->reader, plu_setting_place(m->reader, pair ? pair : from),
                     "contacts: the scene has no law between these two materials, which a stage "
                     "could change");
}

/* What a boundary did before, where a stage says what it does from now on. */
static void forget(config_setting_t *boundary, const config_setting_t *from)
{
    static const char *const times[] = {"start", "stop", "table"};
    const config_setting_t *motion = config_setting_get_member(from, "motion"),
                           *servo = config_setting_get_member(from, "servo");
    config_setting_t *before = config_setting_get_member(boundary, "servo");
    config_setting_remove(boundary, "until");
    if (motion || servo)
        config_setting_remove(boundary, "motion");
    if (motion && !servo) {
        config_setting_remove(boundary, "servo");
        before = NULL;
    }
    for (size_t k = 0; before && k < sizeof times / sizeof *times; k++)
        config_setting_remove(before, times[k]);
    if (before && servo && config_setting_is_group(servo)) {
        if (config_setting_get_member(servo, "force"))
            config_setting_remove(before, "stress");
        if (config_setting_get_member(servo, "stress"))
            config_setting_remove(before, "force");
    }
}

static void merge_boundary(merge *m, const plu_key *list, config_setting_t *boundaries,
                           const config_setting_t *from)
{
    const config_setting_t *named = config_setting_get_member(from, "name");
    const char *name = text_of(named);
    const int b = name ? plu_scene_boundary(m->reader->scene, name) : -1;
    if (b < 0) {
        plu_complain(m->reader, plu_setting_place(m->reader, named ? named : from),
                     name ? "boundaries: the scene has no boundary \"%s\""
                          : "boundaries: an entry of a stage needs the name of a boundary of the "
                            "scene%s",
                     name ? name : "");
        return;
    }
    config_setting_t *boundary = config_setting_get_elem(boundaries, (unsigned)b);
    if (config_setting_length(from) > 1) {
        m->since[b] = (plu_since){m->stage, config_setting_index(from)};
        forget(boundary, from);
    }
    merge_entry(m, list, boundary, from, "name");
}

static void merge_list(merge *m, const plu_key *key, config_setting_t *into,
                       const config_setting_t *from)
{
    config_setting_t *list = config_setting_get_member(into, plu_key_name(key));
    if (!plu_read_kind(m->reader, key, from) || !list)
        return;
    for (int i = 0; i < config_setting_length(from); i++) {
        const config_setting_t *entry = config_setting_get_elem(from, (unsigned)i);
        if (!config_setting_is_group(entry))
            plu_complain(m->reader, plu_setting_place(m->reader, entry),
                         "%s: an entry must be a group { ... }", key->path);
        else if (strcmp(key->path, "boundaries") == 0)
            merge_boundary(m, key, list, entry);
        else
            merge_law(m, key, list, entry);
    }
}

static void merge_group(merge *m, const plu_key *group, config_setting_t *into,
                        const config_setting_t *from)
{
    for (int i = 0; i < config_setting_length(from); i++) {
        const config_setting_t *member = config_setting_get_elem(from, (unsigned)i);
        const char *name = config_setting_name(member);
        const plu_key *key = plu_key_child(group, name);
        config_setting_t *inner = config_setting_get_member(into, name);
        if (!key || !plu_key_staged(key)) {
            complain(m, member, group);
        } else if (key->type == PLU_KEY_LIST) {
            merge_list(m, key, into, member);
        } else if (key->type == PLU_KEY_GROUP && !inner) {
            plu_complain(m->reader, plu_setting_place(m->reader, member),
                         "%s: the scene has none, and a stage cannot give it one", key->path);
        } else if (key->type == PLU_KEY_GROUP) {
            if (plu_read_kind(m->reader, key, member))
                merge_group(m, key, inner, member);
        } else if (!plu_setting_graft(into, member)) {
            m->reader->status = PLU_IO;
        }
    }
}

/* The changes of a stage are its keys that are not those of stages. */
void plu_stage_merge(plu_reader *reader, int stage, config_setting_t *tree, plu_since *since)
{
    merge m = {reader, stage, since};
    const plu_key *stages = plu_key_find("stages");
    const config_setting_t *entry =
        config_setting_get_elem(config_lookup(&reader->config, "stages"), (unsigned)stage);
    config_t changes;
    config_init(&changes);
    for (int i = 0; i < config_setting_length(entry); i++) {
        const config_setting_t *member = config_setting_get_elem(entry, (unsigned)i);
        bool own = false;
        for (const plu_key *key = plu_key_next(stages, NULL); key; key = plu_key_next(stages, key))
            own |= strcmp(plu_key_name(key), config_setting_name(member)) == 0;
        if (!own && !plu_setting_graft(config_root_setting(&changes), member))
            reader->status = PLU_IO;
    }
    merge_group(&m, plu_keys, tree, config_root_setting(&changes));
    config_destroy(&changes);
}
