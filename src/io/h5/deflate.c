/* Deflate (RFC 1951) for parts of a stream that threads compress side by side (chunk.c). A stream
 * is made of parts, each of which ends at a byte (RFC 1951, 3.2.3):
 *
 *    compressed    blocks of Huffman codes, then an empty stored block that pads to a byte
 *    stored        for each 65,535 bytes: a byte with the kind, length, its complement, the bytes
 *    last          the same with the bit "final" in the last block
 *
 *   | part 0 ... | part 1 ... | part 2 (final) |   any reader inflates this as one stream, because
 *                                                  parts do not refer to bytes of others
 *
 * Level 1 is made by ISA-L where it is built in, otherwise by zlib without a search for
 * repetitions. */
#include "io/h5/chunk.h"
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#ifdef PLU_ISAL
#include <isa-l.h>
#endif

struct plu_deflater {
    int level;
    z_stream zlib;
#ifdef PLU_ISAL
    struct isal_zstream isal;
    unsigned char work[ISAL_DEF_LVL1_DEFAULT];
#endif
};

static bool by_isal(int level)
{
#ifdef PLU_ISAL
    return level == 1;
#else
    (void)level;
    return false;
#endif
}

/* Of zlib, level 1 takes the frequencies of bytes and runs of equal ones, which is twice as fast as
 * its search for repetitions, and no worse on the bytes of real numbers. */
plu_deflater *plu_deflater_new(int level)
{
    enum { RAW = -15, MEMORY = 8 }; /* no header; the default of zlib */
    plu_deflater *d = calloc(1, sizeof *d);
    if (d)
        d->level = level;
    if (d && !by_isal(level) &&
        deflateInit2(&d->zlib, level, Z_DEFLATED, RAW, MEMORY,
                     level == 1 ? Z_RLE : Z_DEFAULT_STRATEGY) != Z_OK) {
        free(d);
        d = NULL;
    }
    return d;
}

void plu_deflater_free(plu_deflater *d)
{
    if (d && !by_isal(d->level))
        deflateEnd(&d->zlib);
    free(d);
}

/* 0: the result does not fit into `room`; the caller then stores the bytes as they are. */
static size_t by_zlib(z_stream *s, const unsigned char *data, size_t bytes, bool last,
                      unsigned char *out, size_t room)
{
    deflateReset(s);
    s->next_in = (unsigned char *)data; /* older headers of zlib have no const */
    s->avail_in = (uInt)bytes;
    s->next_out = out;
    s->avail_out = (uInt)room;
    const int result = deflate(s, last ? Z_FINISH : Z_FULL_FLUSH);
    const bool all = last ? result == Z_STREAM_END : result == Z_OK && s->avail_out > 0;
    return all ? room - s->avail_out : 0;
}

#ifdef PLU_ISAL
size_t plu_deflate(plu_deflater *d, const unsigned char *data, size_t bytes, bool last,
                   unsigned char *out, size_t room)
{
    struct isal_zstream *s = &d->isal;
    if (!by_isal(d->level))
        return by_zlib(&d->zlib, data, bytes, last, out, room);
    /* Stateless: no memory of parts before, to which this one could refer. */
    isal_deflate_stateless_init(s);
    s->level = 1;
    s->level_buf = d->work;
    s->level_buf_size = sizeof d->work;
    s->end_of_stream = last;
    s->flush = last ? NO_FLUSH : FULL_FLUSH;
    s->next_in = (unsigned char *)data;
    s->avail_in = (uint32_t)bytes;
    s->next_out = out;
    s->avail_out = (uint32_t)room;
    return isal_deflate_stateless(s) == COMP_OK ? room - s->avail_out : 0;
}

uint32_t plu_adler32(const unsigned char *data, size_t bytes)
{
    return isal_adler32(1, data, bytes);
}
#else
size_t plu_deflate(plu_deflater *d, const unsigned char *data, size_t bytes, bool last,
                   unsigned char *out, size_t room)
{
    return by_zlib(&d->zlib, data, bytes, last, out, room);
}

uint32_t plu_adler32(const unsigned char *data, size_t bytes)
{
    return (uint32_t)adler32(adler32(0, NULL, 0), data, (uInt)bytes);
}
#endif

/* A byte 1 for final, else 0; then the length and its complement, low byte first (RFC 1951,
 * 3.2.4). */
size_t plu_deflate_stored(const unsigned char *data, size_t bytes, bool last, unsigned char *out,
                          size_t room)
{
    enum { HEAD = 5, MOST = 65535 };
    const size_t blocks = (bytes + MOST - 1) / MOST;
    unsigned char *to = out;
    if (room < bytes + blocks * HEAD)
        return 0;
    for (size_t k = 0; k < blocks; k++) {
        const size_t left = bytes - k * MOST, size = left < MOST ? left : MOST;
        const unsigned char head[HEAD] = {last && k + 1 == blocks, (unsigned char)size,
                                          (unsigned char)(size >> 8), (unsigned char)~size,
                                          (unsigned char)(~size >> 8)};
        memcpy(to, head, HEAD);
        memcpy(to + HEAD, data + k * MOST, size);
        to += HEAD + size;
    }
    return (size_t)(to - out);
}
