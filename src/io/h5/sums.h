/* sums.h: checksums of a trajectory, which detect damage that the Fletcher32 checksums of HDF5
 * cannot.
 *
 * Chunks that are written once are compressed and have Fletcher32. Chunks that fill up over several
 * frames cannot have it: a program that is killed while it rewrites one would leave correct rows
 * with a wrong checksum. Nor does Fletcher32 detect a chunk that HDF5 no longer finds, which reads
 * as zeros. Therefore /parameters/pluvia/sums has a checksum of all rows of each frame, and the
 * attribute `header_sum` of /parameters/pluvia one of the data that are written once, at the start.
 */
#ifndef IO_H5_SUMS_H
#define IO_H5_SUMS_H

#include "io/h5/h5.h"
#include <stdint.h>

/* The initial value of the checksum of a dataset, from its path in the file. */
uint64_t plu_sum_start(hid_t dataset);

/* `count` numbers of the type `in_memory` as they are stored in the type `in_file`: `numbers`
 * itself, or *copy, which the caller frees in any case. NULL: out of memory. */
const void *plu_sum_stored(hid_t in_file, hid_t in_memory, size_t count, const void *numbers,
                           void **copy);

/* Adds `count` numbers of the type `in_memory` to a checksum, as they will be stored in the type
 * `in_file`. False: out of memory. */
bool plu_sum_add(uint64_t *sum, hid_t in_file, hid_t in_memory, size_t count, const void *numbers);

/* The sum of names, types, places, attributes and of datasets that do not grow; all but the
 * attributes `state` and `header_sum`. False where something cannot be read. `datasets`: how many
 * there are, a dataset with several names counted once for each. */
bool plu_sum_header(hid_t file, uint64_t *sum, long *datasets);

#endif
