/* Shows the progress of a sweep on stderr. Time that is left = steps that are left x cost of a
 * step / number of workers; the cost is that of cases that are done or, before any is, of those
 * that run, whose progress is read from the ends of their logs.
 *
 *   bar     12/100 done, 1 failed, ETA 0:12 | mu=0.3 0:04 56% | idle       one line, rewritten
 *   plain   pluvia: mu=0.3 done in 4.20 s; 12/100 done, ETA 0:12           a line for each case
 *   none    only cases that failed */
#include "cli/base/text.h"
#include "cli/campaign/sweep.h"
#include "cli/run/progress.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH = 2 * PLU_PATH, LINE = 512 };

plu_status plu_sweep_progress_open(plu_sweep_progress *progress, const char *mode, plu_error *err)
{
    const bool terminal = isatty(STDERR_FILENO);
    *progress = (plu_sweep_progress){0};
    if (strcmp(mode, "bar") == 0 || (strcmp(mode, "auto") == 0 && terminal))
        progress->mode = PLU_SWEEP_BAR;
    else if (strcmp(mode, "plain") == 0 || strcmp(mode, "auto") == 0)
        progress->mode = PLU_SWEEP_PLAIN;
    else if (strcmp(mode, "none") == 0)
        progress->mode = PLU_SWEEP_SILENT;
    else
        return plu_fail(err, PLU_USAGE,
                        "option --progress: \"%s\" is not one of auto, bar, plain, none", mode);
    return PLU_OK;
}

/* Cases of this shard only. */
static void progress_counts(const plu_case_sweep *sweep, int *all, int *done, int *failed)
{
    *all = *done = *failed = 0;
    for (int i = 0; i < sweep->campaign.cases_count; i++) {
        *all += sweep->cases[i].mine;
        *done += sweep->cases[i].mine && sweep->cases[i].state == PLU_CASE_DONE;
        *failed += sweep->cases[i].mine && sweep->cases[i].state == PLU_CASE_FAILED;
    }
}

/* How far a run is, from the last progress line of its log; -1: unknown yet. */
static double percent(const plu_case_sweep *sweep, int index)
{
    static const char start[] = "\npluvia: ";
    char path[PATH], tail[1024];
    double found = -1.0;
    FILE *file = fopen(plu_sweep_path(sweep, index, "run.log", path, sizeof path), "r");
    if (!file)
        return found;
    if (fseek(file, -(long)(sizeof tail - 1), SEEK_END) != 0)
        rewind(file);
    tail[fread(tail, 1, sizeof tail - 1, file)] = '\0';
    fclose(file);
    for (const char *at = tail; at; at = strstr(at, start)) {
        double number;
        int length = 0;
        at += at == tail ? (strncmp(at, start + 1, sizeof start - 2) == 0 ? sizeof start - 2 : 1)
                         : sizeof start - 1;
        if (sscanf(at, "%lf %%%n", &number, &length) == 1 && length > 0)
            found = number;
    }
    return found;
}

/* Wall seconds that are left; infinite: not known yet. The cost of a step is taken from cases that
 * are done or, while there are none, from running cases. `workers` NULL: running cases are ignored.
 */
static double time_left(const plu_case_sweep *sweep, const plu_sweep_worker *workers, double now)
{
    double gone = 0.0, took = 0.0;
    for (int i = 0; workers && i < sweep->workers; i++) {
        const double done = workers[i].busy ? percent(sweep, workers[i].index) : -1.0;
        if (done > 0.0) {
            gone += 0.01 * done * (double)sweep->cases[workers[i].index].steps;
            took += now - workers[i].started;
        }
    }
    double cost = plu_sweep_step_cost(sweep);
    if (!(cost > 0.0) && gone > 0.0)
        cost = took / gone;
    const double steps = plu_sweep_open_steps(sweep) + sweep->steps_to_come - gone;
    const double left = steps * cost / sweep->workers;
    return cost > 0.0 ? fmax(0.0, left) : INFINITY;
}

/* "12/100 done, 1 failed, ETA 0:12" */
static int state_line(const plu_case_sweep *sweep, const plu_sweep_worker *workers, double now,
                      char *line, size_t size)
{
    int all, done, failed;
    char left[48] = "", bad[32] = "";
    progress_counts(sweep, &all, &done, &failed);
    if (done + failed < all) { /* of a calibration, rounds to come are a guess: it may be done */
        snprintf(left, sizeof left, ", ETA ");
        plu_text_duration(time_left(sweep, workers, now), left + 6, sizeof left - 6);
    }
    if (failed)
        snprintf(bad, sizeof bad, ", %d failed", failed);
    return snprintf(line, size, "%d/%d done%s%s", done, all, bad, left);
}

void plu_sweep_progress_wipe(plu_sweep_progress *progress)
{
    if (progress->drawn > 0)
        fprintf(stderr, "\r%*s\r", progress->drawn, "");
    progress->drawn = 0;
}

void plu_sweep_progress_ended(plu_sweep_progress *progress, const plu_case_sweep *sweep, int index,
                              double now)
{
    const plu_sweep_case *c = &sweep->cases[index];
    const char *name = sweep->campaign.cases[index].name;
    char line[LINE];
    progress->next = now;
    if (c->state == PLU_CASE_FAILED) {
        plu_result result;
        plu_sweep_progress_wipe(progress);
        plu_sweep_result(sweep, index, &result);
        const plu_member *code = plu_result_find(&result, "exit");
        const plu_member *reason = plu_result_find(&result, "reason");
        plu_message("%s failed, exit code %.0f: %s", name, code ? code->number : 0.0,
                    reason && reason->text ? reason->text : "");
        plu_result_free(&result);
    } else if (progress->mode == PLU_SWEEP_PLAIN) {
        state_line(sweep, NULL, now, line, sizeof line);
        plu_message("%s done in %.2f s; %s", name, c->wall, line);
    }
}

/* One line: the state of the sweep, then what each worker does and for how long. */
static void draw_bar(plu_sweep_progress *progress, const plu_case_sweep *sweep,
                     const plu_sweep_worker *workers, double now)
{
    char line[LINE], age[32], part[32];
    size_t used = (size_t)state_line(sweep, workers, now, line, sizeof line);
    for (int i = 0; i < sweep->workers && used < sizeof line - 1; i++) {
        if (!workers[i].busy) {
            used += (size_t)snprintf(line + used, sizeof line - used, " | idle");
            continue;
        }
        const double done = percent(sweep, workers[i].index);
        plu_text_duration(now - workers[i].started, age, sizeof age);
        part[0] = '\0';
        if (done >= 0.0)
            snprintf(part, sizeof part, " %.0f%%", done);
        used += (size_t)snprintf(line + used, sizeof line - used, " | %s %s%s",
                                 sweep->campaign.cases[workers[i].index].name, age, part);
    }
    const int width = plu_terminal_width() - 1;
    plu_sweep_progress_wipe(progress);
    progress->drawn = fprintf(stderr, "%.*s", width, line);
    fflush(stderr);
}

void plu_sweep_progress_draw(plu_sweep_progress *progress, const plu_case_sweep *sweep,
                             const plu_sweep_worker *workers, double now, bool last)
{
    if (progress->mode != PLU_SWEEP_BAR || (now < progress->next && !last))
        return;
    progress->next = now + 0.5;
    if (last)
        plu_sweep_progress_wipe(progress);
    else
        draw_bar(progress, sweep, workers, now);
}
