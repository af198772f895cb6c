#include "cli/run/ending.h"
#include "cli/base/process.h"
#include "cli/base/text.h"
#include <math.h>
#include <omp.h>

enum { OUT_OF_TIME = 75 }; /* exit code: try again later (sysexits.h) */

static const double patience = 1.0; /* s */

bool plu_ending_due(plu_ending *e)
{
    e->out_of_time = e->max_time > 0.0 && omp_get_wtime() - e->started >= e->max_time;
    return plu_stop_signal() || e->out_of_time;
}

void plu_ending_step(plu_ending *e, double redo)
{
    e->asked = 0.0;
    e->redo = redo;
}

bool plu_ending_gives_up(void *ending)
{
    plu_ending *e = ending;
    const double now = omp_get_wtime();
    const bool late = e->max_time > 0.0 && now - e->started >= e->max_time;
    if (!late && !plu_stop_signal())
        return false;
    double asked;
#pragma omp atomic read
    asked = e->asked;
    if (asked == 0.0) {
#pragma omp atomic write
        e->asked = now;
        return false;
    }
    return now - asked >= fmax(patience, e->redo);
}

int plu_ending_say(const plu_ending *e)
{
    plu_message("%s%s; everything up to this step is saved, and --restart auto continues from it",
                e->out_of_time ? "stopped by --max-time" : "interrupted",
                e->given_up ? ", in a step that did not end, which was given up" : "");
    return plu_stop_signal() ? 128 + plu_stop_signal() : OUT_OF_TIME;
}
