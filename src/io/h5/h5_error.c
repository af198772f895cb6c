/* Makes a message of HDF5's error stack, and keeps HDF5 to one thread at a time.
 *
 * HDF5 notes a failure from the inside out, an entry for each function; the cause is the
 * innermost:
 *
 *   H5Fopen: unable to open file
 *     H5FD_open: open failed
 *       failed (h5_ordered.c): unable to open the file, errno = 2, error message = ...   <- cause
 *
 * errno is known from the text alone ("errno = "), since HDF5 stores none. Between
 * plu_h5_quiet_begin and _end HDF5 prints nothing, other threads wait, and plu_reading() names the
 * foreign file that is read, for the handler of crashes. Calls may be nested. */
#include "io/h5/h5.h"
#include "pluvia/tool/paths.h"
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The path for plu_reading. Static, because a signal handler can access nothing else. */
static _Thread_local const char *volatile reading;

const char *plu_reading(void)
{
    return reading;
}

/* HDF5 has one state for the whole process, so it has one lock. */
static pthread_mutex_t alone = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local int nested;

plu_h5_quiet plu_h5_quiet_begin(const char *foreign)
{
    if (nested++ == 0)
        pthread_mutex_lock(&alone);
    plu_h5_quiet before = {NULL, NULL, reading};
    H5Eget_auto2(H5E_DEFAULT, &before.report, &before.data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    reading = foreign;
    return before;
}

void plu_h5_quiet_end(plu_h5_quiet before)
{
    reading = before.foreign;
    H5Eset_auto2(H5E_DEFAULT, before.report, before.data);
    if (--nested == 0)
        pthread_mutex_unlock(&alone);
}

/* The cause of a failure, from a walk over the error stack from the innermost function outward. */
typedef struct cause {
    char first[256]; /* the innermost description */
    int number;      /* errno of the operating system, 0: none given */
    bool lock;       /* it was the file lock */
} cause;

static herr_t h5_error_look(unsigned depth, const H5E_error2_t *entry, void *data)
{
    (void)depth;
    cause *found = data;
    const char *text = entry->desc ? entry->desc : "";
    if (!found->first[0])
        snprintf(found->first, sizeof found->first, "%s", text);
    const char *number = strstr(text, "errno = ");
    if (number && !found->number)
        found->number = (int)strtol(number + strlen("errno = "), NULL, 10);
    found->lock = found->lock || strstr(text, "unable to lock the file");
    return 0;
}

static bool is_held(const cause *found)
{
    return found->lock && (found->number == EAGAIN || found->number == EACCES);
}

/* Whether the last failure was a lock that another process holds. */
bool plu_h5_held(void)
{
    cause found = {"", 0, false};
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, h5_error_look, &found);
    return is_held(&found);
}

/* True: the operating system gave the reason, false: it is the file's. */
bool plu_h5_reason(char *buffer, size_t size)
{
    cause found = {"", 0, false};
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, h5_error_look, &found);
    if (is_held(&found))
        snprintf(buffer, size, "another program uses the file (a running simulation, or a reader)");
    else if (found.lock)
        snprintf(buffer, size,
                 "the file system refuses file locks (%s); set HDF5_USE_FILE_LOCKING=FALSE",
                 strerror(found.number));
    else if (found.number == ENOSPC)
        snprintf(buffer, size, "no space left on device");
    else if (found.number)
        snprintf(buffer, size, "%s", strerror(found.number));
    else if (found.first[0])
        snprintf(buffer, size, "HDF5 says \"%s\"", found.first);
    else
        snprintf(buffer, size, "HDF5 gives no reason");
    return found.lock || found.number != 0;
}

bool plu_h5_check(plu_h5 *h5, long long result, const char *format, ...)
{
    if (h5->status != PLU_OK)
        return false;
    if (result >= 0)
        return true;
    char what[256], reason[512];
    plu_h5_reason(reason, sizeof reason);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    h5->status = plu_fail(h5->err, h5->on_bad, "%s: cannot %s: %s", h5->path, what, reason);
    return false;
}
