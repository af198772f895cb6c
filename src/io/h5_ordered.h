/* h5_ordered.h: a file driver for HDF5 under which a file that grows can be opened at any moment.
 *
 * HDF5 keeps the places of chunks in trees and changes their nodes one by one, in the order of
 * their addresses. Who is killed while a node is divided leaves one half in a node that no other
 * points to. With this driver what is new is written at once, beyond all that a reader could find;
 * changes of what a reader finds are held back until the file is flushed, and are then made in an
 * order in which each one leaves a whole file: end of the file, nodes from the root down, then the
 * sizes of datasets. It holds while datasets grow and, where that was announced, while they are cut
 * back; space that was freed must not be used again before the file is closed.
 *
 * After a write that failed the file stays as it is, which is as it was flushed last. */
#ifndef IO_H5_ORDERED_H
#define IO_H5_ORDERED_H

#include <hdf5.h>
#include <stdbool.h>

/* Chooses the driver in a file access property list. Negative on failure. */
herr_t plu_h5_use_order(hid_t access);

/* Whether files are to be locked: as HDF5's own drivers do it, with the same way to switch it off.
 */
bool plu_h5_wants_locks(void);

/* From now on datasets are cut back: what HDF5 puts in the place of lost rows comes last. */
herr_t plu_h5_order_of_cuts(hid_t file);

#endif
