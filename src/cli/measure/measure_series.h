/* measure_series.h: all numbers of a trajectory over a window of time, and their statistics. */
#ifndef CLI_MEASURE_MEASURE_SERIES_H
#define CLI_MEASURE_MEASURE_SERIES_H

#include "cli/measure/measure_run.h"
#include "cli/measure/statistics.h"
#include <stddef.h>

/* One number over the frames. Group and name are constant texts or, for observables ("last", as
 * in `pluvia info`), those of the trajectory. */
typedef struct plu_series_row {
    const char *group, *name, *unit;
    const char *note; /* why its group has no numbers; NULL: it has */
    double *value;    /* one for each frame, NAN: not known; [-1]: of the frame before */
} plu_series_row;

typedef struct plu_measured_series {
    long frames;
    bool since;   /* the window began with the frame before, which is there as number -1 */
    double *time; /* s */
    int count;
    size_t capacity;
    plu_series_row *row; /* in the order in which measure prints them */
} plu_measured_series;

/* Reads the frames in the window. `whole`: all that measure knows; else only the observables, which
 * is quick. PLU_OK, PLU_USAGE (no frame is in the window), PLU_BAD_INPUT or PLU_IO. Call
 * plu_series_free in any case, before the run is closed. */
plu_status plu_series_read(plu_measured_series *series, const plu_measured_run *run,
                           const plu_window *window, bool whole, plu_error *err);
void plu_series_free(plu_measured_series *series);

/* The row "stress.ratio" in either spelling; NULL: there is none. */
const plu_series_row *plu_series_find(const plu_measured_series *series, const char *name);
/* Statistics of a row over a window within that of the series. */
plu_statistics plu_series_statistics(const plu_measured_series *series, const plu_series_row *row,
                                     const plu_window *window);

/* `pluvia measure --from --to`: a table for people, CSV (a line for each number, `columns` chooses
 * and orders them, NULL: all) or JSON to the standard output. PLU_OK or PLU_USAGE. */
void plu_series_text(FILE *out, const plu_measured_series *series);
plu_status plu_series_csv(FILE *out, const plu_measured_series *series, const char *columns,
                          plu_error *err);
void plu_series_json(const plu_measured_series *series);

/* The names of all numbers that the result of a case can have, so that a campaign that asks for
 * another one is refused before it runs. */

typedef enum plu_measure_kind {
    PLU_MEASURE_UNKNOWN,  /* no result has it */
    PLU_MEASURE_ALWAYS,   /* every result has it */
    PLU_MEASURE_OF_SCENE, /* what the scene is made of decides: one sphere or several, a base, ...
                           */
    PLU_MEASURE_OF_RUN    /* what happens in the run decides */
} plu_measure_kind;

/* The kind of the name by which a campaign asks for a number, in either spelling. */
plu_measure_kind plu_measure_kind_of(const char *name);

/* The name that a misspelt one was meant to be, written into `text`, which is returned; NULL: none
 * is near. */
const char *plu_measure_meant(const char *name, char *text, size_t size);

#endif
