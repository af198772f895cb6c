#include "cli/run/effort.h"
#include <string.h>
#include <time.h>

static double processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

plu_effort plu_effort_now(const plu_simulation *simulation)
{
    const double fallback = plu_stepper_totals(simulation->stepper)->fallback_seconds;
    return (plu_effort){processor_time(), fallback};
}

double plu_effort_fallback(const plu_effort *before, const plu_effort *now)
{
    const double all = now->all - before->all, fallback = now->fallback - before->fallback;
    return all > 0.0 && fallback > 0.0 ? fallback / all : 0.0;
}

static bool bounces(const plu_scene *scene)
{
    for (int i = 0; i < scene->laws_count; i++)
        if (scene->laws[i].restitution > 0.0)
            return true;
    return false;
}

const char *plu_effort_advice(const plu_simulation *simulation)
{
    return bounces(&simulation->scene)
               ? "more similar masses, restitution = 0 or a larger solver.tolerance reduce this"
               : "more similar masses or a larger solver.tolerance reduce this";
}

void plu_effort_warn(const plu_simulation *simulation, const plu_log *log, bool *warned)
{
    static const double most = 0.5, a_while = 2.0; /* share, s */
    if (*warned || plu_stepper_totals(simulation->stepper)->fallback_seconds < a_while)
        return;
    const plu_effort none = {0.0, 0.0}, now = plu_effort_now(simulation);
    const double share = plu_effort_fallback(&none, &now);
    if (share < most)
        return;
    *warned = true;
    plu_log_write(log, PLU_LOG_WARNING,
                  "%.0f %% of the processor time goes to %s, the fallback of the solver: "
                  "%s; " PLU_EFFORT_WITHOUT,
                  100.0 * share, simulation->scene.solver.fallback, plu_effort_advice(simulation));
}
