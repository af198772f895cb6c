/* stop.h: a signal asks the run to stop at the end of the present step, or a film between pictures.
 */
#ifndef CLI_STOP_H
#define CLI_STOP_H

#include <stdbool.h>

/* From now on the first SIGINT, SIGTERM or SIGHUP is noted, a second one ends the program at once.
 * Signals that are ignored stay so (nohup). A closed pipe and a limit on the size of files become
 * write errors instead of the end of the program. */
void plu_stop_listen(void);

/* Restores the default handling and forgets a noted signal, for a child process; the signal, 0:
 * none. One that came to the child before the call would otherwise be lost. */
int plu_stop_forget(void);

/* The signal that came, 0: none. */
int plu_stop_signal(void);

/* Whether a program with this exit code ended by one of those signals. */
bool plu_stop_code(int code);

#endif
