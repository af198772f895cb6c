/* scratch_file.h: one file for all inputs, for readers that want a path; in memory where the system
 * offers that, and removed at the end. */
#ifndef FUZZ_SCRATCH_FILE_H
#define FUZZ_SCRATCH_FILE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char scratch[64];
static int scratch_number = -1;

static inline void scratch_remove(void)
{
    unlink(scratch);
}

/* Makes the file on the first call; false from then on. */
static inline int scratch_made(void)
{
    if (scratch_number >= 0)
        return 0;
    const char *folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(scratch, sizeof scratch, "%s/pluvia-fuzz-XXXXXX", folder);
    scratch_number = mkstemp(scratch);
    if (scratch_number < 0 || atexit(scratch_remove) != 0)
        abort();
    return 1;
}

static inline void scratch_fill(const uint8_t *data, size_t size)
{
    scratch_made();
    if (ftruncate(scratch_number, 0) != 0 || pwrite(scratch_number, data, size, 0) != (ssize_t)size)
        abort();
}

#endif
