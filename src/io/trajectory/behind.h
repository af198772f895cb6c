/* behind.h: a thread that does one job at a time while its owner goes on. */
#ifndef IO_TRAJECTORY_BEHIND_H
#define IO_TRAJECTORY_BEHIND_H

typedef struct plu_behind plu_behind;

/* NULL: there is no memory or no further thread; the owner then does its jobs itself. */
plu_behind *plu_behind_new(void);

/* Begins a job, after the one before. What it writes may be read after plu_behind_wait, and what it
 * reads must not change until then. A job makes no team of threads of its own. */
void plu_behind_do(plu_behind *behind, void (*job)(void *), void *data);

/* Returns when no job is left. Accepts NULL. */
void plu_behind_wait(plu_behind *behind);

/* Waits, and ends the thread. Accepts NULL. */
void plu_behind_free(plu_behind *behind);

#endif
