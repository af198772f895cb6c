/* Numbers from a text file that may be anything: the file is read whole, numbers are taken one
 * after the other, and a message names line and number of the first that is none. After a failure
 * every call returns 0, so that a reader reads straight on and looks at `status` once:
 *
 *   plu_text_open(&t, path, err)                   the file in memory, ended by a zero
 *   n = plu_text_int(&t, low, high, "rows")        the next number, over blanks and ends of lines
 *   x = plu_text_real(&t, "q")
 *   plu_text_bad(&t, "...")                        "path:line: ..."
 *   plu_text_close(&t) */
#include "io/problem/text_numbers.h"
#include "base/memory.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads up to `size` bytes; returns how many there were, < 0 with errno set. */
static ssize_t read_all(int file, char *data, size_t size)
{
    size_t have = 0;
    while (have < size) {
        const ssize_t got = read(file, data + have, size - have);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        have += (size_t)got;
    }
    return (ssize_t)have;
}

static plu_status read_file(plu_text *t, int file)
{
    struct stat found;
    if (fstat(file, &found) != 0)
        return plu_fail(t->err, PLU_IO, "cannot open %s: %s", t->path, strerror(errno));
    if (!S_ISREG(found.st_mode))
        return plu_fail(t->err, PLU_BAD_INPUT, "%s: %s, not a contact problem", t->path,
                        S_ISDIR(found.st_mode) ? "a folder" : "not a regular file");
    t->data = plu_alloc((size_t)found.st_size + 1, 1, t->err);
    if (!t->data)
        return PLU_IO;
    const ssize_t have = read_all(file, t->data, (size_t)found.st_size);
    if (have < 0)
        return plu_fail(t->err, PLU_IO, "cannot read %s: %s", t->path, strerror(errno));
    t->at = t->data;
    t->end = t->data + have;
    t->data[have] = '\0';
    return PLU_OK;
}

plu_status plu_text_open(plu_text *t, const char *path, plu_error *err)
{
    *t = (plu_text){.path = path, .line = 1, .status = PLU_OK, .err = err};
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return t->status = plu_fail(err, PLU_IO, "cannot open %s: %s", path, strerror(errno));
    t->status = read_file(t, file);
    close(file);
    return t->status;
}

void plu_text_close(plu_text *t)
{
    free(t->data);
    t->data = NULL;
}

void plu_text_bad(plu_text *t, const char *format, ...)
{
    if (t->status != PLU_OK)
        return;
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    t->status = plu_fail(t->err, PLU_BAD_INPUT, "%s:%d: %s", t->path, t->line, what);
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static const char *skip_space(const char *at, const char *end)
{
    while (at < end && is_space(*at))
        at++;
    return at;
}

static const char *skip_word(const char *at, const char *end)
{
    while (at < end && !is_space(*at))
        at++;
    return at;
}

/* Goes to the next word and returns its end. */
static const char *next_word(plu_text *t)
{
    for (; t->at < t->end && is_space(*t->at); t->at++)
        t->line += *t->at == '\n';
    return skip_word(t->at, t->end);
}

/* The word from `at` to `end` in a message: cut short, without control characters. */
static void quote(const plu_text *t, const char *end, char quoted[40])
{
    int n = 0;
    for (const char *c = t->at; c < end && n < 32; c++)
        quoted[n++] = *c > ' ' && *c < 127 ? *c : '?';
    snprintf(quoted + n, 40 - (size_t)n, "%s", end - t->at > 32 ? "..." : "");
}

static bool at_end(plu_text *t, const char *what)
{
    next_word(t);
    if (t->status == PLU_OK && t->at == t->end)
        plu_text_bad(t, "the file ends before %s; was it cut off?", what);
    return t->status != PLU_OK;
}

int plu_text_int(plu_text *t, int low, int high, const char *what)
{
    if (at_end(t, what))
        return 0;
    const char *end = next_word(t);
    char *stop, quoted[40];
    errno = 0;
    const long value = strtol(t->at, &stop, 10);
    if (stop != end || errno != 0 || value < low || value > high) {
        quote(t, end, quoted);
        plu_text_bad(t, "%s is \"%s\"; it must be a whole number from %d to %d", what, quoted, low,
                     high);
        return 0;
    }
    t->at = end;
    return (int)value;
}

double plu_text_real(plu_text *t, const char *what)
{
    if (at_end(t, what))
        return 0.0;
    const char *end = next_word(t);
    char *stop, quoted[40];
    const double value = strtod(t->at, &stop);
    if (stop != end || !isfinite(value)) {
        quote(t, end, quoted);
        plu_text_bad(t, "%s is \"%s\"; it must be a finite number", what, quoted);
        return 0.0;
    }
    t->at = end;
    return value;
}

bool plu_text_ahead(const plu_text *t, int ahead, const char *word)
{
    const char *at = skip_space(t->at, t->end);
    for (int k = 0; k < ahead; k++)
        at = skip_space(skip_word(at, t->end), t->end);
    const size_t length = (size_t)(skip_word(at, t->end) - at);
    return t->status == PLU_OK && length == strlen(word) && memcmp(at, word, length) == 0;
}

bool plu_text_ahead_is_whole(const plu_text *t)
{
    const char *at = skip_space(t->at, t->end), *end = skip_word(at, t->end);
    at += at < end && (*at == '-' || *at == '+');
    const char *digits = at;
    while (at < end && isdigit((unsigned char)*at))
        at++;
    return t->status == PLU_OK && at == end && at > digits;
}

void plu_text_expect_number(plu_text *t, const char *what, const char *otherwise)
{
    const char *end = next_word(t);
    char *stop, quoted[40];
    (void)strtod(t->at, &stop);
    if (t->at == t->end || stop == end)
        return;
    quote(t, end, quoted);
    plu_text_bad(t, "%s is \"%s\", which is not a number: %s", what, quoted, otherwise);
}

bool plu_text_word(plu_text *t, const char *word)
{
    const bool found = plu_text_ahead(t, 0, word);
    if (found)
        t->at = next_word(t);
    return found;
}

void plu_text_skip(plu_text *t)
{
    next_word(t);
}

void plu_text_rest_of_line(plu_text *t, char *buffer, size_t size)
{
    size_t n = 0;
    for (; t->at < t->end && *t->at != '\n'; t->at++)
        if (n + 1 < size)
            buffer[n++] = *t->at;
    buffer[n] = '\0';
}

size_t plu_text_left(const plu_text *t, size_t most)
{
    size_t count = 0;
    const char *at = skip_space(t->at, t->end);
    for (; at < t->end && count < most; count++)
        at = skip_space(skip_word(at, t->end), t->end);
    return count;
}

int plu_text_most(const plu_text *t)
{
    const ptrdiff_t words = (t->end - t->at) / 2 + 1;
    return words < INT_MAX / 8 ? (int)words : INT_MAX / 8;
}
