/* A sweep as a job array of Slurm: each task is a shard. The script job.sh is
 *
 *   #SBATCH --array=1-N, --cpus-per-task, --output, and lines of the user (--sbatch)
 *   exec 'PROGRAM' sweep 'CAMPAIGN' -o 'FOLDER' -j "$SLURM_CPUS_PER_TASK" --shard "$..TASK_ID/N"
 *
 * Tasks share the folder: locks keep two from the same case, and the last one to end writes the
 * table of all. Words are quoted for the shell: paths may contain blanks and quotes. */
#include "cli/campaign/sweep.h"
#include "pluvia/tool/output.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH = 2 * PLU_PATH, NOT_FOUND = 127 };

/* A word for the shell. */
static void print_quoted(FILE *out, const char *word)
{
    fputc('\'', out);
    for (const char *c = word; *c; c++)
        if (*c == '\'')
            fputs("'\\''", out);
        else
            fputc(*c, out);
    fputc('\'', out);
}

static void print_script(FILE *out, const plu_case_sweep *sweep, int tasks,
                         const char *const *options, int options_count)
{
    fprintf(out,
            "#!/bin/bash\n"
            "#SBATCH --job-name=pluvia-sweep\n"
            "#SBATCH --array=1-%d\n"
            "#SBATCH --cpus-per-task=%d\n"
            "#SBATCH --requeue\n"
            "#SBATCH --open-mode=append\n"
            "#SBATCH --output=slurm-%%A_%%a.log\n",
            tasks, sweep->threads);
    for (int i = 0; i < options_count; i++)
        fprintf(out, "#SBATCH %s\n", options[i]);
    fputs("exec ", out);
    print_quoted(out, sweep->program);
    fputs(" sweep ", out);
    print_quoted(out, sweep->campaign.path);
    fputs(" -o ", out);
    print_quoted(out, sweep->folder);
    fprintf(out,
            " -j \"${SLURM_CPUS_PER_TASK:-%d}\" --shard \"$SLURM_ARRAY_TASK_ID/%d\" "
            "--progress plain%s\n",
            sweep->threads, tasks, sweep->retry ? " --retry" : "");
}

/* In the folder of the campaign the logs of the tasks lie beside the table; the paths of the script
 * are those of the present folder. */
static plu_status submit(const char *script, const char *folder, plu_error *err)
{
    char here[PLU_PATH], chdir_option[PLU_PATH + 16], logs[PATH + 32];
    int state;
    if (!getcwd(here, sizeof here))
        return plu_fail(err, PLU_IO, "the working folder is unknown: %s", strerror(errno));
    snprintf(chdir_option, sizeof chdir_option, "--chdir=%s", here);
    snprintf(logs, sizeof logs, "--output=%s/slurm-%%A_%%a.log", folder);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        execlp("sbatch", "sbatch", chdir_option, logs, script, (char *)NULL);
        _exit(NOT_FOUND);
    }
    if (child < 0 || waitpid(child, &state, 0) != child)
        return plu_fail(err, PLU_IO, "cannot start sbatch: %s", strerror(errno));
    if (WIFEXITED(state) && WEXITSTATUS(state) == 0)
        return PLU_OK;
    if (WIFEXITED(state) && WEXITSTATUS(state) == NOT_FOUND)
        return plu_fail(err, PLU_IO,
                        "sbatch is not installed here; %s is written and can be submitted", script);
    return plu_fail(err, PLU_IO, "sbatch refused %s", script);
}

plu_status plu_sweep_slurm(const plu_case_sweep *sweep, int tasks, const char *const *options,
                           int options_count, bool dry, plu_error *err)
{
    char script[PATH];
    const plu_output_rule rule = {.kind = PLU_OUTPUT_OTHER, .force = true};
    plu_output output;
    plu_status status = plu_sweep_claim(sweep, err);
    if (status != PLU_OK)
        return status;
    snprintf(script, sizeof script, "%s/job.sh", sweep->folder);
    status = plu_output_begin(&output, script, &rule, err);
    FILE *out = status == PLU_OK ? plu_output_stream(&output, err) : NULL;
    if (out)
        print_script(out, sweep, tasks, options, options_count);
    status = plu_output_end(&output, status == PLU_OK && !out ? PLU_IO : status, err);
    if (status != PLU_OK)
        return status;
    if (chmod(script, 0755) != 0)
        return plu_fail(err, PLU_IO, "%s: cannot write: %s", script, strerror(errno));
    printf("script        %s: %d tasks\n", script, tasks);
    return dry ? PLU_OK : submit(script, sweep->folder, err);
}
