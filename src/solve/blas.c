#include "solve/blas.h"
#include <dlfcn.h>
#include <stddef.h>

void plu_blas_use_one_thread(void)
{
    void *const program = dlopen(NULL, RTLD_LAZY);
    if (!program)
        return;
    void (*set_threads)(int) = NULL;
    *(void **)&set_threads = dlsym(program, "openblas_set_num_threads");
    if (set_threads)
        set_threads(1);
    dlclose(program);
}
