/* guard.h: reports a damaged file that makes the HDF5 library crash like any other damaged file. */
#ifndef CLI_BASE_GUARD_H
#define CLI_BASE_GUARD_H

#include <stdbool.h>

/* From now on a crash inside HDF5 while it reads a file ends the program with a message that names
 * the file, and with exit code 3. Other crashes are not affected. */
void plu_guard_begin(void);

/* Whether the contact problem in `path` can be read without a crash; prints a message if not. It
 * reads an HDF5 file in a child process first, for commands that continue with other files. */
bool plu_guard_survives(const char *path);

#endif
