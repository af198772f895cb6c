#include "result_path.h"
#include <stdio.h>
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
        return plu_fail(err, PLU_USAGE,
                        "option --output: \"%s\" is no name of a trajectory; it must end in .h5md",
                        given);
    if (strlen(given) >= PLU_PATH)
        return plu_fail(err, PLU_USAGE, "option --output: the path is too long");
    strcpy(path, given);
    return PLU_OK;
}
