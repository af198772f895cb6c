/* Statistics over time that a campaign asks for, "mean(stress.ratio, 2, 5)". They need the frames
 * of the trajectory, so a case takes them when it has run and leaves them in a file of its own;
 * those that are asked for later are taken from the trajectory, as long as it is kept.
 *
 *   result.statistics.json   {"mean(stress.ratio,2,5)": 0.61,
 *                             "sd(pile.height,fill)": null}      no frame in the window
 *
 * Names are written in one spelling (plu_asked_text), so that blanks in the campaign file do not
 * matter. The members are added to those of result.json where a result is read. */
#include "cli/base/text.h"
#include "cli/campaign/sweep.h"
#include "cli/measure/measure_series.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH = 2 * PLU_PATH, NAME = 160 };
static const char file[] = "result.statistics.json";

/* The name under which a statistic is in the file, written into `text`; NULL: it is none. */
static const char *canonical(const char *measure, char text[NAME])
{
    plu_error unused = {0};
    plu_asked asked;
    if (!plu_is_statistic(measure) || plu_asked_read(&asked, measure, &unused) != PLU_OK)
        return NULL;
    return plu_asked_text(&asked, text, NAME);
}

const plu_member *plu_sweep_statistic(const plu_result *result, const char *measure)
{
    char name[NAME];
    return canonical(measure, name) ? plu_result_find(result, name) : NULL;
}

plu_status plu_sweep_check_statistic(const plu_case_sweep *sweep, int measure, plu_error *err)
{
    const char *text = sweep->campaign.measures.text[measure];
    const char *place = sweep->campaign.places.text[measure];
    plu_error why = {0};
    plu_asked asked;
    char meant[NAME];
    if (plu_asked_read(&asked, text, &why) != PLU_OK)
        return plu_error_add(err, PLU_BAD_INPUT, "%s: %s", place, why.text);
    if (plu_measure_kind_of(asked.name) == PLU_MEASURE_UNKNOWN) {
        const char *near = plu_measure_meant(asked.name, meant, sizeof meant);
        return plu_error_add(err, PLU_BAD_INPUT, "%s: unknown measure \"%s\" in \"%s\"%s%s%s",
                             place, asked.name, text, near ? "; did you mean \"" : "",
                             near ? near : "", near ? "\"?" : "");
    }
    if (sweep->campaign.keep == PLU_KEEP_LAST)
        return plu_error_add(err, PLU_BAD_INPUT,
                             "%s: \"%s\" needs the frames of the whole run, and keep = \"last\" "
                             "writes only its start and end; use \"none\" or \"all\"",
                             place, text);
    return PLU_OK;
}

static bool is_stage(const plu_texts *stages, const char *name)
{
    char *end;
    const long number = strtol(name, &end, 10);
    for (int k = 0; k < stages->count; k++)
        if (strcmp(stages->text[k], name) == 0 || (!*end && number == k))
            return true;
    return false;
}

plu_status plu_sweep_check_stages(const plu_case_sweep *sweep, const plu_texts *stages,
                                  plu_error *err)
{
    plu_status status = PLU_OK;
    for (int m = 0; m < sweep->campaign.measures.count; m++) {
        plu_error unused = {0};
        plu_asked asked;
        const char *text = sweep->campaign.measures.text[m];
        if (plu_is_statistic(text) && plu_asked_read(&asked, text, &unused) == PLU_OK &&
            *asked.stage && !is_stage(stages, asked.stage))
            status = plu_error_add(err, PLU_BAD_INPUT, "%s: \"%s\": the scene has no stage \"%s\"",
                                   sweep->campaign.places.text[m], text, asked.stage);
    }
    return status;
}

/* Members of the file of a case; empty without one. */
static void read_known(const plu_case_sweep *sweep, int index, plu_result *known)
{
    char path[PATH];
    plu_error unused = {0};
    char *json = plu_sweep_read(plu_sweep_path(sweep, index, file, path, sizeof path));
    memset(known, 0, sizeof *known);
    if (json && plu_result_parse(known, json, path, &unused) != PLU_OK)
        plu_result_free(known);
    free(json);
}

static void add_statistics(const plu_case_sweep *sweep, int index, plu_result *result)
{
    plu_result known;
    read_known(sweep, index, &known);
    const size_t count = (size_t)result->count + (size_t)known.count;
    plu_member *member = known.count > 0 ? realloc(result->member, count * sizeof *member) : NULL;
    if (member) {
        memcpy(member + result->count, known.member, (size_t)known.count * sizeof *member);
        result->member = member;
        result->count = (int)count;
        result->capacity = count;
        known.count = 0; /* their texts belong to the result now */
    }
    plu_result_free(&known);
}

void plu_sweep_result(const plu_case_sweep *sweep, int index, plu_result *result)
{
    const plu_case_state state = sweep->cases[index].state;
    memset(result, 0, sizeof *result);
    if (state == PLU_CASE_DONE || state == PLU_CASE_FAILED)
        plu_sweep_read_result(sweep, index, result);
    if (state == PLU_CASE_DONE)
        add_statistics(sweep, index, result);
}

/* Whether some statistic is not in the file yet; *whole: one of those that need all of a frame. */
static bool any_missing(const plu_case_sweep *sweep, int index, plu_window *window, bool *whole)
{
    plu_result known;
    bool missing = false;
    read_known(sweep, index, &known);
    *window = (plu_window){INFINITY, -INFINITY, false};
    *whole = false;
    for (int m = 0; m < sweep->campaign.measures.count; m++) {
        plu_error unused = {0};
        plu_asked asked;
        const char *text = sweep->campaign.measures.text[m];
        if (!plu_is_statistic(text) || plu_asked_read(&asked, text, &unused) != PLU_OK)
            continue;
        missing = missing || !plu_sweep_statistic(&known, text);
        *whole = *whole || strncmp(asked.name, "last.", 5) != 0;
        /* of a stage nothing is known of its frames here */
        window->from = fmin(window->from, *asked.stage ? -INFINITY : asked.window.from);
        window->to = fmax(window->to, *asked.stage ? INFINITY : asked.window.to);
    }
    plu_result_free(&known);
    return missing;
}

/* A window without a frame gives no number. */
static void write_one(FILE *out, const plu_measured_run *run, const plu_measured_series *series,
                      const char *text, bool *first)
{
    char name[NAME];
    plu_error unused = {0};
    plu_asked asked;
    if (plu_asked_read(&asked, text, &unused) != PLU_OK)
        return;
    const plu_series_row *row = plu_series_find(series, asked.name);
    if (!row && series->frames > 0)
        return;
    const bool there =
        !*asked.stage || plu_run_stages_window(&run->stages, &run->scene, asked.stage,
                                               &asked.window, run->frames, &unused) == PLU_OK;
    const double value =
        !row || !there ? NAN
                       : plu_series_statistics(series, row, &asked.window).of[asked.statistic];
    fprintf(out, "%s", *first ? "" : ",\n");
    plu_json_write_string(out, canonical(text, name));
    if (isfinite(value))
        fprintf(out, ": %.17g", value);
    else
        fprintf(out, ": null");
    *first = false;
}

/* Under another name first: a file with half of the numbers would look complete. */
static plu_status write_all(const plu_case_sweep *sweep, int index, const plu_measured_run *run,
                            const plu_measured_series *series, plu_error *err)
{
    char path[PATH], part[PATH];
    plu_sweep_path(sweep, index, file, path, sizeof path);
    plu_sweep_path(sweep, index, "result.statistics.part", part, sizeof part);
    FILE *out = fopen(part, "w");
    if (!out)
        return plu_fail(err, PLU_IO, "%s: cannot write: %s", part, strerror(errno));
    bool first = true;
    fprintf(out, "{");
    for (int m = 0; m < sweep->campaign.measures.count; m++)
        if (plu_is_statistic(sweep->campaign.measures.text[m]))
            write_one(out, run, series, sweep->campaign.measures.text[m], &first);
    fprintf(out, "}\n");
    bool fine = !ferror(out) && fflush(out) == 0;
    fine = fclose(out) == 0 && fine && rename(part, path) == 0;
    return fine ? PLU_OK : plu_fail(err, PLU_IO, "%s: cannot write: %s", path, strerror(errno));
}

static plu_status take(const plu_case_sweep *sweep, int index, const plu_measured_run *run,
                       const plu_window *window, bool whole, plu_error *err)
{
    plu_measured_series series = {0};
    plu_status status = plu_series_read(&series, run, window, whole, err);
    if (status == PLU_USAGE) { /* no frame is in a window: the case is right, the number unknown */
        *err = (plu_error){0};
        status = PLU_OK;
    }
    if (status == PLU_OK)
        status = write_all(sweep, index, run, &series, err);
    plu_series_free(&series);
    return status;
}

plu_status plu_sweep_take_statistics(const plu_case_sweep *sweep, int index,
                                     const plu_measured_run *run, plu_error *err)
{
    plu_window window;
    bool whole;
    return any_missing(sweep, index, &window, &whole) ? take(sweep, index, run, &window, whole, err)
                                                      : PLU_OK;
}

/* For measures that were added to the campaign after the case had run. */
plu_status plu_sweep_late_statistics(const plu_case_sweep *sweep, int index, plu_error *err)
{
    char trajectory[PATH];
    plu_window window;
    bool whole;
    plu_sweep_path(sweep, index, "run.h5md", trajectory, sizeof trajectory);
    if (sweep->cases[index].state != PLU_CASE_DONE || access(trajectory, R_OK) != 0 ||
        !any_missing(sweep, index, &window, &whole))
        return PLU_OK;
    plu_measured_run run = {0};
    plu_status status = plu_measured_run_open(&run, trajectory, err);
    if (status == PLU_OK)
        status = take(sweep, index, &run, &window, whole, err);
    plu_measured_run_close(&run);
    return status;
}
