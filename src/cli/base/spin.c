/* By default libgomp spins for a millisecond before a waiting thread sleeps. If other programs use
 * the same cores, spinning threads can keep the thread for which they wait from running: with one
 * such program beside two threads on two cores, a bed of 8,000 spheres took more than ten times as
 * long as with this count, which costs nothing on quiet cores.
 *
 * The program has to execute itself again, because libgomp reads GOMP_SPINCOUNT only once, in a
 * constructor of its library. Constructors of the program run after those of its libraries. The
 * .preinit_array of the program runs before them, but also before the C library sets up the
 * environment (glibc 2.36: `environ` is NULL there), so that what setenv adds is lost. Executing
 * the program again takes some 5 ms of processor time, 20 with a shared HDF5 (option static_hdf5 of
 * the build). */
#include "cli/base/spin.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whether the words ask for one thread, which waits for none. Where they do so in a way that is not
 * recognized here, only time is lost. */
static bool is_alone(char **argv)
{
    static const char *const names[] = {"-j", "--threads", "--cores"};
    const char *threads = getenv("OMP_NUM_THREADS");
    for (int i = 1; argv[i]; i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            const size_t length = strlen(names[k]);
            if (strncmp(argv[i], names[k], length) != 0)
                continue;
            const char *rest = argv[i] + length;
            threads = *rest == '=' ? rest + 1 : *rest ? rest : argv[i + 1];
        }
    return threads && strcmp(threads, "1") == 0;
}

void plu_spin_briefly(char **argv)
{
    if (getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT") || is_alone(argv))
        return;
    char path[4096]; /* not the link itself: the process would be called `exe` */
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0 || sysconf(_SC_NPROCESSORS_ONLN) == 1)
        return;
    path[length] = '\0';
    if (setenv("GOMP_SPINCOUNT", "2000", 0) == 0)
        (void)execv(path, argv); /* if that fails: as it would be without */
}
