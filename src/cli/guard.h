/* guard.h: a damaged file that makes the HDF5 library crash is damage like any other. */
#ifndef CLI_GUARD_H
#define CLI_GUARD_H

#include <stdbool.h>

/* From now on a crash inside HDF5 while it reads a file ends the program with a sentence that names
 * the file, and with exit code 3. Other crashes are what they were. */
void plu_guard_begin(void);

/* Whether the contact problem in `path` can be read without a crash; says so if not. For commands
 * that go on with other files: an HDF5 file is read in a process of its own first. */
bool plu_guard_survives(const char *path);

#endif
