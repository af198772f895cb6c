/* hash.h: 64-bit hash of bytes, for comparing states (not for security). */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define PLU_HASH_START UINT64_C(0xcbf29ce484222325)

/* Continues `hash` over `size` bytes, 8 at a time; the same on every little-endian machine. */
uint64_t plu_hash(uint64_t hash, const void *bytes, size_t size);

/* Rows of `words` numbers of 8 bytes each, `stride` bytes apart. */
typedef struct plu_hash_column {
    const void *rows;
    size_t stride;
    int words;
} plu_hash_column;

/* As plu_hash for the rows of each column, one behind the other; all columns at a time, because
 * each word of one waits for the word before. */
void plu_hash_columns(uint64_t *hash, const plu_hash_column *columns, int count, size_t rows);

#endif
