#include "solve/sweep_lanes.h"

plu_sweep_blocks *plu_sweep_blocks_best(void)
{
#if defined(PLU_X86_64)
    if (__builtin_cpu_supports("avx512f"))
        return plu_sweep_blocks_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return plu_sweep_blocks_avx2;
#endif
    return plu_sweep_blocks_plain;
}
