/* The pool of worker processes: one for each case, as many at a time as the cores allow. */
#include "message.h"
#include "stop.h"
#include "sweep.h"
#include <errno.h>
#include <omp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct pool {
    plu_sweep *sweep;
    plu_sweep_worker *workers; /* sweep->workers of them */
    plu_sweep_progress progress;
    int running;
    bool told; /* the workers know that they must stop */
    plu_status status;
    plu_error *err;
} pool;

static bool open_case(const plu_sweep *sweep, int index)
{
    const plu_sweep_case *c = &sweep->cases[index];
    return c->mine && !c->left && c->state != PLU_CASE_DONE &&
           (c->state != PLU_CASE_FAILED || sweep->retry);
}

static void fail(pool *p, plu_status status)
{
    if (p->status == PLU_OK)
        p->status = status;
}

/* The child keeps the lock of its case open, and its own children too: as long as one of them
 * lives, no other process touches the folder. A group of its own keeps Ctrl-C away from it. */
static void fork_worker(pool *p, plu_sweep_worker *worker, int index, int lock)
{
    fflush(stdout);
    fflush(stderr);
    const pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        for (int i = 0; i < p->sweep->workers; i++)
            if (p->workers[i].pid)
                close(p->workers[i].lock);
        _exit(getppid() == parent ? plu_sweep_work(p->sweep, index) : PLU_WORKER_STOPPED);
    }
    if (pid < 0) {
        close(lock);
        fail(p, plu_fail(p->err, PLU_IO, "cannot start a process: %s", strerror(errno)));
        return;
    }
    *worker = (plu_sweep_worker){pid, index, lock, omp_get_wtime()};
    p->sweep->cases[index].left = true;
    p->running++;
}

/* Gives an idle worker the next case that no worker has. False: there is none now. */
static bool start_next(pool *p, plu_sweep_worker *worker)
{
    plu_sweep *sweep = p->sweep;
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
        fork_worker(p, worker, i, lock);
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

/* Handles the end of a worker: reads what it recorded, or records its failure. */
static void ended(pool *p, plu_sweep_worker *worker, int state)
{
    plu_sweep *sweep = p->sweep;
    const int index = worker->index;
    if (WIFSIGNALED(state) && !p->told) {
        char reason[96];
        snprintf(reason, sizeof reason, "its worker was killed by signal %d (%s)", WTERMSIG(state),
                 strsignal(WTERMSIG(state)));
        if (plu_sweep_record_failure(sweep, index, 128 + WTERMSIG(state), reason, p->err) != PLU_OK)
            fail(p, PLU_IO);
    } else if (WIFEXITED(state) && WEXITSTATUS(state) == PLU_WORKER_BROKEN) {
        fail(p, plu_fail(p->err, PLU_IO, "a case could not be recorded; the sweep stops"));
    }
    close(worker->lock);
    worker->pid = 0;
    p->running--;
    plu_sweep_look(sweep, index);
    if (WIFEXITED(state) && WEXITSTATUS(state) == PLU_WORKER_STOPPED)
        return;
    sweep->done_now += sweep->cases[index].state == PLU_CASE_DONE;
    sweep->failed_now += sweep->cases[index].state == PLU_CASE_FAILED;
    plu_sweep_progress_ended(&p->progress, sweep, index, omp_get_wtime());
}

static void reap(pool *p)
{
    int state;
    for (pid_t pid; (pid = waitpid(-1, &state, WNOHANG)) > 0;)
        for (int i = 0; i < p->sweep->workers; i++)
            if (p->workers[i].pid == pid)
                ended(p, &p->workers[i], state);
}

static void tell_workers(pool *p)
{
    for (int i = 0; i < p->sweep->workers; i++)
        if (p->workers[i].pid)
            kill((pid_t)p->workers[i].pid, SIGTERM);
    p->told = true;
}

/* Looks for cases where a worker is idle. Those that another sweep has under its hands are tried
 * again now and then. */
static void feed(pool *p, double *retry)
{
    if (omp_get_wtime() < *retry)
        return;
    for (int i = 0; i < p->sweep->workers && p->status == PLU_OK; i++)
        if (!p->workers[i].pid && !start_next(p, &p->workers[i])) {
            *retry = omp_get_wtime() + 0.5;
            return;
        }
}

static void work(pool *p)
{
    double retry = 0.0;
    for (;;) {
        const int before = p->running;
        reap(p);
        const bool stopping = plu_stop_signal() || p->status != PLU_OK;
        if (stopping && !p->told)
            tell_workers(p);
        if (p->running < before)
            retry = 0.0;
        if (!stopping)
            feed(p, &retry);
        if (p->running == 0 && (stopping || !any_open(p)))
            return;
        plu_sweep_progress_draw(&p->progress, p->sweep, p->workers, omp_get_wtime(), false);
        plu_sweep_await_child();
    }
}

plu_status plu_sweep_run(plu_sweep *sweep, const char *mode, plu_error *err)
{
    pool p = {.sweep = sweep, .err = err};
    plu_status status = plu_sweep_progress_open(&p.progress, mode, err);
    if (status == PLU_OK)
        status = plu_sweep_claim(sweep, err);
    if (status != PLU_OK)
        return status;
    p.workers = calloc((size_t)sweep->workers, sizeof *p.workers);
    if (!p.workers)
        return plu_fail(err, PLU_IO, "out of memory");
    plu_stop_listen();
    plu_sweep_expect_children(true);
    work(&p);
    plu_sweep_expect_children(false);
    plu_sweep_progress_draw(&p.progress, sweep, p.workers, omp_get_wtime(), true);
    free(p.workers);
    return p.status;
}
