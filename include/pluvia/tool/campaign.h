/* campaign.h: a campaign is a base scene with varied parameters: many cases, and one table of their
 * results.
 *
 * plu_campaign_read reads it from a libconfig file (scenes/campaigns.md, "Campaigns"). The
 * functions here handle files and numbers; they run no cases (src/cli/campaign/sweep*.c does). */
/* Of the tool: neither installed nor exported by the shared library. */
#ifndef PLUVIA_TOOL_CAMPAIGN_H
#define PLUVIA_TOOL_CAMPAIGN_H

#include "pluvia/status.h"
#include "pluvia/where.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A list of texts, which it owns. */
typedef struct plu_texts {
    int count;
    size_t capacity;
    char **text;
} plu_texts;

/* The frames of a case's trajectory that are kept after it has been measured. */
typedef enum plu_keep { PLU_KEEP_NONE, PLU_KEEP_LAST, PLU_KEEP_ALL, PLU_KEEPS } plu_keep;

/* One case: a value for each input of the campaign, written as in an override. */
typedef struct plu_case {
    char *name; /* "mu=0.1,seed=2": unique, valid as the name of a folder */
    char **values;
} plu_case;

enum { PLU_PARAMETERS = 3 }; /* at most, of a calibration */

/* A parameter that a calibration searches: an axis with a range. */
typedef struct plu_parameter {
    char name[PLU_NAME]; /* of its first input */
    int input, inputs;   /* the first input, and the number of inputs with the same value */
    bool logarithmic;
    double low, high;
    int count; /* values on the first grid */
} plu_parameter;

/* A measured value that a calibration has to reproduce. */
typedef struct plu_target {
    char measure[128];
    double value, error; /* as measured, and its standard error */
} plu_target;

typedef struct plu_campaign {
    char path[PLU_PATH];             /* of the campaign file as given */
    char scene[PLU_PATH];            /* the base scene, relative to the working folder */
    char scene_place[PLU_PATH + 64]; /* "FILE:LINE" of it */
    char title[256];
    int threads; /* of each case; 0: cores over cases, at least 1 */
    plu_keep keep;
    plu_texts fixed;         /* overrides of all cases, "KEY=VALUE" */
    plu_texts keys, columns; /* the inputs: key of the scene, name in the table */
    plu_texts measures;      /* columns of the table from each result: names as in plu_result */
    plu_texts places;        /* "FILE:LINE" of each of them */
    int parameters_count;    /* of a calibration, 0: the file has no targets */
    plu_parameter parameter[PLU_PARAMETERS];
    int seeds; /* of each point; their input is the last one, without them there is one run a point
                */
    bool seeded;
    int targets_count;
    plu_target *targets; /* owned; their measures are among `measures` */
    int cases_count;
    size_t cases_capacity;
    plu_case *cases;  /* in the order of the axes, the last one fastest */
    char *text;       /* of the file, includes joined */
    plu_texts inputs; /* the files that were read: itself, includes, tables of axes */
} plu_campaign;

/* Reads the campaign file `path` and makes all of its cases. All errors are collected in `err`,
 * each with file:line. The scenes of the cases are not checked. After a failure `campaign` is
 * empty. PLU_OK, PLU_BAD_INPUT or PLU_IO (no memory). */
plu_status plu_campaign_read(plu_campaign *campaign, const char *path, plu_error *err);
void plu_campaign_free(plu_campaign *campaign);

/* Adds a case with a value for each input, of which copies are made. PLU_OK or PLU_IO. */
plu_status plu_campaign_add(plu_campaign *campaign, char *const *values);
/* Removes the last case. */
void plu_campaign_remove_last(plu_campaign *campaign);

/* The value at the fraction t in [0, 1] of a range, as on the axis of a campaign: rounded to 9
 * digits (range) or 6 (log_range), its ends exact. Writes it into `text`, which is returned. */
char *plu_range_value(bool logarithmic, double low, double high, double t, char *text, size_t size);

/* The scene of one case, ready to be run from anywhere. */
typedef struct plu_case_scene {
    char *text;       /* owned; with all default values */
    uint64_t hash;    /* of everything that determines the result: this text and its files */
    long steps;       /* at most */
    double end;       /* s */
    plu_texts inputs; /* the files that were read, and those of its bodies */
    plu_texts stages; /* their names */
    int boundaries_count, sensors_count;
    struct plu_sensor_spec *sensors; /* owned */
} plu_case_scene;

/* PLU_OK, PLU_BAD_INPUT (the values are invalid in the scene: `err` names the case) or PLU_IO; then
 * nothing is to be freed. */
plu_status plu_case_scene_make(plu_case_scene *made, const plu_campaign *campaign, int index,
                               plu_error *err);
void plu_case_scene_free(plu_case_scene *made);

/* --- numbers of a result: the members of a JSON object under dotted names --- */

typedef struct plu_member {
    char *name;    /* "measure.pile.height"; elements of an array by their number */
    double number; /* NaN: null or a text; a bool is 0 or 1 */
    char *text;    /* NULL unless it is a text */
} plu_member;

typedef struct plu_result {
    int count;
    size_t capacity;
    plu_member *member;
} plu_result;

/* PLU_OK, PLU_BAD_INPUT (not a JSON object; the message names `source`) or PLU_IO. Free it in any
 * case. */
plu_status plu_result_parse(plu_result *result, const char *json, const char *source,
                            plu_error *err);
void plu_result_free(plu_result *result);

/* The member of that name; NULL: none. Names match in either spelling (pluvia/tool/paths.h),
 * because results may have been written by an older version. */
const plu_member *plu_result_find(const plu_result *result, const char *name);

/* --- the table of a campaign --- */

typedef struct plu_column {
    char name[128];
    const char *group; /* in the HDF5 file: "inputs", "measures", "cost", NULL: the root */
    bool is_text;
    double *numbers; /* NaN: none */
    char **texts;    /* owned each, NULL: none */
} plu_column;

typedef struct plu_table {
    int rows, columns_count;
    plu_column *columns;
} plu_table;

/* A table of empty cells; free it in any case. PLU_OK or PLU_IO. */
plu_status plu_table_make(plu_table *table, int rows, int columns, plu_error *err);
/* Names column `index` and makes room for its cells; returns NULL without memory. */
plu_column *plu_table_column(plu_table *table, int index, const char *group, const char *name,
                             bool is_text);
void plu_table_free(plu_table *table);

/* Each writes a complete new file or, on failure, leaves the old one. PLU_OK or PLU_IO. */
plu_status plu_table_write_csv(const plu_table *table, const char *path, plu_error *err);
plu_status plu_table_write_h5(const plu_table *table, const char *path, const char *campaign,
                              plu_error *err);

#ifdef __cplusplus
}
#endif

#endif
