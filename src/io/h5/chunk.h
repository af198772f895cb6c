/* chunk.h: packs the chunks of a row of numbers in memory, as the filters shuffle, deflate and
 * Fletcher32 of HDF5 do, so that every HDF5 library can read them.
 *
 * Shuffled, a chunk is a plane for each byte of a number. The low bytes of positions and velocities
 * are noise, on which deflate spends most of its time in vain. Planes whose bytes are nearly
 * uniform are therefore stored, and the others compressed, within the same stream (RFC 1951 allows
 * blocks of both kinds). Chunks are packed by all threads; their bytes do not depend on how many
 * there are. */
#ifndef IO_H5_CHUNK_H
#define IO_H5_CHUNK_H

#include "base/cpu.h"
#include "pluvia/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Compressors and buffers, kept from frame to frame. */
typedef struct plu_chunks plu_chunks;

plu_chunks *plu_chunks_new(plu_error *err); /* NULL: out of memory */
void plu_chunks_free(plu_chunks *chunks);   /* accepts NULL */

/* A row of `total` numbers of `size` bytes (1 to 8), in chunks of `each`; the end of the last one
 * is filled up with `fill` (NULL: 0). `level`: of deflate, 1 to 9. */
typedef struct plu_chunk_row {
    size_t size, total, each;
    const void *fill;
    int level;
} plu_chunk_row;

/* Packs the row. */
plu_status plu_chunks_pack(plu_chunks *chunks, const plu_chunk_row *row, const void *numbers,
                           plu_error *err);

/* Chunk `k` of the row that was packed last, and its bytes; valid until the next call. */
const void *plu_chunks_packed(const plu_chunks *chunks, size_t k, size_t *bytes);

/* --- the loops over the bytes of a chunk, by SIMD lanes --- */

/* The filter shuffle: byte k of all `count` numbers of `size` bytes, one after the other. */
typedef void plu_shuffle_function(unsigned char *restrict planes, const unsigned char *restrict raw,
                                  size_t size, size_t count);
PLU_ISA_DECLARE(plu_shuffle_function, plu_shuffle);

/* The filter Fletcher32: sums of 16-bit words, the first byte of each being the high one, and of
 * these sums. */
typedef uint32_t plu_fletcher32_function(const unsigned char *data, size_t bytes);
PLU_ISA_DECLARE(plu_fletcher32_function, plu_fletcher32);

/* Numbers of bodies rounded to a stated precision, so that they compress better.
 *
 * A number becomes the nearest multiple of a power of two: its error is at most half of that, and
 * the low bits, which are noise, become zeros. */

/* Rounds `count` rows of `components` numbers. The error of each is at most `error` > 0; with
 * `position`, rows of x, y, z and radius of the same bodies, at most error / radius. */
void plu_round_rows(double *rows, int count, int components, double error,
                    const double (*position)[4]);

/* Parts of a deflate stream (RFC 1951), by the fastest library there is: ISA-L for level 1 where
 * the program was built with it, else zlib. */

/* State of a compressor; used by one thread at a time. */
typedef struct plu_deflater plu_deflater;

plu_deflater *plu_deflater_new(int level); /* 1 to 9; NULL: out of memory */
void plu_deflater_free(plu_deflater *d);   /* accepts NULL */

/* Appends `bytes` of data to a stream: compressed, or as they are. Blocks end at a byte; with
 * `last` the stream ends. Returns the bytes that were written to `out`, 0: they did not fit. */
size_t plu_deflate(plu_deflater *d, const unsigned char *data, size_t bytes, bool last,
                   unsigned char *out, size_t room);
size_t plu_deflate_stored(const unsigned char *data, size_t bytes, bool last, unsigned char *out,
                          size_t room);

/* The checksum at the end of a stream of zlib (RFC 1950). */
uint32_t plu_adler32(const unsigned char *data, size_t bytes);

#endif
