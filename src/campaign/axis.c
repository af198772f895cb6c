/* Reads one axis of a campaign: its keys and the values that they take together.
 *
 *     { key = "a"; values = [1, 2]; }            a = 1 | a = 2
 *     { key = ["a", "b"]; values = [[1, 2], [3, 4]]; }     (a, b) = (1, 2) | (3, 4)    together
 *     range, log_range with count                equal steps, or equal ratios, both ends included
 *     seeds = 3                                  seed = 1 | 2 | 3
 *     table = "file.csv"                         a row is one value of all its columns
 *
 * Values become texts in the form of an override (-s KEY=VALUE): so a case is what a user could
 * have typed. */
#include "base/memory.h"
#include "base/words.h"
#include "campaign/campaign.h"
#include "scene/describe.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MOST = 1000000, LINE = 1 << 16 };

static const plu_campaign_key keys[] = {
    {"key", PLU_ONE_OR_MORE_TEXTS, "text, a key as in -s KEY=VALUE, or a list of such texts"},
    {"name", PLU_ONE_OR_MORE_TEXTS, "text, a name for each key"},
    {"values", PLU_ANY_LIST, "a list of values; with several keys a list of lists"},
    {"range", PLU_TWO_NUMBERS, "two numbers, [first, last]"},
    {"log_range", PLU_TWO_NUMBERS, "two numbers > 0, [first, last]"},
    {"count", PLU_WHOLE_NUMBER, "a whole number, how many values a range has"},
    {"seeds", PLU_NUMBER_OR_LIST, "a whole number (seeds 1, 2, ...) or a list of seeds"},
    {"table", PLU_ONE_TEXT, "text, the path of a CSV file"},
    {NULL, PLU_ONE_TEXT, NULL},
};

static void axis_add(plu_reader *reader, plu_texts *texts, const char *text)
{
    if (reader->status == PLU_OK && plu_texts_add(texts, text) != PLU_OK)
        reader->status = PLU_IO;
}

/* Writes a value in the form of an override. */
static void write_value(FILE *out, const config_setting_t *setting)
{
    if (!config_setting_is_aggregate(setting)) {
        plu_print_scalar(out, setting);
        return;
    }
    for (int i = 0; i < config_setting_length(setting); i++) {
        fputs(i == 0 ? "[" : ", ", out);
        write_value(out, config_setting_get_elem(setting, (unsigned)i));
    }
    fputs(config_setting_length(setting) > 0 ? "]" : "[]", out);
}

static void add_value(plu_axis *axis, plu_reader *reader, const config_setting_t *setting)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out)
        write_value(out, setting);
    if (!out || fclose(out) != 0)
        reader->status = PLU_IO;
    else
        axis_add(reader, &axis->values, text);
    free(text);
}

/* One key: each element is a value. Several keys: an element that is a list has one for each of
 * them, any other holds for all. */
static void read_values(plu_axis *axis, plu_reader *reader, const config_setting_t *list)
{
    const int count = axis->keys.count;
    axis->rows = config_setting_length(list);
    for (int i = 0; i < axis->rows; i++) {
        const config_setting_t *row = config_setting_get_elem(list, (unsigned)i);
        if (config_setting_is_group(row)) {
            plu_complain(
                reader, plu_setting_place(reader, row),
                "a value of an axis must be a number, a text, true, false or a list of these");
            return;
        }
        const bool each = count > 1 && config_setting_is_aggregate(row);
        if (each && config_setting_length(row) != count) {
            plu_complain(reader, plu_setting_place(reader, row),
                         "value %d of the axis has %d entries, but the axis has %d keys", i + 1,
                         config_setting_length(row), count);
            return;
        }
        for (int k = 0; k < count; k++)
            add_value(axis, reader, each ? config_setting_get_elem(row, (unsigned)k) : row);
    }
}

/* Values are rounded, so that tables and folders show 0.3 and not 0.30000000000000004. */
char *plu_range_value(bool logarithmic, double low, double high, double t, char *text, size_t size)
{
    if (t == 0.0 || t == 1.0)
        snprintf(text, size, "%.15g", t == 0.0 ? low : high);
    else if (logarithmic)
        snprintf(text, size, "%.6g", exp((1.0 - t) * log(low) + t * log(high)));
    else
        snprintf(text, size, "%.9g", low + t * (high - low));
    return text;
}

static void read_range(plu_axis *axis, plu_reader *reader, const config_setting_t *range, int count)
{
    const bool logarithmic = axis->kind == PLU_AXIS_LOG_RANGE;
    axis->low = config_setting_get_float_elem(range, 0);
    axis->high = config_setting_get_float_elem(range, 1);
    const plu_place place = plu_setting_place(reader, range);
    if (logarithmic && !(axis->low > 0.0 && axis->high > 0.0)) {
        plu_complain(reader, place, "log_range: both ends must be > 0");
        return;
    }
    if (count < 1 || count > ROWS_MOST || (count == 1 && axis->low != axis->high)) {
        plu_complain(reader, place, "an axis with a range needs the key count, 2 to %d", ROWS_MOST);
        return;
    }
    axis->rows = count;
    for (int i = 0; i < count; i++) {
        char text[40];
        plu_range_value(logarithmic, axis->low, axis->high,
                        count > 1 ? (double)i / (count - 1) : 0.0, text, sizeof text);
        for (int k = 0; k < axis->keys.count; k++)
            axis_add(reader, &axis->values, text);
    }
}

static void read_seeds(plu_axis *axis, plu_reader *reader, const config_setting_t *seeds)
{
    axis_add(reader, &axis->keys, "seed");
    if (config_setting_is_aggregate(seeds)) {
        read_values(axis, reader, seeds);
        return;
    }
    axis->rows = config_setting_get_int(seeds);
    if (axis->rows < 1 || axis->rows > ROWS_MOST) {
        plu_complain(reader, plu_setting_place(reader, seeds), "seeds must be 1 to %d", ROWS_MOST);
        axis->rows = 0;
    }
    for (int i = 1; i <= axis->rows; i++) {
        char text[16];
        snprintf(text, sizeof text, "%d", i);
        axis_add(reader, &axis->values, text);
    }
}

/* Cuts `line` at its commas, those in quotes or brackets apart; adds the fields without blanks. */
static int axis_split(plu_reader *reader, char *line, plu_texts *fields)
{
    int count = 0, depth = 0;
    bool quoted = false, more = true;
    for (char *at = line, *start = line; more; at++) {
        quoted ^= *at == '"';
        depth += !quoted && *at && strchr("([", *at) ? 1 : 0;
        depth -= !quoted && *at && strchr(")]", *at) ? 1 : 0;
        if (*at && (*at != ',' || quoted || depth > 0))
            continue;
        more = *at != '\0';
        *at = '\0';
        while (isspace((unsigned char)*start))
            start++;
        for (char *end = at; end > start && isspace((unsigned char)end[-1]);)
            *--end = '\0';
        axis_add(reader, fields, start);
        count++;
        start = at + 1;
    }
    return count;
}

static void read_table_lines(plu_axis *axis, plu_reader *reader, plu_place place, const char *path,
                             FILE *file)
{
    char *line = plu_alloc(LINE, 1, NULL);
    plu_line read = PLU_LINE;
    bool fine = true;
    if (!line)
        reader->status = PLU_IO;
    for (int number = 1; fine && reader->status == PLU_OK &&
                         (read = plu_line_read(file, line, LINE)) != PLU_LINE_NONE;
         number++) {
        fine = read == PLU_LINE;
        if (!fine) {
            plu_complain(reader, place, "%s:%d: %s", path, number,
                         read == PLU_LINE_ZERO ? "the file contains a zero byte: is it UTF-16?"
                                               : "the line is too long");
            break;
        }
        char *text = line + (strncmp(line, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
        text += strspn(text, " \t");
        if (*text == '#' || text[strspn(text, " \t\r\n")] == '\0')
            continue;
        if (axis->keys.count == 0) {
            axis_split(reader, text, &axis->keys);
            continue;
        }
        const int fields = axis_split(reader, text, &axis->values);
        fine = fields == axis->keys.count;
        if (!fine)
            plu_complain(reader, place, "%s:%d: the line has %d fields, but the header has %d",
                         path, number, fields, axis->keys.count);
        axis->rows += fine;
    }
    free(line);
    if (fine && axis->rows == 0)
        plu_complain(reader, place, "%s: the table needs a line of keys and a line for each case",
                     path);
}

static void read_table(plu_axis *axis, plu_reader *reader, const config_setting_t *setting)
{
    const plu_place place = plu_setting_place(reader, setting);
    const char *name = config_setting_get_string(setting);
    const char *from = reader->scene->path, *slash = strrchr(from, '/');
    char path[2 * PLU_PATH];
    snprintf(path, sizeof path, "%.*s%s", slash && *name != '/' ? (int)(slash - from) + 1 : 0, from,
             name);
    FILE *file = fopen(path, "r");
    if (!file) {
        plu_complain(reader, place, "table: %s: %s", path, strerror(errno));
        return;
    }
    snprintf(axis->table, sizeof axis->table, "%s", path);
    read_table_lines(axis, reader, place, path, file);
    fclose(file);
}

/* Names of the columns: as given, else the last word of each key. */
static void name_columns(plu_axis *axis, plu_reader *reader, const config_setting_t *name)
{
    if (name)
        plu_campaign_texts(reader, name, &axis->columns);
    for (int k = 0; !name && k < axis->keys.count; k++) {
        const char *dot = strrchr(axis->keys.text[k], '.');
        axis_add(reader, &axis->columns, dot ? dot + 1 : axis->keys.text[k]);
    }
    if (axis->columns.count != axis->keys.count)
        plu_complain(reader, name ? plu_setting_place(reader, name) : axis->place,
                     "name: there are %d names for %d keys", axis->columns.count, axis->keys.count);
    for (int k = 0; k < axis->columns.count; k++) {
        const char *text = axis->columns.text[k];
        const size_t length = strlen(text);
        bool fine = length > 0 && length < PLU_NAME && !isdigit((unsigned char)*text);
        for (const char *c = text; *c; c++)
            fine = fine && (isalnum((unsigned char)*c) || *c == '_');
        if (!fine)
            plu_complain(reader, axis->place,
                         "\"%s\" is not a valid name of an input: use letters, digits and _ (the "
                         "key `name` of the axis gives another name)",
                         text);
    }
}

void plu_axis_read(plu_axis *axis, plu_reader *reader, config_setting_t *entry)
{
    memset(axis, 0, sizeof *axis);
    axis->place = plu_setting_place(reader, entry);
    const size_t before = reader->messages_count;
    if (!plu_campaign_check(reader, entry, keys))
        return;
    static const char *const sources[] = {[PLU_AXIS_VALUES] = "values",
                                          [PLU_AXIS_RANGE] = "range",
                                          [PLU_AXIS_LOG_RANGE] = "log_range",
                                          [PLU_AXIS_SEEDS] = "seeds",
                                          [PLU_AXIS_TABLE] = "table"};
    _Static_assert(sizeof sources / sizeof *sources == PLU_AXIS_KINDS, "a key for each kind");
    const config_setting_t *given = NULL;
    int source = PLU_AXIS_KINDS, found = 0;
    for (int i = 0; i < PLU_AXIS_KINDS; i++) {
        const config_setting_t *member = config_setting_get_member(entry, sources[i]);
        if (member && found++ == 0) {
            given = member;
            source = i;
        }
    }
    const config_setting_t *key = config_setting_get_member(entry, "key");
    const config_setting_t *count = config_setting_get_member(entry, "count");
    const bool ranged = source == PLU_AXIS_RANGE || source == PLU_AXIS_LOG_RANGE;
    const bool keyed = source == PLU_AXIS_VALUES || ranged;
    if (found != 1)
        plu_complain(reader, axis->place,
                     "an axis needs exactly one of values, range, log_range, seeds, table");
    else if (keyed != (key != NULL))
        plu_complain(reader, axis->place,
                     keyed ? "an axis of %s needs the key \"key\""
                           : "an axis of %s contains its keys already: remove \"key\"",
                     sources[source]);
    else if (count && !ranged)
        plu_complain(reader, axis->place, "count needs a range or a log_range");
    if (reader->messages_count > before)
        return;
    if (key)
        plu_campaign_texts(reader, key, &axis->keys);
    axis->kind = source;
    if (source == PLU_AXIS_VALUES)
        read_values(axis, reader, given);
    else if (source == PLU_AXIS_SEEDS)
        read_seeds(axis, reader, given);
    else if (source == PLU_AXIS_TABLE)
        read_table(axis, reader, given);
    else
        read_range(axis, reader, given, count ? config_setting_get_int(count) : 0);
    name_columns(axis, reader, config_setting_get_member(entry, "name"));
}

void plu_axis_free(plu_axis *axis)
{
    plu_texts_free(&axis->keys);
    plu_texts_free(&axis->columns);
    plu_texts_free(&axis->values);
}
