/* input.h: the bytes of a fuzzer, taken one at a time; beyond their end all are zero. */
#ifndef FUZZ_INPUT_H
#define FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct input {
    const uint8_t *at, *end;
} input;

static inline unsigned next(input *in)
{
    return in->at < in->end ? *in->at++ : 0;
}

#endif
