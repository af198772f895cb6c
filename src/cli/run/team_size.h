/* team_size.h: how many threads make the steps of a run, found by trial while it goes on.
 *
 * More threads are not always faster: a barrier takes from 0.2 to 2 microseconds, a cache line as
 * long to get from a core of another chiplet, and other programs may use the cores. The results do
 * not depend on the number of threads, so it may change between steps. A run of few bodies begins
 * with one thread, one of many bodies with all. Now and then it makes steps in turn with the
 * present number and with half or twice of it, and goes on with the faster one. */
#ifndef CLI_RUN_TEAM_SIZE_H
#define CLI_RUN_TEAM_SIZE_H

#include <stdbool.h>

/* All zero: the number of threads stays as it is. */
typedef struct plu_team_size {
    int most;          /* threads that may be used */
    int now, other;    /* threads of the steps, and those that are tried against them */
    bool up;           /* more are tried next, else fewer */
    bool trying;       /* a trial is going on */
    int at;            /* steps since it began, or since the last one ended */
    int hold;          /* steps between two trials */
    double seconds[2]; /* of the trial: with `now` and with `other` */
} plu_team_size;

/* Sets the number of threads of the first step, for `bodies` bodies. */
void plu_team_size_begin(plu_team_size *t, int most, int bodies);

/* Wall time (s) where the number of threads is found by trial; else nothing is timed. */
double plu_team_size_clock(const plu_team_size *t);

/* After each step, which took so many seconds of wall time: sets the number for the next one. */
void plu_team_size_step(plu_team_size *t, double seconds);

/* Sets the number of threads that there are, and returns that of the last steps. */
int plu_team_size_end(const plu_team_size *t);

#endif
