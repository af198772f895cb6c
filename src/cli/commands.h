/* commands.h: the subcommands. Each is a file of its own that holds its table of options. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "options.h"
#include <stdio.h>

extern const plu_command plu_command_run;       /* run.c */
extern const plu_command plu_command_check;     /* check.c */
extern const plu_command plu_command_info;      /* info.c */
extern const plu_command plu_command_compare;   /* compare.c */
extern const plu_command plu_command_measure;   /* measure.c */
extern const plu_command plu_command_export;    /* export.c */
extern const plu_command plu_command_render;    /* render.c */
extern const plu_command plu_command_solve;     /* solve.c */
extern const plu_command plu_command_solvers;   /* solvers.c */
extern const plu_command plu_command_sweep;     /* sweep.c */
extern const plu_command plu_command_calibrate; /* calibrate.c */
extern const plu_command plu_command_help;      /* help.c */

/* All of them, in the order in which the help lists them; ends with NULL (main.c). */
extern const plu_command *const plu_commands[];

/* Does what the program does with these words, argv[0] being its own name; the exit code (main.c).
 */
int plu_execute(int argc, char **argv);

/* The help of the whole program, and of one subcommand (help.c). */
void plu_help_overview(FILE *out);
void plu_help_command(const plu_command *command, FILE *out);

#endif
