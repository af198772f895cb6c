/* threads.h: the option that says how many threads a command uses. */
#ifndef CLI_BASE_THREADS_H
#define CLI_BASE_THREADS_H

#include "cli/base/commands.h"

/* Sets the number that the option gives, if it is given. *free: neither it nor OMP_NUM_THREADS is,
 * so that a run may try which number is best (team_size.h). */
plu_status plu_threads_set(const plu_arguments *arguments, int option, bool *free, plu_error *err);

#endif
