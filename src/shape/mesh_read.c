#include "shape/mesh_read.h"
#include "base/memory.h"
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>

/* The content of a file with a NUL behind it; the caller frees it. */
static char *content_of(const char *path, size_t *size, plu_error *err)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        plu_fail(err, PLU_BAD_INPUT, "%s: %s", path,
                 errno == ENOENT ? "no such file" : strerror(errno));
        return NULL;
    }
    if (!S_ISREG(info.st_mode)) {
        plu_fail(err, PLU_BAD_INPUT, "%s is not a file", path);
        return NULL;
    }
    if ((double)info.st_size > PLU_MESH_LARGEST) {
        plu_fail(err, PLU_BAD_INPUT,
                 "%s has %.3g GB; the limit for meshes is %.3g GB: make it coarser or split it",
                 path, 1e-9 * (double)info.st_size, 1e-9 * PLU_MESH_LARGEST);
        return NULL;
    }
    FILE *file = fopen(path, "rb");
    if (!file) {
        plu_fail(err, PLU_BAD_INPUT, "%s: %s", path, strerror(errno));
        return NULL;
    }
    *size = (size_t)info.st_size;
    char *bytes = plu_alloc(*size + 1, 1, err);
    if (bytes && fread(bytes, 1, *size, file) != *size) {
        plu_fail(err, PLU_IO, "%s: cannot be read", path);
        free(bytes);
        bytes = NULL;
    }
    fclose(file);
    return bytes;
}

static bool ends_with_obj(const char *path)
{
    const size_t length = strlen(path);
    return length > 4 && strcasecmp(path + length - 4, ".obj") == 0;
}

plu_status plu_triangles_read(plu_triangles *read, const char *path, plu_error *err)
{
    *read = (plu_triangles){0};
    plu_error why = {.status = PLU_IO};
    size_t size = 0;
    char *bytes = content_of(path, &size, &why);
    if (!bytes)
        return plu_fail(err, why.status, "%s", why.text);
    plu_status s = ends_with_obj(path) ? plu_triangles_obj(read, bytes, &why)
                                       : plu_triangles_stl(read, bytes, size, &why);
    free(bytes);
    if (s == PLU_OK && read->triangles == 0)
        s = plu_fail(&why, PLU_BAD_INPUT, "it contains no triangles");
    return s == PLU_OK ? s : plu_fail(err, s, "%s: %s", path, why.text);
}
