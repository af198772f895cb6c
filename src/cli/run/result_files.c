/* Which files a run writes, and that none of them is one that it reads: of NAME.h5md also the
 * sidecar, both checkpoints, the lock, and each with the ending .part under which it is written
 * first. Links are followed before names are compared. */
#include "cli/run/result_files.h"
#include "pluvia/scene.h"
#include "pluvia/tool/keys.h"
#include "pluvia/tool/output.h"
#include "pluvia/tool/paths.h"
#include "pluvia/writing.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* --- contact problems --- */

/* "step-00000100-nc-1234.hdf5": the step, and its number of contacts. */
static bool is_dumped(const char *name)
{
    const size_t length = strlen(name), extension = strlen(".hdf5");
    return strncmp(name, "step-", 5) == 0 && length > extension &&
           strcmp(name + length - extension, ".hdf5") == 0;
}

/* Files of an earlier run would mix with those of this one; others in the folder stay. */
static plu_status empty(const plu_dump_folder *dump, plu_error *err)
{
    plu_status status = PLU_OK;
    DIR *folder = opendir(dump->path);
    if (!folder)
        return plu_fail(err, PLU_IO, "cannot open the folder %s: %s", dump->path, strerror(errno));
    for (struct dirent *entry; status == PLU_OK && (entry = readdir(folder)) != NULL;) {
        if (!is_dumped(entry->d_name))
            continue;
        if (!dump->replace)
            status = plu_fail(err, PLU_IO,
                              "%s contains problems of an earlier run; use --force to remove them "
                              "or -o to write elsewhere",
                              dump->path);
        else
            unlinkat(dirfd(folder), entry->d_name, 0);
    }
    closedir(folder);
    return status;
}

plu_status plu_dump_open(plu_dump_folder *dump, const plu_simulation *simulation,
                         const char *trajectory, plu_error *err)
{
    *dump = (plu_dump_folder){.replace = dump->replace};
    if (simulation->scene.output->dump == PLU_DUMP_NONE)
        return PLU_OK;
    const int stem = (int)(strlen(trajectory) - strlen(".h5md"));
    snprintf(dump->path, sizeof dump->path, "%.*s.problems", stem, trajectory);
    if (mkdir(dump->path, 0777) != 0 && errno != EEXIST)
        return plu_fail(err, PLU_IO, "cannot make the folder %s: %s", dump->path, strerror(errno));
    plu_stepper_keep_start(simulation->stepper);
    return plu_world_steps(simulation->world) == 0 ? empty(dump, err) : PLU_OK;
}

/* Each n-th step, or all that did not converge (PLU_DUMP_FAILED). */
static bool is_wanted(const plu_output_spec *output, const plu_step_info *info, long step)
{
    if (info->pairs == 0)
        return false;
    return output->dump == PLU_DUMP_EVERY ? step % output->dump_every == 0 : !info->converged;
}

plu_status plu_dump_step(plu_dump_folder *dump, const plu_simulation *simulation,
                         const plu_step_info *info, plu_status outcome, plu_error *err)
{
    const long step = plu_world_steps(simulation->world);
    if (!dump->path[0] || !is_wanted(simulation->scene.output, info, step))
        return outcome;
    char path[PLU_PATH + 64], title[PLU_PROBLEM_TITLE];
    plu_contact_problem *problem;
    plu_error mine = {0};
    snprintf(path, sizeof path, "%s/step-%08ld-nc-%d.hdf5", dump->path, step, info->pairs);
    snprintf(title, sizeof title, "%.150s, step %ld to t = %g s", simulation->scene.title, step,
             plu_world_time(simulation->world));
    plu_status status = plu_stepper_problem(simulation->stepper, &problem, &mine);
    if (status == PLU_OK) {
        plu_problem_facts facts;
        plu_contact_problem_facts(problem, &facts);
        status = plu_contact_problem_write(problem, path, facts.format, title, &mine);
    }
    plu_contact_problem_destroy(problem);
    if (status == PLU_OK) {
        dump->written++;
        return outcome;
    }
    *err = mine;
    return status;
}
