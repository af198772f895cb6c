/* Rigid grains have no stress scale of their own. Where strain rates alone move a cell, a bed that
 * has jammed cannot get denser, and cannot dilate to let its grains pass each other: the contact
 * problem of a step has no solution, sweeps end at their limit, contacts yield, and stresses are
 * those of wherever the sweeps ended. Single steps that do not converge occur in dense flows, too;
 * a lock is where most do, one after the other. */
#include "pluvia/cell.h"
#include "pluvia/scene.h"
#include "step/jams.h"
#include "step/stepper.h"
#include "world/cell.h"

static const double memory = 0.9;  /* by which `failing` remembers, a step */
static const double most = 0.5;    /* share that is a lock: after seven in a row */
static const double loosest = 0.5; /* solid fraction: less dense grains do not jam */

static bool has_volume(const plu_stepper *s)
{
    const plu_world *w = s->world;
    return w->space.moves && w->stress_control.mass == 0.0 && w->servos_count == 0 &&
           s->scene->cell->periodic == 7 && s->scene->method != PLU_PENALTY;
}

void plu_locked_look(plu_stepper *s, const plu_step_info *info)
{
    if (s->totals.locked > 0.0 || !has_volume(s))
        return;
    const bool fails = !info->converged || info->yielding > 0;
    s->failing = memory * s->failing + (fails ? 1.0 - memory : 0.0);
    if (!(s->failing > most) || plu_cell_fraction(s->world) < loosest)
        return;
    s->totals.locked = s->world->time;
    plu_log_write(
        &s->log, PLU_LOG_WARNING,
        "step %ld (t = %g s): the grains are jammed in a cell of prescribed volume (solid "
        "fraction %.3f): rigid ones can neither get denser nor dilate, so that steps "
        "have no solution from here on, overlaps grow, and stresses mean nothing. End the "
        "run before this (time.end), or let a stress move an axis (cell.stress)",
        s->world->steps, s->world->time, plu_cell_fraction(s->world));
}

void plu_locked_state(plu_stepper *s, plu_state *state)
{
    double numbers[] = {s->failing, s->totals.locked};
    plu_state_real(state, "totals/locked", 2, 1, numbers);
    s->failing = numbers[0];
    s->totals.locked = numbers[1];
}
