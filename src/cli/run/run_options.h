/* run_options.h: the options of pluvia run. */
#ifndef CLI_RUN_RUN_OPTIONS_H
#define CLI_RUN_RUN_OPTIONS_H

#include "cli/base/options.h"
#include "cli/run/progress.h"

enum {
    PLU_RUN_OPTION_OUTPUT,
    PLU_RUN_OPTION_THREADS,
    PLU_RUN_OPTION_SET,
    PLU_RUN_OPTION_UNTIL,
    PLU_RUN_OPTION_RESTART,
    PLU_RUN_OPTION_MAX_TIME,
    PLU_RUN_OPTION_FORCE,
    PLU_RUN_OPTION_PROGRESS,
    PLU_RUN_OPTION_QUIET,
    PLU_RUN_OPTION_COUNT
};

extern const plu_option plu_run_option_table[PLU_RUN_OPTION_COUNT];

/* What options set, but for the overrides. */
typedef struct plu_run_options {
    char *path; /* of the trajectory, PLU_PATH bytes */
    bool *free; /* the number of threads was left to the run */
    plu_progress *progress;
    double *max_time; /* s */
    char *until;      /* the override that --until stands for, or empty */
    size_t until_size;
} plu_run_options;

/* PLU_OK, PLU_USAGE or PLU_IO. */
plu_status plu_run_options_read(const plu_arguments *arguments, const plu_run_options *options,
                                plu_error *err);

#endif
