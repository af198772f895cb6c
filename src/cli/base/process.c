/* The process of the command, in three parts:
 *
 *   waiting threads  plu_spin_briefly  executes the program again with GOMP_SPINCOUNT
 *   signals          plu_stop_listen   the first SIGINT, SIGTERM or SIGHUP is noted: a run ends
 *                                      after its step, with its files complete (exit 128 + n);
 *                                      the second one has its usual effect and ends at once
 *   crashes          plu_guard_begin   HDF5 can crash on damaged files: where one is being read,
 *                                      a crash becomes a message and PLU_BAD_INPUT
 *                    plu_guard_survives  reads a file in a child process first
 *
 * plu_reading() (pluvia/tool/paths.h) says which file is being read; without one, a crash is ours
 * and goes to the handler that was there before. */
#include "cli/base/process.h"
#include "pluvia/problem.h"
#include "pluvia/tool/paths.h"
#include "pluvia/trajectory.h"
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* By default libgomp spins for a millisecond before a waiting thread sleeps. If other programs use
 * the same cores, spinning threads can keep the thread for which they wait from running: with one
 * such program beside two threads on two cores, a bed of 8,000 spheres took more than ten times as
 * long as with this count, which costs nothing on idle cores.
 *
 * The program has to execute itself again, because libgomp reads GOMP_SPINCOUNT only once, in a
 * constructor of its library. Constructors of the program run after those of its libraries. The
 * .preinit_array of the program runs before them, but also before the C library sets up the
 * environment (glibc 2.36: `environ` is NULL there), so that what setenv adds is lost. That would
 * work in a statically linked program, which this one cannot be: SuiteSparse and BLAS need the
 * shared libgomp. Executing the program again takes some 5 ms of processor time, 20 with a shared
 * HDF5 (option static_hdf5 of the build). */

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

static const int stopping[] = {SIGINT, SIGTERM, SIGHUP};
enum { STOPPING = sizeof stopping / sizeof *stopping };

/* Static, because a signal handler can access nothing else. */
static volatile sig_atomic_t noted;

/* Gives all of them back their usual effect, so that a run that hangs can be stopped. */
static void stop_note(int number)
{
    noted = number;
    for (int i = 0; i < STOPPING; i++)
        signal(stopping[i], SIG_DFL);
}

/* SA_RESTART: a write that a signal interrupts goes on, so that no file loses its end. A signal
 * that is ignored at the start stays ignored: `nohup` does so with SIGHUP. */
void plu_stop_listen(void)
{
    const struct sigaction action = {.sa_handler = stop_note, .sa_flags = SA_RESTART};
    for (int i = 0; i < STOPPING; i++) {
        struct sigaction old;
        if (sigaction(stopping[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(stopping[i], &action, NULL);
    }
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

bool plu_stop_code(int code)
{
    for (int i = 0; i < STOPPING; i++)
        if (code == 128 + stopping[i])
            return true;
    return false;
}

int plu_stop_signal(void)
{
    return noted;
}

static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
enum { CRASHES = sizeof crashes / sizeof *crashes, STACK = 1 << 16 };

/* Static, because a signal handler can access nothing else. It needs its own stack, because endless
 * recursion uses up the normal one. */
static struct sigaction before[CRASHES];
static _Alignas(16) char stack[STACK];

static bool guard_put(const char *text)
{
    return write(STDERR_FILENO, text, strlen(text)) >= 0;
}

/* The signal handler; calls async-signal-safe functions only. */
static void crashed(int number)
{
    const char *path = plu_reading();
    if (path) {
        const bool written =
            guard_put("pluvia: ") && guard_put(path) &&
            guard_put(": damaged: the HDF5 library crashes when it reads this file\n");
        _exit(written ? PLU_BAD_INPUT : PLU_IO);
    }
    for (int i = 0; i < CRASHES; i++)
        if (crashes[i] == number)
            sigaction(number, &before[i], NULL);
    raise(number);
}

void plu_guard_begin(void)
{
    const stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = crashed, .sa_flags = SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    sigaltstack(&own, NULL);
    for (int i = 0; i < CRASHES; i++)
        sigaction(crashes[i], &action, &before[i]);
}

/* The beginning of a regular file; others, such as pipes, are not opened: what is read from a pipe
 * is gone. */
bool plu_begins_with(const char *path, const char *mark)
{
    char start[32];
    const size_t length = strlen(mark);
    struct stat found;
    FILE *file = stat(path, &found) == 0 && S_ISREG(found.st_mode) ? fopen(path, "rb") : NULL;
    if (!file)
        return false;
    const size_t got = fread(start, 1, length < sizeof start ? length : sizeof start, file);
    fclose(file);
    return got == length && memcmp(start, mark, got) == 0;
}

static bool is_hdf5(const char *path)
{
    return plu_begins_with(path, "\x89HDF\r\n\x1a\n");
}

/* Whether the file can be read without a crash. A child process reads it, whose memory may break;
 * costs a second reading, and is therefore for lists of files only, where one bad file should not
 * keep the others from being solved. fflush: else both processes would print what is buffered. */
bool plu_guard_survives(const char *path)
{
    if (!is_hdf5(path))
        return true;
    int end;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        plu_contact_problem *problem;
        (void)plu_contact_problem_read(&problem, path, NULL);
        _exit(PLU_OK);
    }
    return child < 0 || waitpid(child, &end, 0) != child ||
           (WIFEXITED(end) && WEXITSTATUS(end) == PLU_OK);
}
