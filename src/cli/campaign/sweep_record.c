/* What becomes of a case: its result, what it cost, or why it failed. result.json is written as a
 * file .part, brought to the disk and renamed, and only then what the case does not keep is
 * removed: a case is done or it is open, whatever is killed when. Costs of all attempts add up in
 * the file cost.
 *
 *   {"case": "mu=0.3",
 *   "inputs": "0123456789abcdef",        hash of the scene: another one means the case has changed
 *   "status": "done",                    or "failed", with the exit code and the last message
 *   "exit": 0,
 *   "reason": "",
 *   "wall_seconds": 4.2, "cpu_seconds": 4.1, "threads": 1,
 *   "version": "0.3.0",
 *   "info": {...},                       as `pluvia info --json` prints it
 *   "measure": {...}}                    as `pluvia measure --json` does
 *
 * A run that is stopped by a signal has no result: its case stays open and continues later. */
#include "cli/base/process.h"
#include "cli/base/text.h"
#include "cli/campaign/sweep.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What messages call the jobs of a case, in their order (sweep_worker.c). */
static const char *const job_name[PLU_SWEEP_JOBS] = {"the run", "info", "measure"};

enum { PATH = 2 * PLU_PATH, REASON = 512 };

double plu_sweep_processor_time(const struct rusage *use)
{
    return (double)use->ru_utime.tv_sec + 1e-6 * (double)use->ru_utime.tv_usec +
           (double)use->ru_stime.tv_sec + 1e-6 * (double)use->ru_stime.tv_usec;
}

double plu_sweep_wall_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The last message of the log, for people. */
static void last_message(const plu_case_sweep *sweep, int index, char *reason, size_t size)
{
    static const char start[] = "pluvia: ";
    char path[PATH];
    char *log = plu_sweep_read(plu_sweep_path(sweep, index, "run.log", path, sizeof path));
    reason[0] = '\0';
    for (char *line = log; line && *line;) {
        char *end = line + strcspn(line, "\n");
        if (strncmp(line, start, sizeof start - 1) == 0)
            snprintf(reason, size, "%.*s", (int)(end - line - (long)sizeof start + 1),
                     line + sizeof start - 1);
        line = end + (*end != '\0');
    }
    free(log);
}

/* Why job `job` ended with this exit code. */
static void explain(const plu_case_sweep *sweep, int index, int job, int code, char *reason)
{
    if (code == PLU_WORKER_CANNOT_START) {
        snprintf(reason, REASON, "%s could not be started", job_name[job]);
        return;
    }
    last_message(sweep, index, reason, REASON);
    if (!reason[0])
        snprintf(reason, REASON, "%s ended with exit code %d", job_name[job], code);
}

/* Adds what an attempt took to the file cost; the sums of all attempts. */
static void add_cost(const plu_case_sweep *sweep, int index, const double attempt[2], double sum[2])
{
    char path[PATH];
    sum[0] = sum[1] = 0.0;
    FILE *file = fopen(plu_sweep_path(sweep, index, "cost", path, sizeof path), "a+");
    if (!file)
        return;
    fprintf(file, "%.3f %.3f\n", attempt[0], attempt[1]);
    rewind(file);
    for (double wall, cpu; fscanf(file, "%lf %lf", &wall, &cpu) == 2;) {
        sum[0] += wall;
        sum[1] += cpu;
    }
    fclose(file);
}

/* A member that is what another command wrote. */
static void print_file(FILE *out, const char *name, const char *json)
{
    if (!json)
        return;
    size_t length = strlen(json);
    while (length > 0 && json[length - 1] == '\n')
        length--;
    fprintf(out, ",\n\"%s\": %.*s", name, (int)length, json);
}

typedef struct outcome {
    int code; /* 0: done */
    const char *reason;
    char *measure, *info; /* JSON objects, NULL: none */
    double cost[2];       /* wall and processor seconds */
} outcome;

/* "wx" fails where the file exists: nothing is written through a link that somebody left there. */
static plu_status record(const plu_case_sweep *sweep, int index, const outcome *o, plu_error *err)
{
    char path[PATH], part[PATH];
    plu_sweep_path(sweep, index, "result.json", path, sizeof path);
    plu_sweep_path(sweep, index, "result.part", part, sizeof part);
    remove(part); /* "result." and more are names of ours (sweep_folder.c) */
    FILE *out = fopen(part, "wx");
    if (!out)
        return plu_fail(err, PLU_IO, "%s: cannot write: %s", part, strerror(errno));
    fprintf(out, "{\"case\": ");
    plu_json_write_string(out, sweep->campaign.cases[index].name);
    fprintf(out, ",\n\"inputs\": \"%016" PRIx64 "\",\n\"status\": \"%s\",\n\"exit\": %d",
            sweep->cases[index].hash, o->code == 0 ? "done" : "failed", o->code);
    fprintf(out, ",\n\"reason\": ");
    plu_json_write_string(out, o->reason);
    fprintf(out, ",\n\"wall_seconds\": %.3f, \"cpu_seconds\": %.3f, \"threads\": %d", o->cost[0],
            o->cost[1], sweep->threads);
    fprintf(out, ",\n\"version\": \"%s\"", plu_version());
    print_file(out, "info", o->info);
    print_file(out, "measure", o->measure);
    fprintf(out, "}\n");
    bool fine = !ferror(out) && fflush(out) == 0 && fsync(fileno(out)) == 0;
    fine = fclose(out) == 0 && fine && rename(part, path) == 0;
    return fine ? PLU_OK : plu_fail(err, PLU_IO, "%s: cannot write: %s", path, strerror(errno));
}

/* Only what is kept stays. */
static void clear(const plu_case_sweep *sweep, int index)
{
    const plu_keep keep = sweep->campaign.keep;
    plu_sweep_remove(sweep, index, PLU_MEASURE_JSON);
    plu_sweep_remove(sweep, index, PLU_INFO_JSON);
    plu_sweep_remove(sweep, index, "cost");
    if (keep != PLU_KEEP_ALL)
        plu_sweep_remove(sweep, index, "run.checkpoint.h5");
    if (keep == PLU_KEEP_NONE) {
        plu_sweep_remove(sweep, index, "run.h5md");
        plu_sweep_remove(sweep, index, "run.xdmf");
    }
}

plu_status plu_sweep_record(const plu_case_sweep *sweep, int index, int code,
                            const plu_sweep_note *note, plu_error *err)
{
    struct rusage use;
    char path[PATH], reason[REASON] = "";
    outcome o = {.code = code, .reason = reason};
    getrusage(RUSAGE_SELF, &use);
    const double attempt[2] = {plu_sweep_wall_time() - note->wall,
                               plu_sweep_processor_time(&use) - note->processor};
    add_cost(sweep, index, attempt, o.cost);
    if (plu_stop_code(code))
        return PLU_OK; /* a run that was stopped has not failed */
    if (code != 0) {
        explain(sweep, index, note->job, code, reason);
    } else {
        o.info = plu_sweep_read(plu_sweep_path(sweep, index, PLU_INFO_JSON, path, sizeof path));
        o.measure =
            plu_sweep_read(plu_sweep_path(sweep, index, PLU_MEASURE_JSON, path, sizeof path));
    }
    const plu_status status = record(sweep, index, &o, err);
    free(o.info);
    free(o.measure);
    if (status == PLU_OK && code == 0)
        clear(sweep, index);
    return status;
}

plu_status plu_sweep_record_death(const plu_case_sweep *sweep, int index, int state,
                                  double processor, const plu_sweep_note *note, plu_error *err)
{
    const double attempt[2] = {plu_sweep_wall_time() - note->wall, processor - note->processor};
    char reason[REASON] = "";
    outcome o = {.code = WEXITSTATUS(state), .reason = reason};
    if (WIFSIGNALED(state)) {
        o.code = 128 + WTERMSIG(state);
        snprintf(reason, sizeof reason, "%s was killed by signal %d (%s)", job_name[note->job],
                 WTERMSIG(state), strsignal(WTERMSIG(state)));
    } else {
        explain(sweep, index, note->job, o.code, reason);
        o.code = o.code == PLU_WORKER_CANNOT_START ? PLU_IO : o.code;
    }
    add_cost(sweep, index, attempt, o.cost);
    return plu_stop_code(o.code) ? PLU_OK : record(sweep, index, &o, err);
}
