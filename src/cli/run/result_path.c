#include "cli/run/result_path.h"
#include "pluvia/scene.h"
#include "pluvia/tool/output.h"
#include "pluvia/tool/paths.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* NAME of output/NAME.h5md */
static void default_path(const char *scene, char *path, size_t size)
{
    const char *slash = strrchr(scene, '/');
    const char *name = slash ? slash + 1 : scene;
    size_t length = strlen(name);
    if (length > 4 && strcmp(name + length - 4, ".cfg") == 0)
        length -= 4;
    snprintf(path, size, "output/%.*s.h5md", (int)length, name);
}

plu_status plu_result_path(const plu_arguments *arguments, int option, char path[PLU_PATH],
                           plu_error *err)
{
    if (!plu_argument_given(arguments, option)) {
        default_path(arguments->operands[0], path, PLU_PATH);
        return PLU_OK;
    }
    const char *given = plu_argument(arguments, option);
    const char *slash = strrchr(given, '/');
    const char *name = slash ? slash + 1 : given;
    const size_t length = strlen(name), extension = strlen(".h5md");
    if (length <= extension || strcmp(name + length - extension, ".h5md") != 0)
        return plu_fail(
            err, PLU_USAGE,
            "option --output: \"%s\" is not a valid name of a trajectory; it must end in .h5md",
            given);
    if (strlen(given) >= PLU_PATH)
        return plu_fail(err, PLU_USAGE, "option --output: the path is too long");
    strcpy(path, given);
    return PLU_OK;
}

/* Each file of a result is first written as NAME.part. */
static plu_status spare_file(const char *path, const char *const *inputs, int count, plu_error *err)
{
    char part[PLU_PATH + 32];
    snprintf(part, sizeof part, "%s.part", path);
    const plu_status status = plu_output_spare(path, inputs, count, err);
    return status == PLU_OK ? plu_output_spare(part, inputs, count, err) : status;
}

plu_status plu_result_spare(const char *path, const plu_scene *scene, plu_error *err)
{
    static const char *const endings[] = {".h5md", ".xdmf", ".checkpoint.h5", ".checkpoint_prev.h5",
                                          ".h5md.lock"};
    char target[PLU_PATH], file[PLU_PATH + 24];
    int count = 0;
    while (plu_scene_input(scene, count))
        count++;
    const char **inputs = calloc((size_t)count + 1, sizeof *inputs);
    if (!inputs)
        return plu_fail(err, PLU_IO, "out of memory");
    for (int k = 0; k < count; k++)
        inputs[k] = plu_scene_input(scene, k);
    plu_status status = plu_follow_links(path, target, err);
    const size_t length = strlen(target), tail = strlen(endings[0]);
    for (size_t k = 0; status == PLU_OK && k < sizeof endings / sizeof *endings; k++) {
        snprintf(file, sizeof file, "%.*s%s", (int)(length > tail ? length - tail : 0), target,
                 endings[k]);
        status = spare_file(file, inputs, count, err);
    }
    free(inputs);
    return status;
}
