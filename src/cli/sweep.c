/* pluvia sweep: many cases of one scene, and one table. */
#include "sweep.h"
#include "commands.h"
#include "message.h"
#include "stop.h"
#include "text.h"
#include <errno.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OUTPUT, CORES, DRY_RUN, SHARD, RETRY, COLLECT, SLURM, SBATCH, PROGRESS };

static const plu_option options[] = {
    [OUTPUT] = {'o', "output", "DIR", NULL,
                "folder of the campaign; default: output/NAME, NAME\n"
                "being the campaign file without its folder and .cfg"},
    [CORES] = {'j', "cores", "N", NULL, "cores to use in all; default: those of the machine"},
    [DRY_RUN] = {0, "dry-run", NULL, NULL,
                 "lists the cases, their state and what they will cost,\n"
                 "after a trial of 3 s where nothing is done yet"},
    [SHARD] = {0, "shard", "K/N", "1/1",
               "only every N-th case, beginning with the K-th: for N\n"
               "machines that share DIR; the last one writes the whole table"},
    [RETRY] = {0, "retry", NULL, NULL, "runs cases that have failed again"},
    [COLLECT] = {0, "collect", NULL, NULL, "runs nothing, writes the table of what is there"},
    [SLURM] = {0, "slurm", "N", NULL,
               "writes DIR/job.sh, a job array of N tasks, and submits\n"
               "it with sbatch (--dry-run: only writes it)"},
    [SBATCH] = {0, "sbatch", "OPTION", NULL,
                "one more line for job.sh, as --time=2:00:00; may be\n"
                "given again"},
    [PROGRESS] = {0, "progress", "KIND", "auto",
                  "auto, bar, plain (a line for each case) or none; on stderr"},
};

static void choose_folder(plu_sweep *sweep, const plu_arguments *arguments)
{
    const char *given = plu_argument(arguments, OUTPUT);
    const char *path = arguments->operands[0], *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    size_t length = strlen(name);
    if (length > 4 && strcmp(name + length - 4, ".cfg") == 0)
        length -= 4;
    if (given)
        snprintf(sweep->folder, sizeof sweep->folder, "%s", given);
    else
        snprintf(sweep->folder, sizeof sweep->folder, "output/%.*s", (int)length, name);
    for (size_t end = strlen(sweep->folder); end > 1 && sweep->folder[end - 1] == '/'; end--)
        sweep->folder[end - 1] = '\0';
}

static plu_status read_options(plu_sweep *sweep, const plu_arguments *arguments, plu_error *err)
{
    const char *shard = plu_argument(arguments, SHARD);
    int length = 0;
    if (sscanf(shard, "%d/%d%n", &sweep->shard, &sweep->shards, &length) != 2 || shard[length] ||
        sweep->shard < 1 || sweep->shard > sweep->shards)
        return plu_fail(err, PLU_USAGE, "option --shard: \"%s\" is not K/N with 1 <= K <= N",
                        shard);
    sweep->retry = plu_argument_given(arguments, RETRY);
    choose_folder(sweep, arguments);
    if (strlen(sweep->folder) > PLU_PATH - 300)
        return plu_fail(err, PLU_USAGE, "option --output: the path is too long");
    const ssize_t size = readlink("/proc/self/exe", sweep->program, sizeof sweep->program - 1);
    if (size < 0)
        return plu_fail(err, PLU_IO, "where is this program? %s", strerror(errno));
    return PLU_OK;
}

/* Reads the scene of every case, which must be right, and looks for its result. */
static plu_status look_at_cases(plu_sweep *sweep, plu_error *err)
{
    const int count = sweep->campaign.cases_count;
    sweep->cases = calloc((size_t)count, sizeof *sweep->cases);
    if (!sweep->cases)
        return plu_fail(err, PLU_IO, "out of memory");
    for (int i = 0; i < count; i++) {
        plu_case_scene made;
        const plu_status status = plu_case_scene_make(&made, &sweep->campaign, i, err);
        if (status != PLU_OK)
            return status;
        sweep->cases[i].hash = made.hash;
        sweep->cases[i].steps = made.steps;
        sweep->cases[i].mine = i % sweep->shards == sweep->shard - 1;
        free(made.text);
        plu_sweep_look(sweep, i);
    }
    return PLU_OK;
}

static int open_cases(const plu_sweep *sweep)
{
    int open = 0;
    for (int i = 0; i < sweep->campaign.cases_count; i++) {
        const plu_sweep_case *c = &sweep->cases[i];
        open +=
            c->mine && c->state != PLU_CASE_DONE && (c->state != PLU_CASE_FAILED || sweep->retry);
    }
    return open;
}

/* Every core has one thread: as many cases at a time as there are cores, and where there are fewer
 * cases than cores, more threads for each. */
static plu_status share_cores(plu_sweep *sweep, const plu_arguments *arguments, plu_error *err)
{
    long cores = omp_get_num_procs();
    if (plu_argument_given(arguments, CORES)) {
        const plu_status status = plu_argument_integer(arguments, CORES, 1, 1024, &cores, err);
        if (status != PLU_OK)
            return status;
    }
    const int open = open_cases(sweep);
    int threads = sweep->campaign.threads;
    if (threads == 0)
        threads = open > 0 && open < cores ? (int)cores / open : 1;
    sweep->threads = threads < cores ? threads : (int)cores;
    sweep->workers = (int)cores / sweep->threads;
    if (sweep->workers > open)
        sweep->workers = open > 0 ? open : 1;
    return PLU_OK;
}

static void print_cases(const plu_sweep *sweep)
{
    static const char *const states[] = {[PLU_CASE_OPEN] = "open",
                                         [PLU_CASE_CHANGED] = "changed",
                                         [PLU_CASE_DONE] = "done",
                                         [PLU_CASE_FAILED] = "failed"};
    for (int i = 0; i < sweep->campaign.cases_count; i++)
        if (sweep->cases[i].mine)
            printf("%6d  %-8s %9ld steps  %s\n", i + 1, states[sweep->cases[i].state],
                   sweep->cases[i].steps, sweep->campaign.cases[i].name);
}

static int dry_run(const plu_sweep *sweep)
{
    char text[32];
    print_cases(sweep);
    const int open = open_cases(sweep);
    const double steps = plu_sweep_open_steps(sweep);
    printf("cases         %d, %d to run: %.4g steps at most, %d at a time with %d thread%s each\n",
           sweep->campaign.cases_count, open, steps, sweep->workers, sweep->threads,
           sweep->threads == 1 ? "" : "s");
    if (open == 0)
        return PLU_OK;
    double cost = plu_sweep_step_cost(sweep);
    const bool known = cost > 0.0;
    if (!known)
        cost = plu_sweep_trial(sweep);
    if (cost > 0.0)
        printf("estimate      %s on this machine, from %s\n",
               plu_text_duration(cost * steps / sweep->workers, text, sizeof text),
               known ? "the cases that are done"
                     : "a trial of the first case (too little where bodies are still to come)");
    else
        printf("estimate      none: the trial of the first case failed\n");
    return PLU_OK;
}

static plu_status write_job(const plu_sweep *sweep, const plu_arguments *arguments, plu_error *err)
{
    long tasks;
    plu_status status = plu_argument_integer(arguments, SLURM, 1, 100000, &tasks, err);
    const char **lines = calloc((size_t)arguments->given_count + 1, sizeof *lines);
    int count = 0;
    if (!lines)
        return plu_fail(err, PLU_IO, "out of memory");
    for (int i = 0; i < arguments->given_count; i++)
        if (arguments->given[i].option == SBATCH)
            lines[count++] = arguments->given[i].value;
    if (status == PLU_OK)
        status = plu_sweep_slurm(sweep, (int)tasks, lines, count,
                                 plu_argument_given(arguments, DRY_RUN), err);
    free(lines);
    return status;
}

/* The exit code of a sweep that went to its end. */
static int verdict(const plu_sweep *sweep)
{
    int bad = 0;
    for (int i = 0; i < sweep->campaign.cases_count; i++)
        bad += sweep->cases[i].mine && sweep->cases[i].state != PLU_CASE_DONE;
    return bad > 0 ? PLU_DIFFERENT : PLU_OK;
}

static int sweep_cases(plu_sweep *sweep, const plu_arguments *arguments, plu_error *err)
{
    plu_status status = PLU_OK;
    if (!plu_argument_given(arguments, COLLECT))
        status = plu_sweep_run(sweep, plu_argument(arguments, PROGRESS), err);
    const int stopped = plu_stop_signal();
    if (status != PLU_OK && status != PLU_IO)
        return (int)status;
    const plu_status written = plu_sweep_table(sweep, err);
    if (written != PLU_IO)
        plu_sweep_summary(sweep);
    if (stopped) {
        plu_message("interrupted; the same command goes on");
        return 128 + stopped;
    }
    if (status != PLU_OK || written != PLU_OK)
        return (int)(status != PLU_OK ? status : written);
    return verdict(sweep);
}

static int sweep_campaign(plu_sweep *sweep, const plu_arguments *arguments, plu_error *err)
{
    plu_status status = read_options(sweep, arguments, err);
    if (status == PLU_OK)
        status = plu_campaign_read(&sweep->campaign, arguments->operands[0], err);
    if (status == PLU_OK)
        status = look_at_cases(sweep, err);
    if (status == PLU_OK)
        status = share_cores(sweep, arguments, err);
    if (status != PLU_OK)
        return (int)status;
    if (plu_argument_given(arguments, SLURM))
        return (int)write_job(sweep, arguments, err);
    if (plu_argument_given(arguments, DRY_RUN))
        return dry_run(sweep);
    return sweep_cases(sweep, arguments, err);
}

static int run(const plu_arguments *arguments)
{
    plu_sweep sweep = {0};
    plu_error err = {0};
    const int code = sweep_campaign(&sweep, arguments, &err);
    if (err.count > 0)
        plu_message_error(&err);
    free(sweep.cases);
    plu_campaign_free(&sweep.campaign);
    return code;
}

const plu_command plu_command_sweep = {
    .name = "sweep",
    .operands = "CAMPAIGN",
    .least = 1,
    .most = 1,
    .summary = "run a campaign: many cases of a scene, in parallel, one table",
    .examples = "pluvia sweep scenes/campaigns/incline.cfg --dry-run     what will be run\n"
                "pluvia sweep scenes/campaigns/incline.cfg               begins or goes on\n"
                "pluvia sweep scenes/campaigns/incline.cfg --shard 2/8   a part of it\n"
                "pluvia sweep scenes/campaigns/incline.cfg --slurm 8 --sbatch=--time=1:00:00",
    .notes =
        "A case is run once: the same command goes on where an interrupted one ended, and after a\n"
        "change of the campaign or of the scene only cases with other inputs run again. A case "
        "that\n"
        "has failed stays so until --retry. Several sweeps may share DIR, also on several "
        "machines.\n"
        "DIR/table.csv and DIR/table.h5 hold inputs, measures, cost and state; DIR/cases/NAME has\n"
        "scene, log, result and trajectory of a case. Grammar: scenes/README.md, \"Campaigns\".\n"
        "Exit codes: 0 all cases are done, 1 some have failed or are missing, 2 wrong arguments,\n"
        "3 invalid campaign, scene or name of a measure, 5 cannot read or write, 130 and 143\n"
        "interrupted.",
    .options = options,
    .options_count = sizeof options / sizeof *options,
    .run = run,
};
