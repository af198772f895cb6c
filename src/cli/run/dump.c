#include "cli/run/dump.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_dumped(const char *name)
{
    const size_t length = strlen(name), extension = strlen(".hdf5");
    return strncmp(name, "step-", 5) == 0 && length > extension &&
           strcmp(name + length - extension, ".hdf5") == 0;
}

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
    if (simulation->scene.output.dump == PLU_DUMP_NONE)
        return PLU_OK;
    const int stem = (int)(strlen(trajectory) - strlen(".h5md"));
    snprintf(dump->path, sizeof dump->path, "%.*s.problems", stem, trajectory);
    if (mkdir(dump->path, 0777) != 0 && errno != EEXIST)
        return plu_fail(err, PLU_IO, "cannot make the folder %s: %s", dump->path, strerror(errno));
    plu_stepper_keep_start(simulation->stepper);
    return plu_world_steps(simulation->world) == 0 ? empty(dump, err) : PLU_OK;
}

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
    if (!dump->path[0] || !is_wanted(&simulation->scene.output, info, step))
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
