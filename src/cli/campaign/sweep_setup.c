/* Prepares a sweep: chooses its folder, reads its cases, finds out which are open, and distributes
 * the cores. Case i is of shard 1 + i mod n. If the campaign does not say how many threads a case
 * has, it is one as long as there are cases for all cores, else cores / open cases; workers =
 * cores / threads.
 *
 *   8 cores, 100 open cases    8 workers of 1 thread     cases side by side cost no barriers
 *   8 cores,   3 open cases    3 workers of 2 threads
 *
 * Everything that can be wrong with a campaign is looked for here, before its first case runs:
 * each scene is made and checked, with stages, windows of time, and names of measures. */
#include "cli/base/text.h"
#include "cli/campaign/sweep.h"
#include <errno.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The folder `given`, else output/NAME, NAME being the campaign file without folder and .cfg. */
static void choose_folder(plu_case_sweep *sweep, const char *path, const char *given)
{
    const char *slash = strrchr(path, '/');
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

plu_status plu_sweep_open(plu_case_sweep *sweep, const char *path, const char *folder,
                          plu_error *err)
{
    choose_folder(sweep, path, folder);
    if (strlen(sweep->folder) > PLU_PATH - 300)
        return plu_fail(err, PLU_USAGE, "option --output: the path is too long");
    /* Workers and job scripts run this very program, whatever PATH says. */
    const ssize_t size = readlink("/proc/self/exe", sweep->program, sizeof sweep->program - 1);
    if (size < 0)
        return plu_fail(err, PLU_IO, "cannot find the path of this program: %s", strerror(errno));
    sweep->threads_limit = getenv("OMP_NUM_THREADS") ? omp_get_max_threads() : 0;
    omp_set_num_threads(1); /* workers are copies of this process, without threads it would have */
    const plu_status status = plu_campaign_read(&sweep->campaign, path, err);
    return status == PLU_OK ? plu_sweep_check_folder(sweep, err) : status;
}

void plu_sweep_close(plu_case_sweep *sweep)
{
    free(sweep->cases);
    plu_campaign_free(&sweep->campaign);
}

plu_status plu_sweep_look_at_cases(plu_case_sweep *sweep, plu_error *err)
{
    const int count = sweep->campaign.cases_count;
    plu_sweep_case *cases = realloc(sweep->cases, (size_t)count * sizeof *cases);
    if (!cases)
        return plu_fail(err, PLU_IO, "out of memory");
    sweep->cases = cases;
    plu_status bad = PLU_OK;
    for (int i = sweep->cases_count; i < count; i++) {
        plu_case_scene made;
        plu_status status = plu_case_scene_make(&made, &sweep->campaign, i, err);
        if (status == PLU_OK)
            status = plu_sweep_spare(sweep, &made.inputs, err);
        if (status == PLU_OK)
            status = plu_sweep_check_stages(sweep, &made.stages, err);
        if (status == PLU_OK && i == 0)
            bad = plu_sweep_check_things(sweep, &made, err);
        if (status == PLU_OK)
            status = plu_sweep_check_windows(sweep, i, made.end, err);
        sweep->cases[i] = (plu_sweep_case){
            .hash = made.hash, .steps = made.steps, .mine = i % sweep->shards == sweep->shard - 1};
        plu_case_scene_free(&made);
        if (status != PLU_OK)
            return status;
        plu_sweep_look(sweep, i);
    }
    sweep->cases_count = count;
    plu_status status = plu_sweep_check_measures(sweep, err);
    status = bad != PLU_OK ? bad : status;
    for (int i = 0; i < count && status == PLU_OK; i++)
        status = plu_sweep_late_statistics(sweep, i, err);
    return status;
}

static int open_cases(const plu_case_sweep *sweep)
{
    int open = 0;
    for (int i = 0; i < sweep->campaign.cases_count; i++) {
        const plu_sweep_case *c = &sweep->cases[i];
        open +=
            c->mine && c->state != PLU_CASE_DONE && (c->state != PLU_CASE_FAILED || sweep->retry);
    }
    return open;
}

plu_status plu_sweep_share_cores(plu_case_sweep *sweep, const plu_arguments *arguments, int option,
                                 plu_error *err)
{
    long cores = omp_get_num_procs();
    if (plu_argument_given(arguments, option)) {
        const plu_status status = plu_argument_integer(arguments, option, 1, 1024, &cores, err);
        if (status != PLU_OK)
            return status;
    }
    const int open = open_cases(sweep);
    int threads = sweep->campaign.threads;
    if (threads == 0) {
        threads = open > 0 && open < cores ? (int)cores / open : 1;
        if (sweep->threads_limit > 0 && threads > sweep->threads_limit)
            threads = sweep->threads_limit;
    }
    sweep->threads = threads < cores ? threads : (int)cores;
    sweep->workers = (int)cores / sweep->threads;
    if (sweep->workers > open)
        sweep->workers = open > 0 ? open : 1;
    return PLU_OK;
}

/* Runs choose how many threads to use up to a limit, if neither the campaign nor the environment
 * does. */
const char *plu_sweep_up_to(const plu_case_sweep *sweep)
{
    const bool tried =
        sweep->threads > 1 && sweep->campaign.threads == 0 && sweep->threads_limit == 0;
    return tried ? "up to " : "";
}

static void print_cases(const plu_case_sweep *sweep)
{
    static const char *const states[] = {[PLU_CASE_OPEN] = "open",
                                         [PLU_CASE_CHANGED] = "changed",
                                         [PLU_CASE_DONE] = "done",
                                         [PLU_CASE_FAILED] = "failed"};
    _Static_assert(sizeof states / sizeof *states == PLU_CASE_STATES, "a word for each state");
    for (int i = 0; i < sweep->campaign.cases_count; i++)
        if (sweep->cases[i].mine)
            printf("%6d  %-8s %9ld steps  %s\n", i + 1, states[sweep->cases[i].state],
                   sweep->cases[i].steps, sweep->campaign.cases[i].name);
}

/* "0:20", or "0:20 to 1:20" where the cost of a step is not known well. */
static const char *range_text(const plu_case_sweep *sweep, const plu_sweep_cost *cost, double steps,
                              char *text, size_t size)
{
    char low[32], high[32];
    plu_text_duration(cost->low * steps / sweep->workers, low, sizeof low);
    plu_text_duration(cost->high * steps / sweep->workers, high, sizeof high);
    if (strcmp(low, high) == 0)
        snprintf(text, size, "%s", low);
    else
        snprintf(text, size, "%s to %s", low, high);
    return text;
}

void plu_sweep_dry_run(const plu_case_sweep *sweep)
{
    char text[80];
    print_cases(sweep);
    const int open = open_cases(sweep);
    const double steps = plu_sweep_open_steps(sweep);
    printf(
        "cases         %d, %d to run: %.4g steps at most, %d at a time with %s%d thread%s each\n",
        sweep->campaign.cases_count, open, steps, sweep->workers, plu_sweep_up_to(sweep),
        sweep->threads, sweep->threads == 1 ? "" : "s");
    if (open == 0)
        return;
    const double done = plu_sweep_step_cost(sweep);
    const plu_sweep_cost cost =
        done > 0.0 ? (plu_sweep_cost){done, done, 1.0} : plu_sweep_trial(sweep);
    if (!(cost.high > 0.0)) {
        printf("estimate      none: the trial of the first case failed\n");
        return;
    }
    printf("estimate      %s on this machine, from ",
           range_text(sweep, &cost, steps, text, sizeof text));
    if (done > 0.0)
        printf("the completed cases\n");
    else if (cost.tried < 1.0)
        printf("a trial of the first %.2g %% of the first case\n", 100.0 * cost.tried);
    else
        printf("a trial of the first case\n");
    if (sweep->steps_to_come > 0.0)
        printf("              about %s with possible further rounds\n",
               range_text(sweep, &cost, steps + sweep->steps_to_come, text, sizeof text));
}
