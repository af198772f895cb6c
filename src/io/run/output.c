/* Outputs that are there as a whole or not at all (pluvia/tool/output.h):
 *
 *     begin: may what stands at NAME go?  ->  write NAME.part  ->  end: sync, rename to NAME
 *                                                                  failed: NAME.part goes
 *
 * Devices, pipes and the standard output are written directly. What may be replaced:
 *
 *     a scene, a trajectory, a checkpoint   never
 *     an input of the command, whatever     never, also under another name or through a link
 *     an empty file                         yes
 *     a table or picture made by pluvia     yes (run_inputs.c: plu_is_own_table)
 *     anything else                         with --force
 *
 * The same tests are made once more before the rename: another program may have been there
 * meanwhile. */
#include "pluvia/tool/output.h"
#include "io/h5/system_file.h"
#include "io/run/run_inputs.h"
#include "pluvia/tool/paths.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool ends(const char *path, const char *const *endings)
{
    const size_t length = strlen(path);
    for (; *endings; endings++) {
        const size_t tail = strlen(*endings);
        if (length > tail && strcmp(path + length - tail, *endings) == 0)
            return true;
    }
    return false;
}

static plu_status cannot(const plu_output *o, plu_error *err)
{
    return plu_fail(err, PLU_IO, "cannot write %s: %s", o->given, strerror(errno));
}

/* Names the kind of a file that must not be lost; NULL: no such file. The name of the file counts
 * as well as its content, for damaged trajectories and empty scenes. */
static const char *protected_kind(const char *path, plu_output_kind by)
{
    static const char *const runs[] = {".h5md", ".checkpoint.h5", ".checkpoint_prev.h5", NULL};
    static const char *const scene[] = {".cfg", NULL};
    if (ends(path, scene))
        return "a scene";
    if (ends(path, runs))
        return "a trajectory or its checkpoint";
    const plu_file_kind kind = plu_file_kind_of(path);
    return kind == PLU_KIND_PROBLEM && by == PLU_OUTPUT_PROBLEM ? NULL : plu_file_kind_name(kind);
}

/* Tables and pictures are made over and over; a table by its first line, since others may be data.
 */
static bool goes_unasked(const char *path, plu_output_kind kind)
{
    static const char *const tables[] = {".csv", ".tsv", ".txt", ".dat", ".json", NULL};
    static const char *const pictures[] = {".png", NULL};
    return (kind == PLU_OUTPUT_TABLE && ends(path, tables) && plu_is_own_table(path)) ||
           (kind == PLU_OUTPUT_PICTURE && ends(path, pictures));
}

/* Whether the regular file that stands in the place of the output may be replaced. */
static plu_status may_go(const plu_output *o, const struct stat *found, plu_error *err)
{
    const char *what = found->st_size > 0 ? protected_kind(o->target, o->rule.kind) : NULL;
    if (what)
        return plu_fail(err, PLU_IO,
                        "%s is %s, which this command never replaces; use -o to write elsewhere",
                        o->given, what);
    if (found->st_size == 0 || o->rule.force || goes_unasked(o->target, o->rule.kind))
        return PLU_OK;
    return plu_fail(
        err, PLU_IO, "%s exists%s; use --force to replace it or -o to write elsewhere", o->given,
        o->rule.kind == PLU_OUTPUT_TABLE ? ", and does not begin as a table of pluvia" : "");
}

plu_status plu_output_spare(const char *path, const char *const *inputs, int count, plu_error *err)
{
    struct stat mine, input;
    if (stat(path, &mine) != 0 || !S_ISREG(mine.st_mode))
        return PLU_OK;
    for (int k = 0; k < count; k++) {
        const char *name = inputs[k];
        if (name && stat(name, &input) == 0 && input.st_dev == mine.st_dev &&
            input.st_ino == mine.st_ino)
            return plu_fail(
                err, PLU_USAGE,
                "%s is %s, which this command reads, so nothing was written; use another name",
                path, strcmp(path, name) == 0 ? "the input" : name);
        if (name && plu_run_reads(name, &mine))
            return plu_fail(err, PLU_USAGE,
                            "%s is an input of the scene of %s, so nothing was written; use "
                            "another name",
                            path, name);
    }
    return PLU_OK;
}

static plu_status spare_inputs(const plu_output *o, const char *path, plu_error *err)
{
    return plu_output_spare(path, o->rule.inputs, o->rule.inputs_count, err);
}

bool plu_output_is_screen(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* Whether the path is a file that the shell has opened for the program, such as standard output. */
static bool is_open_already(const char *path)
{
    return strncmp(path, "/dev/std", 8) == 0 || strncmp(path, "/dev/fd/", 8) == 0 ||
           strncmp(path, "/proc/", 6) == 0;
}

bool plu_output_goes_through(const char *path)
{
    struct stat found;
    return plu_output_is_screen(path) || is_open_already(path) ||
           (stat(path, &found) == 0 && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode));
}

static plu_status output_check(const plu_output *o, plu_error *err)
{
    struct stat found;
    plu_status status = spare_inputs(o, o->target, err);
    if (status == PLU_OK && stat(o->target, &found) == 0)
        status = may_go(o, &found, err);
    return status;
}

plu_status plu_output_begin(plu_output *o, const char *path, const plu_output_rule *rule,
                            plu_error *err)
{
    struct stat found;
    *o = (plu_output){.rule = *rule, .given = path, .descriptor = -1};
    if (plu_output_is_screen(path)) {
        o->through = true;
        fflush(NULL);
        o->descriptor = dup(STDOUT_FILENO);
        return o->descriptor >= 0 ? PLU_OK : cannot(o, err);
    }
    const plu_status status = plu_follow_links(path, o->target, err);
    if (status != PLU_OK)
        return status;
    if (stat(path, &found) == 0 && S_ISDIR(found.st_mode))
        return plu_fail(err, PLU_IO, "%s is a directory; use -o to write elsewhere", path);
    o->through = plu_output_goes_through(path);
    if (o->through) {
        strcpy(o->target, path);
        return spare_inputs(o, path, err);
    }
    return output_check(o, err);
}

/* Chooses the temporary file that is written until the output is complete. */
static plu_status output_choose(plu_output *o, plu_error *err)
{
    if (!o->through) {
        snprintf(o->written, sizeof o->written, "%s.%ld.part", o->target, (long)getpid());
        plu_status status = spare_inputs(o, o->written, err);
        if (status == PLU_OK && unlink(o->written) != 0 && errno != ENOENT)
            status = cannot(o, err);
        if (status != PLU_OK)
            o->written[0] = '\0'; /* not ours to remove */
        return status;
    }
    const char *folder = getenv("TMPDIR");
    snprintf(o->written, sizeof o->written, "%.900s/pluvia-XXXXXX", folder ? folder : "/tmp");
    const int file = mkstemp(o->written);
    if (file >= 0)
        close(file);
    else
        o->written[0] = '\0';
    return file >= 0 ? PLU_OK : cannot(o, err);
}

/* For writers that need a name, as HDF5 does: the temporary file. */
const char *plu_output_name(plu_output *o, plu_error *err)
{
    return output_choose(o, err) == PLU_OK ? o->written : NULL;
}

/* Opens a stream to an output that is written directly (a device, a FIFO, standard output). */
static FILE *open_through(plu_output *o)
{
    if (o->descriptor < 0)
        return fopen(o->target, "wb");
    FILE *out = fdopen(o->descriptor, "wb");
    if (out)
        o->descriptor = -1; /* the stream's now */
    return out;
}

/* O_EXCL: the file is new, not one that somebody put there in the meantime. */
FILE *plu_output_stream(plu_output *o, plu_error *err)
{
    if (o->through) {
        o->stream = open_through(o);
    } else {
        if (output_choose(o, err) != PLU_OK)
            return NULL;
        const int file = open(o->written, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        o->stream = file >= 0 ? fdopen(file, "wb") : NULL;
    }
    if (!o->stream)
        cannot(o, err);
    return o->stream;
}

/* Copies the temporary file to an output that is written directly. */
static plu_status pour(plu_output *o, plu_error *err)
{
    char block[1 << 15];
    size_t count;
    FILE *in = fopen(o->written, "rb"), *out = in ? open_through(o) : NULL;
    bool fine = out != NULL;
    while (fine && (count = fread(block, 1, sizeof block, in)) > 0)
        fine = fwrite(block, 1, count, out) == count;
    const int reason = errno;
    fine = fine && !ferror(in);
    if (in)
        fclose(in);
    if (out && fclose(out) != 0)
        return cannot(o, err);
    errno = reason;
    return fine ? PLU_OK : cannot(o, err);
}

/* Syncs the temporary file to the disk and renames it. A failure to sync is ignored, because some
 * file systems cannot. */
static plu_status output_place(const plu_output *o, plu_error *err)
{
    const int file = open(o->written, O_RDONLY | O_CLOEXEC);
    const bool safe = file >= 0 && (fsync(file) == 0 || errno == EINVAL);
    const int reason = errno;
    if (file >= 0)
        close(file);
    errno = reason;
    if (!safe)
        return cannot(o, err);
    const plu_status status = output_check(o, err); /* someone may have been there meanwhile */
    return status != PLU_OK || rename(o->written, o->target) == 0 ? status : cannot(o, err);
}

static plu_status close_stream(plu_output *o, plu_status status, plu_error *err)
{
    if (!o->stream)
        return status;
    const bool failed = ferror(o->stream) != 0;
    const int reason = errno;
    const bool closed = fclose(o->stream) == 0;
    o->stream = NULL;
    if (status != PLU_OK || (closed && !failed))
        return status;
    if (closed)
        errno = reason;
    return cannot(o, err);
}

plu_status plu_output_end(plu_output *o, plu_status status, plu_error *err)
{
    if (!o->given)
        return status;
    status = close_stream(o, status, err);
    if (o->written[0] && status == PLU_OK)
        status = o->through ? pour(o, err) : output_place(o, err);
    if (o->written[0] && (status != PLU_OK || o->through))
        unlink(o->written);
    if (o->descriptor >= 0)
        close(o->descriptor);
    *o = (plu_output){0};
    return status;
}

plu_status plu_output_check(const char *path, const plu_output_rule *rule, plu_error *err)
{
    plu_output output;
    plu_error none;
    const plu_status status = plu_output_begin(&output, path, rule, err);
    plu_output_end(&output, PLU_DIFFERENT, &none); /* whatever it is: nothing was written */
    return status;
}
