#include "cli/base/guard.h"
#include "pluvia/problem.h"
#include "pluvia/tool/paths.h"
#include "pluvia/trajectory.h"
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

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

static bool is_hdf5(const char *path)
{
    static const char signature[] = "\x89HDF\r\n\x1a\n";
    char start[sizeof signature] = "";
    struct stat found; /* from a pipe nothing may be taken away */
    FILE *file = stat(path, &found) == 0 && S_ISREG(found.st_mode) ? fopen(path, "rb") : NULL;
    if (!file)
        return false;
    const size_t got = fread(start, 1, sizeof signature - 1, file);
    fclose(file);
    return got == sizeof signature - 1 && memcmp(start, signature, got) == 0;
}

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
