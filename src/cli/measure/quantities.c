/* Numbers with group, name, unit and label, which measures add and which are printed as a text, as
 * one JSON object or as columns of CSV. Names of columns are matched as people write them
 * (plu_same_name); a name that is unknown is answered with the nearest one. */
#include "cli/measure/quantities.h"
#include "cli/base/text.h"
#include "pluvia/tool/paths.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

void plu_quantities_add(plu_quantities *q, const char *group, const char *name, const char *unit,
                        const char *label, double value)
{
    if (q->count < PLU_QUANTITIES)
        q->list[q->count++] = (plu_quantity){group, name, unit, label, value, NULL};
}

void plu_quantities_why(plu_quantities *q, const char *why)
{
    if (q->count > 0)
        q->list[q->count - 1].why = why;
}

void plu_quantities_note(plu_quantities *q, const char *group, const char *note)
{
    if (q->notes < (int)(sizeof q->note / sizeof *q->note)) {
        q->note[q->notes][0] = group;
        q->note[q->notes++][1] = note;
    }
}

static bool new_group(const plu_quantities *q, int k)
{
    return k == 0 || strcmp(q->list[k].group, q->list[k - 1].group) != 0;
}

const char *plu_quantities_note_of(const plu_quantities *q, const char *group)
{
    for (int i = 0; i < q->notes; i++)
        if (strcmp(q->note[i][0], group) == 0)
            return q->note[i][1];
    return NULL;
}

enum { LABEL = 38, VALUE = 13 };

/* Ends the line that is begun, whose last value has `unit`. */
static void end_line(FILE *out, int *width, const char *unit)
{
    if (*width > 0)
        fprintf(out, "%*s%s\n", unit[0] ? VALUE - *width : 0, "", unit);
    *width = 0;
}

/* Writes a value and returns its width; `before` is that of the one on its left, 0 without. */
static int print_value(FILE *out, const plu_quantity *x, int before)
{
    char number[32];
    const char *text = x->why ? x->why : "-";
    if (!isnan(x->value)) {
        snprintf(number, sizeof number, "%.6g", x->value);
        text = number;
    }
    return fprintf(out, "%*s%s", before > 0 ? VALUE - before : 0, "", text) -
           (before > 0 ? VALUE - before : 0);
}

void plu_quantities_text(FILE *out, const plu_quantities *q)
{
    const char *unit = "";
    int width = 0;
    for (int k = 0; k < q->count; k++) {
        const plu_quantity *x = &q->list[k];
        const char *note = plu_quantities_note_of(q, x->group);
        if (new_group(q, k)) {
            end_line(out, &width, unit);
            fprintf(out, "\n%s%s%s\n", x->group, note ? ": " : "", note ? note : "");
        }
        if (!x->label || note)
            continue;
        if (x->label[0]) {
            end_line(out, &width, unit);
            fprintf(out, "  %-*s ", LABEL, x->label);
        }
        width = print_value(out, x, width);
        unit = x->why ? "" : x->unit;
    }
    end_line(out, &width, unit);
}

void plu_quantities_json(const plu_quantities *q)
{
    printf("{");
    for (int k = 0; k < q->count; k++) {
        const bool first = new_group(q, k);
        if (first) {
            printf("%s", k ? "}" : "");
            plu_json_key(q->list[k].group, k == 0);
            printf("{");
        }
        plu_json_real(q->list[k].name, q->list[k].value, first);
    }
    printf("%s}", q->count > 0 ? "}" : "");
}

static bool is_named(const plu_quantity *x, const char *name, size_t length)
{
    char wanted[128], full[128];
    snprintf(wanted, sizeof wanted, "%.*s", (int)length, name);
    snprintf(full, sizeof full, "%s.%s", x->group, x->name);
    return plu_same_name(wanted, full);
}

/* The quantity of the next column, -1 at the end, -2 where there is none of that name. `*columns`
 * moves on; *k counts columns. */
static int next_column(const plu_quantities *q, const char **columns, int k)
{
    if (!*columns)
        return k < q->count ? k : -1;
    if (!**columns)
        return -1;
    const size_t length = strcspn(*columns, ",");
    const char *name = *columns;
    *columns += length + (name[length] == ',');
    for (int i = 0; i < q->count; i++)
        if (is_named(&q->list[i], name, length))
            return i;
    *columns = name;
    return -2;
}

void plu_meant_start(plu_meant *m, const char *column)
{
    snprintf(m->word, sizeof m->word, "%.*s", (int)strcspn(column, ","), column);
    m->best[0] = '\0';
    m->nearest = plu_nearest_start(m->word);
}

void plu_meant_try(plu_meant *m, const char *group, const char *name)
{
    char known[128];
    snprintf(known, sizeof known, "%s.%s", group, name);
    plu_nearest_try_brief(&m->nearest, known, m->best, sizeof m->best);
}

plu_status plu_meant_fail(const plu_meant *m, const char *none, plu_error *err)
{
    return plu_fail(err, PLU_USAGE, "option --columns: %s \"%s\"%s%s%s", none, m->word,
                    *m->best ? "; did you mean \"" : "; --csv without --columns lists all", m->best,
                    *m->best ? "\"?" : "");
}

static plu_status unknown_column(const plu_quantities *q, const char *column, plu_error *err)
{
    plu_meant meant;
    plu_meant_start(&meant, column);
    for (int i = 0; i < q->count; i++)
        plu_meant_try(&meant, q->list[i].group, q->list[i].name);
    return plu_meant_fail(&meant, "unknown column", err);
}

plu_status plu_quantities_header(FILE *out, const plu_quantities *q, const char *columns,
                                 plu_error *err)
{
    const char *left = columns;
    int i;
    for (int k = 0; (i = next_column(q, &left, k)) >= 0; k++)
        continue;
    if (i == -2)
        return unknown_column(q, left, err);
    for (int k = 0; (i = next_column(q, &columns, k)) >= 0; k++)
        fprintf(out, "%s%s.%s", k ? "," : "", q->list[i].group, q->list[i].name);
    fputc('\n', out);
    return PLU_OK;
}

void plu_quantities_missing(const char *group, const char *name, const char *note)
{
    plu_message("%s.%s is not known in any of these frames%s%s", group, name, note ? ": " : "",
                note ? note : "");
}

void plu_quantities_all_missing(const plu_quantities *q, const char *columns, const bool *known)
{
    int i;
    for (int k = 0; (i = next_column(q, &columns, k)) >= 0; k++)
        if (!known[i])
            plu_quantities_missing(q->list[i].group, q->list[i].name,
                                   plu_quantities_note_of(q, q->list[i].group));
}

void plu_quantities_row(FILE *out, const plu_quantities *q, const char *columns, bool *known)
{
    int i;
    for (int k = 0; (i = next_column(q, &columns, k)) >= 0; k++) {
        if (k)
            fputc(',', out);
        if (!isnan(q->list[i].value))
            fprintf(out, "%.17g", q->list[i].value);
        if (known)
            known[i] |= !isnan(q->list[i].value);
    }
    fputc('\n', out);
}
