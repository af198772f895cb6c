/* pluvia calibrate: the parameters that reproduce what was measured (campaign/calibration.c: the
 * misfit and how it is refined).
 *
 *     +--> cases of the points that are new: run as a sweep does, those that are done are only read
 *     |    means over seeds, chi2 of each point
 *     +--- halve the spacing, add seeds, where that can change the answer; at most --rounds times
 *
 * As every case has its folder, a call that was interrupted goes on, and one with more rounds
 * continues. */
#include "cli/campaign/calibrate.h"
#include "cli/base/commands.h"
#include "cli/base/process.h"
#include "cli/base/text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OUTPUT, CORES, ROUNDS, DRY_RUN, RETRY, JSON, PROGRESS };

static const plu_option options[] = {
    [OUTPUT] = {'o', "output", "DIR", NULL, "folder of the calibration; default: output/NAME"},
    [CORES] = {'j', "cores", "N", NULL, "cores to use in all; default: those of the machine"},
    [ROUNDS] = {0, "rounds", "N", "3",
                "refine at most N times (0 to 8); a later call with\n"
                "more rounds continues from there"},
    [DRY_RUN] = {0, "dry-run", NULL, NULL,
                 "lists the cases of the first grid, their state and\n"
                 "their expected cost"},
    [RETRY] = {0, "retry", NULL, NULL, "runs failed cases again"},
    [JSON] = {0, "json", NULL, NULL, "the answer as one JSON object"},
    [PROGRESS] = {0, "progress", "auto|bar|plain|none", "auto",
                  "auto, bar, plain (a line for each case) or none; on stderr"},
};

/* The numbers of the cases that are done, from `first` on. */
static void read_measures(const plu_case_sweep *sweep, plu_calibration *c, int first)
{
    for (int i = first; i < sweep->cases_count; i++) {
        plu_result result;
        double *row = plu_calibration_measures(c, i);
        plu_sweep_result(sweep, i, &result);
        for (int t = 0; t < sweep->campaign.targets_count; t++) {
            const plu_member *member =
                plu_sweep_measure(&result, sweep->campaign.targets[t].measure);
            row[t] = member && sweep->cases[i].state == PLU_CASE_DONE ? member->number : NAN;
        }
        plu_result_free(&result);
    }
}

/* Steps of the cases that the rounds to come will add. Their number is known only after each: a
 * round is taken to add as many cases as the one before did, or the first grid has, and more by
 * sqrt(2) for each dimension of the valley in which the targets can be met (halved cells would
 * double along it, but not all are needed: the shipped example has 100, 112, 160, 220 cases). */
static double steps_to_come(const plu_case_sweep *sweep, const plu_calibration *c, int last,
                            long rounds)
{
    const int free = sweep->campaign.parameters_count - sweep->campaign.targets_count;
    const double growth = free > 0 ? pow(sqrt(2.0), free) : 1.0;
    double steps = 0.0, cases = 0.0, round = last;
    for (int i = 0; i < sweep->cases_count; i++)
        steps += (double)sweep->cases[i].steps;
    for (long k = c->round; k < rounds; k++)
        cases += round *= growth;
    return sweep->cases_count > 0 ? cases * steps / sweep->cases_count : 0.0;
}

/* Runs the cases that there are, then refines, as often as that helps and is allowed. */
static plu_status search(plu_case_sweep *sweep, plu_calibration *c, const plu_arguments *arguments,
                         long rounds, plu_error *err)
{
    const char *progress = plu_argument(arguments, PROGRESS);
    for (int first = 0, added = 0;; first = sweep->cases_count) {
        plu_status status = plu_sweep_look_at_cases(sweep, err);
        if (status == PLU_OK)
            status = plu_sweep_share_cores(sweep, arguments, CORES, err);
        if (status == PLU_OK && added > 0 && strcmp(progress, "none") != 0)
            plu_message("round %d of at most %ld: %d more cases", c->round, rounds, added);
        sweep->steps_to_come = steps_to_come(sweep, c, sweep->cases_count - first, rounds);
        if (status == PLU_OK)
            status = plu_sweep_run(sweep, progress, err);
        if (status == PLU_OK && plu_stop_signal())
            return PLU_OK;
        if (status == PLU_OK) {
            read_measures(sweep, c, first);
            status = plu_calibration_judge(c, err);
        }
        if (status != PLU_OK || c->round == rounds)
            return status;
        status = plu_calibration_refine(c, &added, err);
        if (status != PLU_OK || added == 0)
            return status;
    }
}

/* The table of all cases is written before the answer: it is worth having even if no answer is
 * found. */
static int report(plu_case_sweep *sweep, plu_calibration *c, bool json, plu_error *err)
{
    plu_answer answer = {0};
    plu_status status = plu_sweep_table(sweep, err);
    if (!json && status != PLU_IO)
        plu_sweep_summary(sweep);
    if (status == PLU_OK)
        status = plu_calibration_answer(&answer, c, err);
    if (status == PLU_OK)
        status = plu_calibrate_tables(c, &answer, sweep->folder, err);
    if (status == PLU_OK && json)
        plu_calibrate_json(c, &answer, sweep->folder);
    else if (status == PLU_OK)
        plu_calibrate_text(c, &answer, sweep->folder);
    const bool reached = answer.reached;
    plu_answer_free(&answer);
    if (status != PLU_OK)
        return (int)status;
    return reached ? plu_sweep_verdict(sweep) : PLU_DIFFERENT;
}

static int calibrate(plu_case_sweep *sweep, plu_calibration *c, const plu_arguments *arguments,
                     plu_error *err)
{
    long rounds;
    plu_status status =
        plu_sweep_open(sweep, arguments->operands[0], plu_argument(arguments, OUTPUT), err);
    if (status == PLU_OK)
        status = plu_argument_integer(arguments, ROUNDS, 0, PLU_ROUNDS, &rounds, err);
    if (status == PLU_OK)
        status = plu_calibration_begin(c, &sweep->campaign, err);
    if (status == PLU_OK && plu_argument_given(arguments, DRY_RUN)) {
        status = plu_sweep_look_at_cases(sweep, err);
        if (status == PLU_OK)
            status = plu_sweep_share_cores(sweep, arguments, CORES, err);
        sweep->steps_to_come = steps_to_come(sweep, c, sweep->cases_count, rounds);
        if (status == PLU_OK)
            plu_sweep_dry_run(sweep);
        return (int)status;
    }
    if (status == PLU_OK)
        status = search(sweep, c, arguments, rounds, err);
    if (status != PLU_OK)
        return (int)status;
    if (plu_stop_signal()) {
        plu_message("interrupted; the same command continues");
        return 128 + plu_stop_signal();
    }
    return report(sweep, c, plu_argument_given(arguments, JSON), err);
}

static int calibrate_run(const plu_arguments *arguments)
{
    plu_case_sweep sweep = {.shard = 1, .shards = 1, .retry = plu_argument_given(arguments, RETRY)};
    plu_calibration calibration = {0};
    plu_error err = {0};
    const int code = calibrate(&sweep, &calibration, arguments, &err);
    if (err.count > 0)
        plu_message_error(&err);
    int failed = 0;
    for (int i = 0; i < sweep.cases_count && sweep.cases; i++)
        failed += sweep.cases[i].state == PLU_CASE_FAILED;
    if (code == PLU_BAD_INPUT && failed > 0)
        plu_message("%d case%s failed (run.log in its folder says why): --retry runs them again",
                    failed, failed == 1 ? "" : "s");
    plu_calibration_free(&calibration);
    plu_sweep_close(&sweep);
    return code;
}

const plu_command plu_command_calibrate = {
    .name = "calibrate",
    .operands = "CAMPAIGN",
    .least = 1,
    .most = 1,
    .summary = "find the parameters that reproduce measured values",
    .examples = "pluvia calibrate scenes/campaigns/repose.cfg --dry-run    the first grid\n"
                "pluvia calibrate scenes/campaigns/repose.cfg              starts or continues\n"
                "pluvia calibrate scenes/campaigns/repose.cfg --rounds 4   closer\n"
                "tools/plot_calibration.py output/repose -o misfit.png",
    .notes =
        "The file names a scene, the parameters to search with their ranges, seeds, and targets:\n"
        "measured values with their standard errors (scenes/campaigns.md, \"Calibration\"). All\n"
        "points of a grid over the ranges are simulated with each seed. The misfit of a point is\n"
        "chi2, the sum over targets of (mean over seeds - target)^2 / (error^2 + error of the\n"
        "mean^2). Each round then halves the spacing of the grid where the targets can be met, "
        "and\n"
        "adds seeds there if the scatter between seeds is larger than the error. A solution that\n"
        "lies between points of the first grid, and affects none of them, is not found.\n"
        "DIR contains what a sweep writes, calibration.csv (the points with their chi2) and\n"
        "valley.csv (for values of the other parameters: which values of the last one reproduce\n"
        "the targets as well as the best point does, chi2 <= least + 1). A case runs only once.\n"
        "Exit codes: 0 the targets are reached, 1 they are not reached anywhere in the ranges\n"
        "(least chi2 > 4) or cases have failed, 2 wrong arguments, 3 invalid campaign, scene or "
        "name of a measure, 5 cannot\n"
        "read or write, 129, 130 and 143 interrupted.",
    .options = options,
    .options_count = sizeof options / sizeof *options,
    .run = calibrate_run,
};
