/* output.h: safe writing of one output file of a command, so that no other file is lost.
 *
 * A regular file, existing or new, is written as NAME.PROCESS.part, so that two commands never
 * write the same file, and renamed when it is complete; symbolic links are followed. A device, a
 * FIFO and
 * "-" (standard output) are written directly.
 *
 * Files that the command reads, trajectories, checkpoints and scenes are never replaced; problems
 * are replaced by problems only. The content of a file decides its kind. Pictures and tables that
 * begin as those of pluvia are replaced by default, other files with `force` only. What a
 * trajectory that is read names as inputs of its run counts as read, too. Trajectories have their
 * own rules (trajectory.h). */
/* Of the tool: neither installed nor exported by the shared library. */
#ifndef PLUVIA_TOOL_OUTPUT_H
#define PLUVIA_TOOL_OUTPUT_H

#include "pluvia/status.h"
#include "pluvia/where.h"
#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum plu_output_kind {
    PLU_OUTPUT_TABLE,   /* replaces tables (.csv, .tsv, .txt, .dat, .json) without `force` */
    PLU_OUTPUT_PICTURE, /* replaces .png without `force` */
    PLU_OUTPUT_PROBLEM, /* a contact problem */
    PLU_OUTPUT_OTHER
} plu_output_kind;

typedef struct plu_output_rule {
    plu_output_kind kind;
    bool force;
    const char *const *inputs; /* files that the command reads; NULL entries are skipped */
    int inputs_count;
} plu_output_rule;

/* An output that is being written; owned by the caller, zeroed before use. */
typedef struct plu_output {
    plu_output_rule rule;
    const char *given;           /* as the user wrote it */
    char target[PLU_PATH];       /* the file after links are followed */
    char written[PLU_PATH + 32]; /* the temporary file; "": none */
    FILE *stream;
    int descriptor; /* of standard output, kept for "-" */
    bool through;   /* not a regular file: written directly */
} plu_output;

/* Checks that `path` may be written and changes nothing yet; `path` and the inputs must outlive the
 * output. PLU_OK, PLU_USAGE (it is an input) or PLU_IO (it exists, must not be replaced, ...). */
plu_status plu_output_begin(plu_output *output, const char *path, const plu_output_rule *rule,
                            plu_error *err);

/* The check of plu_output_begin alone, so that a command can fail before it does its work. */
plu_status plu_output_check(const char *path, const plu_output_rule *rule, plu_error *err);

/* The stream to write to; or the name of a file for callers that open it themselves (they may
 * replace it). NULL and a message (PLU_IO) on failure. */
FILE *plu_output_stream(plu_output *output, plu_error *err);
const char *plu_output_name(plu_output *output, plu_error *err);

/* Ends the output. If `status`, that of the work so far, is PLU_OK, syncs the file and renames it;
 * else, or if that fails, removes it. Returns `status` or PLU_IO. Does nothing without
 * plu_output_begin. */
plu_status plu_output_end(plu_output *output, plu_status status, plu_error *err);

/* Checks that `path` is none of the `count` files that the command reads, under any name (same
 * inode and device), and no input of the scenes of trajectories among them; NULL entries are
 * skipped. PLU_OK or PLU_USAGE. */
plu_status plu_output_spare(const char *path, const char *const *inputs, int count, plu_error *err);

/* plu_output_is_screen: the path is "-". plu_output_goes_through: it is not a regular file, so that
 * it is written directly and its name does not tell a format. */
bool plu_output_is_screen(const char *path);
bool plu_output_goes_through(const char *path);

#ifdef __cplusplus
}
#endif

#endif
