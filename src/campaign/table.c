/* The table of a campaign, as CSV and as HDF5.
 *
 *   CSV    a line of names, a line a case; texts in quotes where they have commas, quotes or ends
 * of lines (RFC 4180); numbers as the shortest text that reads back as the same double; an unknown
 * number is an empty cell HDF5   a data set a column, in the groups inputs, measures and cost; the
 * campaign file as text
 *
 * Both are written as NAME.part and renamed. Columns are made by the caller (plu_table_column) and
 * filled directly. */
#include "base/memory.h"
#include "io/h5/h5.h"
#include "io/h5/system_file.h"
#include "pluvia/tool/campaign.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

plu_status plu_table_make(plu_table *table, int rows, int columns, plu_error *err)
{
    *table = (plu_table){.rows = rows};
    table->columns = plu_alloc((size_t)columns, sizeof *table->columns, err);
    if (!table->columns)
        return PLU_IO;
    table->columns_count = columns;
    return PLU_OK;
}

/* Texts begin as NULL, numbers as NAN: both are empty cells. */
plu_column *plu_table_column(plu_table *table, int index, const char *group, const char *name,
                             bool is_text)
{
    plu_column *column = &table->columns[index];
    snprintf(column->name, sizeof column->name, "%s", name);
    column->group = group;
    column->is_text = is_text;
    if (is_text)
        column->texts = plu_alloc((size_t)table->rows, sizeof *column->texts, NULL);
    else
        column->numbers = plu_alloc((size_t)table->rows, sizeof *column->numbers, NULL);
    for (int i = 0; column->numbers && i < table->rows; i++)
        column->numbers[i] = NAN;
    return column->texts || column->numbers ? column : NULL;
}

void plu_table_free(plu_table *table)
{
    for (int c = 0; c < table->columns_count; c++) {
        for (int i = 0; table->columns[c].texts && i < table->rows; i++)
            free(table->columns[c].texts[i]);
        free(table->columns[c].texts);
        free(table->columns[c].numbers);
    }
    free(table->columns);
    memset(table, 0, sizeof *table);
}

/* RFC 4180: quotes where the text has a comma, a quote or a line break. */
static void write_text(FILE *out, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (const char *c = text; *c; c++) {
        if (*c == '"')
            fputc('"', out);
        fputc(*c, out);
    }
    fputc('"', out);
}

/* Shortest of the usual lengths that reads back as the same number; empty: none. */
static void write_number(FILE *out, double number)
{
    char text[40];
    if (isnan(number))
        return;
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    fputs(text, out);
}

static void write_rows(FILE *out, const plu_table *table)
{
    for (int c = 0; c < table->columns_count; c++) {
        fputs(c ? "," : "", out);
        write_text(out, table->columns[c].name);
    }
    for (int i = 0; i < table->rows; i++)
        for (int c = 0; c < table->columns_count; c++) {
            const plu_column *column = &table->columns[c];
            fputc(c ? ',' : '\n', out);
            if (!column->is_text)
                write_number(out, column->numbers[i]);
            else if (column->texts[i])
                write_text(out, column->texts[i]);
        }
    fputc('\n', out);
}

plu_status plu_table_write_csv(const plu_table *table, const char *path, plu_error *err)
{
    char part[PLU_PATH + 16];
    snprintf(part, sizeof part, "%s.part", path);
    const char *const begins[] = {table->columns_count > 0 ? table->columns[0].name : NULL, NULL};
    const plu_status status = plu_fresh_clear(part, begins, err);
    if (status != PLU_OK)
        return status;
    FILE *out = fopen(part, "wx");
    if (!out)
        return plu_fail(err, PLU_IO, "%s: cannot write: %s", part, strerror(errno));
    write_rows(out, table);
    const bool failed = ferror(out);
    if (fclose(out) != 0 || failed || rename(part, path) != 0) {
        const int reason = errno;
        remove(part);
        return plu_fail(err, PLU_IO, "%s: cannot write: %s", path, strerror(reason));
    }
    return PLU_OK;
}

/* --- The table of a campaign as an HDF5 file: a dataset a column, one entry a case --- */

static void write_texts(plu_h5 *h5, hid_t parent, const plu_column *column, int rows)
{
    const char **texts = plu_alloc((size_t)rows, sizeof *texts, h5->err);
    if (!texts) {
        h5->status = PLU_IO;
        return;
    }
    for (int i = 0; i < rows; i++)
        texts[i] = column->texts[i] ? column->texts[i] : "";
    plu_h5_texts(h5, parent, column->name, rows, texts);
    free(texts);
}

static void write_numbers(plu_h5 *h5, hid_t parent, const plu_column *column, int rows)
{
    const plu_h5_layout layout = {
        .type = H5T_IEEE_F64LE, .rank = 1, .size = {(hsize_t)rows}, .chunk = {(hsize_t)rows}};
    const hid_t data = plu_h5_dataset(h5, parent, column->name, &layout);
    if (h5->status == PLU_OK)
        plu_h5_check(
            h5, H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, column->numbers),
            "write the column %s", column->name);
}

/* Columns of a group follow each other, so that a group is made once. */
static void write_columns(plu_h5 *h5, hid_t file, const plu_table *table)
{
    const char *group = NULL;
    hid_t parent = file;
    for (int c = 0; c < table->columns_count && h5->status == PLU_OK; c++) {
        const plu_column *column = &table->columns[c];
        if (!column->group)
            parent = file;
        else if (!group || strcmp(group, column->group) != 0)
            parent = plu_h5_group(h5, file, column->group);
        group = column->group;
        if (column->is_text)
            write_texts(h5, parent, column, table->rows);
        else
            write_numbers(h5, parent, column, table->rows);
    }
}

plu_status plu_table_write_h5(const plu_table *table, const char *path, const char *campaign,
                              plu_error *err)
{
    char part[PLU_PATH + 16];
    snprintf(part, sizeof part, "%s.part", path);
    const plu_status status = plu_fresh_clear(part, NULL, err);
    if (status != PLU_OK)
        return status;
    const plu_h5_quiet before = plu_h5_quiet_begin(NULL);
    plu_h5 h5 = {.path = path, .on_bad = PLU_IO, .status = PLU_OK, .err = err};
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    const hid_t file = H5Fcreate(part, H5F_ACC_EXCL, H5P_DEFAULT, access);
    if (plu_h5_check(&h5, file, "create the table")) {
        plu_h5_text(&h5, file, "campaign", campaign);
        write_columns(&h5, file, table);
        plu_h5_check(&h5, H5Fclose(file), "close the table");
    }
    H5Pclose(access);
    plu_h5_quiet_end(before);
    if (h5.status == PLU_OK && rename(part, path) != 0)
        h5.status = plu_fail(err, PLU_IO, "%s: cannot write: %s", path, strerror(errno));
    if (h5.status != PLU_OK)
        remove(part);
    return h5.status;
}
