/* The options of pluvia run: the table, and what they set. --until is an override of the scene
 * like -s time.end=T, and comes last, so that it wins. */
#include "cli/run/run_options.h"
#include "cli/base/commands.h"
#include "cli/base/options.h"
#include "cli/run/result_files.h"
#include <stdio.h>

const plu_option plu_run_option_table[PLU_RUN_OPTION_COUNT] = {
    [PLU_RUN_OPTION_OUTPUT] = {'o', "output", "FILE.h5md", NULL,
                               "the trajectory; default: output/NAME.h5md, NAME is\n"
                               "the scene file without its folder and without .cfg"},
    [PLU_RUN_OPTION_THREADS] = {'j', "threads", "N", NULL,
                                "default: OMP_NUM_THREADS, else as many of the cores\n"
                                "as make the steps fastest, which is tried now and then;\n"
                                "the result is the same for every N"},
    [PLU_RUN_OPTION_SET] = {'s', "set", "KEY=VALUE", NULL,
                            "overrides a key of the scene; may be repeated"},
    [PLU_RUN_OPTION_UNTIL] = {0, "until", "T", NULL,
                              "simulated time in s; the same as -s time.end=T"},
    [PLU_RUN_OPTION_RESTART] = {0, "restart", "auto|FILE", NULL,
                                "continues from the newest checkpoint beside the\n"
                                "trajectory (auto; from the start if there is\n"
                                "none), or from the checkpoint FILE"},
    [PLU_RUN_OPTION_MAX_TIME] = {0, "max-time", "TIME", NULL,
                                 "wall time after which the run saves its state\n"
                                 "and stops, such as 90s, 30m or 2h; exit code 75"},
    [PLU_RUN_OPTION_FORCE] = PLU_OPTION_FORCE,
    [PLU_RUN_OPTION_PROGRESS] = {0, "progress", "auto|bar|plain|none", "auto",
                                 "auto, bar, plain (a line every 10 s)\nor none; on stderr"},
    [PLU_RUN_OPTION_QUIET] = {'q', "quiet", NULL, NULL,
                              "only warnings and errors: no progress, no summary"},
};

plu_status plu_run_options_read(const plu_arguments *arguments, const plu_run_options *o,
                                plu_error *err)
{
    plu_status status = plu_result_path(arguments, PLU_RUN_OPTION_OUTPUT, o->path, err);
    if (status == PLU_OK)
        status = plu_threads_set(arguments, PLU_RUN_OPTION_THREADS, o->free, err);
    if (status == PLU_OK)
        status = plu_progress_open(o->progress, plu_argument(arguments, PLU_RUN_OPTION_PROGRESS),
                                   plu_argument_given(arguments, PLU_RUN_OPTION_QUIET), err);
    if (status == PLU_OK && plu_argument_given(arguments, PLU_RUN_OPTION_MAX_TIME))
        status = plu_argument_duration(arguments, PLU_RUN_OPTION_MAX_TIME, o->max_time, err);
    if (status == PLU_OK && plu_argument_given(arguments, PLU_RUN_OPTION_RESTART) &&
        plu_argument_given(arguments, PLU_RUN_OPTION_FORCE))
        status = plu_fail(err, PLU_USAGE,
                          "options --restart and --force exclude each other: one continues a "
                          "result, the other replaces it");
    o->until[0] = '\0';
    if (status == PLU_OK && plu_argument_given(arguments, PLU_RUN_OPTION_UNTIL)) {
        double end;
        status = plu_argument_positive(arguments, PLU_RUN_OPTION_UNTIL, &end, err);
        snprintf(o->until, o->until_size, "time.end=%.15g", end);
    }
    return status;
}
