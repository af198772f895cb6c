#include "result_path.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

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

static bool is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* The scene is not to be replaced by its own result, by whatever name. */
static plu_status spare_scene(const char *scene, const char *path, plu_error *err)
{
    char sidecar[PLU_PATH + 8];
    snprintf(sidecar, sizeof sidecar, "%.*s.xdmf", (int)(strlen(path) - strlen(".h5md")), path);
    for (int k = 0; k < 2; k++)
        if (is_same_file(scene, k ? sidecar : path))
            return plu_fail(err, PLU_USAGE,
                            "option --output: %s is the scene, which this command reads; nothing "
                            "is written",
                            k ? sidecar : path);
    return PLU_OK;
}

plu_status plu_result_path(const plu_arguments *arguments, int option, char path[PLU_PATH],
                           plu_error *err)
{
    if (!plu_argument_given(arguments, option)) {
        default_path(arguments->operands[0], path, PLU_PATH);
        return spare_scene(arguments->operands[0], path, err);
    }
    const char *given = plu_argument(arguments, option);
    const char *slash = strrchr(given, '/');
    const char *name = slash ? slash + 1 : given;
    const size_t length = strlen(name), extension = strlen(".h5md");
    if (length <= extension || strcmp(name + length - extension, ".h5md") != 0)
        return plu_fail(err, PLU_USAGE,
                        "option --output: \"%s\" is no name of a trajectory; it must end in .h5md",
                        given);
    if (strlen(given) >= PLU_PATH)
        return plu_fail(err, PLU_USAGE, "option --output: the path is too long");
    strcpy(path, given);
    return spare_scene(arguments->operands[0], path, err);
}
