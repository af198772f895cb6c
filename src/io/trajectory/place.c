/* Names of the files of a result (place.h), and when they get them: NAME.h5md.part and
 * NAME.xdmf.part are renamed once both can be read, so that a result of before stays whole until
 * then. Links are followed first: what is replaced is the file that is meant.
 *
 *   prepare   names, folder; what stands there may be replaced? old .part files of runs removed
 *   finish    looked at once more; old sidecar and checkpoints removed; .part -> NAME
 *   discard   the run could not begin: .part files go, and the folder if it was made here
 *
 *   NAME.h5md   NAME.xdmf   NAME.checkpoint.h5   NAME.checkpoint_prev.h5
 *
 * Only regular files of the kinds that runs make are replaced, and only with --force. */
#include "io/trajectory/place.h"
#include "io/h5/system_file.h"
#include "pluvia/tool/paths.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char extension[] = ".h5md";

plu_status plu_files_names(plu_files *files, const char *path, plu_error *err)
{
    *files = (plu_files){0};
    const size_t length = strlen(path), tail = strlen(extension);
    const char *file = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    if (length + strlen(".checkpoint_prev.h5") >= PLU_PATH)
        return plu_fail(err, PLU_IO, "the name of the result is longer than %d characters",
                        PLU_PATH - 20);
    if (strlen(file) <= tail || strcmp(path + length - tail, extension) != 0)
        return plu_fail(err, PLU_IO, "%s: the name of a trajectory must end in NAME%s", path,
                        extension);
    if (plu_follow_links(path, files->path[PLU_DATA], err) != PLU_OK)
        return PLU_IO;
    path = files->path[PLU_DATA];
    const size_t stem = strlen(path) - tail;
    if (strlen(path) + strlen(".checkpoint_prev.h5") >= PLU_PATH || strlen(path) <= tail ||
        strcmp(path + stem, extension) != 0)
        return plu_fail(err, PLU_IO, "%s: the name of a trajectory must end in NAME%s", path,
                        extension);
    static const char *const endings[] = {[PLU_SIDECAR] = ".xdmf",
                                          [PLU_CHECKPOINT] = ".checkpoint.h5",
                                          [PLU_CHECKPOINT_PREV] = ".checkpoint_prev.h5"};
    _Static_assert(sizeof endings / sizeof *endings == PLU_RESULTS, "an ending for each file");
    for (int k = PLU_SIDECAR; k < PLU_RESULTS; k++)
        snprintf(files->path[k], PLU_PATH, "%.*s%s", (int)stem, path, endings[k]);
    for (int k = 0; k < PLU_RESULTS; k++)
        snprintf(files->part[k], sizeof files->part[k], "%s.part", files->path[k]);
    return PLU_OK;
}

const char *plu_files_data_name(const plu_files *files)
{
    const char *path = files->path[PLU_DATA], *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Whether what stands at the name of result `which` can be of a run, or is of no kind that is known
 * (a damaged file, a sidecar). */
static bool is_of_a_run(const char *path, int which)
{
    const plu_file_kind kind = plu_file_kind_of(path);
    const bool checkpoint = which == PLU_CHECKPOINT || which == PLU_CHECKPOINT_PREV;
    return kind == PLU_KIND_OTHER ||
           (which == PLU_DATA && (kind == PLU_KIND_TRAJECTORY || kind == PLU_KIND_HDF5)) ||
           (checkpoint && (kind == PLU_KIND_CHECKPOINT || kind == PLU_KIND_HDF5));
}

/* lstat: a link is refused rather than followed, for what it leads to was followed before. */
static plu_status refuse(const plu_files *files, int which, bool force, plu_error *err)
{
    const char *path = files->path[which];
    struct stat found;
    if (lstat(path, &found) != 0) {
        if (errno == ENOENT)
            return PLU_OK;
        return plu_fail(err, PLU_IO, "cannot write %s: %s", path, strerror(errno));
    }
    if (!S_ISREG(found.st_mode))
        return plu_fail(err, PLU_IO, "%s is %s; use -o to write elsewhere", path,
                        S_ISDIR(found.st_mode) ? "a directory" : "not a regular file");
    if (!force)
        return plu_fail(
            err, PLU_IO,
            "%s exists; use --restart auto to continue its run, --force to replace it or "
            "-o to write elsewhere",
            path);
    if (!is_of_a_run(path, which))
        return plu_fail(err, PLU_IO, "%s is %s, which no run replaces; use -o to write elsewhere",
                        path, plu_file_kind_name(plu_file_kind_of(path)));
    return PLU_OK;
}

/* Only the last folder of the path is made: a mistyped path should fail. */
plu_status plu_files_make_folder(plu_files *files, plu_error *err)
{
    const char *slash = strrchr(files->path[PLU_DATA], '/');
    if (!slash || slash == files->path[PLU_DATA])
        return PLU_OK;
    char folder[PLU_PATH];
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - files->path[PLU_DATA]),
             files->path[PLU_DATA]);
    struct stat found;
    if (stat(folder, &found) == 0) {
        if (S_ISDIR(found.st_mode))
            return PLU_OK;
        return plu_fail(err, PLU_IO, "cannot write %s: %s is not a folder", files->path[PLU_DATA],
                        folder);
    }
    if (mkdir(folder, 0777) == 0) {
        snprintf(files->folder, sizeof files->folder, "%s", folder);
        return PLU_OK;
    }
    if (errno == EEXIST)
        return PLU_OK;
    return plu_fail(err, PLU_IO, "cannot make the folder %s for the result: %s", folder,
                    strerror(errno));
}

plu_status plu_files_clear(const plu_files *files, int which, plu_error *err)
{
    static const char *const sidecar[] = {"<?xml", NULL};
    return plu_fresh_clear(files->part[which], which == PLU_SIDECAR ? sidecar : NULL, err);
}

plu_status plu_files_prepare(plu_files *files, const char *path, bool force, plu_error *err)
{
    plu_status status = plu_files_names(files, path, err);
    files->force = force;
    if (status == PLU_OK)
        status = plu_files_make_folder(files, err);
    for (int k = 0; k < PLU_RESULTS && status == PLU_OK; k++) {
        status = refuse(files, k, force, err);
        if (status == PLU_OK)
            status = plu_files_clear(files, k, err);
    }
    return status;
}

plu_status plu_files_rename(const plu_files *files, int which, plu_error *err)
{
    if (rename(files->part[which], files->path[which]) == 0)
        return PLU_OK;
    return plu_fail(err, PLU_IO, "cannot rename %s to %s: %s", files->part[which],
                    files->path[which], strerror(errno));
}

/* The open file and the one of that name must be the same: the folder may have been moved during
 * the run, and what is written would then belong to nobody. */
plu_status plu_files_still_there(const plu_files *files, int file, plu_error *err)
{
    struct stat named, open;
    const char *path = files->path[PLU_DATA];
    if (fstat(file, &open) != 0)
        return PLU_OK;
    if (stat(path, &named) != 0)
        return plu_fail(err, PLU_IO,
                        "%s does not exist any more: %s; was its folder moved or removed?", path,
                        strerror(errno));
    if (named.st_dev != open.st_dev || named.st_ino != open.st_ino)
        return plu_fail(err, PLU_IO, "another file replaced %s during the run", path);
    return PLU_OK;
}

plu_status plu_files_finish(const plu_files *files, plu_error *err)
{
    /* in between there is no sidecar and no checkpoint rather than those of other data */
    plu_status status = PLU_OK;
    for (int k = 0; k < PLU_RESULTS && status == PLU_OK; k++)
        status = refuse(files, k, files->force, err);
    if (status != PLU_OK)
        return status;
    for (int k = PLU_SIDECAR; k < PLU_RESULTS; k++)
        unlink(files->path[k]);
    for (int k = 0; k < PLU_MADE_TOGETHER && status == PLU_OK; k++)
        status = plu_files_rename(files, k, err);
    return status;
}

void plu_files_discard(const plu_files *files)
{
    for (int k = 0; k < PLU_RESULTS; k++)
        unlink(files->part[k]);
    if (files->folder[0])
        rmdir(files->folder);
}
