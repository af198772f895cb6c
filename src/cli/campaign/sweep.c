/* pluvia sweep: many cases of one scene, and one table.
 *
 *   campaign file --> cases, each a scene and a folder        plu_sweep_open, _look_at_cases
 *                 --> cores shared among cases                plu_sweep_share_cores
 *                 --> --slurm: a job script (sweep_slurm.c)
 *                     --dry-run: cases and an estimate of time (sweep_cost.c)
 *                     else the cases are run                  plu_sweep_run (sweep_pool.c)
 *                 --> table of all cases, summary             plu_sweep_table, plu_sweep_summary
 *
 *   output/NAME/campaign                     the campaign file, relative to this folder
 *              /cases/CASE/scene.cfg, run.*, result.json
 *              /table.csv, table.h5, means.csv
 *
 * --shard K/N takes each N-th case, so that N machines share a campaign. The exit code is that of
 * a comparison: PLU_DIFFERENT where a case failed or is missing. */
#include "cli/campaign/sweep.h"
#include "cli/base/commands.h"
#include "cli/base/process.h"
#include "cli/base/text.h"
#include <stdlib.h>

enum { OUTPUT, CORES, DRY_RUN, SHARD, RETRY, COLLECT, SLURM, SBATCH, PROGRESS };

static const plu_option options[] = {
    [OUTPUT] = {'o', "output", "DIR", NULL,
                "folder of the campaign; default: output/NAME, where NAME\n"
                "is the campaign file without its folder and .cfg"},
    [CORES] = {'j', "cores", "N", NULL, "cores to use in all; default: those of the machine"},
    [DRY_RUN] = {0, "dry-run", NULL, NULL,
                 "lists the cases, their state and their expected cost,\n"
                 "after a trial of 3 s if no case is done yet"},
    [SHARD] = {0, "shard", "K/N", "1/1",
               "only every N-th case, starting with the K-th: for N\n"
               "machines that share DIR; the last one writes the whole table"},
    [RETRY] = {0, "retry", NULL, NULL, "runs failed cases again"},
    [COLLECT] = {0, "collect", NULL, NULL,
                 "runs nothing, writes the table of the existing results"},
    [SLURM] = {0, "slurm", "N", NULL,
               "writes DIR/job.sh, a job array of N tasks, and submits\n"
               "it by sbatch (--dry-run: only writes it)"},
    [SBATCH] = {0, "sbatch", "OPTION", NULL,
                "an additional option of sbatch for job.sh, such as\n"
                "--time=2:00:00; may be repeated"},
    [PROGRESS] = {0, "progress", "auto|bar|plain|none", "auto",
                  "auto, bar, plain (a line for each case) or none; on stderr"},
};

/* "K/N" and nothing behind it. */
static plu_status read_options(plu_case_sweep *sweep, const plu_arguments *arguments,
                               plu_error *err)
{
    const char *shard = plu_argument(arguments, SHARD);
    int length = 0;
    if (sscanf(shard, "%d/%d%n", &sweep->shard, &sweep->shards, &length) != 2 || shard[length] ||
        sweep->shard < 1 || sweep->shard > sweep->shards)
        return plu_fail(err, PLU_USAGE, "option --shard: \"%s\" is not K/N with 1 <= K <= N",
                        shard);
    sweep->retry = plu_argument_given(arguments, RETRY);
    return PLU_OK;
}

/* The lines of --sbatch may be repeated; they go into the script in the order given. */
static plu_status write_job(const plu_case_sweep *sweep, const plu_arguments *arguments,
                            plu_error *err)
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

/* The table is also written after an interruption: what is done by then can be looked at. */
static int sweep_cases(plu_case_sweep *sweep, const plu_arguments *arguments, plu_error *err)
{
    const plu_status status = plu_argument_given(arguments, COLLECT)
                                  ? plu_sweep_claim(sweep, err)
                                  : plu_sweep_run(sweep, plu_argument(arguments, PROGRESS), err);
    const int stopped = plu_stop_signal();
    if (status != PLU_OK && status != PLU_IO)
        return (int)status;
    const plu_status written = plu_sweep_table(sweep, err);
    if (written != PLU_IO)
        plu_sweep_summary(sweep);
    if (stopped) {
        plu_message("interrupted; the same command continues");
        return 128 + stopped;
    }
    if (status != PLU_OK || written != PLU_OK)
        return (int)(status != PLU_OK ? status : written);
    return plu_sweep_verdict(sweep);
}

static int sweep_campaign(plu_case_sweep *sweep, const plu_arguments *arguments, plu_error *err)
{
    plu_status status = read_options(sweep, arguments, err);
    if (status == PLU_OK)
        status =
            plu_sweep_open(sweep, arguments->operands[0], plu_argument(arguments, OUTPUT), err);
    if (status == PLU_OK)
        status = plu_sweep_look_at_cases(sweep, err);
    if (status == PLU_OK)
        status = plu_sweep_share_cores(sweep, arguments, CORES, err);
    if (status != PLU_OK)
        return (int)status;
    if (plu_argument_given(arguments, SLURM))
        return (int)write_job(sweep, arguments, err);
    if (plu_argument_given(arguments, DRY_RUN)) {
        plu_sweep_dry_run(sweep);
        return PLU_OK;
    }
    return sweep_cases(sweep, arguments, err);
}

static int sweep_run(const plu_arguments *arguments)
{
    plu_case_sweep sweep = {0};
    plu_error err = {0};
    const int code = sweep_campaign(&sweep, arguments, &err);
    if (err.count > 0)
        plu_message_error(&err);
    plu_sweep_close(&sweep);
    return code;
}

const plu_command plu_command_sweep = {
    .name = "sweep",
    .operands = "CAMPAIGN",
    .least = 1,
    .most = 1,
    .summary = "run a campaign: many cases of a scene, in parallel, one table",
    .examples = "pluvia sweep scenes/campaigns/rolling.cfg --dry-run     what will be run\n"
                "pluvia sweep scenes/campaigns/rolling.cfg               starts or continues\n"
                "pluvia sweep scenes/campaigns/rolling.cfg --shard 2/8   a part of it\n"
                "pluvia sweep scenes/campaigns/rolling.cfg --slurm 8 --sbatch=--time=1:00:00",
    .notes =
        "Each case runs once: the same command continues an interrupted campaign, and after a\n"
        "change of the campaign or the scene only cases with other inputs run again. A failed "
        "case\n"
        "is only run again with --retry. Several sweeps may share DIR, also on several machines.\n"
        "With fewer cases than cores a case has several threads, at most OMP_NUM_THREADS if that "
        "is\n"
        "set; else it tries now and then how many of them make its steps fastest. `threads` of "
        "the\n"
        "campaign sets their number. The results are the same for every number.\n"
        "DIR/table.csv and DIR/table.h5 contain inputs, measures, cost and state; DIR/cases/NAME\n"
        "contains scene, log, result and trajectory of a case. How to write a campaign:\n"
        "scenes/campaigns.md, \"Campaigns\".\n"
        "Exit codes: 0 all cases are done, 1 some have failed or are missing, 2 wrong arguments,\n"
        "3 invalid campaign, scene or name of a measure, 5 cannot read or write, 129, 130 and\n"
        "143 interrupted.",
    .options = options,
    .options_count = sizeof options / sizeof *options,
    .run = sweep_run,
};
