/* summary.h: the summary that a run prints at its end, on one screen. */
#ifndef CLI_RUN_SUMMARY_H
#define CLI_RUN_SUMMARY_H

#include "cli/run/advice.h"
#include "pluvia/trajectory.h"
#include <stdio.h>

typedef struct plu_run_report {
    const char *path; /* of the trajectory */
    plu_run_state end;
    bool at_rest;     /* ended before time.end because all was at rest */
    bool stages_over; /* ended with its last stage */
    const plu_run_record *record;
    long frames;
    int threads, used;         /* that there were, and that made the last steps */
    const plu_step_info *last; /* step; NULL: none was made */
    plu_step_advice advice;    /* of the simulation before its first step */
    double wall_seconds;       /* of steps and frames */
    double output_seconds;     /* of frames */
} plu_run_report;

/* To `out`, NULL: not at all; what people should know in any case goes to the log. */
void plu_summary_print(FILE *out, const plu_simulation *simulation, const plu_run_report *report,
                       const plu_log *log);

#endif
