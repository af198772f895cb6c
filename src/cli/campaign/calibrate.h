/* calibrate.h: declarations that the files of pluvia calibrate share. Its folder is that of a sweep
 * (sweep.h) with two more tables:
 *
 *     DIR/calibration.csv                the points: parameters, means, misfit
 *     DIR/valley.csv                     the parameters that reproduce the targets */
#ifndef CLI_CAMPAIGN_CALIBRATE_H
#define CLI_CAMPAIGN_CALIBRATE_H

#include "cli/campaign/sweep.h"
#include "pluvia/tool/calibration.h"

/* --- calibrate_table.c --- */

plu_status plu_calibrate_tables(const plu_calibration *c, const plu_answer *answer,
                                const char *folder, plu_error *err);

/* --- calibrate_answer.c --- */

/* The answer in words, or as one JSON object. */
void plu_calibrate_text(const plu_calibration *c, const plu_answer *answer, const char *folder);
void plu_calibrate_json(const plu_calibration *c, const plu_answer *answer, const char *folder);

#endif
