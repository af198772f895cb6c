/* The tables of a calibration, two CSV files in the folder of the campaign.
 *
 *   points.csv  a row for each point of the grid and its refinements:
 *     friction,rolling_friction,round,seeds,pile.angle,pile.angle.error,pile.angle.z,chi2
 *     0.5,0.0001,0,3,24.1,0.2,-1.5,2.25
 *
 *   valley.csv  the valley of chi2 as a function of the last parameter, a row for each combination
 * of the others: best value, its limits, chi2 there, and whether the valley ends
 *     friction,rolling_friction,rolling_friction.low,rolling_friction.high,chi2,open,state
 *     0.5,0.00015,0.0001,0.0002,0.3,,valley
 *
 * `open` says at which end ("low", "high", "both") the valley reaches the end of the range, so
 * that the limit is none; `state` is "none" where no value meets the targets. Memory is asked for
 * column by column: the first failure is remembered and reported once, at the end. */
#include "cli/campaign/calibrate.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 2 * PLU_PATH };

/* The next column of a table under construction; NULL: no memory, before or now. */
typedef struct columns {
    plu_table table;
    int used;
    bool failed;
} columns;

static plu_column *next(columns *k, bool is_text, const char *name, const char *suffix)
{
    char full[256];
    snprintf(full, sizeof full, "%s%s", name, suffix);
    plu_column *column =
        k->failed ? NULL : plu_table_column(&k->table, k->used++, NULL, full, is_text);
    k->failed = !column;
    return column;
}

static void add_numbers(columns *k, const char *name, const char *suffix,
                        double number(const plu_calibration *, int row, int which),
                        const plu_calibration *c, int which)
{
    plu_column *column = next(k, false, name, suffix);
    for (int i = 0; column && i < k->table.rows; i++)
        column->numbers[i] = number(c, i, which);
}

static double parameter_of(const plu_calibration *c, int row, int which)
{
    return c->points[row].x[which];
}

static double mean_of(const plu_calibration *c, int row, int which)
{
    return c->points[row].counted > 0 ? c->points[row].mean[which] : NAN;
}

static double error_of(const plu_calibration *c, int row, int which)
{
    return c->points[row].error[which];
}

static double deviation_of(const plu_calibration *c, int row, int which)
{
    return plu_calibration_deviation(c, &c->points[row], which);
}

static double count_of(const plu_calibration *c, int row, int which)
{
    return which == 0 ? c->points[row].round : c->points[row].counted;
}

static double misfit_of(const plu_calibration *c, int row, int which)
{
    (void)which;
    return c->points[row].chi2;
}

/* Also after a failure: what was allocated is freed. */
static plu_status table_finish(columns *k, plu_status status, const char *folder, const char *name,
                               plu_error *err)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (status == PLU_OK)
        status = k->failed ? plu_fail(err, PLU_IO, "out of memory")
                           : plu_table_write_csv(&k->table, path, err);
    plu_table_free(&k->table);
    return status;
}

static plu_status write_points(const plu_calibration *c, const char *folder, plu_error *err)
{
    const plu_campaign *campaign = c->campaign;
    columns k = {.used = 0};
    const plu_status status =
        plu_table_make(&k.table, c->points_count,
                       campaign->parameters_count + 3 * campaign->targets_count + 3, err);
    if (status == PLU_OK) {
        for (int p = 0; p < campaign->parameters_count; p++)
            add_numbers(&k, campaign->parameter[p].name, "", parameter_of, c, p);
        add_numbers(&k, "round", "", count_of, c, 0);
        add_numbers(&k, "seeds", "", count_of, c, 1);
        for (int t = 0; t < campaign->targets_count; t++) {
            add_numbers(&k, campaign->targets[t].measure, "", mean_of, c, t);
            add_numbers(&k, campaign->targets[t].measure, ".error", error_of, c, t);
            add_numbers(&k, campaign->targets[t].measure, ".z", deviation_of, c, t);
        }
        add_numbers(&k, "chi2", "", misfit_of, c, 0);
    }
    return table_finish(&k, status, folder, PLU_POINTS_CSV, err);
}

/* `column`: value, low, high, chi2, open, state, in the order of the file. */
static void write_span(const plu_valley *row, int i, plu_column *const *column)
{
    static const char *const ends[] = {"", "low", "high", "both"};
    const plu_value_span *span = &row->span;
    column[3]->numbers[i] = span->chi2;
    column[5]->texts[i] = strdup(row->found ? "valley" : "none");
    if (!row->found)
        return;
    column[0]->numbers[i] = span->best;
    column[1]->numbers[i] = span->low;
    column[2]->numbers[i] = span->high;
    column[4]->texts[i] = strdup(ends[span->open_low + 2 * span->open_high]);
}

static plu_status write_valley(const plu_calibration *c, const plu_answer *answer,
                               const char *folder, plu_error *err)
{
    const int last = c->campaign->parameters_count - 1;
    const char *name = c->campaign->parameter[last].name;
    columns k = {.used = 0};
    const plu_status status = plu_table_make(&k.table, answer->valley_count, last + 6, err);
    if (status == PLU_OK) {
        for (int p = 0; p < last; p++) {
            plu_column *given = next(&k, false, c->campaign->parameter[p].name, "");
            for (int i = 0; given && i < answer->valley_count; i++)
                given->numbers[i] = answer->valley[i].given[p];
        }
        plu_column *const column[] = {next(&k, false, name, ""),      next(&k, false, name, ".low"),
                                      next(&k, false, name, ".high"), next(&k, false, "chi2", ""),
                                      next(&k, true, "open", ""),     next(&k, true, "state", "")};
        for (int i = 0; !k.failed && i < answer->valley_count; i++)
            write_span(&answer->valley[i], i, column);
    }
    return table_finish(&k, status, folder, PLU_VALLEY_CSV, err);
}

plu_status plu_calibrate_tables(const plu_calibration *c, const plu_answer *answer,
                                const char *folder, plu_error *err)
{
    const plu_status status = write_points(c, folder, err);
    return status == PLU_OK ? write_valley(c, answer, folder, err) : status;
}
