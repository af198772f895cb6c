/* means.csv: a row for each point of a campaign with seeds: of each measure the mean over the n
 * seeds, their standard deviation, and the standard error of the mean,
 *
 *     m = sum x_i / n ,   sd^2 = sum (x_i - m)^2 / (n - 1) ,   error = sd / sqrt(n) ,
 *
 * and n itself: a case that failed, or in which the number is unknown, gives none. Squares are
 * summed about the mean in a second pass, since sum x^2 - n m^2 cancels. */
#include "cli/base/text.h"
#include "cli/campaign/sweep.h"
#include "cli/measure/statistics.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 2 * PLU_PATH };

/* Columns of each measure. */
static const char *const endings[] = {"", ".sd", ".error", ".count"};
enum { MEAN, DEVIATION, ERROR, COUNT, ENDINGS };
_Static_assert(sizeof endings / sizeof *endings == ENDINGS, "a column each");

/* The input that is the seed; -1: there is none. */
static int seed_input(const plu_campaign *campaign)
{
    for (int k = 0; k < campaign->keys.count; k++)
        if (strcmp(campaign->keys.text[k], "seed") == 0)
            return k;
    return -1;
}

/* Whether two cases differ by their seeds at most. */
static bool same_point(const plu_campaign *campaign, int seed, int a, int b)
{
    for (int k = 0; k < campaign->columns.count; k++)
        if (k != seed && strcmp(campaign->cases[a].values[k], campaign->cases[b].values[k]) != 0)
            return false;
    return true;
}

/* point[i]: the number of the point of case i; how many there are. */
static int find_points(const plu_campaign *campaign, int seed, int *point)
{
    int points = 0;
    for (int i = 0; i < campaign->cases_count; i++) {
        point[i] = -1;
        for (int j = i - 1; j >= 0 && point[i] < 0; j--) /* seeds vary fastest: it is near */
            if (same_point(campaign, seed, i, j))
                point[i] = point[j];
        if (point[i] < 0)
            point[i] = points++;
    }
    return points;
}

/* Sums up the numbers of a measure that the cases of a point have; without one, or a second,
 * NAN. */
static void sum_up(const double *number, const int *point, int cases, int wanted,
                   double result[ENDINGS])
{
    long count = 0;
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < cases; i++)
        if (point[i] == wanted && !isnan(number[i])) {
            count++;
            sum += number[i];
        }
    result[MEAN] = count > 0 ? sum / (double)count : NAN;
    for (int i = 0; i < cases; i++)
        if (point[i] == wanted && !isnan(number[i]))
            squares += (number[i] - result[MEAN]) * (number[i] - result[MEAN]);
    result[DEVIATION] = count > 1 ? sqrt(squares / (double)(count - 1)) : NAN;
    result[ERROR] = result[DEVIATION] / sqrt((double)count);
    result[COUNT] = (double)count;
}

/* A column of inputs, with the value of the first case of each point. */
static bool copy_input(plu_table *means, int at, const plu_column *input, const int *point,
                       int cases)
{
    plu_column *column = plu_table_column(means, at, "inputs", input->name, input->is_text);
    for (int i = cases - 1; column && i >= 0; i--) {
        if (!input->is_text) {
            column->numbers[point[i]] = input->numbers[i];
            continue;
        }
        free(column->texts[point[i]]);
        column->texts[point[i]] = strdup(input->texts[i] ? input->texts[i] : "");
    }
    return column != NULL;
}

static bool fill_measure(plu_table *means, int at, const plu_column *measure, const int *point,
                         int cases)
{
    double result[ENDINGS];
    for (int e = 0; e < ENDINGS; e++) {
        char name[sizeof measure->name + 8];
        snprintf(name, sizeof name, "%s%s", measure->name, endings[e]);
        if (!plu_table_column(means, at + e, "measures", name, false))
            return false;
    }
    for (int p = 0; p < means->rows; p++) {
        sum_up(measure->numbers, point, cases, p, result);
        for (int e = 0; e < ENDINGS; e++)
            means->columns[at + e].numbers[p] = result[e];
    }
    return true;
}

/* How many cases of each point are done. */
static bool count_seeds(const plu_case_sweep *sweep, plu_table *means, int at, const int *point)
{
    plu_column *column = plu_table_column(means, at, NULL, "seeds", false);
    for (int p = 0; column && p < means->rows; p++) {
        column->numbers[p] = 0.0;
        for (int i = 0; i < sweep->campaign.cases_count; i++)
            column->numbers[p] += point[i] == p && sweep->cases[i].state == PLU_CASE_DONE;
    }
    return column != NULL;
}

static bool fill(const plu_case_sweep *sweep, const plu_column *input, const plu_column *measure,
                 const int *point, plu_table *means)
{
    const plu_campaign *campaign = &sweep->campaign;
    const int seed = seed_input(campaign);
    int at = 0;
    bool fine = true;
    for (int k = 0; fine && k < campaign->columns.count; k++)
        if (k != seed)
            fine = copy_input(means, at++, &input[k], point, campaign->cases_count);
    fine = fine && count_seeds(sweep, means, at++, point);
    for (int m = 0; fine && m < campaign->measures.count; m++, at += ENDINGS)
        fine = fill_measure(means, at, &measure[m], point, campaign->cases_count);
    return fine;
}

bool plu_sweep_has_seeds(const plu_case_sweep *sweep)
{
    return seed_input(&sweep->campaign) >= 0 && sweep->campaign.measures.count > 0;
}

plu_status plu_sweep_means(const plu_case_sweep *sweep, const plu_column *input,
                           const plu_column *measure, plu_error *err)
{
    const plu_campaign *campaign = &sweep->campaign;
    const int columns = campaign->columns.count + ENDINGS * campaign->measures.count;
    char path[PATH];
    if (!plu_sweep_has_seeds(sweep))
        return PLU_OK;
    int *point = calloc((size_t)campaign->cases_count, sizeof *point);
    plu_table means = {0};
    plu_status status = point ? PLU_OK : plu_fail(err, PLU_IO, "out of memory");
    if (status == PLU_OK)
        status = plu_table_make(&means, find_points(campaign, seed_input(campaign), point), columns,
                                err);
    if (status == PLU_OK && !fill(sweep, input, measure, point, &means))
        status = plu_fail(err, PLU_IO, "out of memory");
    snprintf(path, sizeof path, "%s/" PLU_MEANS_CSV, sweep->folder);
    if (status == PLU_OK)
        status = plu_table_write_csv(&means, path, err);
    plu_table_free(&means);
    free(point);
    return status;
}

/* Windows of time of statistics against the times that runs have: where a run ends before, a cell
 * of the table is empty, or a mean of less than was asked for. */

static bool ask(const plu_case_sweep *sweep, int measure, plu_asked *asked)
{
    const char *text = sweep->campaign.measures.text[measure];
    plu_error unused = {0};
    return plu_is_statistic(text) && plu_asked_read(asked, text, &unused) == PLU_OK;
}

plu_status plu_sweep_check_windows(const plu_case_sweep *sweep, int index, double end,
                                   plu_error *err)
{
    plu_status status = PLU_OK;
    for (int m = 0; m < sweep->campaign.measures.count; m++) {
        plu_asked asked;
        if (ask(sweep, m, &asked) && asked.window.from > end * (1.0 + 1e-9))
            status = plu_error_add(err, PLU_BAD_INPUT,
                                   "%s: the window of \"%s\" begins after the end of %s at %g s "
                                   "(time.end)",
                                   sweep->campaign.places.text[m], sweep->campaign.measures.text[m],
                                   sweep->campaign.cases[index].name, end);
    }
    return status;
}

/* What is wrong with a statistic in the cases that are done. */
typedef struct shortcoming {
    int done, early, missing; /* cases; early: they end within or before the window */
    int first_early, first_missing;
    double end; /* s, of the first early one */
} shortcoming;

static void look_at_case(shortcoming *s, const plu_case_sweep *sweep, int index,
                         const plu_asked *asked, const char *text)
{
    plu_result result;
    plu_sweep_result(sweep, index, &result);
    const plu_member *end = plu_sweep_measure(&result, "run.time");
    const plu_member *value = plu_sweep_measure(&result, text);
    const plu_window *w = &asked->window;
    const double wanted = *asked->stage       ? -INFINITY
                          : isfinite(w->to)   ? w->to
                          : isfinite(w->from) ? w->from
                                              : -INFINITY;
    s->done++;
    /* A run may end early (time.until_rest): then the mean is of less time than was asked for. */
    if (end && end->number < wanted - 1e-6 * fabs(wanted)) {
        if (s->early++ == 0) {
            s->first_early = index;
            s->end = end->number;
        }
    } else if (value && isnan(value->number) && s->missing++ == 0) {
        s->first_missing = index;
    }
    plu_result_free(&result);
}

void plu_sweep_tell_windows(const plu_case_sweep *sweep)
{
    for (int m = 0; m < sweep->campaign.measures.count; m++) {
        const char *text = sweep->campaign.measures.text[m];
        const char *place = sweep->campaign.places.text[m];
        plu_asked asked;
        shortcoming s = {0};
        if (!ask(sweep, m, &asked))
            continue;
        for (int i = 0; i < sweep->cases_count; i++)
            if (sweep->cases[i].state == PLU_CASE_DONE)
                look_at_case(&s, sweep, i, &asked, text);
        if (s.early > 0)
            plu_message("%s: %d of %d cases end before the window of \"%s\" does, the first of "
                        "them, %s, at %g s: their values are of less time, or missing",
                        place, s.early, s.done, text, sweep->campaign.cases[s.first_early].name,
                        s.end);
        if (s.missing > 0)
            plu_message("%s: \"%s\" has no value in %d of %d cases, the first of them %s: %s",
                        place, text, s.missing, s.done, sweep->campaign.cases[s.first_missing].name,
                        *asked.stage ? "they did not come to that stage, or no frame of it knows it"
                                     : "no frame in the window knows it");
    }
}
