/* h5_window.h: a stretch of a file that is kept in memory, so that HDF5, which reads and writes
 * small files in hundreds of small pieces, costs few system calls. For the file driver
 * (h5_ordered.h). */
#ifndef IO_H5_H5_WINDOW_H
#define IO_H5_H5_WINDOW_H

#include <hdf5.h>
#include <stdbool.h>

enum { PLU_WINDOW = 1 << 20 }; /* bytes at most */

/* Whether a block lies before `end`; if not, HDF5's error stack says so. Addresses may come from a
 * damaged file, so that the sum of one and a size may wrap. */
bool plu_block_inside(haddr_t at, size_t size, haddr_t end);

/* The bytes from `from` on; what was not put there is 0. */
typedef struct plu_window {
    haddr_t from;
    size_t size, room;
    unsigned char *bytes;
} plu_window;

/* Takes those of the `size` bytes that begin at `at`, which is not before the window, for which it
 * has room, and returns how many these are. Negative: out of memory. */
long long plu_window_put(plu_window *w, haddr_t at, size_t size, const unsigned char *bytes);

/* Whether all these bytes are in the window. */
bool plu_window_holds(const plu_window *w, haddr_t at, size_t size);

/* Copies those of these bytes that are in the window to their places in `buffer`. */
void plu_window_get(const plu_window *w, haddr_t at, size_t size, unsigned char *buffer);

/* Opens an empty window elsewhere. */
void plu_window_move(plu_window *w, haddr_t from);

/* Takes the `size` bytes of a file in, if it has room for all and they can be read. */
void plu_window_read(plu_window *w, int file, size_t size);

void plu_window_free(plu_window *w);

#endif
