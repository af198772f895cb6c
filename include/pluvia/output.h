/* output.h: one file that a command writes where its user said, so that nothing else is lost.
 *
 * What is a regular file, or none yet, is written as NAME.PROCESS.part, so that two commands never
 * write one file, and gets its name when it is whole;
 * symbolic links are followed. A device, a FIFO and "-" (standard output) are written through and
 * stay what they are. Never replaced are the files that the command reads, trajectories,
 * checkpoints, scenes and, except by problems, problems, by what is in them. Of what may be
 * replaced, tables and pictures are so unasked, all else with `force`. Trajectories have rules of
 * their own (trajectory.h). */
#ifndef PLUVIA_OUTPUT_H
#define PLUVIA_OUTPUT_H

#include "pluvia/scene.h"
#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum plu_output_kind {
    PLU_OUTPUT_TABLE,   /* replaces .csv, .tsv, .txt, .dat and .json unasked */
    PLU_OUTPUT_PICTURE, /* replaces .png unasked */
    PLU_OUTPUT_PROBLEM, /* a contact problem */
    PLU_OUTPUT_OTHER
} plu_output_kind;

typedef struct plu_output_rule {
    plu_output_kind kind;
    bool force;
    const char *const *inputs; /* files that the command reads; NULL entries are skipped */
    int inputs_count;
} plu_output_rule;

/* The caller's; zeroed before use. */
typedef struct plu_output {
    plu_output_rule rule;
    const char *given;           /* as the user wrote it */
    char target[PLU_PATH];       /* links followed */
    char written[PLU_PATH + 32]; /* the file while it is made; "": none */
    FILE *stream;
    int descriptor; /* of standard output, kept for "-" */
    bool through;   /* no regular file: written through */
} plu_output;

/* Checks that `path` may be written and changes nothing yet; `path` and the inputs must outlive the
 * output. PLU_OK, PLU_USAGE (it is an input) or PLU_IO (it exists, must not be replaced, ...). */
plu_status plu_output_begin(plu_output *output, const char *path, const plu_output_rule *rule,
                            plu_error *err);

/* The same alone: says before the work what would only be found after it. */
plu_status plu_output_check(const char *path, const plu_output_rule *rule, plu_error *err);

/* What to write to: a stream, or the name of a file for those who open it themselves (they may
 * replace it). NULL with a sentence (PLU_IO). */
FILE *plu_output_stream(plu_output *output, plu_error *err);
const char *plu_output_name(plu_output *output, plu_error *err);

/* With PLU_OK so far: puts the file in its place, on the disk. Else, and where that fails, removes
 * it. The status so far, or PLU_IO. Needs plu_output_begin, does nothing without it. */
plu_status plu_output_end(plu_output *output, plu_status status, plu_error *err);

/* `path` must be none of the files that the command reads, by whatever name (the same file of the
 * same device); NULL entries are skipped. PLU_OK or PLU_USAGE. */
plu_status plu_output_spare(const char *path, const char *const *inputs, int count, plu_error *err);

/* Of a path: true for "-", and for what is written through, whose name says nothing of a format. */
bool plu_output_is_screen(const char *path);
bool plu_output_goes_through(const char *path);

/* The file to which `path` leads through symbolic links, which need not be there. PLU_OK or PLU_IO
 * (too long, a circle). */
plu_status plu_follow_links(const char *path, char target[PLU_PATH], plu_error *err);

#ifdef __cplusplus
}
#endif

#endif
