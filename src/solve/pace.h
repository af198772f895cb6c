/* pace.h: whether sweeps that converge slowly should be handed over to the proximal Newton method,
 * whose iterations are dear but few.
 *
 * The pace of the last hundred sweeps, extrapolated, gives how many are left to the tolerance; what
 * Newton's method takes is known in sweeps, too. Everything is counted, nothing timed, so that the
 * decision is the same on every machine. */
#ifndef SOLVE_PACE_H
#define SOLVE_PACE_H

#include <stdbool.h>

/* Sweeps between checks, checks over which the pace is taken, and sweeps before the first decision:
 * Anderson acceleration sets in after a hundred, and where it helps it does so within another. */
enum { PLU_PACE_EVERY = 50, PLU_PACE_LOOKS = 2, PLU_PACE_FIRST = 200 };

/* The least residuals at the last checks, the oldest first; zero at the start. */
typedef struct plu_pace {
    double past[PLU_PACE_LOOKS];
} plu_pace;

/* Whether to check after so many sweeps. */
bool plu_pace_due(int sweeps);

/* At each check: how many sweeps are left if the least residual goes on falling as over the last
 * checks. HUGE_VAL where it does not fall, 0 where it is too early to tell. */
double plu_pace_left(plu_pace *pace, int sweeps, double residual, double tolerance);

/* How many sweeps the proximal Newton method costs on so many contacts. Measured on 44 to 1,645
 * contacts: 90 to 1,100, most of it factors, whose work grows as the square of the size where that
 * of a sweep grows as the size. */
double plu_pace_newton(int contacts);

#endif
