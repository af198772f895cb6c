/* statistics.h: what a number does over a window of time: mean, standard error of the mean,
 * standard deviation, least, largest, slope (least squares), rate ((last - first) / time between);
 * and the words by which campaigns ask for one of them, such as "mean(stress.ratio, 2, 5)". */
#ifndef CLI_MEASURE_STATISTICS_H
#define CLI_MEASURE_STATISTICS_H

#include "cli/base/chosen_frames.h"
#include "pluvia/status.h"
#include "pluvia/where.h"
#include <stdbool.h>
#include <stddef.h>

typedef enum plu_statistic {
    PLU_STATISTIC_MEAN,
    PLU_STATISTIC_ERROR,
    PLU_STATISTIC_DEVIATION,
    PLU_STATISTIC_LEAST,
    PLU_STATISTIC_LARGEST,
    PLU_STATISTIC_SLOPE,
    PLU_STATISTIC_RATE,
    PLU_STATISTICS /* how many there are */
} plu_statistic;

/* "mean", "error", "sd", "min", "max", "slope", "rate". */
const char *plu_statistic_name(plu_statistic statistic);

typedef struct plu_statistics {
    long count; /* of values that are known (not NAN) */
    double of[PLU_STATISTICS];
} plu_statistics;

/* Of `count` values at these times (s, increasing). Without a value all are NAN; from one value
 * there is no deviation, no error, no slope and no rate. In the mean each counts by the time since
 * the one before, which the last frame of a run may have less of. `since`: time[-1] and value[-1]
 * are there, when the window began: the rate is that since then. */
plu_statistics plu_statistics_of(const double *time, const double *value, long count, bool since);

/* What a campaign or --columns asks for. */
typedef struct plu_asked {
    plu_statistic statistic;
    char name[96]; /* "stress.ratio" */
    plu_window window;
    char stage[PLU_NAME]; /* from whose beginning times of the window count; "": not given */
} plu_asked;

/* Whether a name of a measure is that of a statistic: it has a parenthesis. */
bool plu_is_statistic(const char *text);
/* Reads STATISTIC(NAME), STATISTIC(NAME, FROM), STATISTIC(NAME, FROM, TO), each also with a stage,
 * a word that is no number, after the name: STATISTIC(NAME, STAGE, FROM). PLU_OK or PLU_BAD_INPUT,
 * with a message that says what is wrong with `text`. */
plu_status plu_asked_read(plu_asked *asked, const char *text, plu_error *err);
/* One spelling of all that mean the same, "mean(stress.ratio,2,5)"; `text` is returned. */
char *plu_asked_text(const plu_asked *asked, char *text, size_t size);

#endif
