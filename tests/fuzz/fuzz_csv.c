/* Text tables: the first byte of the input says whether the rest is a file of spheres, the table of
 * a motion or that of a servo. */
#include "fill/csv.h"
#include "input.h"
#include "judge.h"
#include "scratch_file.h"
#include "world/motion_table.h"
#include <math.h>

/* One sentence a line, each with the place that it is about. */
static void sentences(plu_status status, const plu_error *err)
{
    require(status == PLU_BAD_INPUT && err->text[0]);
    for (const char *line = err->text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        require(*line && *line != '\n');
    }
}

static void spheres(bool need_radius)
{
    plu_csv csv = {0};
    plu_error err = {0};
    const plu_status status = plu_csv_read(&csv, scratch, "bodies[0]", need_radius, &err);
    if (status != PLU_OK) {
        sentences(status, &err);
    } else {
        require(csv.count > 0 && csv.has[PLU_CSV_X] && csv.has[PLU_CSV_Y] && csv.has[PLU_CSV_Z]);
        require(!need_radius || csv.has[PLU_CSV_RADIUS]);
        for (int i = 0; i < csv.count; i++) {
            require(csv.rows[i].line > (i ? csv.rows[i - 1].line : 1));
            for (int k = 0; k < PLU_CSV_COLUMNS; k++)
                require(isfinite(csv.rows[i].value[k]) &&
                        (csv.has[k] || csv.rows[i].value[k] == 0.0));
        }
    }
    free(csv.rows);
}

static void motion(const plu_motion_columns *columns)
{
    plu_motion_table table = {0};
    plu_error err = {0};
    const plu_status status =
        plu_motion_table_read(&table, scratch, "boundaries[0]", columns, &err);
    if (status != PLU_OK) {
        sentences(status, &err);
    } else {
        require(table.count >= 2);
        for (int i = 0; i < table.count; i++)
            require(isfinite(table.row[i].t) && (i == 0 || table.row[i].t > table.row[i - 1].t));
        for (int c = 0; c < PLU_MOTION_COLUMNS && columns->name[c]; c++) {
            require(plu_motion_table_value(&table, -HUGE_VAL, c) == table.row[0].value[c]);
            require(isfinite(
                plu_motion_table_value(&table, 0.5 * table.row[0].t + 0.5 * table.row[1].t, c)));
        }
    }
    free(table.row);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    scratch_fill(data + 1, size - 1);
    if (data[0] % 4 < 2)
        spheres(data[0] % 4 == 1);
    else
        motion(data[0] % 4 == 2 ? plu_place_columns : plu_servo_columns);
    return 0;
}
