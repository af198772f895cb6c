/* How a run ends before its time (ending.h). Signals and --max-time end it after a step; the step
 * under way is given up when it has gone on since then for as long as it would take to get back to
 * the step before, and a second at least.
 *
 *     copies     older            newer            of the state, every 128 steps
 *     steps  ....|......... ......|........ k  X   step k + 1 failed; wanted is the state after k:
 *                                 '- - - - >       newer, and the steps from there once more
 *
 * If the newer copy is that of step k itself, the older one is taken: the contacts of a step are
 * not in a copy, and a last frame needs them. */
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

/* Called within solves by any of the threads, hence the atomic accesses. */
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

/* --- the last good step --- */

enum { EVERY = 128 }; /* steps: a copy costs about as much as a step */

plu_status plu_rescue_open(plu_rescue *rescue, const plu_simulation *simulation,
                           plu_run_record *record, plu_error *err)
{
    rescue->older = plu_snapshot_create(err);
    rescue->newer = rescue->older ? plu_snapshot_create(err) : NULL;
    if (!rescue->newer)
        return PLU_IO;
    return plu_snapshot_take(rescue->newer, simulation->world, simulation->stepper, record, err);
}

void plu_rescue_close(plu_rescue *rescue)
{
    plu_snapshot_destroy(rescue->older);
    plu_snapshot_destroy(rescue->newer);
    *rescue = (plu_rescue){0};
}

plu_status plu_rescue_note(plu_rescue *rescue, const plu_simulation *simulation,
                           plu_run_record *record, plu_error *err)
{
    if (plu_world_steps(simulation->world) % EVERY != 0)
        return PLU_OK;
    plu_snapshot *last = rescue->newer;
    rescue->newer = rescue->older;
    rescue->older = last;
    return plu_snapshot_take(rescue->newer, simulation->world, simulation->stepper, record, err);
}

/* A snapshot that was never taken has a step below 0. */
static plu_snapshot *from_where(const plu_rescue *rescue, long step)
{
    const bool newer =
        plu_snapshot_step(rescue->newer) < step || plu_snapshot_step(rescue->older) < 0;
    return newer ? rescue->newer : rescue->older;
}

long plu_rescue_steps(const plu_rescue *rescue, long step)
{
    return step - plu_snapshot_step(from_where(rescue, step));
}

plu_status plu_rescue_return(plu_rescue *rescue, const plu_simulation *simulation,
                             plu_run_record *record, long step, plu_step_info *info, plu_error *err)
{
    plu_status status =
        plu_snapshot_restore(from_where(rescue, step), simulation->stepper, record, err);
    if (plu_world_steps(simulation->world) == step) /* that of a step that is undone */
        *info = (plu_step_info){0};
    while (status == PLU_OK && plu_world_steps(simulation->world) < step)
        status = plu_step(simulation->stepper, info, err);
    return status;
}
