/* How many threads make the steps of a run, by trial (team_size.h). A trial makes 6 bursts of 5
 * steps, in turn with the other number and with the present one; of each burst the first two do
 * not count:
 *
 *   hold             trial                              then
 *   . . . . . . | ooooo nnnnn ooooo nnnnn ooooo nnnnn | hold        o other, n now
 *   20 steps      xx    xx    xx    xx    xx    xx      20, if the other one was faster by 7 %,
 *                                                       else 1000, 2000, ... 16000
 *
 * In turn, because the cost of a step changes in the course of a run: one long block of each would
 * compare early steps with late ones. The direction turns where a trial changed nothing. */
#include "cli/run/team_size.h"
#include <omp.h>

enum {
    MANY = 20000,      /* bodies from which on a run begins with all threads */
    FIRST_HOLD = 20,   /* steps before the first trial of a run, and after each change */
    SHORT_HOLD = 1000, /* the same after a trial that changed nothing */
    LONG_HOLD = 16000, /* the same after many such trials */
    BURST = 5,         /* steps in a row with the same number of threads */
    SETTLES = 2,       /* of these the first are not counted: data come to other cores */
    BURSTS = 6         /* bursts of a trial, with both numbers in turn */
};

/* The other number must be this much faster: noise would else change it again and again. */
static const double faster = 0.93;

void plu_team_size_begin(plu_team_size *t, int most, int bodies)
{
    *t = (plu_team_size){.most = most, .now = bodies < MANY ? 1 : most, .hold = FIRST_HOLD};
    t->up = t->now < most;
    omp_set_num_threads(t->now);
}

/* Half or twice as many; the present number if there is no such one. */
static int neighbor_of(const plu_team_size *t)
{
    if (!t->up)
        return t->now > 1 ? t->now / 2 : 1;
    return 2 * t->now < t->most ? 2 * t->now : t->most;
}

/* Whether the step of a trial after `at` others is one with the other number. */
static bool is_other(int at)
{
    return at / BURST % 2 == 0;
}

/* At an end of the range the only neighbor is on the other side. */
static void begin_trial(plu_team_size *t)
{
    t->other = neighbor_of(t);
    if (t->other == t->now) {
        t->up = !t->up;
        t->other = neighbor_of(t);
    }
    t->trying = t->other != t->now;
    t->at = 0;
    t->seconds[0] = t->seconds[1] = 0.0;
}

static void end_trial(plu_team_size *t)
{
    t->trying = false;
    t->at = 0;
    if (t->seconds[1] < faster * t->seconds[0]) { /* further the same way soon */
        t->now = t->other;
        t->hold = FIRST_HOLD;
        return;
    }
    t->up = !t->up;
    t->hold = t->hold < SHORT_HOLD ? SHORT_HOLD : 2 * t->hold < LONG_HOLD ? 2 * t->hold : LONG_HOLD;
}

double plu_team_size_clock(const plu_team_size *t)
{
    return t->most > 0 ? omp_get_wtime() : 0.0;
}

void plu_team_size_step(plu_team_size *t, double seconds)
{
    if (t->most == 0)
        return;
    const int at = t->at++;
    if (t->trying && at % BURST >= SETTLES)
        t->seconds[is_other(at)] += seconds;
    if (t->trying && t->at == BURSTS * BURST)
        end_trial(t);
    else if (!t->trying && t->at >= t->hold)
        begin_trial(t);
    omp_set_num_threads(t->trying && is_other(t->at) ? t->other : t->now);
}

int plu_team_size_end(const plu_team_size *t)
{
    if (t->most == 0)
        return omp_get_max_threads();
    omp_set_num_threads(t->most);
    return t->now;
}
