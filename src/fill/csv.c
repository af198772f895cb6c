/* Reads spheres from a table: a line that names the columns, then a sphere a line. All that is
 * wrong is reported with its line, up to 20 messages, rather than the first one alone. Blank
 * lines, comments (#) and a byte order mark are skipped; zero bytes and lines that are too long
 * end the reading.
 *
 *   # positions in m
 *   x,y,z,radius,vx,vy,vz,time
 *   0.01,0.02,0.5,0.005,0,0,-0.1,0        time > 0 (s): released then
 *
 * x, y and z are needed, radius unless the scene gives one; all others default to 0. A header with
 * a mistake ends the reading at once: every line after it would be wrong, too. */
#include "fill/csv.h"
#include "base/memory.h"
#include "base/words.h"
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 4096, FIELDS = 64, ERRORS_SHOWN = 20, ROWS_MAX = INT_MAX - 1024 };

static const char *const names[PLU_CSV_COLUMNS] = {"x",  "y",  "z",  "radius", "vx",  "vy",
                                                   "vz", "wx", "wy", "wz",     "time"};
#define KNOWN "x, y, z, radius, vx, vy, vz, wx, wy, wz, time"

struct reader {
    plu_csv *csv;
    const char *path;
    plu_error *err;
    int line, errors;
    int columns;        /* fields of the header line, 0 before it */
    int column[FIELDS]; /* what each field of a line is; -1: unknown */
};

PLU_PRINTF(2, 3) static void complain(struct reader *reader, const char *format, ...)
{
    if (reader->errors++ >= ERRORS_SHOWN)
        return;
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    plu_error_add(reader->err, PLU_BAD_INPUT, "%s:%d: %s", reader->path, reader->line, text);
}

static int column_named(const char *name)
{
    for (int c = 0; c < PLU_CSV_COLUMNS; c++)
        if (strcmp(name, names[c]) == 0)
            return c;
    return -1;
}

static void read_header(struct reader *reader, char *line, bool need_radius)
{
    char *fields[FIELDS];
    reader->columns = plu_split(line, fields, FIELDS);
    if (reader->columns > FIELDS) {
        complain(reader, "%d columns; known are " KNOWN, reader->columns);
        return;
    }
    for (int f = 0; f < reader->columns; f++) {
        const int c = reader->column[f] = column_named(fields[f]);
        if (c < 0)
            complain(reader, "unknown column \"%s\"; known are " KNOWN, fields[f]);
        else if (reader->csv->has[c])
            complain(reader, "column \"%s\" occurs twice", fields[f]);
        else
            reader->csv->has[c] = true;
    }
    for (int c = PLU_CSV_X; c <= PLU_CSV_Z; c++)
        if (!reader->csv->has[c])
            complain(reader, "column \"%s\" is missing in the header line", names[c]);
    if (need_radius && !reader->csv->has[PLU_CSV_RADIUS])
        complain(reader,
                 "column \"radius\" is missing, and the scene does not give a radius either");
}

static void read_value(struct reader *reader, int column, const char *field, double *value)
{
    const char *name = names[column];
    char *end;
    *value = strtod(field, &end);
    if (*field == '\0')
        complain(reader, "the field of column \"%s\" is empty", name);
    else if (*end != '\0')
        complain(reader, "\"%s\" in column \"%s\" is not a number", field, name);
    else if (!isfinite(*value))
        complain(reader, "\"%s\" in column \"%s\" is not a finite number", field, name);
    else if (column == PLU_CSV_RADIUS && *value <= 0.0)
        complain(reader, "radius %g is not positive", *value);
}

static plu_status read_row(struct reader *reader, char *line)
{
    plu_csv *csv = reader->csv;
    char *fields[FIELDS];
    const int count = plu_split(line, fields, FIELDS);
    if (count != reader->columns) {
        complain(reader, "%d fields, but the header line names %d columns", count, reader->columns);
        return PLU_OK;
    }
    plu_csv_row row = {.line = reader->line};
    for (int f = 0; f < count; f++)
        read_value(reader, reader->column[f], fields[f], &row.value[reader->column[f]]);
    if (csv->count >= ROWS_MAX)
        return plu_error_add(reader->err, PLU_BAD_INPUT, "%s:%d: more than %d spheres",
                             reader->path, reader->line, ROWS_MAX);
    const plu_status status = plu_reserve(&csv->rows, &csv->capacity, (size_t)csv->count + 1,
                                          sizeof *csv->rows, 1, reader->err);
    if (status == PLU_OK)
        csv->rows[csv->count++] = row;
    return status;
}

/* The next line that is neither blank nor a comment; NULL at the end of the file. */
static char *next_line(struct reader *reader, FILE *file, char buffer[LINE])
{
    plu_line read;
    while ((read = plu_line_read(file, buffer, LINE)) != PLU_LINE_NONE) {
        reader->line++;
        if (read == PLU_LINE_LONG)
            complain(reader, "the line is longer than %d characters", LINE - 1);
        if (read == PLU_LINE_ZERO)
            complain(reader,
                     "the file contains a zero byte: is it UTF-16, damaged, or not a table?");
        if (read != PLU_LINE)
            return NULL;
        const bool mark = reader->line == 1 && strncmp(buffer, "\xEF\xBB\xBF", 3) == 0;
        char *line = plu_trimmed(buffer + (mark ? 3 : 0)); /* a byte order mark is no text */
        if (*line != '\0' && *line != '#')
            return line;
    }
    return NULL;
}

static plu_status read_lines(struct reader *reader, FILE *file, bool need_radius)
{
    char buffer[LINE], *line;
    plu_status status = PLU_OK;
    while (status == PLU_OK && (line = next_line(reader, file, buffer))) {
        if (reader->columns > 0) {
            status = read_row(reader, line);
            continue;
        }
        read_header(reader, line, need_radius);
        if (reader->errors > 0)
            break;
    }
    return status;
}

plu_status plu_csv_read(plu_csv *csv, const char *path, const char *where, bool need_radius,
                        plu_error *err)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return plu_error_add(err, PLU_BAD_INPUT, "%s: cannot open \"%s\": %s", where, path,
                             strerror(errno));
    struct reader reader = {.csv = csv, .path = path, .err = err};
    plu_status status = read_lines(&reader, file, need_radius);
    const int failed = ferror(file) ? errno : 0;
    fclose(file);
    if (failed)
        return plu_error_add(err, PLU_BAD_INPUT, "%s: cannot read \"%s\": %s", where, path,
                             strerror(failed));
    if (status != PLU_OK)
        return status;
    if (reader.errors > ERRORS_SHOWN)
        plu_error_add(err, PLU_BAD_INPUT, "%s: %d more errors", path, reader.errors - ERRORS_SHOWN);
    else if (reader.errors == 0 && csv->count == 0)
        return plu_error_add(
            err, PLU_BAD_INPUT,
            "%s: \"%s\" contains no spheres; it needs a header line that names its columns (" KNOWN
            ") and one line for each sphere",
            where, path);
    return reader.errors > 0 ? PLU_BAD_INPUT : PLU_OK;
}
