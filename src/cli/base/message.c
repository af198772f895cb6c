#include "cli/base/message.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void plu_message(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("pluvia: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

void plu_message_error(const plu_error *err)
{
    const char *line = err->text;
    for (;;) {
        const size_t length = strcspn(line, "\n");
        plu_message("%.*s", (int)length, line);
        if (!line[length])
            return;
        line += length + 1;
    }
}
