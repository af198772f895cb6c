/* Where a motion has a boundary at a time t, and how fast (motion_path.h):
 *
 *     X(t)  = V t' + A (sin(omega t' + phi) - sin phi) + table(t')
 *     t'    = time since start, until stop
 *     mean  = (X(t + h) - X(t)) / h , exact, also where it starts or stops within the step
 *     V_end : theta V_{k+1} + (1 - theta) V_k = mean         in every step, with theta = 1/2:
 *
 * With V_k = c cos(omega t_k + phi) the mean of two is c cos(omega h / 2) cos(middle), and the way
 * of the sine over the step is 2 A sin(omega h / 2) cos(middle) / h: so c = A (2 / h) tan(omega h /
 * 2). Beyond a turn of 1 rad a step the tangent grows without bound, and the way over two steps
 * stands in for it. A table gets the weights of a formula of fourth order from its places up to two
 * steps away. */
#include "world/motion_path.h"
#include "base/vec3.h"
#include "pluvia/motion.h"
#include <string.h>

/* Times of steps are rounded: they differ by more than this share of h, or not at all. */
static const double early = 1e-6;

/* rad: where an oscillation turns its phase by more in a step, tan would take its velocity too
 * far; it is then that over two steps. */
static const double coarse = 1.0;

double plu_time_slack(double step)
{
    return early * step;
}

/* How long the motion has gone on at time t (s). */
static double since_start(const plu_motion_spec *spec, double t)
{
    const double last = spec->stop > 0.0 ? plu_min(t, spec->stop) : t;
    return plu_max(last - spec->start, 0.0);
}

static double phase_of(double frequency, double since, double phase)
{
    return 2.0 * PLU_PI * frequency * since + phase;
}

void plu_path_place(plu_path path, double t, double place[PLU_MOTION_COLUMNS])
{
    const plu_motion_spec *spec = path.spec;
    const double since = since_start(spec, t);
    const double along = sin(phase_of(spec->frequency, since, spec->phase)) - sin(spec->phase);
    const double turned =
        sin(phase_of(spec->swing_frequency, since, spec->swing_phase)) - sin(spec->swing_phase);
    double table[PLU_MOTION_COLUMNS];
    plu_motion_table_place(path.table, since, table);
    for (int k = 0; k < 3; k++)
        place[k] = spec->velocity[k] * since + spec->amplitude[k] * along + table[k];
    place[3] = spec->rate * since + spec->swing * turned + table[3];
}

/* The share of the step in which the motion goes on; 1 exactly, if it always does. */
static double share_of(const plu_motion_spec *spec, const plu_span *span)
{
    const double slack = plu_time_slack(span->step);
    const bool begun = span->begin >= spec->start - slack,
               ended = spec->stop > 0.0 && span->end > spec->stop + slack;
    return begun && !ended
               ? 1.0
               : (since_start(spec, span->end) - since_start(spec, span->begin)) / span->step;
}

void plu_path_mean(plu_path path, const plu_span *span, plu_rate *rate)
{
    const plu_motion_spec *spec = path.spec;
    const double share = share_of(spec, span);
    const double from = since_start(spec, span->begin), to = since_start(spec, span->end);
    const double along = sin(phase_of(spec->frequency, to, spec->phase)) -
                         sin(phase_of(spec->frequency, from, spec->phase));
    const double turned = sin(phase_of(spec->swing_frequency, to, spec->swing_phase)) -
                          sin(phase_of(spec->swing_frequency, from, spec->swing_phase));
    double before[PLU_MOTION_COLUMNS], after[PLU_MOTION_COLUMNS];
    plu_motion_table_place(path.table, from, before);
    plu_motion_table_place(path.table, to, after);
    for (int k = 0; k < 3; k++) {
        rate->velocity[k] = share * spec->velocity[k] +
                            (spec->amplitude[k] * along + (after[k] - before[k])) / span->step;
        rate->belt[k] = share * spec->belt[k];
    }
    rate->spin = share * spec->rate + (spec->swing * turned + (after[3] - before[3])) / span->step;
}

/* Of sin at `phase`, so that the mean of two steps is the way between them (1/s). */
static double oscillation(double frequency, double phase, double step)
{
    const double turn = 2.0 * PLU_PI * frequency * step;
    return (turn <= coarse ? 2.0 * tan(0.5 * turn) : sin(turn)) / step * cos(phase);
}

/* The same of a table, from its places up to two steps away: to the fourth order in h, so that the
 * mean of two is the way between them, and for rows as close as the step, whatever their noise, it
 * is that in the long run. */
static void table_rate(const plu_motion_table *table, double since, double step,
                       double rate[PLU_MOTION_COLUMNS])
{
    double place[5][PLU_MOTION_COLUMNS];
    memset(rate, 0, PLU_MOTION_COLUMNS * sizeof *rate);
    if (table->count == 0)
        return;
    for (int k = 0; k < 5; k++)
        plu_motion_table_place(table, since + (k - 2) * step, place[k]);
    for (int c = 0; c < PLU_MOTION_COLUMNS; c++)
        rate[c] = (0.75 * (place[3][c] - place[1][c]) - 0.125 * (place[4][c] - place[0][c])) / step;
}

/* At the end of a step with theta = 1/2: what it was last, where the motion ends right then. */
static void end_of_half(plu_path path, const plu_span *span, plu_rate *rate)
{
    const plu_motion_spec *spec = path.spec;
    const double slack = plu_time_slack(span->step), since = span->end - spec->start;
    double table[PLU_MOTION_COLUMNS];
    *rate = (plu_rate){.spin = 0.0};
    if (since <= slack || (spec->stop > 0.0 && span->end > spec->stop + slack))
        return;
    const double along =
        oscillation(spec->frequency, phase_of(spec->frequency, since, spec->phase), span->step);
    const double turning =
        oscillation(spec->swing_frequency,
                    phase_of(spec->swing_frequency, since, spec->swing_phase), span->step);
    table_rate(path.table, since, span->step, table);
    for (int k = 0; k < 3; k++)
        rate->velocity[k] = spec->velocity[k] + spec->amplitude[k] * along + table[k];
    memcpy(rate->belt, spec->belt, sizeof rate->belt);
    rate->spin = spec->rate + spec->swing * turning + table[3];
}

void plu_path_end(plu_path path, const plu_span *span, plu_rate *rate)
{
    const double half = 2.0 - 2.0 * span->theta, whole = 1.0 - half;
    plu_rate mean;
    end_of_half(path, span, rate);
    if (whole == 0.0)
        return;
    plu_path_mean(path, span, &mean);
    for (int k = 0; k < 3; k++) {
        rate->velocity[k] = half * rate->velocity[k] + whole * mean.velocity[k];
        rate->belt[k] = half * rate->belt[k] + whole * mean.belt[k];
    }
    rate->spin = half * rate->spin + whole * mean.spin;
}

void plu_path_first(plu_path path, double step, plu_rate *rate)
{
    const plu_motion_spec *spec = path.spec;
    *rate = (plu_rate){.spin = 0.0};
    if (spec->start > plu_time_slack(step))
        return;
    const double beat = 2.0 * PLU_PI * spec->frequency,
                 swing = 2.0 * PLU_PI * spec->swing_frequency;
    double table[PLU_MOTION_COLUMNS];
    plu_motion_table_rate(path.table, 0.0, table);
    for (int k = 0; k < 3; k++)
        rate->velocity[k] =
            spec->velocity[k] + spec->amplitude[k] * beat * cos(spec->phase) + table[k];
    memcpy(rate->belt, spec->belt, sizeof rate->belt);
    rate->spin = spec->rate + spec->swing * swing * cos(spec->swing_phase) + table[3];
}
