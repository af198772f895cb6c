/* Makes the scene of one case from the base scene, the fixed overrides and the values of the case;
 * and the hash by which a case is known: of the scene as it is resolved and of all files that it
 * names. A case is done if its result has this hash, so that a changed table or mesh runs it
 * again.
 *
 *   base scene + set + values of the axes --> read --> hash(resolved text, files, keep)
 *              + absolute paths of files, output.interval = end (keep = "last") --> read again
 *              --> scene.cfg of the case
 *
 * Paths become absolute after the hash was taken: a campaign that is moved keeps its results. */
#include "base/hash.h"
#include "campaign/campaign.h"
#include "pluvia/body.h"
#include "pluvia/boundary.h"
#include "pluvia/stage.h"
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* All overrides of a case; the caller frees the texts. */
static plu_status overrides_of(plu_texts *set, const plu_campaign *campaign, int index)
{
    plu_status status = PLU_OK;
    for (int i = 0; i < campaign->fixed.count && status == PLU_OK; i++)
        status = plu_texts_add(set, campaign->fixed.text[i]);
    for (int k = 0; k < campaign->keys.count && status == PLU_OK; k++) {
        const char *key = campaign->keys.text[k], *value = campaign->cases[index].values[k];
        const size_t size = strlen(key) + strlen(value) + 2;
        char *text = malloc(size);
        if (text)
            snprintf(text, size, "%s=%s", key, value);
        status = text ? plu_texts_add(set, text) : PLU_IO;
        free(text);
    }
    return status;
}

static plu_status hash_file(uint64_t *hash, const char *path, plu_error *err)
{
    char block[65536];
    FILE *file = fopen(path, "rb");
    if (!file)
        return plu_fail(err, PLU_BAD_INPUT, "%s: %s", path, strerror(errno));
    for (size_t got; (got = fread(block, 1, sizeof block, file)) > 0;)
        *hash = plu_hash(*hash, block, got);
    const bool failed = ferror(file);
    fclose(file);
    return failed ? plu_fail(err, PLU_IO, "%s: cannot be read", path) : PLU_OK;
}

/* Files beside the scene file that a scene names. */
typedef struct named_file {
    char key[80]; /* of the scene */
    const char *path;
} named_file;

static bool is_there(named_file *file, const char *path, const char *list, int index,
                     const char *key)
{
    snprintf(file->key, sizeof file->key, "%s.%d.%s", list, index, key);
    file->path = path;
    return *path != '\0';
}

enum { BOUNDARY_FILES = 3 };

/* Tables that stages name, from place *at on, as next_file. */
static bool next_of_stages(const plu_scene *scene, int *at, int first, named_file *file)
{
    const int boundaries = scene->boundaries_count;
    for (; *at - first < 2 * scene->stages_count * boundaries; ++*at) {
        const int place = (*at - first) / 2, k = place / boundaries, servo = (*at - first) % 2;
        const plu_boundary_spec *b = &scene->stages[k].scene->boundaries[place % boundaries];
        char list[48];
        snprintf(list, sizeof list, "stages.%d.boundaries", k);
        if (b->since == k && is_there(file, servo ? b->servo.table : b->motion.table, list,
                                      b->entry, servo ? "servo.table" : "motion.table")) {
            ++*at;
            return true;
        }
    }
    return false;
}

/* Goes to the next of them, after place *at (0 at first); false: there is none. Those of the first
 * stage, which the scene is in, are named there. */
static bool next_file(const plu_scene *scene, int *at, named_file *file)
{
    const int bodies = scene->bodies_count, all = bodies + BOUNDARY_FILES * scene->boundaries_count;
    while (*at < all) {
        const int k = (*at)++, b = (k - bodies) / BOUNDARY_FILES;
        const plu_boundary_spec *spec = k < bodies ? NULL : &scene->boundaries[b];
        const int which = k < bodies ? -1 : (k - bodies) % BOUNDARY_FILES;
        const char *path = which < 0    ? scene->bodies[k].path
                           : which == 0 ? spec->kind == PLU_MESH ? spec->file : ""
                           : which == 1 ? spec->motion.table
                                        : spec->servo.table;
        static const char *const keys[] = {"mesh.file", "motion.table", "servo.table"};
        if (which >= 0 && (which == 0 || spec->since < 0) &&
            is_there(file, path, "boundaries", b, keys[which]))
            return true;
        if (which < 0 && is_there(file, path, "bodies", k,
                                  scene->bodies[k].kind == PLU_FILE ? "file.path" : "run.path"))
            return true;
    }
    return next_of_stages(scene, at, all, file);
}

/* The hash of everything on which the result depends, including the files that the scene reads. */
static plu_status hash_scene(uint64_t *hash, const plu_scene *scene, plu_error *err)
{
    plu_status status = PLU_OK;
    named_file file;
    *hash = plu_hash(PLU_HASH_START, scene->resolved, strlen(scene->resolved));
    for (int at = 0; status == PLU_OK && next_file(scene, &at, &file);)
        status = hash_file(hash, file.path, err);
    return status;
}

static plu_status note_inputs(plu_texts *inputs, const plu_scene *scene)
{
    plu_status status = PLU_OK;
    named_file file;
    for (int i = 0; i < scene->files_count && status == PLU_OK; i++)
        status = plu_texts_add(inputs, scene->files[i]);
    for (int at = 0; status == PLU_OK && next_file(scene, &at, &file);)
        status = plu_texts_add(inputs, file.path);
    return status;
}

/* Adds the overrides with which the scene can be run in its own folder: absolute paths, and the
 * frames that the campaign keeps. */
static plu_status adapt(plu_texts *set, const plu_campaign *campaign, const plu_scene *scene)
{
    char text[PATH_MAX + 80], path[PATH_MAX];
    plu_status status = PLU_OK;
    named_file file;
    for (int at = 0; status == PLU_OK && next_file(scene, &at, &file);)
        if (realpath(file.path, path)) {
            snprintf(text, sizeof text, "%s=%s", file.key, path);
            status = plu_texts_add(set, text);
        }
    if (campaign->keep == PLU_KEEP_LAST && status == PLU_OK) {
        snprintf(text, sizeof text, "output.interval=%.17g", scene->end);
        status = plu_texts_add(set, text);
    }
    return status;
}

/* Reads the scene as the campaign has it, for the hash, and once more where it has to be adapted
 * for the folder. */
static plu_status make_scene(plu_case_scene *made, plu_scene *scene, plu_texts *set,
                             const plu_campaign *campaign, plu_error *err)
{
    plu_status status =
        plu_scene_read(scene, campaign->scene, (const char *const *)set->text, set->count, err);
    if (status == PLU_OK)
        status = hash_scene(&made->hash, scene, err);
    if (status != PLU_OK)
        return status;
    const unsigned char kept = (unsigned char)campaign->keep;
    made->hash = plu_hash(made->hash, &kept, 1);
    made->end = scene->end;
    made->steps = lround(scene->end / scene->step);
    const int overrides = set->count;
    status = note_inputs(&made->inputs, scene);
    for (int k = 0; k < scene->stages_count && status == PLU_OK; k++)
        status = plu_texts_add(&made->stages, scene->stages[k].name);
    if (status == PLU_OK)
        status = adapt(set, campaign, scene);
    if (status == PLU_OK && set->count > overrides) {
        plu_scene_free(scene);
        status =
            plu_scene_read(scene, campaign->scene, (const char *const *)set->text, set->count, err);
    }
    if (status == PLU_OK) {
        made->text = scene->resolved;
        scene->resolved = NULL;
        made->boundaries_count = scene->boundaries_count;
        made->sensors_count = scene->sensors_count;
        made->sensors = scene->sensors;
        scene->sensors = NULL;
        scene->sensors_count = 0;
    }
    return status;
}

void plu_case_scene_free(plu_case_scene *made)
{
    free(made->text);
    free(made->sensors);
    plu_texts_free(&made->inputs);
    plu_texts_free(&made->stages);
    made->text = NULL;
    made->sensors = NULL;
}

plu_status plu_case_scene_make(plu_case_scene *made, const plu_campaign *campaign, int index,
                               plu_error *err)
{
    memset(made, 0, sizeof *made);
    if (access(campaign->scene, F_OK) != 0 && errno == ENOENT)
        return plu_fail(err, PLU_IO, "%s: scene: no such file %s", campaign->scene_place,
                        campaign->scene);
    plu_scene scene = {0};
    plu_texts set = {0};
    plu_error inner = {0};
    plu_status status = overrides_of(&set, campaign, index);
    if (status == PLU_OK)
        status = make_scene(made, &scene, &set, campaign, &inner);
    plu_scene_free(&scene);
    plu_texts_free(&set);
    if (status == PLU_OK)
        return status;
    plu_case_scene_free(made);
    if (inner.count == 0)
        return plu_fail(err, status, "out of memory");
    plu_fail(err, status, "%s, case %s:", campaign->path, campaign->cases[index].name);
    for (char *line = strtok(inner.text, "\n"); line; line = strtok(NULL, "\n"))
        plu_error_add(err, status, "%s", line);
    return status;
}
