/* Compiled for each instruction set (base/cpu.h), and vectorized by the compiler. */
#include "io/h5/chunk.h"

static inline void shuffle_bytes(unsigned char *restrict planes, const unsigned char *restrict raw,
                                 size_t size, size_t count)
{
    for (size_t k = 0; k < size; k++)
        for (size_t i = 0; i < count; i++)
            planes[k * count + i] = raw[i * size + k];
}

/* Compilers vectorize the loops where they know the size. */
void PLU_ISA(plu_shuffle)(unsigned char *restrict planes, const unsigned char *restrict raw,
                          size_t size, size_t count)
{
    if (size == sizeof(double))
        shuffle_bytes(planes, raw, sizeof(double), count);
    else if (size == sizeof(float))
        shuffle_bytes(planes, raw, sizeof(float), count);
    else
        shuffle_bytes(planes, raw, size, count);
}

static uint32_t word_at(const unsigned char *data)
{
    return (uint32_t)data[0] << 8 | data[1];
}

/* Modulo 65535, where 0 is left to 0. */
static uint64_t folded(uint64_t sum)
{
    return sum > 0 ? (sum - 1) % UINT16_MAX + 1 : 0;
}

/* Words are taken block by block: within one none waits for the word before. */
uint32_t PLU_ISA(plu_fletcher32)(const unsigned char *data, size_t bytes)
{
    enum { WORDS = 64 };
    uint64_t first = 0, second = 0;
    size_t i = 0;
    for (; i + 2 * WORDS <= bytes; i += 2 * WORDS) {
        uint32_t sum = 0, weighted = 0;
        for (unsigned k = 0; k < WORDS; k++) {
            sum += word_at(data + i + 2 * (size_t)k);
            weighted += (WORDS - k) * word_at(data + i + 2 * (size_t)k);
        }
        second += WORDS * first + weighted;
        first += sum;
        if (i % (1 << 16) == 0) { /* long before they overflow */
            first = folded(first);
            second = folded(second);
        }
    }
    for (; i + 1 < bytes; i += 2) {
        first += word_at(data + i);
        second += first;
    }
    if (bytes % 2 == 1) {
        first += (uint64_t)data[bytes - 1] << 8;
        second += first;
    }
    return (uint32_t)(folded(second) << 16 | folded(first));
}
