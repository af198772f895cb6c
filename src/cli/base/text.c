/* Texts for people and programs: messages, the word that was probably meant, sizes and durations,
 * JSON.
 *
 * Messages go to stderr, a line each: "pluvia: WHAT". The word that was probably meant is the one
 * with the smallest Levenshtein distance, i.e. the fewest letters to insert, remove or replace:
 *
 *            ""  r  n                 cost of row[j + 1] = min(diagonal + (a != b),
 *       ""    0  1  2                                          above + 1, left + 1)
 *       r     1  0  1                 one row of the table is kept, which is overwritten
 *       u     2  1  1                 from left to right; `diagonal` is the entry above left
 *       n     3  2  1   "run", "rn"
 *
 * JSON is written by hand: strings are UTF-8 with escapes as RFC 8259 demands, bytes that are no
 * UTF-8 (names of files may have any) become U+FFFD, and numbers that are not finite become null.
 */
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
    /* Longer words are no misspellings of keys or options, all of which are shorter. */
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
    return (plu_nearest){word, NULL, 2 + (int)(strlen(word) / 3), 0};
}

/* A word that the known one begins with counts as distance 0, the shortest such wins; and a key may
 * be given without its group, if its last part is right to a quarter of the letters. */
void plu_nearest_try(plu_nearest *nearest, const char *known)
{
    const size_t length = strlen(nearest->word), size = strlen(known);
    const char *tail = strchr(nearest->word, '.') ? NULL : strrchr(known, '.');
    const bool beginning = length > 0 && strncmp(nearest->word, known, length) == 0;
    int letters = beginning ? 0 : text_distance(nearest->word, known);
    if (tail && text_distance(nearest->word, tail + 1) <= (int)length / 4)
        letters = text_distance(nearest->word, tail + 1); /* "angle" means pile.angle */
    if (letters < nearest->distance ||
        (beginning && letters == nearest->distance && size < nearest->size)) {
        nearest->best = known;
        nearest->distance = letters;
        nearest->size = size;
    }
}

/* For a `known` that does not live as long as `nearest`: it is copied to `kept` if it is the best.
 */
void plu_nearest_try_brief(plu_nearest *nearest, const char *known, char *kept, size_t size)
{
    plu_nearest_try(nearest, known);
    if (nearest->best != known)
        return;
    snprintf(kept, size, "%s", known);
    nearest->best = kept;
}

/* Three digits at most: units change at 999.5, which would be printed as 1000. */
const char *plu_text_bytes(double bytes, char *buffer, size_t size)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    int unit = 0;
    for (; bytes >= 999.5 && unit < 5; unit++)
        bytes /= 1000.0;
    snprintf(buffer, size, "%.*f %s", unit > 0 && bytes < 9.95, bytes, units[unit]);
    return buffer;
}

/* !(seconds < 1e9) also holds for NAN: an estimate that is not known yet. */
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

/* --- JSON --- */

/* Bytes of the code point that begins here (RFC 3629); 0: this is no UTF-8. */
static int length_of(const unsigned char *c)
{
    if (c[0] < 0x80)
        return 1;
    if (c[0] < 0xc2 || c[0] > 0xf4)
        return 0;
    const int length = c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;
    const unsigned char low = c[0] == 0xe0   ? 0xa0
                              : c[0] == 0xf0 ? 0x90
                                             : 0x80; /* no shorter form */
    const unsigned char high = c[0] == 0xed   ? 0x9f
                               : c[0] == 0xf4 ? 0x8f
                                              : 0xbf; /* no surrogate; the last one */
    if (c[1] < low || c[1] > high)
        return 0;
    for (int k = 2; k < length; k++)
        if ((c[k] & 0xc0) != 0x80)
            return 0;
    return length;
}

void plu_json_write_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (const char *c = text; *c;) {
        const int length = length_of((const unsigned char *)c);
        if (length == 0)
            fputs("\\ufffd", out);
        else if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else if ((unsigned char)*c < 0x20)
            fprintf(out, "\\u%04x", (unsigned)(unsigned char)*c);
        else
            fwrite(c, 1, (size_t)length, out);
        c += length > 0 ? length : 1;
    }
    fputc('"', out);
}

void plu_json_string(const char *text)
{
    plu_json_write_string(stdout, text);
}

void plu_json_key(const char *name, bool first)
{
    printf("%s", first ? "" : ", ");
    plu_json_string(name);
    printf(": ");
}

void plu_json_text(const char *name, const char *text)
{
    plu_json_key(name, false);
    plu_json_string(text);
}

void plu_json_integer(const char *name, long long value)
{
    plu_json_key(name, false);
    printf("%lld", value);
}

void plu_json_bool(const char *name, bool value)
{
    plu_json_key(name, false);
    printf(value ? "true" : "false");
}

/* 17 digits: the number that is read is the same double. JSON has neither nan nor inf. */
void plu_json_real(const char *name, double value, bool first)
{
    plu_json_key(name, first);
    if (isfinite(value))
        printf("%.17g", value);
    else
        printf("null");
}
