/* The pool of worker processes, as many as the cores allow: hands the cases out.
 *
 *    pool (this process)                         worker (sweep_worker.c), one process each
 *      look for an open case, lock its folder
 *      order: case and lock  ------ post ----->    run, info, measure; result.json
 *      poll, 50 ms at most   <----- post ------    report: recorded, stopped or broken
 *      SIGTERM to all, once  ------------------>   the run writes a checkpoint and ends
 *                            <-- shared memory --  note: job and times, if the worker dies
 *
 * A lock is held by the pool and the worker alike, so that it lasts until both have let go of it.
 * Several sweeps, on several machines, share a campaign by these locks alone. */
#include "cli/base/process.h"
#include "cli/campaign/sweep.h"
#include <errno.h>
#include <omp.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct pool {
    plu_case_sweep *sweep;
    plu_sweep_worker *workers; /* sweep->workers of them */
    plu_sweep_note *notes;     /* one a worker, in memory that they share */
    struct pollfd *polled;
    plu_sweep_progress progress;
    int running;
    bool stop_sent; /* the workers know that they must stop */
    plu_status status;
    plu_error *err;
} pool;

/* `left`: given to a worker, or found to be done by another sweep, in this call. */
static bool open_case(const plu_case_sweep *sweep, int index)
{
    const plu_sweep_case *c = &sweep->cases[index];
    return c->mine && !c->left && c->state != PLU_CASE_DONE &&
           (c->state != PLU_CASE_FAILED || sweep->retry);
}

/* The first failure counts; the pool then stops its workers and waits for them. */
static void fail(pool *p, plu_status status)
{
    if (p->status == PLU_OK)
        p->status = status;
}

/* A group of its own keeps Ctrl-C away from the worker. It must not hold the posts of others open,
 * nor a lock that is on its way to one of them. */
static _Noreturn void be_worker(const pool *p, const plu_sweep_worker *worker, int post,
                                pid_t parent)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    for (int i = 0; i < p->sweep->workers; i++)
        if (p->workers[i].pid) {
            close(p->workers[i].post);
            if (p->workers[i].busy)
                close(p->workers[i].lock);
        }
    if (getppid() == parent)
        plu_sweep_serve(p->sweep, post, worker->note);
    _exit(PLU_OK);
}

static void cannot_start(pool *p)
{
    fail(p, plu_fail(p->err, PLU_IO, "cannot start a process: %s", strerror(errno)));
}

static bool start_process(pool *p, plu_sweep_worker *worker, int lock)
{
    int ends[2];
    if (!plu_sweep_open_post(ends))
        return false;
    fflush(stdout);
    fflush(stderr);
    const pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        close(ends[0]);
        close(lock); /* it comes by post */
        be_worker(p, worker, ends[1], parent);
    }
    const int why = errno;
    close(ends[1]);
    if (pid < 0)
        close(ends[0]);
    errno = why;
    worker->pid = pid < 0 ? 0 : pid;
    worker->post = ends[0];
    return pid > 0;
}

/* Waits for the end of the process; its wait state and all its processor time. */
static int reap(plu_sweep_worker *worker, double *processor)
{
    struct rusage use = {0};
    int state = 0;
    while (wait4((pid_t)worker->pid, &state, 0, &use) < 0 && errno == EINTR)
        continue;
    close(worker->post);
    worker->pid = 0;
    *processor = plu_sweep_processor_time(&use);
    return state;
}

/* Gives the case to the worker, which may have died while it was idle. */
static void give(pool *p, plu_sweep_worker *worker, int index, int lock)
{
    const plu_sweep_order order = {index, p->sweep->cases[index].state};
    double unused;
    /* Before the order: then the note is the worker's own. */
    *worker->note = (plu_sweep_note){.wall = plu_sweep_wall_time()};
    bool given = worker->pid && plu_sweep_send_order(worker->post, &order, lock);
    if (!given && worker->pid)
        (void)reap(worker, &unused);
    if (!given &&
        (!start_process(p, worker, lock) || !plu_sweep_send_order(worker->post, &order, lock))) {
        close(lock);
        cannot_start(p);
        return;
    }
    worker->busy = true;
    worker->index = index;
    worker->lock = lock;
    worker->started = omp_get_wtime();
    p->sweep->cases[index].left = true;
    p->running++;
}

/* Gives an idle worker the next case that no worker has. False: there is none now. */
static bool start_next(pool *p, plu_sweep_worker *worker)
{
    plu_case_sweep *sweep = p->sweep;
    for (int i = 0; i < sweep->campaign.cases_count && p->status == PLU_OK; i++) {
        if (!open_case(sweep, i))
            continue;
        const int lock = plu_sweep_lock(sweep, i, p->err);
        if (lock == -2)
            fail(p, PLU_IO);
        if (lock < 0)
            continue;
        const plu_case_state before = sweep->cases[i].state;
        plu_sweep_look(sweep, i); /* another sweep may just have done it */
        if (!open_case(sweep, i) ||
            (before == PLU_CASE_OPEN && sweep->cases[i].state == PLU_CASE_FAILED)) {
            sweep->cases[i].left = true;
            close(lock);
            continue;
        }
        give(p, worker, i, lock);
        return true;
    }
    return false;
}

static bool any_open(const pool *p)
{
    for (int i = 0; i < p->sweep->campaign.cases_count; i++)
        if (open_case(p->sweep, i))
            return true;
    return false;
}

/* Notes why a worker died in the middle of a case. Returns what it would have reported. */
static unsigned char died(pool *p, plu_sweep_worker *worker)
{
    double processor;
    const int state = reap(worker, &processor);
    const int code = WIFSIGNALED(state) ? 128 + WTERMSIG(state) : WEXITSTATUS(state);
    if (p->stop_sent || plu_stop_code(code))
        return PLU_WORKER_STOPPED;
    if (plu_sweep_record_death(p->sweep, worker->index, state, processor, worker->note, p->err) !=
        PLU_OK)
        fail(p, PLU_IO);
    return PLU_WORKER_RECORDED;
}

/* Looks at the first case that is done: a name that is wrong would else be found after the last
 * one.
 */
static void look_at_measures(pool *p, int index)
{
    plu_case_sweep *sweep = p->sweep;
    if (sweep->measured || sweep->cases[index].state != PLU_CASE_DONE)
        return;
    sweep->measured = true;
    plu_sweep_progress_wipe(&p->progress);
    const plu_status status = plu_sweep_first_measures(sweep, index, p->err);
    if (status != PLU_OK)
        fail(p, status);
}

/* Handles the end of a case: reads what the worker recorded, or records its failure. */
static void ended(pool *p, plu_sweep_worker *worker)
{
    plu_case_sweep *sweep = p->sweep;
    const int index = worker->index;
    unsigned char report;
    double unused;
    if (!plu_sweep_receive_report(worker->post, &report))
        report = died(p, worker);
    else if (report & PLU_WORKER_LEAVES)
        (void)reap(worker, &unused);
    report &= (unsigned char)~PLU_WORKER_LEAVES;
    if (report == PLU_WORKER_BROKEN)
        fail(p, plu_fail(p->err, PLU_IO, "a case could not be recorded; the sweep stops"));
    close(worker->lock);
    worker->busy = false;
    p->running--;
    plu_sweep_look(sweep, index);
    if (report == PLU_WORKER_STOPPED)
        return;
    sweep->done_now += sweep->cases[index].state == PLU_CASE_DONE;
    sweep->failed_now += sweep->cases[index].state == PLU_CASE_FAILED;
    plu_sweep_progress_ended(&p->progress, sweep, index, omp_get_wtime());
    look_at_measures(p, index);
}

/* Waits for a report, the death of a worker or a signal to stop, at most 50 ms, and handles all
 * that came. */
static void await(pool *p)
{
    const int count = p->sweep->workers;
    for (int i = 0; i < count; i++)
        p->polled[i] =
            (struct pollfd){.fd = p->workers[i].busy ? p->workers[i].post : -1, .events = POLLIN};
    if (poll(p->polled, (nfds_t)count, 50) <= 0)
        return;
    for (int i = 0; i < count; i++)
        if (p->polled[i].revents)
            ended(p, &p->workers[i]);
}

static void stop_workers(pool *p)
{
    for (int i = 0; i < p->sweep->workers; i++)
        if (p->workers[i].pid)
            kill((pid_t)p->workers[i].pid, SIGTERM);
    p->stop_sent = true;
}

/* Looks for cases where a worker is idle. Those that another sweep holds the lock of are tried
 * again every half second. */
static void feed(pool *p, double *retry)
{
    if (omp_get_wtime() < *retry)
        return;
    for (int i = 0; i < p->sweep->workers && p->status == PLU_OK; i++)
        if (!p->workers[i].busy && !start_next(p, &p->workers[i])) {
            *retry = omp_get_wtime() + 0.5;
            return;
        }
}

static void work(pool *p)
{
    double retry = 0.0;
    for (;;) {
        const bool stopping = plu_stop_signal() || p->status != PLU_OK;
        if (stopping && !p->stop_sent)
            stop_workers(p);
        if (!stopping)
            feed(p, &retry);
        if (p->running == 0 && (stopping || !any_open(p)))
            return;
        plu_sweep_progress_draw(&p->progress, p->sweep, p->workers, omp_get_wtime(), false);
        const int before = p->running;
        await(p);
        if (p->running < before)
            retry = 0.0;
    }
}

static plu_status pool_open(pool *p)
{
    const size_t count = (size_t)p->sweep->workers;
    p->workers = calloc(count, sizeof *p->workers);
    p->polled = calloc(count, sizeof *p->polled);
    p->notes = mmap(NULL, count * sizeof *p->notes, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!p->workers || !p->polled || p->notes == MAP_FAILED)
        return plu_fail(p->err, PLU_IO, "out of memory");
    for (size_t i = 0; i < count; i++)
        p->workers[i].note = &p->notes[i];
    return PLU_OK;
}

/* Workers end when their post is closed. */
static void pool_close(pool *p)
{
    double unused;
    for (int i = 0; p->workers && i < p->sweep->workers; i++)
        if (p->workers[i].pid) {
            shutdown(p->workers[i].post, SHUT_RDWR);
            (void)reap(&p->workers[i], &unused);
        }
    if (p->notes != MAP_FAILED)
        munmap(p->notes, (size_t)p->sweep->workers * sizeof *p->notes);
    free(p->workers);
    free(p->polled);
}

plu_status plu_sweep_run(plu_case_sweep *sweep, const char *mode, plu_error *err)
{
    pool p = {.sweep = sweep, .err = err, .notes = MAP_FAILED};
    plu_status status = plu_sweep_progress_open(&p.progress, mode, err);
    if (status == PLU_OK)
        status = plu_sweep_claim(sweep, err);
    if (status != PLU_OK)
        return status;
    p.status = pool_open(&p);
    if (p.status == PLU_OK) {
        plu_stop_listen();
        work(&p);
        plu_sweep_progress_draw(&p.progress, sweep, p.workers, omp_get_wtime(), true);
    }
    pool_close(&p);
    return p.status;
}
