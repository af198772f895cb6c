/* sweep.h: declarations that the files of pluvia sweep share. A campaign has one folder:
 *
 *     DIR/table.csv, table.h5            inputs, measures, cost and state of all cases
 *     DIR/campaign                       path of the campaign file, relative to DIR
 *     DIR/cases/NAME/scene.cfg           the scene, every default filled in, and its hash
 *                    run.log             messages of the run and the measurement
 *                    run.h5md, ...       trajectory, as far as the campaign keeps it
 *                    cost                one line for each attempt
 *                    result.json         written last: the case is done or has failed
 *                    lock                held by the process that works on the case, on any machine
 *
 * A case is open while there is no result.json with the hash of its scene. */
#ifndef CLI_CAMPAIGN_SWEEP_H
#define CLI_CAMPAIGN_SWEEP_H

#include "cli/base/options.h"
#include "pluvia/tool/campaign.h"

struct rusage; /* of sys/resource.h */

/* Tables in that folder; the last two are those of a calibration (calibrate.h). */
#define PLU_TABLE_CSV "table.csv"
#define PLU_TABLE_H5 "table.h5"
#define PLU_MEANS_CSV "means.csv"
#define PLU_POINTS_CSV "calibration.csv"
#define PLU_VALLEY_CSV "valley.csv"

typedef enum plu_case_state {
    PLU_CASE_OPEN,    /* nothing, or begun */
    PLU_CASE_CHANGED, /* there is a result of another scene */
    PLU_CASE_DONE,
    PLU_CASE_FAILED,
    PLU_CASE_STATES /* how many there are */
} plu_case_state;

typedef struct plu_sweep_case {
    uint64_t hash;
    long steps; /* at most */
    plu_case_state state;
    bool mine;   /* belongs to the shard */
    bool left;   /* skipped for the rest of this sweep */
    double wall; /* s, of the result */
} plu_sweep_case;

typedef struct plu_case_sweep {
    plu_campaign campaign;
    char folder[PLU_PATH];
    char program[PLU_PATH]; /* this executable */
    plu_sweep_case *cases;  /* of those of the campaign that were looked at */
    int cases_count;
    int threads, workers; /* of each case, at most; cases at a time */
    int threads_limit;    /* OMP_NUM_THREADS; 0: it is not set */
    int shard, shards;    /* 1 of 1: all */
    bool retry;           /* failed cases too */
    int done_now, failed_now;
    bool measured;        /* plu_sweep_first_measures has seen a case */
    double steps_to_come; /* of cases that are not known yet: a forecast */
} plu_case_sweep;

/* --- sweep_setup.c --- */

/* Reads the campaign file `path`; `folder`: DIR, NULL for output/NAME. plu_sweep_close in any case.
 */
plu_status plu_sweep_open(plu_case_sweep *sweep, const char *path, const char *folder,
                          plu_error *err);
void plu_sweep_close(plu_case_sweep *sweep);
/* Reads the scenes of cases that were added to the campaign since the last call, and looks for
 * their results. Fails if a scene has errors, or if no case can have a measure. */
plu_status plu_sweep_look_at_cases(plu_case_sweep *sweep, plu_error *err);
/* Distributes the cores, one thread on each: as many cases at a time as there are cores or, with
 * fewer open cases than cores, more threads for each case, but no more than OMP_NUM_THREADS says.
 * `option`: the option for the number of cores. */
plu_status plu_sweep_share_cores(plu_case_sweep *sweep, const plu_arguments *arguments, int option,
                                 plu_error *err);
/* "up to " where cases find out by trial how many of their threads are fastest, else "". */
const char *plu_sweep_up_to(const plu_case_sweep *sweep);
/* Prints the cases and what the open ones will cost. */
void plu_sweep_dry_run(const plu_case_sweep *sweep);

/* --- sweep_claim.c --- */

/* Checks that the campaign may use DIR: DIR is not the folder of another campaign (DIR/campaign
 * names the file of its campaign), and no file that the campaign reads would be overwritten. */
plu_status plu_sweep_check_folder(const plu_case_sweep *sweep, plu_error *err);
/* Checks that none of the files `inputs` would be overwritten. PLU_OK or PLU_USAGE. */
plu_status plu_sweep_spare(const plu_case_sweep *sweep, const plu_texts *inputs, plu_error *err);
/* Makes DIR and DIR/campaign. */
plu_status plu_sweep_claim(const plu_case_sweep *sweep, plu_error *err);

/* --- sweep_folder.c --- */

/* DIR/cases/NAME/FILE, written into `path`, which is returned. */
char *plu_sweep_path(const plu_case_sweep *sweep, int index, const char *file, char *path,
                     size_t size);
/* Reads result.json, if there is one, into state and wall. */
void plu_sweep_look(plu_case_sweep *sweep, int index);
/* What is in result.json; empty without it. */
void plu_sweep_read_result(const plu_case_sweep *sweep, int index, plu_result *result);
/* Makes the folder of the case and takes its lock. Returns the
 * descriptor; -1: another process holds the lock; -2: failure, see `err`. */
int plu_sweep_lock(const plu_case_sweep *sweep, int index, plu_error *err);
/* Writes scene.cfg; what a run of another scene left is removed first. */
plu_status plu_sweep_prepare(const plu_case_sweep *sweep, int index, plu_error *err);
void plu_sweep_remove(const plu_case_sweep *sweep, int index, const char *file);
/* All of a file as text, NULL where it cannot be read; the caller frees it. */
char *plu_sweep_read(const char *path);
/* Makes the folder and those above it. */
plu_status plu_sweep_make_folder(const char *path, plu_error *err);

/* --- sweep_worker.c --- */

/* A worker has a process of its own, so that a case that crashes takes no other case with it. What
 * its parent must know if it dies is in memory that both share. */
typedef struct plu_sweep_note {
    int job;                /* that runs: run, info or measure */
    double wall, processor; /* times (s) at the beginning of the case */
} plu_sweep_note;

/* A case for a worker, and its state as the pool knows it. */
typedef struct plu_sweep_order {
    int index;
    plu_case_state state;
} plu_sweep_order;

/* What a worker reports of a case: recorded (done or failed), stopped by a signal, or unable to
 * record; and whether it ends then. */
enum { PLU_WORKER_RECORDED, PLU_WORKER_STOPPED, PLU_WORKER_BROKEN, PLU_WORKER_LEAVES = 128 };
enum { PLU_WORKER_CANNOT_START = 126 }; /* exit code */

/* The work of a worker: carries out the orders that come by `post`, until there are none. */
void plu_sweep_serve(plu_case_sweep *sweep, int post, plu_sweep_note *note);
/* Executes `pluvia run` with these words in this process; the exit code. It has as many threads as
 * the campaign or OMP_NUM_THREADS says; where neither does, it finds out by trial how many of those
 * that a case may have make its steps fastest: on busy cores one is many times faster than two. */
int plu_sweep_execute(const plu_case_sweep *sweep, int count, char *const *words);
enum { PLU_SWEEP_JOBS = 3 }; /* of a case, one after the other; sweep_record.c has their names */

/* --- sweep_worker.c --- */

bool plu_sweep_open_post(int ends[2]);
/* The worker gets the lock, too: as long as the case is in work no other process touches its
 * folder, whether or not the pool lives. */
bool plu_sweep_send_order(int post, const plu_sweep_order *order, int lock);
/* Waits for an order. False: none will come. */
/* False: the worker has died. */
bool plu_sweep_receive_report(int post, unsigned char *report);

/* --- sweep_record.c --- */

/* Files with what `pluvia info` and `pluvia measure` say, until it is in the result. */
#define PLU_INFO_JSON "info.json"
#define PLU_MEASURE_JSON "measure.json"

double plu_sweep_wall_time(void);
double plu_sweep_processor_time(const struct rusage *use);

/* Records the case that this process ran; `code`: the exit code of its last job. Nothing is
 * recorded but the cost where that is the code of a run that was stopped. */
plu_status plu_sweep_record(const plu_case_sweep *sweep, int index, int code,
                            const plu_sweep_note *note, plu_error *err);
/* As plu_sweep_record, for a worker that died; `state`: as by wait4, `processor`: all its time
 * (s). */
plu_status plu_sweep_record_death(const plu_case_sweep *sweep, int index, int state,
                                  double processor, const plu_sweep_note *note, plu_error *err);

/* --- sweep_pool.c --- */

/* Runs all open cases of the shard; returns when they are through or a signal came. `mode`: that of
 * pluvia run --progress. */
plu_status plu_sweep_run(plu_case_sweep *sweep, const char *mode, plu_error *err);

/* --- sweep_progress.c --- */

typedef struct plu_sweep_worker {
    long pid;  /* 0: there is no process */
    bool busy; /* with case `index`, since `started` (wall time) */
    int index, lock, post;
    double started;
    plu_sweep_note *note; /* shared with the process */
} plu_sweep_worker;

typedef struct plu_sweep_progress {
    enum { PLU_SWEEP_BAR, PLU_SWEEP_PLAIN, PLU_SWEEP_SILENT } mode;
    int drawn;
    double next;
} plu_sweep_progress;

plu_status plu_sweep_progress_open(plu_sweep_progress *progress, const char *mode, plu_error *err);
/* A line for a case that has ended. */
void plu_sweep_progress_ended(plu_sweep_progress *progress, const plu_case_sweep *sweep, int index,
                              double now);
/* Takes the bar away, for other lines. */
void plu_sweep_progress_wipe(plu_sweep_progress *progress);
/* Shows the state of the whole sweep, if an update is due. */
void plu_sweep_progress_draw(plu_sweep_progress *progress, const plu_case_sweep *sweep,
                             const plu_sweep_worker *workers, double now, bool last);

/* --- sweep_cost.c --- */

/* Wall seconds for a time step of a case, a mean over the cases that are done; 0: none is. */
double plu_sweep_step_cost(const plu_case_sweep *sweep);
/* Steps of the open cases of the shard. */
double plu_sweep_open_steps(const plu_case_sweep *sweep);
/* Wall seconds a step by a trial of the first case to run: a single number where the case came to
 * its end, else a range about the steps that were tried last, which is wide because others may be
 * those of another stage. */
typedef struct plu_sweep_cost {
    double low, high; /* 0: the trial failed */
    double tried;     /* share of the steps of the case */
} plu_sweep_cost;

/* Takes some seconds. */
plu_sweep_cost plu_sweep_trial(const plu_case_sweep *sweep);

/* --- sweep_measures.c --- */

/* The number that a campaign calls `name`; NULL: the result has none of that name. */
const plu_member *plu_sweep_measure(const plu_result *result, const char *name);
/* Refuses measures that no case can have. */
plu_status plu_sweep_check_measures(const plu_case_sweep *sweep, plu_error *err);
/* The same of sensors, boundaries and stages, by the scene of a case (sweep_things.c). */
plu_status plu_sweep_check_things(const plu_case_sweep *sweep, const plu_case_scene *made,
                                  plu_error *err);
/* Whether case `index`, the first that ended, has all measures: warns of those that it has not and
 * others may have, and refuses those that then no case has. */
plu_status plu_sweep_first_measures(const plu_case_sweep *sweep, int index, plu_error *err);
/* Refuses measures that no result has: `seen` has for each whether one has it. */
plu_status plu_sweep_unseen_measures(const plu_case_sweep *sweep, const bool *seen, plu_error *err);

/* --- sweep_statistics.c --- */

struct plu_measured_run; /* measure_run.h */

/* The statistic over time of that name; NULL: the result has none. */
const plu_member *plu_sweep_statistic(const plu_result *result, const char *measure);
/* Refuses one that cannot be read, is of an unknown number, or needs frames that are not written.
 */
plu_status plu_sweep_check_statistic(const plu_case_sweep *sweep, int measure, plu_error *err);
/* Refuses those of stages that a case has not. */
plu_status plu_sweep_check_stages(const plu_case_sweep *sweep, const plu_texts *stages,
                                  plu_error *err);
/* The whole result with its statistics; empty unless the case is done or has failed. */
void plu_sweep_result(const plu_case_sweep *sweep, int index, plu_result *result);
/* Takes those that the campaign asks for from the trajectory of the case, unless it has them all.
 */
plu_status plu_sweep_take_statistics(const plu_case_sweep *sweep, int index,
                                     const struct plu_measured_run *run, plu_error *err);
/* The same of a case that was done before they were asked for, if its trajectory is kept. */
plu_status plu_sweep_late_statistics(const plu_case_sweep *sweep, int index, plu_error *err);

/* --- sweep_means.c --- */

/* Refuses windows of time that begin after `end` (s) of case `index`. */
plu_status plu_sweep_check_windows(const plu_case_sweep *sweep, int index, double end,
                                   plu_error *err);
/* Messages about cases that ended before the windows did, and those without a value. */
void plu_sweep_tell_windows(const plu_case_sweep *sweep);

/* --- sweep_means.c --- */

/* Whether the campaign has seeds to average over. */
bool plu_sweep_has_seeds(const plu_case_sweep *sweep);
/* Writes means.csv from the columns of the table, `input` and `measure` with one entry for each of
 * the campaign; nothing without seeds. */
plu_status plu_sweep_means(const plu_case_sweep *sweep, const plu_column *input,
                           const plu_column *measure, plu_error *err);

/* --- sweep_table.c --- */

/* Writes table.csv and table.h5 from the results that are there; reports measures that are in none.
 */
plu_status plu_sweep_table(plu_case_sweep *sweep, plu_error *err);
/* PLU_OK: all cases of the shard are done; PLU_DIFFERENT: some have failed or are missing. */
int plu_sweep_verdict(const plu_case_sweep *sweep);
/* What is done and what has failed, on the standard output. */
void plu_sweep_summary(const plu_case_sweep *sweep);

/* --- sweep_slurm.c --- */

/* Writes DIR/job.sh, an array of `tasks` shards, and submits it unless `dry`. */
plu_status plu_sweep_slurm(const plu_case_sweep *sweep, int tasks, const char *const *options,
                           int options_count, bool dry, plu_error *err);

#endif
