/* hash.h: 64-bit hash of bytes, for comparing states (not for security). */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define PLU_HASH_START UINT64_C(0xcbf29ce484222325)

/* Continues `hash` over `size` bytes, 8 at a time; the same on every little-endian machine. */
uint64_t plu_hash(uint64_t hash, const void *bytes, size_t size);

#endif
