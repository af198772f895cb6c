/* chunk_lanes.h: what every byte of a chunk goes through (io/h5/chunk.h). */
#ifndef IO_H5_CHUNK_LANES_H
#define IO_H5_CHUNK_LANES_H

#include "base/cpu.h"
#include <stddef.h>
#include <stdint.h>

/* The filter shuffle: byte k of all `count` numbers of `size` bytes, one after the other. */
typedef void plu_shuffle_function(unsigned char *restrict planes, const unsigned char *restrict raw,
                                  size_t size, size_t count);
PLU_ISA_DECLARE(plu_shuffle_function, plu_shuffle);

/* The filter Fletcher32: sums of 16-bit words, the first byte of each being the high one, and of
 * these sums. */
typedef uint32_t plu_fletcher32_function(const unsigned char *data, size_t bytes);
PLU_ISA_DECLARE(plu_fletcher32_function, plu_fletcher32);

#endif
