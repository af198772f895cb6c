#include "cli/base/text.h"
#include <math.h>
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

enum { LONGEST = 63 };

static int smallest(int a, int b, int c)
{
    const int ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/* Levenshtein distance: letters to insert, remove or replace */
static int text_distance(const char *a, const char *b)
{
    const size_t length = strlen(b);
    if (length > LONGEST)
        return LONGEST;
    int row[LONGEST + 1];
    for (size_t j = 0; j <= length; j++)
        row[j] = (int)j;
    for (size_t i = 0; a[i]; i++) {
        int diagonal = row[0];
        row[0] = (int)i + 1;
        for (size_t j = 0; j < length; j++) {
            const int replace = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = smallest(replace, row[j] + 1, row[j + 1] + 1);
        }
    }
    return row[length];
}

plu_nearest plu_nearest_start(const char *word)
{
    /* A third of the letters may be wrong: "mesure", not "xyz". */
    return (plu_nearest){word, NULL, 2 + (int)(strlen(word) / 3)};
}

void plu_nearest_try(plu_nearest *nearest, const char *known)
{
    const size_t length = strlen(nearest->word);
    const int beginning = length > 0 && strncmp(nearest->word, known, length) == 0;
    const int letters = beginning ? 0 : text_distance(nearest->word, known);
    if (letters < nearest->distance) {
        nearest->best = known;
        nearest->distance = letters;
    }
}

const char *plu_text_bytes(double bytes, char *buffer, size_t size)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    int unit = 0;
    for (; bytes >= 999.5 && unit < 5; unit++)
        bytes /= 1000.0;
    snprintf(buffer, size, "%.*f %s", unit > 0 && bytes < 9.95, bytes, units[unit]);
    return buffer;
}

const char *plu_text_duration(double seconds, char *buffer, size_t size)
{
    if (!(seconds < 1e9)) {
        snprintf(buffer, size, "--:--");
        return buffer;
    }
    const long s = lround(seconds);
    if (s < 3600)
        snprintf(buffer, size, "%ld:%02ld", s / 60, s % 60);
    else
        snprintf(buffer, size, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
    return buffer;
}
