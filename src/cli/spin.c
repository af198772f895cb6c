/* Left alone, libgomp spins for a millisecond before a thread sleeps. Where other programs want the
 * same cores, the thread that is waited for may be the one that has none meanwhile: with one such
 * program beside two threads on two cores, a bed of 8,000 spheres took ten times as long and more
 * as with this count, which costs nothing on quiet cores.
 *
 * Why the program starts itself anew: libgomp reads GOMP_SPINCOUNT once, in a constructor of its
 * library, and no call changes it later. Constructors of the program run after those of its
 * libraries. Its .preinit_array runs before them, but also before the one in which the C library
 * takes over the environment (glibc 2.36: `environ` is NULL there), so that what setenv has added
 * is lost. It lasts in a program that is linked statically, which this one cannot be: SuiteSparse
 * and BLAS bring the shared libgomp with them. The new start costs some 20 ms of processor time. */
#include "spin.h"
#include <stdlib.h>
#include <unistd.h>

void plu_spin_briefly(char **argv)
{
    if (getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT"))
        return;
    char path[4096]; /* not the link itself: the process would be called `exe` */
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0 || sysconf(_SC_NPROCESSORS_ONLN) == 1)
        return;
    path[length] = '\0';
    if (setenv("GOMP_SPINCOUNT", "2000", 0) == 0)
        (void)execv(path, argv); /* if that fails: as it would be without */
}
