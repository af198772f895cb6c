/* The folder of a case (sweep.h) and the state that follows from it:
 *
 *     no result.json                     open: begins, or continues from its checkpoint
 *     hash of another scene              changed: emptied, and begins again
 *     status done, failed                done, failed (--retry runs it again)
 *
 * The lock is one of flock, which the system lets go of when the last process that holds it has
 * ended, however it ended. What is in the folder and not of the names that cases make is the user's
 * and stays. */
#include "cli/campaign/sweep.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH = 2 * PLU_PATH };

char *plu_sweep_path(const plu_case_sweep *sweep, int index, const char *file, char *path,
                     size_t size)
{
    snprintf(path, size, "%s/cases/%s%s%s", sweep->folder, sweep->campaign.cases[index].name,
             file ? "/" : "", file ? file : "");
    return path;
}

/* The whole of a text file, which the caller frees; NULL: it cannot be read. */
char *plu_sweep_read(const char *path)
{
    char *text = NULL, block[4096];
    size_t size = 0, got;
    FILE *in = fopen(path, "r"), *out = in ? open_memstream(&text, &size) : NULL;
    while (out && (got = fread(block, 1, sizeof block, in)) > 0)
        fwrite(block, 1, got, out);
    bool fine = in && out && !ferror(in);
    fine = out && fclose(out) == 0 && fine;
    if (in)
        fclose(in);
    if (fine)
        return text;
    free(text);
    return NULL;
}

void plu_sweep_read_result(const plu_case_sweep *sweep, int index, plu_result *result)
{
    char path[PATH];
    plu_error err;
    memset(result, 0, sizeof *result);
    char *json = plu_sweep_read(plu_sweep_path(sweep, index, "result.json", path, sizeof path));
    if (json && plu_result_parse(result, json, path, &err) != PLU_OK)
        plu_result_free(result);
    free(json);
}

static bool is_text(const plu_result *result, const char *name, const char *text)
{
    const plu_member *member = plu_result_find(result, name);
    return member && member->text && strcmp(member->text, text) == 0;
}

void plu_sweep_look(plu_case_sweep *sweep, int index)
{
    plu_sweep_case *c = &sweep->cases[index];
    plu_result result;
    char hash[32];
    snprintf(hash, sizeof hash, "%016" PRIx64, c->hash);
    plu_sweep_read_result(sweep, index, &result);
    const plu_member *wall = plu_result_find(&result, "wall_seconds");
    c->wall = wall ? wall->number : 0.0;
    if (result.count == 0)
        c->state = PLU_CASE_OPEN;
    else if (!is_text(&result, "inputs", hash))
        c->state = PLU_CASE_CHANGED;
    else
        c->state = is_text(&result, "status", "done") ? PLU_CASE_DONE : PLU_CASE_FAILED;
    plu_result_free(&result);
}

/* All folders of the path, as `mkdir -p`: the zero walks along the slashes. */
plu_status plu_sweep_make_folder(const char *path, plu_error *err)
{
    char part[PATH];
    snprintf(part, sizeof part, "%s", path);
    for (char *at = part + 1;; at++)
        if (*at == '/' || *at == '\0') {
            const char end = *at;
            *at = '\0';
            if (mkdir(part, 0777) != 0 && errno != EEXIST)
                return plu_fail(err, PLU_IO, "%s: cannot make the folder: %s", part,
                                strerror(errno));
            *at = end;
            if (!end)
                return PLU_OK;
        }
}

int plu_sweep_lock(const plu_case_sweep *sweep, int index, plu_error *err)
{
    char path[PATH];
    if (plu_sweep_make_folder(plu_sweep_path(sweep, index, NULL, path, sizeof path), err) != PLU_OK)
        return -2;
    const int lock = open(plu_sweep_path(sweep, index, "lock", path, sizeof path),
                          O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0666);
    /* A lock that another process holds is -1, which is no error: the case is tried again later. */
    if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0)
        return lock;
    const int reason = errno;
    if (lock >= 0)
        close(lock);
    if (lock >= 0 && reason == EWOULDBLOCK)
        return -1;
    plu_fail(err, PLU_IO, "%s: cannot lock: %s", path, strerror(reason));
    return -2;
}

/* What a case makes in its folder; the rest is its user's. */
static bool is_made(const char *name)
{
    return strcmp(name, "scene.cfg") == 0 || strcmp(name, "cost") == 0 ||
           strncmp(name, "result.", 7) == 0 || strncmp(name, "run.", 4) == 0;
}

/* Removes from a folder what a case has made there, or (`all`) everything. */
static void empty_folder(const char *path, bool all)
{
    DIR *folder = opendir(path);
    if (!folder)
        return;
    for (struct dirent *entry; (entry = readdir(folder));) {
        const char *name = entry->d_name;
        char inner[PATH + 256];
        struct stat info;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || !(all || is_made(name)))
            continue;
        snprintf(inner, sizeof inner, "%s/%s", path, name);
        if (lstat(inner, &info) == 0 && S_ISDIR(info.st_mode) && strlen(inner) < PATH)
            empty_folder(inner, true);
        remove(inner);
    }
    closedir(folder);
}

void plu_sweep_remove(const plu_case_sweep *sweep, int index, const char *file)
{
    char path[PATH];
    remove(plu_sweep_path(sweep, index, file, path, sizeof path));
}

static plu_status write_scene(const char *path, const char *mark, const char *text, plu_error *err)
{
    FILE *out = fopen(path, "wx"); /* not through a link */
    bool fine = out && fprintf(out, "%s\n%s", mark, text) > 0;
    fine = out && fclose(out) == 0 && fine;
    return fine ? PLU_OK : plu_fail(err, PLU_IO, "%s: cannot write: %s", path, strerror(errno));
}

plu_status plu_sweep_prepare(const plu_case_sweep *sweep, int index, plu_error *err)
{
    static const char begins[] = "# pluvia sweep: inputs ";
    char path[PATH], scene[PATH], mark[64];
    plu_sweep_path(sweep, index, NULL, path, sizeof path);
    plu_sweep_path(sweep, index, "scene.cfg", scene, sizeof scene);
    snprintf(mark, sizeof mark, "%s%016" PRIx64, begins, sweep->cases[index].hash);
    char *there = plu_sweep_read(scene);
    const bool same = there && strncmp(there, mark, strlen(mark)) == 0;
    const bool foreign = there && *there && strncmp(there, begins, strlen(begins)) != 0;
    free(there);
    /* A scene.cfg that no sweep has written is somebody's own: it is not overwritten. */
    if (foreign)
        return plu_fail(err, PLU_IO,
                        "%s is not a scene that a sweep has made; move it, or choose another "
                        "folder (-o)",
                        scene);
    if (same && sweep->cases[index].state == PLU_CASE_OPEN)
        return PLU_OK; /* begun: continues */
    empty_folder(path, false);
    plu_case_scene made;
    plu_status status = plu_case_scene_make(&made, &sweep->campaign, index, err);
    if (status == PLU_OK && made.hash != sweep->cases[index].hash)
        status = plu_fail(err, PLU_BAD_INPUT,
                          "the base scene has changed since the sweep began; start it again");
    if (status == PLU_OK)
        status = write_scene(scene, mark, made.text, err);
    plu_case_scene_free(&made);
    return status;
}
