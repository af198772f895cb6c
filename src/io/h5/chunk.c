/* A chunk on its way, of four numbers with bytes a (low, noise) to d (high):
 *
 *    numbers    a0 b0 c0 d0 | a1 b1 c1 d1 | a2 b2 c2 d2 | a3 b3 c3 d3
 *    shuffle    a0 a1 a2 a3 | b0 b1 b2 b3 | c0 c1 c2 c3 | d0 d1 d2 d3      a plane for each byte
 *    deflate    78 01 | stored a, b | compressed c, d | Adler-32           RFC 1950, 1951
 *    Fletcher   all of that | Fletcher-32
 *
 * Which planes are noise: among n bytes drawn from m equally frequent values two are equal with the
 * probability 1 / m, so that m is estimated by the pairs n (n - 1) / sum of c_v (c_v - 1), where
 * c_v is how often value v occurs in a sample of the plane (the inverse of Simpson's index).
 * Entropy coding saves at most 1 - log2(m) / 8 of its bytes: a quarter from m = 64 on. */
#include "io/h5/chunk.h"
#include "base/memory.h"
#include "base/team.h"
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHECKSUM = 4, /* bytes of Fletcher32, behind the compressed ones */
    HEAD = 2,
    ADLER = 4,        /* bytes of zlib's format around a deflate stream */
    NOISE = 64,       /* values that a plane has in effect (of 256), from which on it is stored */
    SAMPLES = 1024,   /* bytes of a plane that are looked at, about */
    LEAST_PLANE = 64, /* bytes; in smaller planes nothing can be distinguished */
    LEAST_TEAM = 1 << 16, /* bytes of a row from which on threads share its chunks */
    LARGEST_NUMBER = 8    /* bytes */
};

/* What a thread packs with. */
typedef struct packer {
    plu_deflater *deflater;
    int level;
    unsigned char *raw, *planes; /* [room]: a chunk that was filled up, and its shuffled bytes */
    size_t room;
} packer;

struct plu_chunks {
    packer *packers;
    int count;
    unsigned char *packed; /* [room]: all chunks, `stride` apart */
    size_t room, stride;
    size_t *bytes; /* [most]: of each chunk; 0: it could not be packed */
    size_t most;
};

plu_chunks *plu_chunks_new(plu_error *err)
{
    return plu_alloc(1, sizeof(plu_chunks), err);
}

void plu_chunks_free(plu_chunks *c)
{
    if (!c)
        return;
    for (int k = 0; k < c->count; k++) {
        plu_deflater_free(c->packers[k].deflater);
        free(c->packers[k].raw);
        free(c->packers[k].planes);
    }
    free(c->packers);
    free(c->packed);
    free(c->bytes);
    free(c);
}

/* Buffers for a chunk of `bytes`, and a compressor of `level`, made where they are first needed. */
static bool packer_prepare(packer *p, size_t bytes, int level)
{
    if (p->room < bytes) {
        free(p->raw);
        free(p->planes);
        p->raw = malloc(bytes);
        p->planes = malloc(bytes);
        p->room = p->raw && p->planes ? bytes : 0;
    }
    if (!p->deflater || p->level != level) {
        plu_deflater_free(p->deflater);
        p->deflater = plu_deflater_new(level);
        p->level = level;
    }
    return p->room > 0 && p->deflater;
}

/* How many equally frequent values would have two bytes of the plane equal as often as they are: 1
 * for a constant, about 256 for noise. */
static double values_in_effect(const unsigned char *plane, size_t count)
{
    uint32_t seen[256] = {0}, pairs = 0;
    const size_t stride = count / SAMPLES + 1, samples = (count + stride - 1) / stride;
    for (size_t i = 0; i < count; i += stride)
        seen[plane[i]]++;
    for (int v = 0; v < 256; v++)
        pairs += seen[v] * (seen[v] - 1);
    return pairs > 0 ? (double)samples * (double)(samples - 1) / pairs : 256.0;
}

static bool is_noise(const unsigned char *plane, size_t count)
{
    return count >= LEAST_PLANE && values_in_effect(plane, count) > NOISE;
}

/* The filter deflate: a stream of zlib (RFC 1950), in which neighboring planes of the same kind
 * share their blocks. Returns its bytes, 0: it did not fit, or there was no memory. */
static size_t deflate_planes(packer *p, const plu_chunk_row *row, unsigned char *packed,
                             size_t room)
{
    const size_t n = row->each, bytes = row->size * n;
    bool noise[LARGEST_NUMBER];
    size_t at = HEAD, next;
    memcpy(packed, "\x78\x01", HEAD);
    for (size_t k = 0; k < row->size; k++)
        noise[k] = is_noise(p->planes + k * n, n);
    for (size_t k = 0; k < row->size; k = next) {
        for (next = k + 1; next < row->size && noise[next] == noise[k];)
            next++;
        const unsigned char *run = p->planes + k * n;
        const bool last = next == row->size;
        const size_t size = (next - k) * n, left = room - at - ADLER,
                     written = noise[k]
                                   ? plu_deflate_stored(run, size, last, packed + at, left)
                                   : plu_deflate(p->deflater, run, size, last, packed + at, left);
        if (written == 0)
            return 0;
        at += written;
    }
    const uint32_t sum = plu_adler32(p->planes, bytes);
    for (int b = 0; b < ADLER; b++)
        packed[at + (size_t)b] = (unsigned char)(sum >> 8 * (ADLER - 1 - b));
    return at + ADLER;
}

/* The numbers of chunk k, filled up. */
static const unsigned char *chunk_numbers(packer *p, const plu_chunk_row *row, const void *numbers,
                                          size_t k)
{
    const unsigned char *begin = (const unsigned char *)numbers + k * row->each * row->size;
    const size_t left = row->total - k * row->each;
    if (left >= row->each)
        return begin;
    memcpy(p->raw, begin, left * row->size);
    memset(p->raw + left * row->size, 0, (row->each - left) * row->size);
    if (row->fill)
        for (size_t i = left; i < row->each; i++)
            memcpy(p->raw + i * row->size, row->fill, row->size);
    return p->raw;
}

static size_t pack_chunk(plu_chunks *c, packer *p, const plu_chunk_row *row, const void *numbers,
                         size_t k)
{
    unsigned char *packed = c->packed + k * c->stride;
    if (!packer_prepare(p, row->each * row->size, row->level))
        return 0;
    PLU_ISA_BEST(plu_shuffle)(p->planes, chunk_numbers(p, row, numbers, k), row->size, row->each);
    const size_t bytes = deflate_planes(p, row, packed, c->stride - CHECKSUM);
    const uint32_t sum = PLU_ISA_BEST(plu_fletcher32)(packed, bytes);
    for (int b = 0; b < CHECKSUM; b++)
        packed[bytes + (size_t)b] = (unsigned char)(sum >> 8 * b);
    return bytes > 0 ? bytes + CHECKSUM : 0;
}

static void pack_all(plu_chunks *c, const plu_chunk_row *row, const void *numbers, size_t chunks)
{
#pragma omp for schedule(dynamic)
    for (size_t k = 0; k < chunks; k++)
        c->bytes[k] = pack_chunk(c, &c->packers[omp_get_thread_num()], row, numbers, k);
}

/* A packer for each thread that there may be now. */
static bool make_packers(plu_chunks *c)
{
    const int threads = omp_get_max_threads();
    if (c->count >= threads)
        return true;
    packer *packers = realloc(c->packers, (size_t)threads * sizeof *packers);
    if (!packers)
        return false;
    memset(packers + c->count, 0, (size_t)(threads - c->count) * sizeof *packers);
    c->packers = packers;
    c->count = threads;
    return true;
}

/* Room for the packed chunks. Blocks that are stored, and changes of how planes are treated, add
 * less than a 32nd and a few bytes each. */
static bool make_room(plu_chunks *c, const plu_chunk_row *row, size_t chunks)
{
    const size_t bytes = row->each * row->size;
    c->stride = bytes + bytes / 32 + 1024;
    if (c->room < chunks * c->stride) {
        free(c->packed);
        c->room = chunks * c->stride;
        c->packed = malloc(c->room);
    }
    if (c->most < chunks) {
        free(c->bytes);
        c->most = chunks;
        c->bytes = calloc(chunks, sizeof *c->bytes);
    }
    if (c->packed && c->bytes)
        return true;
    c->room = c->packed ? c->room : 0;
    c->most = c->bytes ? c->most : 0;
    return false;
}

plu_status plu_chunks_pack(plu_chunks *c, const plu_chunk_row *row, const void *numbers,
                           plu_error *err)
{
    const size_t chunks = (row->total + row->each - 1) / row->each;
    bool packed = make_packers(c) && make_room(c, row, chunks);
    if (packed)
        PLU_TEAM(chunks > 1 && row->total * row->size >= LEAST_TEAM,
                 pack_all(c, row, numbers, chunks));
    for (size_t k = 0; packed && k < chunks; k++)
        packed = c->bytes[k] > 0;
    return packed ? PLU_OK : plu_fail(err, PLU_IO, "out of memory to compress a frame");
}

const void *plu_chunks_packed(const plu_chunks *c, size_t k, size_t *bytes)
{
    *bytes = c->bytes[k];
    return c->packed + k * c->stride;
}

/* --- rounding --- */

/* The largest power of two of which rounding to multiples has at most this error. */
static double quantum(double error)
{
    int exponent;
    frexp(2.0 * error, &exponent);
    return ldexp(1.0, exponent - 1);
}

void plu_round_rows(double *rows, int count, int components, double error,
                    const double (*position)[4])
{
    double radius = 0.0, unit = quantum(error);
    for (int i = 0; i < count; i++) {
        if (position && position[i][3] != radius) {
            radius = position[i][3];
            unit = quantum(error / radius);
        }
        double *row = rows + (size_t)i * (size_t)components;
        for (int k = 0; k < components; k++)
            row[k] = rint(row[k] / unit) * unit;
    }
}
