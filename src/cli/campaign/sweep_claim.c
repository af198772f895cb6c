/* Makes sure that a campaign overwrites no file that it reads, and no folder of another campaign.
 *
 * The folder of a campaign has a file `campaign` with the path of the campaign file, relative to
 * the folder, e.g. "../../campaigns/angle.cfg". With it
 *
 *   the file it names is the given one (same device and inode)     ours: goes on
 *   it names a file that is gone, of the same name                 ours: the file was moved
 *   it names another file                                          an error
 *   there is no such file, but tables without cases                somebody's own tables: an error
 *
 * Relative, so that project and results can be moved together. */
#include "cli/campaign/sweep.h"
#include "pluvia/tool/output.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char mark[] = "campaign"; /* DIR/campaign: the campaign file, relative to DIR */
/* What a campaign writes into its folder besides. */
static const char *const written[] = {PLU_TABLE_CSV, PLU_TABLE_H5, PLU_POINTS_CSV, PLU_VALLEY_CSV,
                                      "job.sh"};

static bool is_there(const plu_case_sweep *sweep, const char *name)
{
    char path[PLU_PATH + 32];
    snprintf(path, sizeof path, "%s/%s", sweep->folder, name);
    return access(path, F_OK) == 0;
}

/* Files in the folder of a case come and go with the case. */
static bool is_of_a_case(const plu_case_sweep *sweep, const char *file)
{
    char cases[PLU_PATH + 16], folder[PATH_MAX], path[PATH_MAX];
    snprintf(cases, sizeof cases, "%s/cases", sweep->folder);
    if (!realpath(cases, folder) || !realpath(file, path))
        return false;
    const size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

/* Every file that the campaign writes against every file that it reads. */
plu_status plu_sweep_spare(const plu_case_sweep *sweep, const plu_texts *inputs, plu_error *err)
{
    static const size_t count = sizeof written / sizeof *written;
    char path[PLU_PATH + 32];
    plu_status status = PLU_OK;
    for (size_t k = 0; status == PLU_OK && k <= count; k++) {
        snprintf(path, sizeof path, "%s/%s", sweep->folder, k < count ? written[k] : mark);
        status = plu_output_spare(path, (const char *const *)inputs->text, inputs->count, err);
    }
    for (int i = 0; status == PLU_OK && i < inputs->count; i++)
        if (is_of_a_case(sweep, inputs->text[i]))
            status = plu_fail(err, PLU_USAGE,
                              "%s, which this command reads, is in %s/cases, where it creates and "
                              "removes files; use -o to write elsewhere",
                              inputs->text[i], sweep->folder);
    return status;
}

/* Tables of a folder that no campaign has made may be somebody's input. */
static plu_status spare_tables(const plu_case_sweep *sweep, plu_error *err)
{
    const bool ours = is_there(sweep, "cases") || is_there(sweep, mark);
    for (size_t k = 0; !ours && k < sizeof written / sizeof *written; k++)
        if (is_there(sweep, written[k]))
            return plu_fail(
                err, PLU_IO,
                "%s/%s exists, but %s is not the folder of a campaign; use -o to write elsewhere",
                sweep->folder, written[k], sweep->folder);
    return PLU_OK;
}

/* The way from the folder of the campaign to its file, so that both can be moved together. */
static bool find_way(const plu_case_sweep *sweep, char way[PATH_MAX])
{
    char folder[PATH_MAX], file[PATH_MAX];
    if (!realpath(sweep->folder, folder) || !realpath(sweep->campaign.path, file))
        return false;
    size_t same = 0, used = 0;
    for (size_t k = 0; folder[k] == file[k] && file[k]; k++)
        same = file[k] == '/' ? k + 1 : same;
    const size_t length = strlen(folder);
    if (strncmp(folder, file, length) == 0 && file[length] == '/')
        same = length + 1;
    for (size_t k = same; k < length; k++) {
        if (k > same && folder[k] != '/')
            continue; /* once for each folder below the one that holds both */
        used += (size_t)snprintf(way + used, PATH_MAX - used, "../");
        if (used >= PATH_MAX)
            return false;
    }
    return snprintf(way + used, PATH_MAX - used, "%s", file + same) < (int)(PATH_MAX - used);
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Whether the folder was made by this campaign: the file that its mark names is the one that is
 * given, or is gone and had the same name. A folder without a mark is an older program's. */
static bool is_own(const plu_case_sweep *sweep, const char *way)
{
    char path[PLU_PATH + PATH_MAX];
    struct stat then, now;
    snprintf(path, sizeof path, "%s/%s", sweep->folder, way);
    if (stat(path, &then) != 0)
        return strcmp(name_of(way), name_of(sweep->campaign.path)) == 0;
    return stat(sweep->campaign.path, &now) == 0 && then.st_dev == now.st_dev &&
           then.st_ino == now.st_ino;
}

plu_status plu_sweep_check_folder(const plu_case_sweep *sweep, plu_error *err)
{
    char path[PLU_PATH + 32];
    plu_status status = spare_tables(sweep, err);
    if (status == PLU_OK)
        status = plu_sweep_spare(sweep, &sweep->campaign.inputs, err);
    snprintf(path, sizeof path, "%s/%s", sweep->folder, mark);
    char *way = status == PLU_OK ? plu_sweep_read(path) : NULL;
    if (way)
        way[strcspn(way, "\n")] = '\0';
    if (way && !is_own(sweep, way))
        status = plu_fail(err, PLU_IO,
                          "%s is the folder of the campaign %s/%s; use -o to write elsewhere (if "
                          "that is an old name of this one, remove %s)",
                          sweep->folder, sweep->folder, way, path);
    free(way);
    return status;
}

plu_status plu_sweep_claim(const plu_case_sweep *sweep, plu_error *err)
{
    char path[PLU_PATH + 32], way[PATH_MAX];
    plu_status status = plu_sweep_make_folder(sweep->folder, err);
    if (status != PLU_OK || !find_way(sweep, way))
        return status;
    snprintf(path, sizeof path, "%s/%s", sweep->folder, mark);
    const plu_output_rule rule = {.kind = PLU_OUTPUT_OTHER, .force = true};
    plu_output output;
    status = plu_output_begin(&output, path, &rule, err);
    FILE *out = status == PLU_OK ? plu_output_stream(&output, err) : NULL;
    if (out)
        fprintf(out, "%s\n", way);
    return plu_output_end(&output, status == PLU_OK && !out ? PLU_IO : status, err);
}
