/* h5_ordered.h: a file driver for HDF5 with which a growing file is readable at any moment, even if
 * the process is killed.
 *
 * HDF5 keeps the addresses of chunks in trees and writes changed nodes in the order of their
 * addresses. If the process is killed while a node is split, one half is in a node that no other
 * points to. With this driver new blocks are written beyond everything that a reader can reach, the
 * first MiB of them together (h5_buffers.h), the others at once. Changes of reachable blocks are
 * held back until the file is flushed, and then written, after the new ones, in an order in which
 * each write leaves a consistent file: end of the file, nodes from the root down, then the sizes of
 * datasets, near ones together, in the end that of the dataset that counts frames. That holds while
 * datasets grow and, after plu_h5_order_of_cuts, while they are cut back; freed space must not be
 * used again before the file is closed. Of a small file that is only read all is read at once.
 *
 * What the driver does while a frame is appended:
 *
 *    0                               known                          end
 *    | superblock, nodes, rows       | new chunks, new nodes        |
 *    '-------------------------------'------------------------------'
 *      a reader can reach these        no address leads here yet
 *
 *    write at >= known:  the first MiB into the window (h5_buffers.h), the rest into the file
 *    write at <  known:  rows of data into `rows`, metadata into `held`: the file does not change
 *
 *    flush:   1. rows          overwrites rows that readers do not count yet
 *             2. the window    everything new is in the file, and still nothing leads there
 *             3. held          by rank (h5_buffers.c): end of the file, nodes from the root down,
 *                              other metadata, of these the size of the dataset `last` at the end
 *             4. known = end   and the window begins there
 *
 * A kill after any of these writes leaves a file in which each address leads to a block that is
 * complete: before 3 the old frames alone, after it the new one too. A kill within a write leaves
 * the pages before it, and each block of `held` lies within one page (`allocate`).
 *
 * After a failed write the file stays as it was flushed last. */
#ifndef IO_H5_H5_ORDERED_H
#define IO_H5_H5_ORDERED_H

#include <hdf5.h>

/* Chooses the driver in a file access property list. Negative on failure. */
herr_t plu_h5_use_order(hid_t access);

/* To be called before datasets are cut back: from now on the fill values that HDF5 writes over the
 * removed rows are written last. */
herr_t plu_h5_order_of_cuts(hid_t file);

/* What a reader sees of `object`, a dataset, changes after all else that is flushed with it. */
herr_t plu_h5_order_last(hid_t file, hid_t object);

#endif
