/* h5_buffers.h: what the file driver (h5_ordered.h) keeps in memory: a window and blocks that wait.
 *
 * The window is a stretch of a file, so that HDF5, which reads and writes small files in hundreds
 * of small pieces, costs few system calls. */
#ifndef IO_H5_H5_BUFFERS_H
#define IO_H5_H5_BUFFERS_H

#include <hdf5.h>
#include <stdbool.h>

enum { PLU_WINDOW = 1 << 20 }; /* bytes at most */

/* Whether a block lies before `end`; if not, HDF5's error stack has the error. Addresses may come
 * from a damaged file, so that the sum of one and a size may wrap. */
bool plu_block_inside(haddr_t at, size_t size, haddr_t end);

/* The bytes from `from` on; what was not put there is 0. */
typedef struct plu_h5_window {
    haddr_t from;
    size_t size, room;
    unsigned char *bytes;
} plu_h5_window;

/* Takes those of the `size` bytes that begin at `at`, which is not before the window, for which it
 * has room, and returns how many these are. Negative: out of memory. */
long long plu_window_put(plu_h5_window *w, haddr_t at, size_t size, const unsigned char *bytes);

/* Whether all these bytes are in the window. */
bool plu_window_holds(const plu_h5_window *w, haddr_t at, size_t size);

/* Copies those of these bytes that are in the window to their places in `buffer`. */
void plu_window_get(const plu_h5_window *w, haddr_t at, size_t size, unsigned char *buffer);

/* Opens an empty window elsewhere. */
void plu_window_move(plu_h5_window *w, haddr_t from);

/* Takes the `size` bytes of a file in, if it has room for all and they can be read. */
void plu_window_read(plu_h5_window *w, int file, size_t size);

void plu_window_free(plu_h5_window *w);

/* Blocks of a file that the file driver (h5_ordered.h) holds back until the flush, and
 * the order in which they are written then. */

typedef struct plu_held_block {
    haddr_t at;
    size_t size;
    H5FD_mem_t type;
    int rank; /* smaller ones are written first */
    unsigned char *bytes;
} plu_held_block;

typedef struct plu_held {
    plu_held_block *list;
    size_t count, capacity;
} plu_held;

/* False: out of memory. */
bool plu_held_add(plu_held *h, H5FD_mem_t type, haddr_t at, size_t size, const void *bytes);

/* Sorts the blocks so that the file is consistent after each: the end of the file if it has grown,
 * nodes of trees from the root down, other metadata, of these last the block at `last`, rows, the
 * end of a file that was cut. */
void plu_held_sort(plu_held *h, bool grown, haddr_t last);

/* How many blocks from number `first` on are of a rank, in the order of their places, with less
 * than a page between each two; *bytes: from the begin of the first to the end of the last. */
size_t plu_held_near(const plu_held *h, size_t first, size_t *bytes);

/* Joins blocks that are next to each other, which then are one, in the order of their places. */
bool plu_held_join(plu_held *h);

/* Copies what is held of these bytes to their places in `buffer`. */
void plu_held_get(const plu_held *h, haddr_t at, size_t size, unsigned char *buffer);

void plu_held_forget(plu_held *h);
void plu_held_free(plu_held *h);

#endif
