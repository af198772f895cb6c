#include "base/hash.h"
#include <string.h>

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 32;
}

uint64_t plu_hash(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    uint64_t word;
    for (; size >= sizeof word; at += sizeof word, size -= sizeof word) {
        memcpy(&word, at, sizeof word);
        hash = mix(hash, word);
    }
    word = 0;
    memcpy(&word, at, size);
    return mix(hash, word ^ (uint64_t)size << 56);
}

void plu_hash_columns(uint64_t *hash, const plu_hash_column *columns, int count, size_t rows)
{
    for (size_t i = 0; i < rows; i++)
        for (int c = 0; c < count; c++) {
            const unsigned char *at = columns[c].rows;
            for (int k = 0; k < columns[c].words; k++) {
                uint64_t word;
                memcpy(&word, at + i * columns[c].stride + (size_t)k * sizeof word, sizeof word);
                hash[c] = mix(hash[c], word);
            }
        }
    for (int c = 0; c < count; c++)
        hash[c] = mix(hash[c], 0);
}
