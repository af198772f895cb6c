/* deflate.h: parts of a deflate stream (RFC 1951), by the fastest library there is: ISA-L for level
 * 1 where the program was built with it, else zlib. */
#ifndef IO_H5_DEFLATE_H
#define IO_H5_DEFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
