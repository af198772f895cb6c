/* options.h: the words after a subcommand. A subcommand is described by a constant table, from
 * which its words are read and its help is printed. */
#ifndef CLI_BASE_OPTIONS_H
#define CLI_BASE_OPTIONS_H

#include "pluvia/status.h"
#include <stdbool.h>

typedef struct plu_option {
    char letter;          /* "-o"; 0: none */
    const char *name;     /* "--output" is "output" */
    const char *value;    /* what the option takes, as shown in the help; NULL: a switch */
    const char *fallback; /* value when it is not given; NULL: none */
    const char *help;     /* may have several lines */
} plu_option;

/* The same for every command that writes where its user says (pluvia/tool/output.h). */
#define PLU_OPTION_FORCE                                                                           \
    {                                                                                              \
        0, "force", NULL, NULL, "replaces an existing result"                                      \
    }

typedef struct plu_arguments plu_arguments;

typedef struct plu_command {
    const char *name;
    const char *operands; /* "SCENE...", for the usage line */
    int least, most;      /* number of operands */
    const char *summary;  /* one line */
    const char *examples; /* lines, shown first */
    const char *notes;    /* lines, shown last; NULL: none */
    const plu_option *options;
    int options_count;
    int (*run)(const plu_arguments *arguments); /* returns the exit code */
} plu_command;

struct plu_arguments {
    const plu_command *command;
    bool help; /* --help was given: nothing else is complete */
    int operands_count;
    const char **operands;
    int given_count; /* options in the order in which they were given */
    struct plu_given {
        int option; /* index into command->options */
        const char *value;
    } * given;
};

/* Reads `count` words, those after the subcommand. Options may follow the operands; "--" ends them;
 * values come as "--name value", "--name=value", "-n value" or "-nvalue". The texts stay those of
 * `words`. PLU_OK, PLU_USAGE or PLU_IO (no memory); plu_arguments_free in any case. */
plu_status plu_arguments_read(plu_arguments *arguments, const plu_command *command, int count,
                              char **words, plu_error *err);
void plu_arguments_free(plu_arguments *arguments);

/* Value of an option (index into the command's table): the last one given, else its fallback. */
const char *plu_argument(const plu_arguments *arguments, int option);
bool plu_argument_given(const plu_arguments *arguments, int option);

/* The value as a number; it must be given or have a fallback. PLU_USAGE unless the whole word is a
 * number in [least, most]. */
plu_status plu_argument_integer(const plu_arguments *arguments, int option, long least, long most,
                                long *number, plu_error *err);
plu_status plu_argument_positive(const plu_arguments *arguments, int option, double *number,
                                 plu_error *err);

/* `count` numbers with commas between. */
plu_status plu_argument_numbers(const plu_arguments *arguments, int option, int count,
                                double *number, plu_error *err);

/* The command line, options spelled out, as far as it fits. */
void plu_arguments_join(const plu_arguments *arguments, char *text, size_t size);

/* A time span in seconds from "90", "90s", "1.5m" or "2h". */
plu_status plu_argument_duration(const plu_arguments *arguments, int option, double *seconds,
                                 plu_error *err);

/* --- The option that says how many threads a command uses --- */

/* Sets the number that the option gives, if it is given. *free: neither it nor OMP_NUM_THREADS is,
 * so that a run may try which number is best (team_size.h). */
plu_status plu_threads_set(const plu_arguments *arguments, int option, bool *free, plu_error *err);

#endif
