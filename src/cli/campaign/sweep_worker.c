/* A worker: a process that runs and measures cases, one after the other, and writes their results.
 * To start the program, its libraries and HDF5 for each case takes longer than many a case does; a
 * copy by fork has them. The jobs of a case are calls of the same functions as `pluvia run`,
 * `pluvia info --json` and `pluvia measure --json`, with standard output in the file that each is
 * to write.
 *
 *   order (from the pool)   case index, its state; the descriptor of its lock travels with it
 *                           (SCM_RIGHTS, unix(7)), so that the worker holds the lock, too
 *   jobs                    RUN -> run.log   INFO -> info file   MEASURE -> measure file
 *   report (to the pool)    a byte: recorded, stopped or broken, and whether the worker leaves
 *
 * A worker leaves after a failure and after 256 cases: whatever memory was lost goes with it. */
#include "cli/base/commands.h"
#include "cli/base/process.h"
#include "cli/base/text.h"
#include "cli/campaign/sweep.h"
#include "cli/measure/info.h"
#include "cli/measure/measure_run.h"
#include <errno.h>
#include <fcntl.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Between the pool and a worker: orders go to it, each a case with its lock, and a byte comes back
 * for each. */

/* Room for a message that carries a descriptor. */
typedef union parcel {
    struct cmsghdr head; /* for the alignment */
    char room[CMSG_SPACE(sizeof(int))];
} parcel;

bool plu_sweep_open_post(int ends[2])
{
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0;
}

/* MSG_NOSIGNAL: a worker that died gives an error here, no SIGPIPE that would end the pool. */
bool plu_sweep_send_order(int post, const plu_sweep_order *order, int lock)
{
    parcel p = {0};
    struct iovec data = {(void *)order, sizeof *order};
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = p.room, .msg_controllen = sizeof p.room};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof lock);
    memcpy(CMSG_DATA(head), &lock, sizeof lock);
    ssize_t sent;
    do
        sent = sendmsg(post, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)sizeof *order;
}

/* MSG_WAITALL: an order comes as a whole; CLOEXEC: the lock must not pass to programs that are
 * started. */
static bool sweep_receive_order(int post, plu_sweep_order *order, int *lock)
{
    parcel p = {0};
    struct iovec data = {order, sizeof *order};
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = p.room, .msg_controllen = sizeof p.room};
    ssize_t got;
    do
        got = recvmsg(post, &message, MSG_WAITALL | MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    const struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (got != (ssize_t)sizeof *order || !head || head->cmsg_type != SCM_RIGHTS)
        return false;
    memcpy(lock, CMSG_DATA(head), sizeof *lock);
    return true;
}

static bool sweep_send_report(int post, unsigned char report)
{
    return send(post, &report, 1, MSG_NOSIGNAL) == 1;
}

bool plu_sweep_receive_report(int post, unsigned char *report)
{
    ssize_t got;
    do
        got = recv(post, report, 1, 0);
    while (got < 0 && errno == EINTR);
    return got == 1;
}

/* --- the work --- */

enum {
    PATH = 2 * PLU_PATH,
    PROCESS_NAME = 16,
    RUN_WORDS = 16,  /* of a call of `pluvia run`, at most */
    MOST = 256,      /* cases, after which another worker begins with nothing left over */
    KEPT = 64 << 20, /* bytes of freed memory that a worker keeps for its next case, of pieces of up
                      * to half of that: the pages of others would be new ones each time */
};

/* The jobs of a case: what lists of processes call it, and the files that they write for the
 * result.
 */
enum { RUN, INFO, MEASURE, JOBS };
static const struct {
    const char *name, *file; /* NULL: the log */
} jobs[JOBS] = {
    {"pluvia run", NULL}, {"pluvia info", PLU_INFO_JSON}, {"pluvia measure", PLU_MEASURE_JSON}};
_Static_assert(sizeof jobs / sizeof *jobs == PLU_SWEEP_JOBS, "each job has a name");

/* What the process has by itself, and gets back after each case. */
typedef struct own {
    char name[PROCESS_NAME];
    int out, err;
} own;

/* _exit, not an error: the process is a worker whose output goes to nobody; the pool sees the
 * code. */
static void send_to(const char *path, int flags, int descriptor)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | flags, 0666);
    if (file < 0 || dup2(file, descriptor) < 0)
        _exit(PLU_WORKER_CANNOT_START);
    close(file);
}

/* From here on the job has the output of the process in its file. */
static void begin(const plu_case_sweep *sweep, int index, int job, plu_sweep_note *note)
{
    char path[PATH];
    note->job = job;
    prctl(PR_SET_NAME, jobs[job].name);
    plu_sweep_path(sweep, index, jobs[job].file ? jobs[job].file : "run.log", path, sizeof path);
    send_to(path, jobs[job].file ? O_TRUNC : O_APPEND, STDOUT_FILENO);
}

/* What `pluvia info --json` and `pluvia measure --json` say of the trajectory, which is opened, and
 * compared with its checksums, once for both. */
static int look(const plu_case_sweep *sweep, int index, const char *trajectory,
                plu_sweep_note *note)
{
    plu_measured_run run = {0};
    plu_trajectory_info info;
    plu_error err = {0};
    begin(sweep, index, INFO, note);
    plu_status status = plu_measured_run_open(&run, trajectory, &err);
    if (status == PLU_OK)
        status = plu_frames_info(&info, run.frames, &err);
    if (status == PLU_OK) {
        plu_info_json(&info, trajectory);
        status = plu_info_end_json(trajectory, run.frames, &err);
        printf("}\n");
    }
    if (status == PLU_OK) {
        status = (plu_status)plu_execute_end(PLU_OK);
    }
    if (status == PLU_OK) {
        begin(sweep, index, MEASURE, note);
        status = plu_measured_run_json(&run, &err);
    }
    if (status == PLU_OK)
        status = plu_sweep_take_statistics(sweep, index, &run, &err);
    plu_measured_run_close(&run);
    if (err.count > 0)
        plu_message_error(&err);
    return plu_execute_end((int)status);
}

int plu_sweep_execute(const plu_case_sweep *sweep, int count, char *const *words)
{
    char threads[16], *run[RUN_WORDS];
    for (int i = 0; i < count; i++)
        run[i] = words[i];
    if (sweep->campaign.threads > 0) {
        snprintf(threads, sizeof threads, "%d", sweep->threads);
        run[count++] = "-j";
        run[count++] = threads;
    }
    omp_set_num_threads(sweep->threads);
    return plu_execute(&plu_command_run, count, run);
}

/* Runs all jobs, the next one only after success. The exit code of the last one that ran. */
static int run_jobs(const plu_case_sweep *sweep, int index, plu_sweep_note *note)
{
    char trajectory[PATH], scene[PATH], log[PATH];
    plu_sweep_path(sweep, index, "run.h5md", trajectory, sizeof trajectory);
    plu_sweep_path(sweep, index, "scene.cfg", scene, sizeof scene);
    plu_sweep_path(sweep, index, "run.log", log, sizeof log);
    char *run[] = {scene, "-o", trajectory, "--restart", "auto", "--progress", "plain"};
    send_to(log, O_APPEND, STDERR_FILENO);
    begin(sweep, index, RUN, note);
    const int code = plu_sweep_execute(sweep, sizeof run / sizeof *run, run);
    return code == PLU_OK ? look(sweep, index, trajectory, note) : code;
}

static void return_to(const own *o)
{
    dup2(o->out, STDOUT_FILENO);
    dup2(o->err, STDERR_FILENO);
    prctl(PR_SET_NAME, o->name);
}

/* Runs a case and records what becomes of it; the report for the pool. */
static unsigned char work(const plu_case_sweep *sweep, int index, const own *o,
                          plu_sweep_note *note)
{
    struct rusage use;
    plu_error err = {0};
    getrusage(RUSAGE_SELF, &use);
    *note = (plu_sweep_note){0, plu_sweep_wall_time(), plu_sweep_processor_time(&use)};
    if (plu_stop_signal())
        return PLU_WORKER_STOPPED | PLU_WORKER_LEAVES;
    plu_status status = plu_sweep_prepare(sweep, index, &err);
    int code = PLU_OK;
    if (status == PLU_OK) {
        code = run_jobs(sweep, index, note);
        return_to(o);
        status = plu_sweep_record(sweep, index, code, note, &err);
    }
    if (status != PLU_OK) {
        plu_message_error(&err);
        return PLU_WORKER_BROKEN | PLU_WORKER_LEAVES;
    }
    /* What failed may have left more behind than a result. */
    return plu_stop_code(code) ? PLU_WORKER_STOPPED | PLU_WORKER_LEAVES
                               : PLU_WORKER_RECORDED | (code != PLU_OK ? PLU_WORKER_LEAVES : 0);
}

void plu_sweep_serve(plu_case_sweep *sweep, int post, plu_sweep_note *note)
{
    own o = {.out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1),
             .err = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)};
    plu_sweep_order order;
    int lock;
    prctl(PR_GET_NAME, o.name);
#ifdef __GLIBC__
    mallopt(M_TRIM_THRESHOLD, KEPT);
    mallopt(M_MMAP_THRESHOLD, KEPT / 2);
    mallopt(M_TOP_PAD, 1 << 20);
#endif
    for (int count = 1; sweep_receive_order(post, &order, &lock); count++) {
        sweep->cases[order.index].state = order.state;
        unsigned char report = work(sweep, order.index, &o, note);
        if (count == MOST)
            report |= PLU_WORKER_LEAVES;
        close(lock);
        if (!sweep_send_report(post, report) || report & PLU_WORKER_LEAVES)
            return;
    }
}
