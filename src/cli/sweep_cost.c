/* Predicts the wall time of a sweep: the time of a case is assumed proportional to its steps. */
#include "pluvia/trajectory.h"
#include "stop.h"
#include "sweep.h"
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char trial_time[] = "3s";

double plu_sweep_step_cost(const plu_sweep *sweep)
{
    double wall = 0.0, steps = 0.0;
    for (int i = 0; i < sweep->campaign.cases_count; i++)
        if (sweep->cases[i].state == PLU_CASE_DONE) {
            wall += sweep->cases[i].wall;
            steps += (double)sweep->cases[i].steps;
        }
    return steps > 0.0 ? wall / steps : 0.0;
}

double plu_sweep_open_steps(const plu_sweep *sweep)
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

/* Runs the scene for the time of the trial, silently. */
static bool run_trial(const plu_sweep *sweep, char *scene, char *trajectory)
{
    char *const words[] = {scene, "-o", trajectory, "--max-time", (char *)trial_time, "-q"};
    fflush(stdout); /* or the child would print it once more */
    const pid_t child = fork();
    int state;
    if (child == 0)
        _exit(freopen("/dev/null", "w", stderr)
                  ? plu_sweep_execute(sweep, sizeof words / sizeof *words, words)
                  : 1);
    return child > 0 && waitpid(child, &state, 0) == child && WIFEXITED(state) &&
           (WEXITSTATUS(state) == 0 || WEXITSTATUS(state) == 75);
}

/* Simulated time at the end of the trial; 0: unknown. */
static double reached(const char *trajectory)
{
    plu_trajectory_info info;
    plu_error err;
    return plu_trajectory_info_read(&info, trajectory, &err) == PLU_OK ? info.end : 0.0;
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Wall seconds that a step of this case takes, by a run in the folder; 0: unknown. */
static double try_case(const plu_sweep *sweep, int index, const char *folder)
{
    char scene[PLU_PATH + 16], file[PLU_PATH + 16];
    plu_case_scene made;
    plu_error err = {0};
    if (plu_case_scene_make(&made, &sweep->campaign, index, &err) != PLU_OK)
        return 0.0;
    snprintf(scene, sizeof scene, "%s/trial.cfg", folder);
    snprintf(file, sizeof file, "%s/trial.h5md", folder);
    const double began = seconds();
    double cost = 0.0;
    if (write_text(scene, made.text) && run_trial(sweep, scene, file)) {
        const double wall = seconds() - began, end = reached(file);
        if (end > 0.0)
            cost = wall / (end / made.end * (double)made.steps);
    }
    plu_case_scene_free(&made);
    return cost;
}

/* With whatever the run has written there. */
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

double plu_sweep_trial(const plu_sweep *sweep)
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
        return 0.0;
    const double cost = try_case(sweep, index, folder);
    remove_folder(folder);
    return cost;
}
