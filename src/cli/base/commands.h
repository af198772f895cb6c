/* commands.h: the subcommands. Each is a file of its own that holds its table of options, but for
 * `help`, which stands beside the table of them all (main.c). */
#ifndef CLI_BASE_COMMANDS_H
#define CLI_BASE_COMMANDS_H

#include "cli/base/options.h"
#include <stdio.h>

extern const plu_command plu_command_run;       /* run.c */
extern const plu_command plu_command_check;     /* check.c */
extern const plu_command plu_command_info;      /* info.c */
extern const plu_command plu_command_compare;   /* compare.c */
extern const plu_command plu_command_measure;   /* measure.c */
extern const plu_command plu_command_fields;    /* fields.c */
extern const plu_command plu_command_export;    /* export.c */
extern const plu_command plu_command_render;    /* render.c */
extern const plu_command plu_command_solve;     /* solve.c */
extern const plu_command plu_command_solvers;   /* solvers.c */
extern const plu_command plu_command_sweep;     /* sweep.c */
extern const plu_command plu_command_calibrate; /* calibrate.c */

/* Reads the `count` words after the name of a subcommand and runs it. The exit code (execute.c). */
int plu_execute(const plu_command *command, int count, char **words);
/* Makes sure that all that was printed has reached the standard output; the exit code, which is
 * PLU_IO where that failed and `code` says that all went well. */
int plu_execute_end(int code);

/* The help of the whole program, whose subcommands are `commands` (ended by NULL), of one of them,
 * and of a topic: a subcommand, a key of a scene or a group of keys. The last one returns the exit
 * code (help.c). */
extern const plu_option plu_option_help; /* that every command has */
void plu_help_overview(FILE *out, const plu_command *const *commands);
void plu_help_command(const plu_command *command, FILE *out);
int plu_help_topic(const char *topic, const plu_command *const *commands);

/* The manual page of a subcommand, or with NULL of the program (help.c). */
void plu_help_man(const plu_command *command, FILE *out, const plu_command *const *commands);
/* What makes "bash", "zsh" or "fish" complete the words after pluvia; the exit code, which is
 * PLU_USAGE for another shell (help_shell.c). */
int plu_help_completion(const char *shell, FILE *out, const plu_command *const *commands);

/* What the overview and the manual page of the program say. */
#define PLU_PROGRAM_SUMMARY "granular dynamics of rigid spheres with rolling friction"
#define PLU_PROGRAM_EXAMPLES                                                                       \
    "pluvia run scenes/first.cfg          three spheres, output/first.h5md\n"                      \
    "pluvia info output/first.h5md        what the trajectory contains\n"                          \
    "pluvia help scene                    how a scene is written\n"                                \
    "pluvia help time.step                what one key of a scene means"
#define PLU_PROGRAM_EXITS                                                                          \
    "0 done                                 4 solver: tolerance not reached\n"                     \
    "1 a comparison or acceptance failed    5 reading, writing or memory\n"                        \
    "2 wrong arguments                      6 numerical breakdown\n"                               \
    "3 invalid scene or input file          7 another run writes the same result\n"                \
    "75 out of time, can be continued       129, 130, 143 interrupted, likewise"

/* --- what `pluvia --version` prints --- */

/* The version on a line of its own; how it was built; then the libraries that the program is linked
 * with, a line each: name, version, license (an SPDX expression); last the license of the program
 * as linked. On standard output. */
void plu_print_version(void);

#endif
