/* campaign.h: declarations that the files of plu_campaign_read share. "Reports" below means: adds
 * an error with file:line to the reader. */
#ifndef CAMPAIGN_CAMPAIGN_H
#define CAMPAIGN_CAMPAIGN_H

#include "pluvia/tool/campaign.h"
#include "scene/reader.h"

/* --- lists of texts (members.c) --- */

/* Adds a copy; PLU_OK or PLU_IO. */
plu_status plu_texts_add(plu_texts *texts, const char *text);
int plu_texts_find(const plu_texts *texts, const char *text); /* -1: not there */
void plu_texts_free(plu_texts *texts);

/* --- axis.c --- */

/* Keys that are varied together: `rows` rows of one value for each key. */
typedef struct plu_axis {
    plu_place place;
    plu_texts keys, columns;
    int rows;
    plu_texts values; /* row after row */
    enum {
        PLU_AXIS_VALUES,
        PLU_AXIS_RANGE,
        PLU_AXIS_LOG_RANGE,
        PLU_AXIS_SEEDS,
        PLU_AXIS_TABLE,
        PLU_AXIS_KINDS /* how many there are */
    } kind;
    double low, high;         /* of a range */
    char table[2 * PLU_PATH]; /* the file of a table, "": none */
} plu_axis;

/* Reads one entry of `axes` and reports its errors. Call plu_axis_free in any case. */
void plu_axis_read(plu_axis *axis, plu_reader *reader, config_setting_t *entry);
void plu_axis_free(plu_axis *axis);

/* --- filter.c --- */

/* LEFT OP RIGHT, each the name of an input, a number or a text. */
typedef struct plu_filter {
    int input[2]; /* -1: a constant */
    char constant[2][PLU_NAME];
    char op[3];
} plu_filter;

/* Reads a condition such as "mu_r <= 0.01"; false: it has errors, which are reported. */
bool plu_filter_read(plu_filter *filter, plu_reader *reader, plu_place place,
                     const plu_texts *columns, const char *text);
bool plu_filter_passes(const plu_filter *filter, char **values);

/* --- cases.c --- */

/* All combinations of the axes that pass all filters; fills keys, columns and cases. */
void plu_cases_expand(plu_campaign *campaign, plu_reader *reader, const plu_axis *axes, int count,
                      const config_setting_t *where);

/* --- targets.c --- */

/* What makes a campaign a calibration: targets, and axes that can be searched. */
void plu_targets_read(plu_campaign *campaign, plu_reader *reader, const config_setting_t *targets,
                      const plu_axis *axes, int count);

/* --- members.c --- */

typedef struct plu_campaign_key {
    const char *name;
    enum {
        PLU_ONE_TEXT,
        PLU_ONE_OR_MORE_TEXTS,
        PLU_TEXT_LIST,
        PLU_WHOLE_NUMBER,
        PLU_ONE_NUMBER,
        PLU_TWO_NUMBERS,
        PLU_ANY_LIST,
        PLU_NUMBER_OR_LIST,
        PLU_GROUP_LIST
    } type;
    const char *wanted; /* "text, the path of a scene" */
} plu_campaign_key;

/* Reports keys of `group` that are not in the table (which ends with a row without name) or have
 * another type; true: there are none. */
bool plu_campaign_check(plu_reader *reader, const config_setting_t *group,
                        const plu_campaign_key *keys);

/* Adds a measure with its place. */
void plu_campaign_measure(plu_campaign *campaign, plu_reader *reader, plu_place place,
                          const char *name);

/* The texts of a setting that is one text or a list of them. */
void plu_campaign_texts(plu_reader *reader, const config_setting_t *setting, plu_texts *texts);

#endif
