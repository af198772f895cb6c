#include "base/wait.h"
#include <time.h>

/* As often as waiting threads of a team look (cli/base/spin.c): some tens of microseconds, the time
 * that a tile takes. */
enum { LOOKS = 2000 };

static void pause_core(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

void plu_wait_long(const int *at, int value)
{
    for (int k = 0; __atomic_load_n(at, __ATOMIC_ACQUIRE) != value; k++)
        if (k < LOOKS)
            pause_core();
        else
            nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
}
