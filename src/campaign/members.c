/* Lists of texts, and checks of the members of a group of a campaign file against the table of its
 * keys: a key that is unknown gets the nearest known one as a hint, one of the wrong kind what is
 * wanted.
 *
 *   {"threads", PLU_WHOLE_NUMBER, "a whole number > 0"}        a row: name, kind, what is wanted
 *   threads = "two";   ->   campaign.cfg:4: threads must be a whole number > 0; found "two"
 *   tread = 2;         ->   campaign.cfg:4: unknown key "tread"; did you mean "threads"?
 *
 * A key of scenes at the top of a campaign gets its own message: it belongs into the scene. */
#include "base/memory.h"
#include "campaign/campaign.h"
#include "scene/describe.h"
#include <stdlib.h>
#include <string.h>

static bool all_texts(const config_setting_t *list)
{
    for (int i = 0; i < config_setting_length(list); i++)
        if (config_setting_type(config_setting_get_elem(list, (unsigned)i)) != CONFIG_TYPE_STRING)
            return false;
    return true;
}

static bool all_groups(const config_setting_t *list)
{
    for (int i = 0; i < config_setting_length(list); i++)
        if (!config_setting_is_group(config_setting_get_elem(list, (unsigned)i)))
            return false;
    return true;
}

static bool all_numbers(const config_setting_t *list)
{
    for (int i = 0; i < config_setting_length(list); i++)
        if (!config_setting_is_number(config_setting_get_elem(list, (unsigned)i)))
            return false;
    return true;
}

/* "[ ]" and "( )" are both lists here (scene/scan.c). */
static bool fits(const plu_campaign_key *key, const config_setting_t *setting)
{
    const int type = config_setting_type(setting);
    const bool text = type == CONFIG_TYPE_STRING, list = config_setting_is_list(setting);
    switch (key->type) {
    case PLU_ONE_TEXT:
        return text;
    case PLU_ONE_OR_MORE_TEXTS:
        return text || (list && all_texts(setting));
    case PLU_TEXT_LIST:
        return list && all_texts(setting);
    case PLU_WHOLE_NUMBER:
        return type == CONFIG_TYPE_INT;
    case PLU_ONE_NUMBER:
        return config_setting_is_number(setting);
    case PLU_TWO_NUMBERS:
        return list && config_setting_length(setting) == 2 && all_numbers(setting);
    case PLU_ANY_LIST:
        return list && config_setting_length(setting) > 0;
    case PLU_NUMBER_OR_LIST:
        return type == CONFIG_TYPE_INT || (list && config_setting_length(setting) > 0);
    case PLU_GROUP_LIST:
        return list && all_groups(setting);
    }
    return false;
}

static void complain_of_unknown(plu_reader *reader, const config_setting_t *member,
                                const plu_campaign_key *table)
{
    const char *name = config_setting_name(member), *best = NULL;
    char all[256] = "";
    for (const plu_campaign_key *key = table; key->name; key++) {
        const size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", used ? ", " : "", key->name);
        if (plu_word_near(name, key->name) &&
            (!best || plu_word_distance(name, key->name) < plu_word_distance(name, best)))
            best = key->name;
    }
    if (config_setting_is_root(config_setting_parent(member)) && plu_key_find(name))
        plu_complain(
            reader, plu_setting_place(reader, member),
            "unknown key \"%s\": it is a key of scenes, which \"pluvia run\" reads; a campaign "
            "names its scene by scene = \"FILE\" and changes keys by axes and set",
            name);
    else if (best)
        plu_complain(reader, plu_setting_place(reader, member),
                     "unknown key \"%s\"; did you mean \"%s\"?", name, best);
    else
        plu_complain(reader, plu_setting_place(reader, member),
                     "unknown key \"%s\"; known here are %s", name, all);
}

bool plu_campaign_check(plu_reader *reader, const config_setting_t *group,
                        const plu_campaign_key *table)
{
    const size_t before = reader->messages_count;
    for (int i = 0; i < config_setting_length(group); i++) {
        const config_setting_t *member = config_setting_get_elem(group, (unsigned)i);
        const plu_campaign_key *key = table;
        while (key->name && strcmp(key->name, config_setting_name(member)) != 0)
            key++;
        char found[80];
        if (!key->name)
            complain_of_unknown(reader, member, table);
        else if (!fits(key, member))
            plu_complain(reader, plu_setting_place(reader, member), "%s must be %s; found %s",
                         key->name, key->wanted, plu_setting_found(member, found, sizeof found));
    }
    return reader->messages_count == before;
}

void plu_campaign_texts(plu_reader *reader, const config_setting_t *setting, plu_texts *texts)
{
    plu_status status = PLU_OK;
    if (!config_setting_is_aggregate(setting))
        status = plu_texts_add(texts, config_setting_get_string(setting));
    else
        for (int i = 0; i < config_setting_length(setting) && status == PLU_OK; i++)
            status = plu_texts_add(texts, config_setting_get_string_elem(setting, i));
    if (status != PLU_OK)
        reader->status = status;
}

void plu_campaign_measure(plu_campaign *campaign, plu_reader *reader, plu_place place,
                          const char *name)
{
    char where[PLU_PATH + 64];
    if (plu_texts_find(&campaign->measures, name) >= 0) { /* a column each */
        plu_complain(reader, place, "the measure \"%s\" is named twice", name);
        return;
    }
    plu_scene_where(reader->scene, plu_place_where(reader, place), where, sizeof where);
    if (plu_texts_add(&campaign->measures, name) != PLU_OK ||
        plu_texts_add(&campaign->places, where) != PLU_OK)
        reader->status = PLU_IO;
}

plu_status plu_texts_add(plu_texts *texts, const char *text)
{
    if (plu_reserve(&texts->text, &texts->capacity, (size_t)texts->count + 1, sizeof *texts->text,
                    1, NULL) != PLU_OK)
        return PLU_IO;
    char *copy = strdup(text);
    if (!copy)
        return PLU_IO;
    texts->text[texts->count++] = copy;
    return PLU_OK;
}

int plu_texts_find(const plu_texts *texts, const char *text)
{
    for (int i = 0; i < texts->count; i++)
        if (strcmp(texts->text[i], text) == 0)
            return i;
    return -1;
}

void plu_texts_free(plu_texts *texts)
{
    for (int i = 0; i < texts->count; i++)
        free(texts->text[i]);
    free(texts->text);
    memset(texts, 0, sizeof *texts);
}
