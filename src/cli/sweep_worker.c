/* One case from its scene to its result, in a process of its own. */
#include "commands.h"
#include "json.h"
#include "message.h"
#include "stop.h"
#include "sweep.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATH = 2 * PLU_PATH, REASON = 512, PROCESS_NAME = 16, CANNOT_START = 126 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* In the child: its output goes to files, and it is told to stop when its parent dies. The command
 * runs in this copy of the program: to start it anew, with all its libraries, takes longer than
 * many a case does. Lists of processes name it: "pluvia run". */
static _Noreturn void become(const plu_command *what, char **words, const char *out,
                             const char *log, pid_t parent)
{
    char name[PROCESS_NAME];
    snprintf(name, sizeof name, "pluvia %s", what->name);
    prctl(PR_SET_NAME, name);
    plu_stop_forget();
    const int err = open(log, O_WRONLY | O_CREAT | O_APPEND, 0666);
    const int file = out ? open(out, O_WRONLY | O_CREAT | O_TRUNC, 0666) : err;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent || err < 0 || file < 0 || dup2(file, STDOUT_FILENO) < 0 ||
        dup2(err, STDERR_FILENO) < 0)
        _exit(CANNOT_START);
    int count = 0;
    while (words[count])
        count++;
    exit(plu_execute(what, count, words));
}

/* Waits for a child; a signal to stop is handed on, once. */
static int wait_for(pid_t child)
{
    int state;
    bool told = false;
    struct timespec pause = {0, 1000000};
    for (;;) {
        const pid_t ended = waitpid(child, &state, WNOHANG);
        if (ended == child)
            return state;
        if (ended < 0 && errno != EINTR)
            return -1;
        if (plu_stop_signal() && !told) {
            kill(child, SIGTERM);
            told = true;
        }
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < 50000000)
            pause.tv_nsec += pause.tv_nsec / 4;
    }
}

/* Runs a command with these words; stdout goes to the file `out` (NULL: to the log). Its wait
 * status. */
static int command(const plu_sweep *sweep, int index, const plu_command *what, char **words,
                   const char *out)
{
    char log[PATH];
    plu_sweep_path(sweep, index, "run.log", log, sizeof log);
    const pid_t parent = getpid(), child = fork();
    if (child == 0)
        become(what, words, out, log, parent);
    return child < 0 ? -1 : wait_for(child);
}

/* The last message of the log, for people. */
static void last_message(const plu_sweep *sweep, int index, char *reason, size_t size)
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

static int explain(const plu_sweep *sweep, int index, int state, const char *what, char *reason,
                   size_t size)
{
    if (state >= 0 && WIFSIGNALED(state)) {
        snprintf(reason, size, "%s was killed by signal %d (%s)", what, WTERMSIG(state),
                 strsignal(WTERMSIG(state)));
        return 128 + WTERMSIG(state);
    }
    if (state < 0 || WEXITSTATUS(state) == CANNOT_START) {
        snprintf(reason, size, "%s could not be started", what);
        return PLU_IO;
    }
    last_message(sweep, index, reason, size);
    if (!reason[0])
        snprintf(reason, size, "%s ended with exit code %d", what, WEXITSTATUS(state));
    return WEXITSTATUS(state);
}

/* Adds what an attempt took to the file cost; the sums of all attempts. */
static void add_cost(const plu_sweep *sweep, int index, double began, double sum[2])
{
    char path[PATH];
    struct rusage use;
    sum[0] = sum[1] = 0.0;
    FILE *file = fopen(plu_sweep_path(sweep, index, "cost", path, sizeof path), "a+");
    if (!file)
        return;
    getrusage(RUSAGE_CHILDREN, &use);
    fprintf(file, "%.3f %.3f\n", now() - began,
            (double)use.ru_utime.tv_sec + 1e-6 * (double)use.ru_utime.tv_usec +
                (double)use.ru_stime.tv_sec + 1e-6 * (double)use.ru_stime.tv_usec);
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
    const char *measure, *info; /* JSON objects, NULL: none */
    double cost[2];             /* wall and processor seconds */
} outcome;

static plu_status record(const plu_sweep *sweep, int index, const outcome *o, plu_error *err)
{
    char path[PATH], part[PATH];
    plu_sweep_path(sweep, index, "result.json", path, sizeof path);
    plu_sweep_path(sweep, index, "result.part", part, sizeof part);
    FILE *out = fopen(part, "w");
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

plu_status plu_sweep_record_failure(const plu_sweep *sweep, int index, int code, const char *reason,
                                    plu_error *err)
{
    const outcome o = {.code = code, .reason = reason};
    return record(sweep, index, &o, err);
}

/* Only what is kept stays. */
static void worker_clear(const plu_sweep *sweep, int index)
{
    const plu_keep keep = sweep->campaign.keep;
    plu_sweep_remove(sweep, index, "measure.json");
    plu_sweep_remove(sweep, index, "info.json");
    plu_sweep_remove(sweep, index, "cost");
    if (keep != PLU_KEEP_ALL)
        plu_sweep_remove(sweep, index, "run.checkpoint.h5");
    if (keep == PLU_KEEP_NONE) {
        plu_sweep_remove(sweep, index, "run.h5md");
        plu_sweep_remove(sweep, index, "run.xdmf");
    }
}

static int run_scene(const plu_sweep *sweep, int index, char *trajectory)
{
    char scene[PATH], threads[16];
    plu_sweep_path(sweep, index, "scene.cfg", scene, sizeof scene);
    snprintf(threads, sizeof threads, "%d", sweep->threads);
    char *words[] = {scene,       "-o",   trajectory,   "-j",    threads,
                     "--restart", "auto", "--progress", "plain", NULL};
    return command(sweep, index, &plu_command_run, words, NULL);
}

/* What `pluvia COMMAND --json` says of the trajectory; NULL and the reason in `o` if it fails. */
static char *ask(const plu_sweep *sweep, int index, const plu_command *what, char *trajectory,
                 outcome *o, char *reason)
{
    char path[PATH], file[32];
    snprintf(file, sizeof file, "%s.json", what->name);
    plu_sweep_path(sweep, index, file, path, sizeof path);
    char *words[] = {"--json", trajectory, NULL};
    const int state = o->code == 0 ? command(sweep, index, what, words, path) : 0;
    if (o->code == 0 && state != 0)
        o->code = explain(sweep, index, state, what->name, reason, REASON);
    return o->code == 0 ? plu_sweep_read(path) : NULL;
}

int plu_sweep_work(const plu_sweep *sweep, int index)
{
    char trajectory[PATH], reason[REASON] = "";
    outcome o = {.reason = reason};
    plu_error err = {0};
    const double began = now();
    plu_sweep_path(sweep, index, "run.h5md", trajectory, sizeof trajectory);
    plu_status status = plu_sweep_prepare(sweep, index, &err);
    char *info = NULL, *measure = NULL;
    if (status == PLU_OK) {
        const int state = run_scene(sweep, index, trajectory);
        if (state != 0)
            o.code = explain(sweep, index, state, "the run", reason, sizeof reason);
        o.info = info = ask(sweep, index, &plu_command_info, trajectory, &o, reason);
        o.measure = measure = ask(sweep, index, &plu_command_measure, trajectory, &o, reason);
        add_cost(sweep, index, began, o.cost);
        /* a run that was told to stop has not failed */
        const bool stopped = plu_stop_signal() || o.code == 128 + SIGINT || o.code == 128 + SIGTERM;
        if (stopped && o.code != 0)
            return PLU_WORKER_STOPPED;
        status = record(sweep, index, &o, &err);
    }
    free(info);
    free(measure);
    if (status != PLU_OK) {
        plu_message_error(&err);
        return PLU_WORKER_BROKEN;
    }
    if (o.code == 0)
        worker_clear(sweep, index);
    return PLU_WORKER_RECORDED;
}
