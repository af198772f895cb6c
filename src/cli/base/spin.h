/* spin.h: limits how long a waiting thread spins before it sleeps. */
#ifndef CLI_BASE_SPIN_H
#define CLI_BASE_SPIN_H

/* Makes waiting threads sleep after some microseconds. libgomp reads that setting before `main`
 * begins, so the program is executed again with the setting in its environment; if the user has set
 * OMP_WAIT_POLICY or GOMP_SPINCOUNT, that is respected. To be called first of all in `main`.
 * Returns if nothing has to be changed. */
void plu_spin_briefly(char **argv);

#endif
