/* cpu.h: functions that are compiled once for each instruction set, and the choice among them.
 *
 * A file of such functions defines PLU_ISA(name); meson compiles it with PLU_ISA_SUFFIX = plain,
 * avx2 and avx512 and the flags that go with it. The processor decides at run time which one is
 * called; all give the same bits (no contraction to multiply-adds, lanes that do not see each
 * other, sums over eight lanes whatever the width). */
#ifndef BASE_CPU_H
#define BASE_CPU_H

#define PLU_ISA_JOIN(name, suffix) name##_##suffix
#define PLU_ISA_EXPAND(name, suffix) PLU_ISA_JOIN(name, suffix)
#define PLU_ISA(name) PLU_ISA_EXPAND(name, PLU_ISA_SUFFIX)

/* Declares the functions NAME_plain, NAME_avx2 and NAME_avx512 of one type. */
#define PLU_ISA_DECLARE(type, name) type name##_plain, name##_avx2, name##_avx512

/* Where contacts also come one by one, NAME_one is the same source compiled for a single lane. */
#define PLU_ISA_DECLARE_ONE(type, name) type name##_one

#if defined(PLU_X86_64)
static inline int plu_cpu_has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
}

static inline int plu_cpu_has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

/* The best of the three that this processor can run; with gcc's address sanitizer, one that is
 * compiled with it (src/meson.build). */
#if defined(__SANITIZE_ADDRESS__) && PLU_SANITIZED_AVX512
#define PLU_ISA_BEST(name) (plu_cpu_has_avx512() ? name##_avx512 : name##_plain)
#elif defined(__SANITIZE_ADDRESS__)
#define PLU_ISA_BEST(name) (plu_cpu_has_avx2() ? name##_avx2 : name##_plain)
#else
#define PLU_ISA_BEST(name)                                                                         \
    (plu_cpu_has_avx512() ? name##_avx512 : plu_cpu_has_avx2() ? name##_avx2 : name##_plain)
#endif
#else
#define PLU_ISA_BEST(name) name##_plain
#endif

#endif
