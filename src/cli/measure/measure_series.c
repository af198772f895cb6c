/* The numbers of all frames of a window as rows, and their statistics. A row is of one number, with
 * a place for each frame and one before the first, from which a statistic may count on
 * (plu_window.since). Numbers that a frame does not have are NAN, but zero before the first frame
 * that has them: works of boundaries that have not moved yet are not written. */
#include "cli/measure/measure_series.h"
#include "cli/base/text.h"
#include "pluvia/tool/paths.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The group of the observables, as `pluvia info --json` calls it. */
static const char observed[] = "last";

/* Starts at `guess`: frames have their numbers in the same order, so that the first try is right.
 */
static plu_series_row *find(const plu_measured_series *s, const char *group, const char *name,
                            int guess)
{
    for (int k = 0; k < s->count; k++) {
        plu_series_row *row = &s->row[(guess + k) % s->count];
        if (strcmp(row->name, name) == 0 && strcmp(row->group, group) == 0)
            return row;
    }
    return NULL;
}

static bool make_room(plu_measured_series *s)
{
    if ((size_t)s->count < s->capacity)
        return true;
    const size_t more = s->capacity ? 2 * s->capacity : 128;
    plu_series_row *rows = realloc(s->row, more * sizeof *rows);
    if (!rows)
        return false;
    s->row = rows;
    s->capacity = more;
    return true;
}

/* A new row behind the others of its group. */
static plu_series_row *insert(plu_measured_series *s, const char *group, const char *name,
                              const char *unit)
{
    double *block = malloc(((size_t)s->frames + 1) * sizeof *block);
    if (!block || !make_room(s)) {
        free(block);
        return NULL;
    }
    int at = s->count;
    for (int k = 0; k < s->count; k++)
        at = strcmp(s->row[k].group, group) == 0 ? k + 1 : at;
    memmove(&s->row[at + 1], &s->row[at], (size_t)(s->count - at) * sizeof *s->row);
    s->count++;
    s->row[at] = (plu_series_row){.group = group, .name = name, .unit = unit, .value = block + 1};
    return &s->row[at];
}

/* The row of a number that frame `i` has. Numbers that are zero all the time, such as the work of
 * boundaries that do not move yet, are no numbers of a frame: a row that begins late was zero.
 * NULL: no memory. */
static plu_series_row *row_of(plu_measured_series *s, const char *group, const char *name,
                              const char *unit, int guess, long i)
{
    plu_series_row *row = find(s, group, name, guess);
    if (row || !(row = insert(s, group, name, unit)))
        return row;
    for (long k = -1; k < s->frames; k++)
        row->value[k] = k < i ? 0.0 : NAN;
    return row;
}

static plu_status no_memory(plu_error *err)
{
    return plu_fail(err, PLU_IO, "out of memory");
}

/* Frame `k` of the run as column `i`. */
static plu_status read_frame(plu_measured_series *s, const plu_measured_run *run, long k, long i,
                             plu_quantities *q, plu_error *err)
{
    const plu_status status = plu_measured_run_frame(q, run, k, err);
    for (int j = 0; status == PLU_OK && j < q->count; j++) {
        const plu_quantity *x = &q->list[j];
        plu_series_row *row = row_of(s, x->group, x->name, x->unit, j, i);
        if (!row)
            return no_memory(err);
        row->value[i] = x->value;
        row->note = plu_quantities_note_of(q, x->group);
    }
    return status;
}

/* In the spelling of all other numbers; a constant text. */
static const char *unit_of(const plu_scene *scene, const char *observable)
{
    const char *unit = plu_observable_unit(observable);
    for (int i = 0; i < scene->sensors_count; i++)
        for (int k = 0; k < plu_sensor_numbers(scene->sensors[i].kind); k++) {
            char name[2 * PLU_NAME];
            snprintf(name, sizeof name, "sensor_%s_%s", scene->sensors[i].name,
                     plu_sensor_number_name(scene->sensors[i].kind, k));
            if (strcmp(name, observable) == 0)
                return plu_sensor_number_unit(scene->sensors[i].kind, k);
        }
    return strcmp(unit, "m s-1") == 0 ? "m/s" : unit;
}

static plu_status read_observables(plu_measured_series *s, const plu_measured_run *run, long first,
                                   plu_error *err)
{
    plu_status status = PLU_OK;
    for (int i = 0; status == PLU_OK && i < plu_frames_observables(run->frames); i++) {
        const double *values;
        const char *name = plu_frames_observable_name(run->frames, i);
        plu_series_row *row =
            row_of(s, observed, name, unit_of(&run->scene, name), s->count - 1, 0);
        status = row ? plu_frames_observable(&values, run->frames, name, err) : no_memory(err);
        if (status == PLU_OK)
            memcpy(row->value - s->since, values + first - s->since,
                   (size_t)(s->frames + s->since) * sizeof *values);
    }
    return status;
}

plu_status plu_series_read(plu_measured_series *s, const plu_measured_run *run,
                           const plu_window *window, bool whole, plu_error *err)
{
    long first, end;
    *s = (plu_measured_series){0};
    plu_status status = plu_window_frames(window, run->frames, run->path, &first, &end, err);
    if (status != PLU_OK)
        return status;
    s->frames = end - first;
    s->since = window->since && first > 0;
    double *block = malloc(((size_t)s->frames + 1) * sizeof *block);
    s->time = block ? block + 1 : NULL;
    plu_quantities *q = malloc(sizeof *q);
    status = block && q ? PLU_OK : no_memory(err);
    for (long i = s->since ? -1 : 0; status == PLU_OK && i < s->frames; i++) {
        s->time[i] = plu_frames_time(run->frames, first + i);
        if (whole)
            status = read_frame(s, run, first + i, i, q, err);
    }
    if (status == PLU_OK)
        status = read_observables(s, run, first, err);
    free(q);
    return status;
}

/* Blocks begin one place before the first frame. */
void plu_series_free(plu_measured_series *s)
{
    for (int k = 0; k < s->count; k++)
        free(s->row[k].value - 1);
    free(s->row);
    if (s->time)
        free(s->time - 1);
    *s = (plu_measured_series){0};
}

static const plu_series_row *find_words(const plu_measured_series *s, const char *name,
                                        size_t length)
{
    char wanted[128], full[128];
    snprintf(wanted, sizeof wanted, "%.*s", (int)length, name);
    for (int k = 0; k < s->count; k++) {
        snprintf(full, sizeof full, "%s.%s", s->row[k].group, s->row[k].name);
        if (plu_same_name(wanted, full))
            return &s->row[k];
    }
    return NULL;
}

const plu_series_row *plu_series_find(const plu_measured_series *s, const char *name)
{
    return find_words(s, name, strlen(name));
}

plu_statistics plu_series_statistics(const plu_measured_series *s, const plu_series_row *row,
                                     const plu_window *window)
{
    long first = 0, end = s->frames;
    while (first < end && !plu_window_has(window, s->time[first]))
        first++;
    while (end > first && !plu_window_has(window, s->time[end - 1]))
        end--;
    return plu_statistics_of(s->time + first, row->value + first, end - first,
                             window->since && (first > 0 || s->since));
}

static plu_statistics all_of(const plu_measured_series *s, const plu_series_row *row)
{
    return plu_statistics_of(s->time, row->value, s->frames, s->since);
}

void plu_series_text(FILE *out, const plu_measured_series *s)
{
    const char *group = "";
    int unknown = 0;
    fprintf(out, "%ld frames from t = %g to %g s\n", s->frames, s->time[0], s->time[s->frames - 1]);
    for (int k = 0; k < s->count; k++) {
        const plu_series_row *row = &s->row[k];
        const plu_statistics x = all_of(s, row);
        if (x.count == 0) {
            unknown++;
            continue;
        }
        if (strcmp(group, row->group) != 0) {
            fprintf(out, "\n%-26s", row->group);
            for (int i = 0; i < PLU_STATISTICS; i++)
                fprintf(out, " %12s", plu_statistic_name((plu_statistic)i));
            fputc('\n', out);
        }
        group = row->group;
        fprintf(out, "  %-24s", row->name);
        for (int i = 0; i < PLU_STATISTICS; i++)
            if (isnan(x.of[i]))
                fprintf(out, " %12s", "-");
            else
                fprintf(out, " %12.5g", x.of[i]);
        fprintf(out, "%s%s\n", row->unit[0] ? " " : "", row->unit);
    }
    if (unknown > 0)
        fprintf(out,
                "\n%d more numbers are not known in any of these frames; \"pluvia measure "
                "--at\" says why\n",
                unknown);
}

static void csv_row(FILE *out, const plu_measured_series *s, const plu_series_row *row)
{
    const plu_statistics x = all_of(s, row);
    fprintf(out, "%s.%s,%s,%ld", row->group, row->name, row->unit, x.count);
    for (int i = 0; i < PLU_STATISTICS; i++)
        if (isnan(x.of[i]))
            fputc(',', out);
        else
            fprintf(out, ",%.17g", x.of[i]);
    fputc('\n', out);
}

static plu_status unknown_number(const plu_measured_series *s, const char *column, plu_error *err)
{
    plu_meant meant;
    plu_meant_start(&meant, column);
    for (int k = 0; k < s->count; k++)
        plu_meant_try(&meant, s->row[k].group, s->row[k].name);
    return plu_meant_fail(&meant, "there is no number", err);
}

plu_status plu_series_csv(FILE *out, const plu_measured_series *s, const char *columns,
                          plu_error *err)
{
    for (const char *at = columns; at && *at; at += strcspn(at, ","), at += *at == ',')
        if (!find_words(s, at, strcspn(at, ",")))
            return unknown_number(s, at, err);
    fprintf(out, "name,unit,frames");
    for (int i = 0; i < PLU_STATISTICS; i++)
        fprintf(out, ",%s", plu_statistic_name((plu_statistic)i));
    fputc('\n', out);
    for (int k = 0; !columns && k < s->count; k++)
        csv_row(out, s, &s->row[k]);
    for (const char *at = columns; at && *at; at += strcspn(at, ","), at += *at == ',') {
        const plu_series_row *row = find_words(s, at, strcspn(at, ","));
        csv_row(out, s, row);
        if (all_of(s, row).count == 0)
            plu_quantities_missing(row->group, row->name, row->note);
    }
    return PLU_OK;
}

static void json_row(const plu_measured_series *s, const plu_series_row *row, bool first)
{
    const plu_statistics x = all_of(s, row);
    plu_json_key(row->name, first);
    printf("{");
    plu_json_real("frames", (double)x.count, true);
    for (int i = 0; i < PLU_STATISTICS; i++)
        plu_json_real(plu_statistic_name((plu_statistic)i), x.of[i], false);
    printf("}");
}

void plu_series_json(const plu_measured_series *s)
{
    const char *group = NULL;
    plu_json_key("window", false);
    printf("{");
    plu_json_real("from", s->time[0], true);
    plu_json_real("to", s->time[s->frames - 1], false);
    plu_json_integer("frames", s->frames);
    printf("}");
    plu_json_key("statistics", false);
    printf("{");
    for (int k = 0; k < s->count; k++) {
        const bool first = !group || strcmp(group, s->row[k].group) != 0;
        if (first) {
            printf("%s", group ? "}" : "");
            plu_json_key(s->row[k].group, !group);
            printf("{");
        }
        group = s->row[k].group;
        json_row(s, &s->row[k], first);
    }
    printf("%s}", group ? "}" : "");
}
