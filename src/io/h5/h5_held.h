/* h5_held.h: blocks of a file that the file driver (h5_ordered.h) holds back until the flush, and
 * the order in which they are written then. */
#ifndef IO_H5_H5_HELD_H
#define IO_H5_H5_HELD_H

#include <hdf5.h>
#include <stdbool.h>

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
