/* process.h: the process of the command: waiting threads, signals, crashes of the HDF5 library. */
#ifndef CLI_BASE_PROCESS_H
#define CLI_BASE_PROCESS_H

#include <stdbool.h>

/* --- limits how long a waiting thread spins before it sleeps --- */

/* Makes waiting threads sleep after some microseconds. libgomp reads that setting before `main`
 * begins, so the program is executed again with the setting in its environment; if the user has set
 * OMP_WAIT_POLICY or GOMP_SPINCOUNT, that is respected. To be called first of all in `main`.
 * Returns if nothing has to be changed. */
void plu_spin_briefly(char **argv);

/* A signal asks the run to stop at the end of the present step, or a film between pictures. */

/* From now on the first SIGINT, SIGTERM or SIGHUP is noted, a second one ends the program at once.
 * Signals that are ignored stay so (nohup). A closed pipe and a limit on the size of files become
 * write errors instead of the end of the program. */
void plu_stop_listen(void);

/* The signal that came, 0: none. */
int plu_stop_signal(void);

/* Whether a program with this exit code ended by one of those signals. */
bool plu_stop_code(int code);

/* --- reports a damaged file that makes the HDF5 library crash like any other damaged file --- */

/* From now on a crash inside HDF5 while it reads a file ends the program with a message that names
 * the file, and with exit code 3. Other crashes are not affected. */
void plu_guard_begin(void);

/* Whether the regular file `path` begins with `mark`; a pipe, from which nothing may be taken away,
 * does not. */
bool plu_begins_with(const char *path, const char *mark);

/* Whether the contact problem in `path` can be read without a crash; prints a message if not. It
 * reads an HDF5 file in a child process first, for commands that continue with other files. */
bool plu_guard_survives(const char *path);

#endif
