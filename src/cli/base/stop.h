/* stop.h: a signal asks the run to stop at the end of the present step, or a film between pictures.
 */
#ifndef CLI_BASE_STOP_H
#define CLI_BASE_STOP_H

#include <stdbool.h>

/* From now on the first SIGINT, SIGTERM or SIGHUP is noted, a second one ends the program at once.
 * Signals that are ignored stay so (nohup). A closed pipe and a limit on the size of files become
 * write errors instead of the end of the program. */
void plu_stop_listen(void);

/* The signal that came, 0: none. */
int plu_stop_signal(void);

/* Whether a program with this exit code ended by one of those signals. */
bool plu_stop_code(int code);

#endif
