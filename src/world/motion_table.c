/* A motion given as a table (motion_table.h): reading, and a monotone cubic between rows (F. N.
 * Fritsch & R. E. Carlson, SIAM J. Numer. Anal. 17 (1980) 238).
 *
 *                  o----      Hermite's cubic by values and slopes m_i at rows. Slopes are 0 where
 *                .'           secants on both sides differ in sign, and bounded by them elsewhere,
 *         o----o'             so that the curve never goes beyond two neighboring rows: what is
 *                             to stand still for a while does */
#include "world/motion_table.h"
#include "base/memory.h"
#include "base/words.h"
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 4096, FIELDS = PLU_MOTION_COLUMNS + 1 };

static const plu_motion_columns place = {
    {"x", "y", "z", "angle"}, "t, x, y, z, angle", "table of a motion"};
static const plu_motion_columns servo = {{"share"}, "t, share", "table of a servo"};
const plu_motion_columns *const plu_place_columns = &place, *const plu_servo_columns = &servo;

typedef struct reader {
    plu_motion_table *table;
    const char *path;
    const plu_motion_columns *columns;
    plu_error *err;
    int line;
    int fields;         /* of the header line, 0 before it */
    int column[FIELDS]; /* what each of them is */
} reader;

/* The name of column c of a table, t being the first. */
static const char *name_of(const reader *r, int c)
{
    return c == 0 ? "t" : r->columns->name[c - 1];
}

/* The column that is called `text`; FIELDS: none. */
static int column_of(const reader *r, const char *text)
{
    int c = 0;
    while (c < FIELDS && name_of(r, c) && strcmp(name_of(r, c), text) != 0)
        c++;
    return c < FIELDS && name_of(r, c) ? c : FIELDS;
}

static plu_status read_header(reader *r, char *line)
{
    char *field[FIELDS];
    bool has[FIELDS] = {false};
    r->fields = plu_split(line, field, FIELDS);
    const int known = r->fields <= FIELDS ? r->fields : 0;
    for (int f = 0; f < known; f++) {
        const int c = column_of(r, field[f]);
        if (c == FIELDS || has[c])
            return plu_error_add(r->err, PLU_BAD_INPUT, "%s:%d: %s column \"%s\"; known are %s",
                                 r->path, r->line, c == FIELDS ? "unknown" : "twice the", field[f],
                                 r->columns->known);
        has[r->column[f] = c] = true;
    }
    if (known < 2 || !has[0])
        return plu_error_add(r->err, PLU_BAD_INPUT,
                             "%s:%d: the header line must name t and some of %s, each once",
                             r->path, r->line, r->columns->known + strlen("t, "));
    return PLU_OK;
}

static plu_status read_row(reader *r, char *line)
{
    plu_motion_table *table = r->table;
    char *field[FIELDS], *end;
    plu_motion_row row = {.t = 0.0};
    if (plu_split(line, field, FIELDS) != r->fields)
        return plu_error_add(r->err, PLU_BAD_INPUT, "%s:%d: the header line names %d columns",
                             r->path, r->line, r->fields);
    for (int f = 0; f < r->fields; f++) {
        const double value = strtod(field[f], &end);
        if (end == field[f] || *end != '\0' || !isfinite(value))
            return plu_error_add(r->err, PLU_BAD_INPUT,
                                 "%s:%d: \"%s\" in column \"%s\" is not a finite number", r->path,
                                 r->line, field[f], name_of(r, r->column[f]));
        *(r->column[f] == 0 ? &row.t : &row.value[r->column[f] - 1]) = value;
    }
    if (table->count > 0 && !(row.t > table->row[table->count - 1].t))
        return plu_error_add(r->err, PLU_BAD_INPUT,
                             "%s:%d: t = %g must be larger than t = %g of the line before", r->path,
                             r->line, row.t, table->row[table->count - 1].t);
    const plu_status status = plu_reserve(&table->row, &table->capacity, (size_t)table->count + 1,
                                          sizeof *table->row, 1, r->err);
    if (status == PLU_OK)
        table->row[table->count++] = row;
    return status;
}

static plu_status read_lines(reader *r, FILE *file)
{
    char buffer[LINE];
    plu_status status = PLU_OK;
    plu_line read;
    while (status == PLU_OK && (read = plu_line_read(file, buffer, LINE)) != PLU_LINE_NONE) {
        r->line++;
        if (read != PLU_LINE)
            return plu_error_add(r->err, PLU_BAD_INPUT,
                                 "%s:%d: this line does not belong to a table", r->path, r->line);
        char *line = plu_trimmed(buffer);
        if (*line == '\0' || *line == '#')
            continue;
        status = r->fields > 0 ? read_row(r, line) : read_header(r, line);
    }
    return status;
}

static void motion_table_slopes(plu_motion_table *table);

plu_status plu_motion_table_read(plu_motion_table *table, const char *path, const char *where,
                                 const plu_motion_columns *columns, plu_error *err)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return plu_error_add(err, PLU_BAD_INPUT, "%s: cannot open \"%s\": %s", where, path,
                             strerror(errno));
    reader r = {.table = table, .path = path, .columns = columns, .err = err};
    plu_status status = read_lines(&r, file);
    const int failed = ferror(file) ? errno : 0;
    fclose(file);
    if (failed)
        return plu_error_add(err, PLU_BAD_INPUT, "%s: cannot read \"%s\": %s", where, path,
                             strerror(failed));
    if (status == PLU_OK && table->count < 2)
        return plu_error_add(err, PLU_BAD_INPUT,
                             "%s: \"%s\" is not a %s: it needs a header line that names its "
                             "columns (%s) and at least two rows",
                             where, path, columns->what, columns->known);
    if (status == PLU_OK)
        motion_table_slopes(table);
    return status;
}

static double secant(const plu_motion_row *row, int c)
{
    return (row[1].value[c] - row[0].value[c]) / (row[1].t - row[0].t);
}

/* With slopes of at most three times both secants each cubic is monotone (Fritsch & Carlson). */
static double limited(double slope, double before, double after)
{
    if (before * after <= 0.0)
        return 0.0;
    const double most = 3.0 * fmin(fabs(before), fabs(after));
    return fabs(slope) > most ? copysign(most, before) : slope;
}

/* The slopes of the cubics, once all rows are there. */
static void motion_table_slopes(plu_motion_table *table)
{
    plu_motion_row *row = table->row;
    const int last = table->count - 1;
    for (int c = 0; c < PLU_MOTION_COLUMNS; c++) {
        row[0].slope[c] = row[last].slope[c] = 0.0; /* it stands before and after */
        for (int i = 1; i < last; i++) {
            const double before = secant(&row[i - 1], c), after = secant(&row[i], c);
            row[i].slope[c] = limited(0.5 * (before + after), before, after);
        }
    }
}

/* The last row that is not later than t, but not the last of all. */
static const plu_motion_row *row_at(const plu_motion_table *table, double t)
{
    int low = 0, high = table->count - 1;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        *(table->row[middle].t <= t ? &low : &high) = middle;
    }
    return &table->row[low];
}

double plu_motion_table_value(const plu_motion_table *table, double t, int c)
{
    const plu_motion_row *a = row_at(table, t), *b = a + 1;
    const double share = fmax(0.0, fmin((t - a->t) / (b->t - a->t), 1.0));
    return (1.0 - share) * a->value[c] + share * b->value[c];
}

void plu_motion_table_place(const plu_motion_table *table, double t,
                            double value[PLU_MOTION_COLUMNS])
{
    memset(value, 0, PLU_MOTION_COLUMNS * sizeof *value);
    if (table->count == 0)
        return;
    const plu_motion_row *first = &table->row[0], *a = row_at(table, t), *b = a + 1;
    const double h = b->t - a->t, s = fmax(0.0, fmin((t - a->t) / h, 1.0)), r = 1.0 - s;
    for (int c = 0; c < PLU_MOTION_COLUMNS; c++)
        value[c] = r * r * (1.0 + 2.0 * s) * a->value[c] + s * s * (3.0 - 2.0 * s) * b->value[c] +
                   h * s * r * (r * a->slope[c] - s * b->slope[c]) - first->value[c];
}

void plu_motion_table_rate(const plu_motion_table *table, double t, double rate[PLU_MOTION_COLUMNS])
{
    memset(rate, 0, PLU_MOTION_COLUMNS * sizeof *rate);
    if (table->count == 0 || t < table->row[0].t || t >= table->row[table->count - 1].t)
        return;
    const plu_motion_row *a = row_at(table, t), *b = a + 1;
    const double h = b->t - a->t, s = (t - a->t) / h;
    for (int c = 0; c < PLU_MOTION_COLUMNS; c++)
        rate[c] = 6.0 * s * (1.0 - s) * (b->value[c] - a->value[c]) / h +
                  (1.0 - s) * (1.0 - 3.0 * s) * a->slope[c] + s * (3.0 * s - 2.0) * b->slope[c];
}
