/* cpu.h: which of the instruction sets that some functions are compiled for this processor has. */
#ifndef BASE_CPU_H
#define BASE_CPU_H

typedef enum plu_isa { PLU_ISA_PLAIN, PLU_ISA_AVX2, PLU_ISA_AVX512 } plu_isa;

static inline plu_isa plu_cpu_isa(void)
{
#if defined(PLU_X86_64)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
        return PLU_ISA_AVX512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return PLU_ISA_AVX2;
#endif
    return PLU_ISA_PLAIN;
}

#endif
