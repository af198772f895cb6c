/* The result of a sweep: the table of all cases, and a summary.
 *
 *   table.csv   case,friction,seed,pile.angle,status,exit,reason,inputs_hash,wall_seconds,...
 *               mu=0.3,0.3,1,24.1,done,0,,0123456789abcdef,4.2,...
 *   table.h5    the same by columns, in the groups inputs, measures and cost, with the campaign
 * file means.csv   means over seeds (sweep_means.c)
 *
 * Columns: the case, its inputs, its measures, then what became of it. A case that failed or is
 * missing has its row with empty measures. The table is made anew from the results on the disk
 * each time, so that shards that end at different times leave a complete one. */
#include "cli/base/text.h"
#include "cli/campaign/sweep.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { PATH = 2 * PLU_PATH };

/* Columns beside inputs and measures. */
enum { CASE, STATUS, EXIT, REASON, INPUTS_HASH, WALL, CPU, THREADS, OTHERS };
static const struct {
    const char *name, *group;
    bool is_text;
} others[] = {
    [CASE] = {"case", NULL, true},
    [STATUS] = {"status", NULL, true},
    [EXIT] = {"exit", NULL, false},
    [REASON] = {"reason", NULL, true},
    [INPUTS_HASH] = {"inputs_hash", NULL, true},
    [WALL] = {"wall_seconds", "cost", false},
    [CPU] = {"cpu_seconds", "cost", false},
    [THREADS] = {"threads", "cost", false},
};
_Static_assert(sizeof others / sizeof *others == OTHERS, "a row for each column");

/* In the order of the columns of the table. */
typedef struct columns {
    plu_column *first, *input, *measure, *last;
    int measures;
    bool *seen; /* of each measure: some result has it */
} columns;

/* An input is a column of texts unless all of its values are numbers. */
static bool input_is_text(const plu_campaign *campaign, int input)
{
    for (int i = 0; i < campaign->cases_count; i++) {
        char *end;
        const char *value = campaign->cases[i].values[input];
        strtod(value, &end);
        if (end == value || *end)
            return true;
    }
    return false;
}

/* Columns are made in the order of the table; pointers into it stay, since it does not grow. */
static bool make_columns(plu_table *table, const plu_case_sweep *sweep, columns *c)
{
    const plu_campaign *campaign = &sweep->campaign;
    int at = 0;
    bool fine = true;
    c->first = &table->columns[at];
    fine = fine && plu_table_column(table, at++, NULL, "case", true);
    c->input = &table->columns[at];
    for (int k = 0; k < campaign->columns.count; k++)
        fine = fine && plu_table_column(table, at++, "inputs", campaign->columns.text[k],
                                        input_is_text(campaign, k));
    c->measure = &table->columns[at];
    c->measures = campaign->measures.count;
    for (int m = 0; m < c->measures; m++)
        fine = fine && plu_table_column(table, at++, "measures", campaign->measures.text[m], false);
    c->last = &table->columns[at - 1]; /* so that last[STATUS] is the next column */
    for (int o = STATUS; o < OTHERS; o++)
        fine = fine &&
               plu_table_column(table, at++, others[o].group, others[o].name, others[o].is_text);
    return fine;
}

static const char *status_name(plu_case_state state)
{
    static const char *const names[] = {[PLU_CASE_OPEN] = "missing",
                                        [PLU_CASE_CHANGED] = "missing",
                                        [PLU_CASE_DONE] = "done",
                                        [PLU_CASE_FAILED] = "failed"};
    _Static_assert(sizeof names / sizeof *names == PLU_CASE_STATES, "a word for each state");
    return names[state];
}

static double number_of(const plu_result *result, const char *name)
{
    const plu_member *member = plu_result_find(result, name);
    return member ? member->number : NAN;
}

/* A text may stand in quotes in the campaign file; the table has it without. */
static void fill_input(plu_column *column, int row, const char *value)
{
    if (!column->is_text) {
        column->numbers[row] = strtod(value, NULL);
        return;
    }
    const size_t length = strlen(value);
    const bool quoted = length >= 2 && *value == '"' && value[length - 1] == '"';
    column->texts[row] = quoted ? strndup(value + 1, length - 2) : strdup(value);
}

static void fill_row(const plu_case_sweep *sweep, int row, columns *c)
{
    const plu_campaign *campaign = &sweep->campaign;
    const plu_case_state state = sweep->cases[row].state;
    char hash[32];
    plu_result result;
    plu_sweep_result(sweep, row, &result);
    c->first->texts[row] = strdup(campaign->cases[row].name);
    for (int k = 0; k < campaign->columns.count; k++)
        fill_input(&c->input[k], row, campaign->cases[row].values[k]);
    for (int m = 0; m < c->measures && state == PLU_CASE_DONE; m++) {
        const plu_member *member = plu_sweep_measure(&result, campaign->measures.text[m]);
        c->measure[m].numbers[row] = member ? member->number : NAN;
        c->seen[m] = c->seen[m] || member;
    }
    const plu_member *reason = plu_result_find(&result, "reason");
    snprintf(hash, sizeof hash, "%016" PRIx64, sweep->cases[row].hash);
    c->last[STATUS].texts[row] = strdup(status_name(state));
    c->last[EXIT].numbers[row] = number_of(&result, "exit");
    c->last[REASON].texts[row] = strdup(reason && reason->text ? reason->text : "");
    c->last[INPUTS_HASH].texts[row] = strdup(hash);
    c->last[WALL].numbers[row] = number_of(&result, "wall_seconds");
    c->last[CPU].numbers[row] = number_of(&result, "cpu_seconds");
    c->last[THREADS].numbers[row] = number_of(&result, "threads");
    plu_result_free(&result);
}

static plu_status write_tables(const plu_case_sweep *sweep, const plu_table *table, plu_error *err)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s/" PLU_TABLE_CSV, sweep->folder);
    const plu_status status = plu_table_write_csv(table, path, err);
    if (status != PLU_OK)
        return status;
    snprintf(path, sizeof path, "%s/" PLU_TABLE_H5, sweep->folder);
    return plu_table_write_h5(table, path, sweep->campaign.text, err);
}

/* Reads and writes under a lock, so that of several shards the last one writes all. */
plu_status plu_sweep_table(plu_case_sweep *sweep, plu_error *err)
{
    const plu_campaign *campaign = &sweep->campaign;
    char path[PATH];
    plu_status status = plu_sweep_make_folder(sweep->folder, err);
    if (status != PLU_OK)
        return status;
    snprintf(path, sizeof path, "%s/table.lock", sweep->folder);
    const int lock = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (lock < 0 || flock(lock, LOCK_EX) != 0) {
        const int reason = errno;
        if (lock >= 0)
            close(lock);
        return plu_fail(err, PLU_IO, "%s: cannot lock: %s", path, strerror(reason));
    }
    plu_table table;
    columns c = {.seen = calloc((size_t)campaign->measures.count + 1, sizeof *c.seen)};
    const int count = campaign->columns.count + campaign->measures.count + OTHERS;
    status = plu_table_make(&table, campaign->cases_count, count, err);
    if (status == PLU_OK && (!c.seen || !make_columns(&table, sweep, &c)))
        status = plu_fail(err, PLU_IO, "out of memory");
    for (int i = 0; i < campaign->cases_count && status == PLU_OK; i++) {
        plu_sweep_look(sweep, i);
        status = plu_sweep_late_statistics(sweep, i, err);
        fill_row(sweep, i, &c);
    }
    if (status == PLU_OK)
        status = write_tables(sweep, &table, err);
    if (status == PLU_OK)
        status = plu_sweep_means(sweep, c.input, c.measure, err);
    if (status == PLU_OK)
        plu_sweep_tell_windows(sweep);
    if (status == PLU_OK)
        status = plu_sweep_unseen_measures(sweep, c.seen, err);
    plu_table_free(&table);
    free(c.seen);
    close(lock);
    return status;
}

int plu_sweep_verdict(const plu_case_sweep *sweep)
{
    int bad = 0;
    for (int i = 0; i < sweep->campaign.cases_count; i++)
        bad += sweep->cases[i].mine && sweep->cases[i].state != PLU_CASE_DONE;
    return bad > 0 ? PLU_DIFFERENT : PLU_OK;
}

static void print_failed(const plu_case_sweep *sweep, int index)
{
    plu_result result;
    plu_sweep_result(sweep, index, &result);
    const plu_member *reason = plu_result_find(&result, "reason");
    printf("failed        %s: exit code %.0f, %s\n", sweep->campaign.cases[index].name,
           number_of(&result, "exit"), reason && reason->text ? reason->text : "");
    plu_result_free(&result);
}

void plu_sweep_summary(const plu_case_sweep *sweep)
{
    int count[4] = {0};
    double wall = 0.0;
    char text[32];
    for (int i = 0; i < sweep->campaign.cases_count; i++) {
        count[sweep->cases[i].state]++;
        wall += sweep->cases[i].state == PLU_CASE_DONE ? sweep->cases[i].wall : 0.0;
    }
    printf("cases         %d: %d done (%d now), %d failed, %d missing\n",
           sweep->campaign.cases_count, count[PLU_CASE_DONE], sweep->done_now,
           count[PLU_CASE_FAILED], count[PLU_CASE_OPEN] + count[PLU_CASE_CHANGED]);
    printf(
        "cost          %s of wall time for completed cases, %s%d thread%s per case, %d at a time\n",
        plu_text_duration(wall, text, sizeof text), plu_sweep_up_to(sweep), sweep->threads,
        sweep->threads == 1 ? "" : "s", sweep->workers);
    printf("table         %s/" PLU_TABLE_CSV ", " PLU_TABLE_H5 "%s\n", sweep->folder,
           plu_sweep_has_seeds(sweep) ? "; means over seeds: " PLU_MEANS_CSV : "");
    int shown = 0;
    for (int i = 0; i < sweep->campaign.cases_count && shown < 20; i++)
        if (sweep->cases[i].state == PLU_CASE_FAILED && ++shown)
            print_failed(sweep, i);
    if (count[PLU_CASE_FAILED] > 0)
        printf("              %sthe log is run.log in the folder of the case; --retry runs "
               "failed cases again\n",
               count[PLU_CASE_FAILED] > shown ? "... and more; " : "");
}
