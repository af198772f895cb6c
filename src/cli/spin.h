/* spin.h: how long a thread that waits for others keeps its core. */
#ifndef CLI_SPIN_H
#define CLI_SPIN_H

/* Makes threads that wait give their core away after some microseconds, by starting the program
 * anew with the setting that libgomp reads before `main` begins; whoever has set OMP_WAIT_POLICY or
 * GOMP_SPINCOUNT has his way. To be called first of all. Returns where nothing is to be done. */
void plu_spin_briefly(char **argv);

#endif
