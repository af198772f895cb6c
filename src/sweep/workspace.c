#include "sweep/workspace.h"
#include "base/memory.h"
#include <omp.h>
#include <stdlib.h>
#include <time.h>

plu_workspace *plu_workspace_create(plu_error *err)
{
    return plu_alloc(1, sizeof(plu_workspace), err);
}

void plu_workspace_destroy(plu_workspace *w)
{
    if (!w)
        return;
    for (size_t i = 0; i < w->teams; i++)
        plu_anderson_free(&w->anderson[i]);
    free(w->anderson);
    plu_single_free(&w->single);
    free(w->results);
    free(w);
}

const plu_island_result *plu_workspace_results(const plu_workspace *w)
{
    return w->results;
}

double plu_workspace_seconds(const plu_workspace *w)
{
    return w->seconds;
}

double plu_workspace_fallback_seconds(const plu_workspace *w)
{
    return w->fallback_seconds;
}

bool plu_workspace_handed(const plu_workspace *w)
{
    return w->handed;
}

plu_status plu_workspace_reserve(plu_workspace *w, int islands, plu_error *err)
{
    const size_t threads = (size_t)omp_get_max_threads();
    if (w->teams < threads) {
        for (size_t i = 0; i < w->teams; i++)
            plu_anderson_free(&w->anderson[i]);
        free(w->anderson);
        w->anderson = plu_alloc(threads, sizeof *w->anderson, err);
        w->teams = w->anderson ? threads : 0;
        if (!w->anderson)
            return PLU_IO;
    }
    return plu_reserve(&w->results, &w->results_capacity, (size_t)islands, sizeof *w->results, 0,
                       err);
}

double plu_processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
