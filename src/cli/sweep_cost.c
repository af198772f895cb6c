/* What a sweep will take: wall seconds of a case are taken to be proportional to its time steps. */
#include "stop.h"
#include "sweep.h"
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
    char threads[16];
    snprintf(threads, sizeof threads, "%d", sweep->threads);
    char *const words[] = {
        (char *)sweep->program, "run", scene, "-o", trajectory, "-j", threads, "--max-time",
        (char *)trial_time,     "-q",  NULL};
    const pid_t child = fork();
    int state;
    if (child == 0) {
        if (!freopen("/dev/null", "w", stderr))
            _exit(1);
        execv(words[0], words);
        _exit(1);
    }
    return child > 0 && waitpid(child, &state, 0) == child && WIFEXITED(state) &&
           (WEXITSTATUS(state) == 0 || WEXITSTATUS(state) == 75);
}

/* Simulated time at the end of the trial, from `pluvia info --json`; 0: unknown. */
static double reached(const plu_sweep *sweep, const char *trajectory)
{
    char line[3 * PLU_PATH], json[65536];
    double end = 0.0;
    plu_result result;
    plu_error err;
    snprintf(line, sizeof line, "'%s' info --json '%s' 2>/dev/null", sweep->program, trajectory);
    FILE *pipe = popen(line, "r");
    if (!pipe)
        return 0.0;
    json[fread(json, 1, sizeof json - 1, pipe)] = '\0';
    if (pclose(pipe) == 0 && plu_result_parse(&result, json, trajectory, &err) == PLU_OK) {
        const plu_member *member = plu_result_find(&result, "end");
        end = member ? member->number : 0.0;
        plu_result_free(&result);
    }
    return end;
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double plu_sweep_trial(const plu_sweep *sweep)
{
    char folder[64] = "/tmp/pluvia-trial-XXXXXX", scene[96], file[96];
    int index = 0;
    while (index < sweep->campaign.cases_count &&
           !(sweep->cases[index].mine && sweep->cases[index].state <= PLU_CASE_CHANGED))
        index++;
    plu_case_scene made;
    plu_error err = {0};
    if (index == sweep->campaign.cases_count || !mkdtemp(folder) ||
        plu_case_scene_make(&made, &sweep->campaign, index, &err) != PLU_OK)
        return 0.0;
    snprintf(scene, sizeof scene, "%s/trial.cfg", folder);
    snprintf(file, sizeof file, "%s/trial.h5md", folder);
    const double began = seconds();
    double cost = 0.0;
    if (write_text(scene, made.text) && run_trial(sweep, scene, file)) {
        const double wall = seconds() - began, end = reached(sweep, file);
        if (end > 0.0)
            cost = wall / (end / made.end * (double)made.steps);
    }
    free(made.text);
    static const char *const files[] = {"trial.cfg", "trial.h5md", "trial.xdmf",
                                        "trial.checkpoint.h5"};
    for (int i = 0; i < 4; i++) {
        snprintf(file, sizeof file, "%s/%s", folder, files[i]);
        remove(file);
    }
    rmdir(folder);
    return cost;
}
