/* A campaign file: its table of keys, and from the file to plu_campaign.
 *
 *     file --libconfig--> tree --members.c: known keys, right kinds--> axis.c: axes with their
 *          values --cases.c: all combinations, filter.c: those that fulfil `where`--> cases with
 *          names --targets.c: with targets the axes are parameters of a calibration--
 *
 *   scene = "angle.cfg";
 *   axes = ( { key = "contacts.0.friction"; values = [0.2, 0.4]; } );
 *   where = "friction <= 0.3";
 *   measures = ["pile.angle"];
 *   targets = ( { measure = "pile.angle"; value = 24.0; error = 0.5; } );
 *
 * It is read by the reader of scenes, for its includes, brackets and messages with file and line.
 */
#include "base/memory.h"
#include "campaign/campaign.h"
#include <stdlib.h>
#include <string.h>

static const plu_campaign_key keys[] = {
    {"title", PLU_ONE_TEXT, "text, one line"},
    {"scene", PLU_ONE_TEXT, "text, the path of the base scene"},
    {"set", PLU_TEXT_LIST, "a list of texts \"KEY=VALUE\", as for -s"},
    {"axes", PLU_GROUP_LIST, "a list of groups, ( { key = ...; values = [...]; }, ... )"},
    {"where", PLU_ONE_OR_MORE_TEXTS, "a condition such as \"mu_r <= 0.01\", or a list of them"},
    {"measures", PLU_ONE_OR_MORE_TEXTS, "a list of names such as \"pile.height\""},
    {"targets", PLU_GROUP_LIST,
     "a list of groups, ( { measure = ...; value = ...; error = ...; }, ... )"},
    {"threads", PLU_WHOLE_NUMBER, "a whole number > 0"},
    {"keep", PLU_ONE_TEXT, "one of \"none\", \"last\", \"all\""},
    {NULL, PLU_ONE_TEXT, NULL},
};

/* The base scene, given relative to the folder of the campaign file. */
static void read_scene_path(plu_campaign *campaign, plu_reader *reader,
                            const config_setting_t *setting)
{
    const char *from = campaign->path, *slash = strrchr(from, '/');
    if (!setting) {
        plu_complain(reader, 1, "scene is missing: text, the path of the base scene");
        return;
    }
    plu_scene_where(reader->scene, plu_place_where(reader, plu_setting_place(reader, setting)),
                    campaign->scene_place, sizeof campaign->scene_place);
    const char *name = config_setting_get_string(setting);
    const int folder = slash && *name != '/' ? (int)(slash - from) + 1 : 0;
    if (snprintf(campaign->scene, sizeof campaign->scene, "%.*s%s", folder, from, name) >=
        (int)sizeof campaign->scene)
        plu_complain(reader, plu_setting_place(reader, setting), "the path is too long");
}

static void read_single_values(plu_campaign *campaign, plu_reader *reader,
                               const config_setting_t *root)
{
    static const char *const keeps[] = {
        [PLU_KEEP_NONE] = "none", [PLU_KEEP_LAST] = "last", [PLU_KEEP_ALL] = "all"};
    _Static_assert(sizeof keeps / sizeof *keeps == PLU_KEEPS, "a word for each");
    const config_setting_t *title = config_setting_get_member(root, "title");
    const config_setting_t *threads = config_setting_get_member(root, "threads");
    const config_setting_t *keep = config_setting_get_member(root, "keep");
    if (title)
        snprintf(campaign->title, sizeof campaign->title, "%s", config_setting_get_string(title));
    if (threads)
        campaign->threads = config_setting_get_int(threads);
    if (threads && (campaign->threads < 1 || campaign->threads > 1024))
        plu_complain(reader, plu_setting_place(reader, threads), "threads must be 1 to 1024");
    campaign->keep = PLU_KEEP_ALL;
    bool known = !keep;
    for (int i = 0; keep && i < 3; i++)
        if (strcmp(config_setting_get_string(keep), keeps[i]) == 0) {
            campaign->keep = (plu_keep)i;
            known = true;
        }
    if (!known)
        plu_complain(reader, plu_setting_place(reader, keep),
                     "keep must be one of \"none\", \"last\", \"all\"; found \"%s\"",
                     config_setting_get_string(keep));
}

static void read_axes(plu_campaign *campaign, plu_reader *reader, const config_setting_t *root)
{
    config_setting_t *list = config_setting_get_member(root, "axes");
    const config_setting_t *targets = config_setting_get_member(root, "targets");
    const config_setting_t *where = config_setting_get_member(root, "where");
    const int count = list ? config_setting_length(list) : 0;
    plu_axis *axes = plu_alloc((size_t)count, sizeof *axes, NULL);
    if (!axes) {
        reader->status = PLU_IO;
        return;
    }
    for (int i = 0; i < count; i++)
        plu_axis_read(&axes[i], reader, config_setting_get_elem(list, (unsigned)i));
    if (reader->messages_count == 0 && reader->status == PLU_OK)
        plu_cases_expand(campaign, reader, axes, count, where);
    if (targets && where)
        plu_complain(reader, plu_setting_place(reader, where),
                     "where cannot be combined with targets: a calibration needs its whole grid");
    else if (targets && reader->messages_count == 0 && reader->status == PLU_OK)
        plu_targets_read(campaign, reader, targets, axes, count);
    for (int i = 0; i < count; i++) {
        if (axes[i].table[0] && plu_texts_add(&campaign->inputs, axes[i].table) != PLU_OK)
            reader->status = PLU_IO;
        plu_axis_free(&axes[i]);
    }
    free(axes);
}

static void read_measures(plu_campaign *campaign, plu_reader *reader,
                          const config_setting_t *measures)
{
    const bool one = !config_setting_is_aggregate(measures);
    const int count = one ? 1 : config_setting_length(measures);
    for (int i = 0; i < count && reader->status == PLU_OK; i++) {
        const config_setting_t *name =
            one ? measures : config_setting_get_elem(measures, (unsigned)i);
        plu_campaign_measure(campaign, reader, plu_setting_place(reader, name),
                             config_setting_get_string(name));
    }
}

static void read_campaign(plu_campaign *campaign, plu_reader *reader)
{
    const config_setting_t *root = config_root_setting(&reader->config);
    if (!plu_campaign_check(reader, root, keys))
        return;
    read_scene_path(campaign, reader, config_setting_get_member(root, "scene"));
    read_single_values(campaign, reader, root);
    const config_setting_t *set = config_setting_get_member(root, "set");
    const config_setting_t *measures = config_setting_get_member(root, "measures");
    if (set)
        plu_campaign_texts(reader, set, &campaign->fixed);
    if (measures)
        read_measures(campaign, reader, measures);
    read_axes(campaign, reader, root);
}

plu_status plu_campaign_read(plu_campaign *campaign, const char *path, plu_error *err)
{
    plu_reader reader;
    plu_scene file; /* of it only path, files and text are used */
    memset(campaign, 0, sizeof *campaign);
    snprintf(campaign->path, sizeof campaign->path, "%s", path);
    plu_reader_begin(&reader, &file, path);
    if (plu_reader_parse(&reader))
        read_campaign(campaign, &reader);
    for (int i = 0; i < file.files_count; i++)
        if (plu_texts_add(&campaign->inputs, file.files[i]) != PLU_OK)
            reader.status = PLU_IO;
    const plu_status status = plu_reader_end(&reader, err);
    if (status == PLU_OK) {
        campaign->text = file.text;
        file.text = NULL;
        plu_scene_free(&file);
    } else {
        plu_campaign_free(campaign);
    }
    return status;
}

void plu_campaign_remove_last(plu_campaign *campaign)
{
    plu_case *last = &campaign->cases[--campaign->cases_count];
    for (int k = 0; last->values && k < campaign->keys.count; k++)
        free(last->values[k]);
    free(last->values);
    free(last->name);
}

void plu_campaign_free(plu_campaign *campaign)
{
    while (campaign->cases_count > 0)
        plu_campaign_remove_last(campaign);
    free(campaign->cases);
    free(campaign->targets);
    free(campaign->text);
    plu_texts_free(&campaign->inputs);
    plu_texts_free(&campaign->fixed);
    plu_texts_free(&campaign->keys);
    plu_texts_free(&campaign->columns);
    plu_texts_free(&campaign->measures);
    plu_texts_free(&campaign->places);
    memset(campaign, 0, sizeof *campaign);
}
