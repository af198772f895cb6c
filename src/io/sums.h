/* sums.h: checksums of our own, for what Fletcher32 of HDF5 does not see.
 *
 * Chunks that are written once are packed and have Fletcher32. Chunks that fill up over several
 * frames cannot have it: killed while it rewrites one, a program would leave a chunk whose earlier
 * rows are right and whose checksum is wrong. Nor does it tell a chunk that HDF5 no longer finds,
 * which reads as zeros. Therefore all rows of a frame are summed in /parameters/pluvia/sums; the
 * sum of what the start of a run writes once is the attribute `header_sum` of /parameters/pluvia.
 */
#ifndef IO_SUMS_H
#define IO_SUMS_H

#include "io/h5.h"
#include <stdint.h>

/* Where the sum of a series' rows begins: its path in the file. */
uint64_t plu_sum_start(hid_t dataset);

/* Adds numbers of `in_memory` as they will stand in the file. False when there is no memory. */
bool plu_sum_add(uint64_t *sum, hid_t in_file, hid_t in_memory, size_t count, const void *numbers);

/* The sum of names, types, places, attributes and of datasets that do not grow; all but the
 * attributes `state` and `header_sum`. False where something cannot be read. `datasets`: how many
 * there are, a dataset with several names counted once for each. */
bool plu_sum_header(hid_t file, uint64_t *sum, long *datasets);

#endif
