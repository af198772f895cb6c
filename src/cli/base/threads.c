#include "cli/base/threads.h"
#include <omp.h>
#include <stdlib.h>

plu_status plu_threads_set(const plu_arguments *arguments, int option, bool *free, plu_error *err)
{
    long threads;
    const bool given = plu_argument_given(arguments, option);
    *free = !given && !getenv("OMP_NUM_THREADS");
    if (!given)
        return PLU_OK;
    const plu_status status = plu_argument_integer(arguments, option, 1, 1024, &threads, err);
    if (status == PLU_OK)
        omp_set_num_threads((int)threads);
    return status;
}
