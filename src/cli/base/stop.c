#include "cli/base/stop.h"
#include <signal.h>
#include <stddef.h>

static const int stopping[] = {SIGINT, SIGTERM, SIGHUP};
enum { STOPPING = sizeof stopping / sizeof *stopping };

/* Static, because a signal handler can access nothing else. */
static volatile sig_atomic_t noted;

static void stop_note(int number)
{
    noted = number;
    for (int i = 0; i < STOPPING; i++)
        signal(stopping[i], SIG_DFL);
}

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
