/* rng.h: counter-based random numbers. A number depends on its counter alone, so it is the same for
 * any number of threads, any order of calls, and after a restart.
 *
 * Philox4x32-10 (Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011).
 */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stddef.h>
#include <stdint.h>

/* Each purpose has its own stream: feeder k, body entry k, ... */
typedef struct plu_rng {
    uint64_t seed;   /* of the scene */
    uint32_t stream; /* purpose and its number, PLU_STREAM */
} plu_rng;

enum { PLU_STREAM_BODIES = 1, PLU_STREAM_FEEDERS = 2 };
#define PLU_STREAM(purpose, number) ((uint32_t)(purpose) << 24 | (uint32_t)(number))

/* Number `draw` of item `item` of the stream, uniform in [0, 1) with 53 bits. */
double plu_rng_uniform(plu_rng rng, uint64_t item, uint32_t draw);

/* Where item `item` < `count` stands in a permutation of 0 ... count - 1 that is the stream's own.
 *
 * Feistel's network with Philox as its round function on the next even number of bits, applied
 * until the result is below `count` (Black and Rogaway, "Ciphers with arbitrary finite domains",
 * 2002). */
uint64_t plu_rng_permuted(plu_rng rng, uint64_t item, uint64_t count);

#endif
