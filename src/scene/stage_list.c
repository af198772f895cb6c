/* Reads the stages of a scene: each is the scene with its changes and those of the stages before
 * it, read and checked as a scene of its own.
 *
 *   tree of the scene --copy--> tree
 *                               + stages[0]   -> read, checked -> stages[0].scene
 *                               + stages[1]   -> read, checked -> stages[1].scene     (both
 * changes)
 *
 * Texts, files and overrides are lent to the scene of a stage while it is read, so that messages
 * find their lines; meshes are loaded anew by the checks and dropped, for the whole scene has
 * them. After the first complaint no more stages are read: they would repeat it. */
#include "base/memory.h"
#include "pluvia/boundary.h"
#include "pluvia/stage.h"
#include "pluvia/tool/mesh.h"
#include "scene/reader.h"
#include <stdlib.h>
#include <string.h>

/* Texts of the whole scene, by which messages find their places: they belong to it alone. */
static void lend(const plu_scene *scene, plu_scene *stage, bool back)
{
    stage->text = back ? NULL : scene->text;
    stage->files = back ? NULL : scene->files;
    stage->files_count = back ? 0 : scene->files_count;
    stage->overrides = back ? NULL : scene->overrides;
    stage->overrides_count = back ? 0 : scene->overrides_count;
    memcpy(stage->path, scene->path, sizeof stage->path);
}

/* Triangles are those of the scene. */
static void drop_meshes(plu_scene *stage)
{
    for (int b = 0; b < stage->boundaries_count; b++) {
        plu_mesh_free(stage->boundaries[b].mesh);
        stage->boundaries[b].mesh = NULL;
    }
}

/* Reads `tree` as the scene of a stage. */
static void read_stage(plu_reader *reader, plu_stage_spec *stage, config_t *tree)
{
    plu_scene *whole = reader->scene, *scene = plu_alloc(1, sizeof *scene, NULL);
    config_t kept = reader->config;
    stage->scene = scene;
    if (!scene || !plu_scene_sections(scene)) {
        reader->status = PLU_IO;
        return;
    }
    lend(whole, scene, false);
    reader->scene = scene;
    reader->config = *tree;
    plu_read_tree(reader);
    if (reader->status == PLU_OK)
        plu_check(reader);
    *tree = reader->config;
    reader->config = kept;
    reader->scene = whole;
    lend(whole, scene, true);
    drop_meshes(scene);
}

/* The scene without its stages. */
static bool clone(plu_reader *reader, config_t *tree)
{
    const config_setting_t *root = config_root_setting(&reader->config);
    config_init(tree);
    config_set_auto_convert(tree, CONFIG_TRUE);
    for (int i = 0; i < config_setting_length(root); i++) {
        const config_setting_t *member = config_setting_get_elem(root, (unsigned)i);
        if (strcmp(config_setting_name(member), "stages") != 0 &&
            !plu_setting_graft(config_root_setting(tree), member))
            return false;
    }
    return true;
}

static bool fine(const plu_reader *reader)
{
    return reader->status == PLU_OK && reader->messages_count == 0;
}

static void read_all(plu_reader *reader, config_t *tree, plu_since *since)
{
    plu_scene *scene = reader->scene;
    for (int k = 0; k < scene->stages_count && fine(reader); k++) {
        plu_stage_spec *stage = &scene->stages[k];
        reader->stage = stage->name;
        plu_stage_merge(reader, k, config_root_setting(tree), since);
        if (fine(reader))
            read_stage(reader, stage, tree);
        for (int b = 0; fine(reader) && b < scene->boundaries_count; b++) {
            stage->scene->boundaries[b].since = since[b].stage;
            stage->scene->boundaries[b].entry = since[b].entry;
        }
    }
    reader->stage = NULL;
}

void plu_read_stages(plu_reader *reader)
{
    static const double begun[1] = {0.0};
    config_t tree;
    plu_check_stages(reader);
    plu_since *since = plu_alloc((size_t)reader->scene->boundaries_count, sizeof *since, NULL);
    if (!since || !clone(reader, &tree)) {
        reader->status = PLU_IO;
        free(since);
        return;
    }
    for (int b = 0; b < reader->scene->boundaries_count; b++)
        since[b] = (plu_since){-1, -1};
    if (fine(reader))
        read_all(reader, &tree, since);
    if (fine(reader))
        plu_check_staged(reader);
    if (fine(reader))
        plu_scene_enter(reader->scene, 0, begun);
    config_destroy(&tree);
    free(since);
}
