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
#include <sys/mman.h>
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

/* A command of a case; its standard output goes to the file `out`, or to the log (empty). */
typedef struct job {
    const plu_command *what;
    char out[PATH];
    char *words[10]; /* ends with NULL */
} job;

/* Jobs of a case, one after the other; the next one only after success. */
typedef struct jobs {
    job of[3];
    int count;
} jobs;

static void send_to(const char *path, int flags, int descriptor)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0666);
    if (file < 0 || dup2(file, descriptor) < 0)
        _exit(CANNOT_START);
    close(file);
}

/* In the child. Lists of processes name it: "pluvia run". */
static int execute(const job *j, const char *log)
{
    char name[PROCESS_NAME];
    snprintf(name, sizeof name, "pluvia %s", j->what->name);
    prctl(PR_SET_NAME, name);
    const int came = plu_stop_forget();
    if (came)
        raise(came);
    send_to(j->out[0] ? j->out : log, j->out[0] ? O_TRUNC : O_APPEND, STDOUT_FILENO);
    int count = 0;
    while (j->words[count])
        count++;
    return plu_execute(j->what, count, (char **)j->words);
}

/* The child: its output goes to files, and it is stopped when its parent dies. All commands
 * run in this one copy of the program: to start each anew, with all its libraries, takes longer
 * than many a case does. `now`: the number of the job, for the parent. */
static _Noreturn void become(const jobs *all, const char *log, pid_t parent, volatile int *now)
{
    send_to(log, O_APPEND, STDERR_FILENO);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    plu_sweep_expect_children(false);
    if (getppid() != parent)
        _exit(CANNOT_START);
    int code = PLU_OK;
    for (*now = 0; *now < all->count; ++*now) {
        code = execute(&all->of[*now], log);
        if (code != PLU_OK)
            break;
    }
    exit(code);
}

static sigset_t child_ends(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    return set;
}

void plu_sweep_expect_children(bool expect)
{
    const sigset_t set = child_ends();
    sigprocmask(expect ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

void plu_sweep_await_child(void)
{
    const sigset_t set = child_ends();
    sigtimedwait(&set, NULL, &(struct timespec){0, 50000000});
}

/* Waits for a child; a signal to stop is handed on, once. */
static int wait_for(pid_t child)
{
    int state;
    bool told = false;
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
        plu_sweep_await_child();
    }
}

/* Runs the jobs in a child; its wait status, and the number of the last job that began. */
static int run_jobs(const plu_sweep *sweep, int index, const jobs *all, int *last)
{
    char log[PATH];
    plu_sweep_path(sweep, index, "run.log", log, sizeof log);
    volatile int *now =
        mmap(NULL, sizeof *now, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    *last = 0;
    if (now == MAP_FAILED)
        return -1;
    const pid_t parent = getpid(), child = fork();
    if (child == 0)
        become(all, log, parent, now);
    const int state = child < 0 ? -1 : wait_for(child);
    *last = *now;
    munmap((void *)now, sizeof *now);
    return state;
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
    char *measure, *info; /* JSON objects, NULL: none */
    double cost[2];       /* wall and processor seconds */
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

/* The names of files and words that jobs refer to. */
typedef struct names {
    char trajectory[PATH], scene[PATH], threads[16];
} names;

/* What `pluvia COMMAND --json` says of the trajectory goes to a file. */
static void add_question(const plu_sweep *sweep, int index, const plu_command *what, names *n,
                         jobs *all)
{
    char file[32];
    job *j = &all->of[all->count++];
    *j = (job){what, "", {"--json", n->trajectory, NULL}};
    snprintf(file, sizeof file, "%s.json", what->name);
    plu_sweep_path(sweep, index, file, j->out, sizeof j->out);
}

static void list_jobs(const plu_sweep *sweep, int index, names *n, jobs *all)
{
    plu_sweep_path(sweep, index, "run.h5md", n->trajectory, sizeof n->trajectory);
    plu_sweep_path(sweep, index, "scene.cfg", n->scene, sizeof n->scene);
    snprintf(n->threads, sizeof n->threads, "%d", sweep->threads);
    all->of[0] = (job){&plu_command_run,
                       "",
                       {n->scene, "-o", n->trajectory, "-j", n->threads, "--restart", "auto",
                        "--progress", "plain", NULL}};
    all->count = 1;
    add_question(sweep, index, &plu_command_info, n, all);
    add_question(sweep, index, &plu_command_measure, n, all);
}

/* Runs all jobs; in the outcome is what they say, or the reason why one of them failed. */
static void run_case(const plu_sweep *sweep, int index, outcome *o, char *reason)
{
    names n;
    jobs all;
    int last;
    list_jobs(sweep, index, &n, &all);
    const int state = run_jobs(sweep, index, &all, &last);
    if (state != 0) {
        o->code = explain(sweep, index, state, last > 0 ? all.of[last].what->name : "the run",
                          reason, REASON);
        return;
    }
    o->info = plu_sweep_read(all.of[1].out);
    o->measure = plu_sweep_read(all.of[2].out);
}

int plu_sweep_work(const plu_sweep *sweep, int index)
{
    char reason[REASON] = "";
    outcome o = {.reason = reason};
    plu_error err = {0};
    const double began = now();
    plu_status status = plu_sweep_prepare(sweep, index, &err);
    if (status == PLU_OK) {
        run_case(sweep, index, &o, reason);
        add_cost(sweep, index, began, o.cost);
        /* a run that was told to stop has not failed */
        const bool stopped = plu_stop_signal() || plu_stop_code(o.code);
        if (stopped && o.code != 0)
            return PLU_WORKER_STOPPED;
        status = record(sweep, index, &o, &err);
    }
    free(o.info);
    free(o.measure);
    if (status != PLU_OK) {
        plu_message_error(&err);
        return PLU_WORKER_BROKEN;
    }
    if (o.code == 0)
        worker_clear(sweep, index);
    return PLU_WORKER_RECORDED;
}
