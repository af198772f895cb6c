/* whole.h: reads and writes of files that the operating system may do in pieces. */
#ifndef IO_H5_WHOLE_H
#define IO_H5_WHOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Writes all bytes at `at`; fails with errno. */
bool plu_write_whole(int file, const void *bytes, size_t size, off_t at);

/* Reads the bytes at `at`, zeros beyond the end of the file; fails with errno. */
bool plu_read_whole(int file, void *bytes, size_t size, off_t at);

#endif
