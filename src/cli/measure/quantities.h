/* quantities.h: named numbers in groups, printed as a screen, as JSON or as CSV. */
#ifndef CLI_MEASURE_QUANTITIES_H
#define CLI_MEASURE_QUANTITIES_H

#include "cli/base/text.h"
#include "pluvia/status.h"
#include <stdbool.h>
#include <stdio.h>

typedef struct plu_quantity {
    const char *group, *name; /* constant texts, or those of what is measured */
    const char *unit;         /* "" without one; lines end with that of their last number */
    const char *label;        /* for people; "": on the line of the one before, NULL: not shown */
    double value;             /* NAN: not known */
    const char *why;          /* constant text in place of a value that is not known; NULL: - */
} plu_quantity;

enum { PLU_QUANTITIES = 256 };

typedef struct plu_quantities {
    int count;
    plu_quantity list[PLU_QUANTITIES];
    const char *note[16][2]; /* group, and why it has no numbers */
    int notes;
} plu_quantities;

/* Quantities of a group follow each other. */
void plu_quantities_add(plu_quantities *q, const char *group, const char *name, const char *unit,
                        const char *label, double value);
/* Says why the last one is not known. */
void plu_quantities_why(plu_quantities *q, const char *why);
void plu_quantities_note(plu_quantities *q, const char *group, const char *note);
/* Why a group has no numbers; NULL: it has. */
const char *plu_quantities_note_of(const plu_quantities *q, const char *group);

void plu_quantities_text(FILE *out, const plu_quantities *q);
/* One object of groups: {"pile": {"height": 0.1, ...}, ...}; NAN is null. */
void plu_quantities_json(const plu_quantities *q);

/* One column a quantity, "group.name". `columns` chooses and orders them: names with commas
 * between, NULL for all. PLU_USAGE where a name is not there. */
plu_status plu_quantities_header(FILE *out, const plu_quantities *q, const char *columns,
                                 plu_error *err);
/* `known`, unless NULL: by quantity, set where it has a value. */
void plu_quantities_row(FILE *out, const plu_quantities *q, const char *columns, bool *known);
/* Says on stderr that a column that was asked for is empty; `note`: why, NULL: not known. */
void plu_quantities_missing(const char *group, const char *name, const char *note);
/* The same of all columns without a value in any row. */
void plu_quantities_all_missing(const plu_quantities *q, const char *columns, const bool *known);

/* Of names that are tried, the one that a word of --columns may have meant. */
typedef struct plu_meant {
    char word[128], best[128]; /* best: "", or "GROUP.NAME" */
    plu_nearest nearest;
} plu_meant;

/* `column`: up to its end or a comma. */
void plu_meant_start(plu_meant *meant, const char *column);
void plu_meant_try(plu_meant *meant, const char *group, const char *name);

/* PLU_USAGE: `none`, "there is no number", and what is meant. */
plu_status plu_meant_fail(const plu_meant *meant, const char *none, plu_error *err);

#endif
