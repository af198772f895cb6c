/* From a file to a scene, all complaints with the lines that they are about (reader.h):
 *
 *     file --expand.c, scan.c--> text without includes --libconfig--> tree
 *          --override.c--> tree with what --set changes --scene_read.c, value.c--> plu_scene
 *          --scene_check.c--> names become numbers, values that fit together
 *          --stage_list.c, stage_merge.c--> the stages of a run
 *
 * Where one part complains, those after it do not begin, but each goes on to its end, so that a
 * user sees more than one mistake at a time. */
#include "pluvia/scene.h"
#include "pluvia/extension.h"
#include "scene/describe.h"
#include "scene/reader.h"
#include <stdlib.h>
#include <string.h>

static void keep_overrides(plu_reader *reader, const char *const *overrides, int count)
{
    plu_scene *scene = reader->scene;
    scene->overrides = calloc((size_t)count + 1, sizeof *scene->overrides);
    for (int i = 0; scene->overrides && i < count; i++) {
        if (!(scene->overrides[i] = strdup(overrides[i])))
            break;
        scene->overrides_count++;
    }
    if (scene->overrides_count < count || !scene->overrides)
        reader->status = PLU_IO;
}

/* The text of a line without the blanks around it, for messages. */
static void quote_line(const plu_reader *reader, int line, char *quoted, size_t size)
{
    const char *at = reader->scene->text;
    for (; line > 1 && at; line--)
        at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
    quoted[0] = '\0';
    if (!at)
        return;
    at += strspn(at, " \t");
    snprintf(quoted, size, "%.*s", (int)strcspn(at, "\r\n"), at);
}

static void parse(plu_reader *reader)
{
    if (config_read_string(&reader->config, reader->code))
        return;
    const int line = config_error_line(&reader->config);
    const char *reason = config_error_text(&reader->config);
    char quoted[80];
    quote_line(reader, line, quoted, sizeof quoted);
    if (reason && strstr(reason, "duplicate"))
        plu_complain(reader, line, "a key of this line is given twice in the same group: %s",
                     quoted);
    else
        plu_complain(reader, line,
                     "syntax error at or before \"%s\": is a \"=\", a \",\" between the entries of "
                     "a list or a \";\" missing, or is one too many?",
                     quoted);
}

static void resolve(plu_reader *reader)
{
    size_t size = 0;
    FILE *out = open_memstream(&reader->scene->resolved, &size);
    if (out)
        plu_print_scene(out, config_root_setting(&reader->config));
    if (!out || fclose(out) != 0)
        reader->status = PLU_IO;
}

static bool fine(const plu_reader *reader)
{
    return reader->status == PLU_OK && reader->messages_count == 0 && reader->messages_lost == 0;
}

void plu_reader_begin(plu_reader *reader, plu_scene *scene, const char *path)
{
    *reader = (plu_reader){.scene = scene, .status = PLU_OK};
    memset(scene, 0, sizeof *scene);
    if (!plu_scene_sections(scene))
        reader->status = PLU_IO;
    config_init(&reader->config);
    config_init(&reader->defaults);
    config_set_auto_convert(&reader->config, CONFIG_TRUE);
    config_set_auto_convert(&reader->defaults, CONFIG_TRUE);
    snprintf(scene->path, sizeof scene->path, "%s", path);
    if (strlen(path) >= sizeof scene->path)
        plu_complain(reader, 0, "%.100s...: the path is too long", path);
}

static bool parse_if_fine(plu_reader *reader)
{
    if (fine(reader))
        parse(reader);
    return fine(reader);
}

bool plu_reader_parse(plu_reader *reader)
{
    if (fine(reader))
        plu_expand(reader);
    return parse_if_fine(reader);
}

plu_status plu_reader_end(plu_reader *reader, plu_error *err)
{
    const plu_status status = plu_report(reader, err);
    for (size_t i = 0; i < reader->messages_count; i++)
        free(reader->messages[i].text);
    free(reader->messages);
    free(reader->segments);
    free(reader->code);
    config_destroy(&reader->config);
    config_destroy(&reader->defaults);
    if (status != PLU_OK)
        plu_scene_free(reader->scene);
    return status;
}

/* From the tree on. */
static void read_scene(plu_reader *reader)
{
    for (int i = 0; i < reader->scene->overrides_count && reader->status == PLU_OK; i++)
        plu_override(reader, i);
    if (reader->status == PLU_OK)
        plu_read_tree(reader);
    if (reader->status == PLU_OK)
        plu_check(reader);
    if (fine(reader))
        resolve(reader);
    if (fine(reader))
        plu_check_users_of_stages(reader);
    if (fine(reader) && reader->scene->stages_count > 0)
        plu_read_stages(reader);
}

plu_status plu_scene_read(plu_scene *scene, const char *path, const char *const *overrides,
                          int overrides_count, plu_error *err)
{
    return plu_scene_read_with(scene, NULL, path, overrides, overrides_count, err);
}

plu_status plu_scene_read_with(plu_scene *scene, const plu_extensions *extensions, const char *path,
                               const char *const *overrides, int overrides_count, plu_error *err)
{
    plu_reader reader;
    plu_reader_begin(&reader, scene, path);
    reader.extensions = extensions;
    keep_overrides(&reader, overrides, overrides_count);
    if (plu_reader_parse(&reader))
        read_scene(&reader);
    return plu_reader_end(&reader, err);
}

plu_status plu_scene_read_text(plu_scene *scene, const char *name, const char *text,
                               const char *const *overrides, int overrides_count, plu_error *err)
{
    return plu_scene_read_text_with(scene, NULL, name, text, overrides, overrides_count, err);
}

plu_status plu_scene_read_text_with(plu_scene *scene, const plu_extensions *extensions,
                                    const char *name, const char *text,
                                    const char *const *overrides, int overrides_count,
                                    plu_error *err)
{
    plu_reader reader;
    plu_reader_begin(&reader, scene, name);
    reader.extensions = extensions;
    keep_overrides(&reader, overrides, overrides_count);
    if (fine(&reader))
        plu_expand_text(&reader, name, text);
    if (parse_if_fine(&reader))
        read_scene(&reader);
    return plu_reader_end(&reader, err);
}

plu_status plu_scene_read_stored(plu_scene *scene, const char *path, const char *text,
                                 plu_error *err)
{
    char label[PLU_PATH];
    plu_reader reader;
    plu_reader_begin(&reader, scene, path);
    reader.stored = true;
    snprintf(label, sizeof label, "%.*s: scene", (int)(sizeof label - sizeof ": scene"), path);
    if (fine(&reader))
        plu_expand_text(&reader, label, text);
    if (parse_if_fine(&reader))
        read_scene(&reader);
    return plu_reader_end(&reader, err);
}
