/* Predicts the wall time of a sweep: that of a case goes with its steps. With cases that are done
 * it is their wall time over their steps. Before, a case is tried for a second and, if it has not
 * ended, for four:
 *
 *     wall |             . '          mean   w_2 / s_2, of all that was tried
 *       w_2|        . '               late   (w_2 - w_1) / (s_2 - s_1), without the first steps
 *       w_1|   .  '
 *          +---+------+------- s      share of the steps that the trial came to
 *
 * The cost is between half of the smaller and twice the larger one; where bodies are still to be
 * added, times their mean number from there on over that in the trial. */
#include "cli/base/process.h"
#include "cli/campaign/sweep.h"
#include "pluvia/trajectory.h"
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Times of a short trial, and of a longer one if that did not come to the end. */
static const char *const trial_times[] = {"1s", "4s"};
enum { TRIALS = sizeof trial_times / sizeof *trial_times };

double plu_sweep_step_cost(const plu_case_sweep *sweep)
{
    double wall = 0.0, steps = 0.0;
    for (int i = 0; i < sweep->campaign.cases_count; i++)
        if (sweep->cases[i].state == PLU_CASE_DONE) {
            wall += sweep->cases[i].wall;
            steps += (double)sweep->cases[i].steps;
        }
    return steps > 0.0 ? wall / steps : 0.0;
}

double plu_sweep_open_steps(const plu_case_sweep *sweep)
{
    double steps = 0.0;
    for (int i = 0; i < sweep->campaign.cases_count; i++) {
        const plu_sweep_case *c = &sweep->cases[i];
        if (c->mine && (c->state == PLU_CASE_OPEN || c->state == PLU_CASE_CHANGED ||
                        (c->state == PLU_CASE_FAILED && sweep->retry)))
            steps += (double)c->steps;
    }
    return steps;
}

static bool write_text(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");
    if (!out)
        return false;
    const bool fine = fputs(text, out) >= 0;
    return fclose(out) == 0 && fine;
}

/* Runs the scene for at most this time, silently. */
static bool run_trial(const plu_case_sweep *sweep, char *scene, char *trajectory, const char *most)
{
    char *const words[] = {scene, "-o", trajectory, "--max-time", (char *)most, "-q", "--force"};
    fflush(stdout); /* or the child would print it once more */
    const pid_t child = fork();
    int state;
    /* A process of its own: the run may end the process, and HDF5 and OpenMP keep no state here. */
    if (child == 0)
        _exit(freopen("/dev/null", "w", stderr)
                  ? plu_sweep_execute(sweep, sizeof words / sizeof *words, words)
                  : 1);
    return child > 0 && waitpid(child, &state, 0) == child && WIFEXITED(state) &&
           (WEXITSTATUS(state) == 0 || WEXITSTATUS(state) == 75);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What a trial came to. */
typedef struct trial {
    double wall, share;  /* s; of the steps of the case */
    int active, waiting; /* bodies at its end */
    bool ended;
} trial;

/* False: the trial could not be made, or wrote no frame beyond the start. */
static bool try_once(const plu_case_sweep *sweep, const plu_case_scene *made, const char *most,
                     char *scene, char *file, trial *t)
{
    plu_trajectory_info info;
    plu_error unused;
    const double began = seconds();
    if (!run_trial(sweep, scene, file, most))
        return false;
    t->wall = seconds() - began;
    if (plu_trajectory_info_read(&info, file, &unused) != PLU_OK || !(info.end > 0.0))
        return false;
    t->share = info.end / made->end;
    t->active = info.active;
    t->waiting = info.waiting;
    t->ended = strcmp(info.state, "complete") == 0;
    return true;
}

/* Steps of other stages take about as long as those that were tried, up to this factor. */
static const double unlike = 2.0;

/* Of the steps between two trials, or of all of the only one. Where bodies are added, time goes
 * with their number. */
static plu_sweep_cost cost_of(const trial t[TRIALS], int count, double steps)
{
    const trial *last = &t[count - 1], none = {0}, *first = count > 1 ? &t[0] : &none;
    if (last->ended)
        return (plu_sweep_cost){last->wall / steps, last->wall / steps, 1.0};
    /* A longer trial that came no further says nothing: its mean alone counts. */
    if (!(last->share > first->share) || !(last->wall > first->wall))
        first = &none;
    const double mean = last->wall / last->share,
                 late = (last->wall - first->wall) / (last->share - first->share),
                 bodies = 0.5 * (first->active + last->active),
                 more = last->waiting > 0 && bodies > 0.0
                            ? (last->active + 0.5 * last->waiting) / bodies
                            : 1.0;
    return (plu_sweep_cost){.low = fmin(mean, late) / unlike / steps * fmax(more, 1.0),
                            .high = fmax(mean, late) * unlike / steps * fmax(more, 1.0),
                            .tried = last->share};
}

/* The cost of a case by trial runs in the folder. */
static plu_sweep_cost try_case(const plu_case_sweep *sweep, int index, const char *folder)
{
    char scene[PLU_PATH + 16], file[PLU_PATH + 16];
    plu_case_scene made;
    plu_error err = {0};
    plu_sweep_cost cost = {0};
    trial t[TRIALS];
    int count = 0;
    if (plu_case_scene_make(&made, &sweep->campaign, index, &err) != PLU_OK)
        return cost;
    snprintf(scene, sizeof scene, "%s/trial.cfg", folder);
    snprintf(file, sizeof file, "%s/trial.h5md", folder);
    if (write_text(scene, made.text))
        while (count < TRIALS && !(count > 0 && t[count - 1].ended) &&
               try_once(sweep, &made, trial_times[count], scene, file, &t[count]))
            count++;
    if (count > 0)
        cost = cost_of(t, count, (double)made.steps);
    plu_case_scene_free(&made);
    return cost;
}

/* Removes a folder with whatever the run has written there. */
static void remove_folder(const char *folder)
{
    char path[2 * PLU_PATH];
    DIR *open = opendir(folder);
    for (struct dirent *entry; open && (entry = readdir(open));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (remove(path) != 0)
            remove_folder(path);
    }
    if (open)
        closedir(open);
    rmdir(folder);
}

plu_sweep_cost plu_sweep_trial(const plu_case_sweep *sweep)
{
    const char *place = getenv("TMPDIR");
    char folder[PLU_PATH];
    int index = 0;
    while (index < sweep->campaign.cases_count &&
           !(sweep->cases[index].mine && sweep->cases[index].state <= PLU_CASE_CHANGED))
        index++;
    const int length =
        snprintf(folder, sizeof folder, "%s/pluvia-trial-XXXXXX", place && *place ? place : "/tmp");
    if (index == sweep->campaign.cases_count || length >= (int)sizeof folder || !mkdtemp(folder))
        return (plu_sweep_cost){0};
    const plu_sweep_cost cost = try_case(sweep, index, folder);
    remove_folder(folder);
    return cost;
}
