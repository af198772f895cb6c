#include "io/place.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char extension[] = ".h5md";

static plu_status name(plu_result *place, const char *path, plu_error *err)
{
    const size_t length = strlen(path), tail = strlen(extension);
    const char *file = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    if (length >= PLU_PATH)
        return plu_fail(err, PLU_IO, "the name of the result is longer than %d characters",
                        PLU_PATH - 1);
    if (strlen(file) <= tail || strcmp(path + length - tail, extension) != 0)
        return plu_fail(err, PLU_IO, "%s: the name of a trajectory must end in NAME%s", path,
                        extension);
    snprintf(place->path[PLU_DATA], PLU_PATH, "%s", path);
    snprintf(place->path[PLU_SIDECAR], PLU_PATH, "%.*s.xdmf", (int)(length - tail), path);
    for (int k = 0; k < PLU_RESULTS; k++)
        snprintf(place->part[k], sizeof place->part[k], "%s.part", place->path[k]);
    return PLU_OK;
}

static plu_status refuse(const char *path, bool force, plu_error *err)
{
    struct stat found;
    if (lstat(path, &found) != 0) {
        if (errno == ENOENT)
            return PLU_OK;
        return plu_fail(err, PLU_IO, "cannot write %s: %s", path, strerror(errno));
    }
    if (S_ISDIR(found.st_mode))
        return plu_fail(err, PLU_IO, "%s is a directory; use -o to write elsewhere", path);
    if (!force)
        return plu_fail(err, PLU_IO,
                        "%s exists; use --force to replace it or -o to write elsewhere", path);
    return PLU_OK;
}

static plu_status make_folder(plu_result *place, plu_error *err)
{
    const char *slash = strrchr(place->path[PLU_DATA], '/');
    if (!slash || slash == place->path[PLU_DATA])
        return PLU_OK;
    char folder[PLU_PATH];
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - place->path[PLU_DATA]),
             place->path[PLU_DATA]);
    struct stat found;
    if (stat(folder, &found) == 0) {
        if (S_ISDIR(found.st_mode))
            return PLU_OK;
        return plu_fail(err, PLU_IO, "cannot write %s: %s is not a folder", place->path[PLU_DATA],
                        folder);
    }
    if (mkdir(folder, 0777) == 0) {
        snprintf(place->folder, sizeof place->folder, "%s", folder);
        return PLU_OK;
    }
    if (errno == EEXIST)
        return PLU_OK;
    return plu_fail(err, PLU_IO, "cannot make the folder %s for the result: %s", folder,
                    strerror(errno));
}

plu_status plu_result_prepare(plu_result *place, const char *path, bool force, plu_error *err)
{
    *place = (plu_result){.force = force};
    plu_status status = name(place, path, err);
    if (status == PLU_OK)
        status = make_folder(place, err);
    for (int k = 0; k < PLU_RESULTS && status == PLU_OK; k++) {
        status = refuse(place->path[k], force, err);
        if (status == PLU_OK && unlink(place->part[k]) != 0 && errno != ENOENT)
            status = plu_fail(err, PLU_IO, "cannot write %s: %s", place->part[k], strerror(errno));
    }
    return status;
}

plu_status plu_result_finish(const plu_result *place, plu_error *err)
{
    /* in between there is no sidecar rather than one that belongs to other data */
    plu_status status = PLU_OK;
    for (int k = 0; k < PLU_RESULTS && status == PLU_OK; k++)
        status = refuse(place->path[k], place->force, err);
    if (status != PLU_OK)
        return status;
    unlink(place->path[PLU_SIDECAR]);
    for (int k = 0; k < PLU_RESULTS; k++)
        if (rename(place->part[k], place->path[k]) != 0)
            return plu_fail(err, PLU_IO, "cannot rename %s to %s: %s", place->part[k],
                            place->path[k], strerror(errno));
    return PLU_OK;
}

void plu_result_discard(const plu_result *place)
{
    for (int k = 0; k < PLU_RESULTS; k++)
        unlink(place->part[k]);
    if (place->folder[0])
        rmdir(place->folder);
}
