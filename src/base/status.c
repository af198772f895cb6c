#include "pluvia/status.h"
#include "pluvia/log.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TAIL = 64 }; /* room kept for the line that says how many messages are missing */

static plu_status status_add(plu_error *err, plu_status status, const char *format,
                             va_list arguments)
{
    const size_t used = strlen(err->text);
    if (err->count++ == 0)
        err->status = status;
    char line[1024];
    vsnprintf(line, sizeof line, format, arguments);
    const size_t length = strlen(line);
    static const char more[] = "\n... and more errors";
    if (used + length + 2 + TAIL < sizeof err->text)
        snprintf(err->text + used, sizeof err->text - used, "%s%s", used ? "\n" : "", line);
    else if (!strstr(err->text, more))
        snprintf(err->text + used, sizeof err->text - used, "%s", more);
    return status;
}

plu_status plu_fail(plu_error *err, plu_status status, const char *format, ...)
{
    if (!err)
        return status;
    err->count = 0;
    err->text[0] = '\0';
    va_list arguments;
    va_start(arguments, format);
    status_add(err, status, format, arguments);
    va_end(arguments);
    return status;
}

plu_status plu_error_add(plu_error *err, plu_status status, const char *format, ...)
{
    if (!err)
        return status;
    va_list arguments;
    va_start(arguments, format);
    status_add(err, status, format, arguments);
    va_end(arguments);
    return status;
}

const char *plu_version(void)
{
    return PLU_VERSION;
}

void plu_log_write(const plu_log *log, plu_log_level level, const char *format, ...)
{
    if (!log || !log->write)
        return;
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    log->write(log->user, level, line);
}
