/* Runs a subcommand with its words: reads them by its table of options, shows its help if they ask
 * for it, else calls it. The words are freed in any case. */
#include "cli/base/commands.h"
#include "cli/base/text.h"
#include <stdio.h>

static int run_command(const plu_command *command, int count, char **words)
{
    plu_arguments arguments;
    plu_error err = {0};
    int code = (int)plu_arguments_read(&arguments, command, count, words, &err);
    if (code != PLU_OK) {
        plu_message_error(&err);
        plu_message("\"pluvia help %s\" shows examples and all options", command->name);
    } else if (arguments.help) {
        plu_help_command(command, stdout);
    } else {
        code = command->run(&arguments);
    }
    plu_arguments_free(&arguments);
    return code;
}

/* The standard output has a buffer: that a disk is full appears only when the buffer is written.
 * A code that is not PLU_OK stays, since it is what went wrong first. */
int plu_execute_end(int code)
{
    if ((fflush(stdout) != 0 || ferror(stdout)) && code == PLU_OK) {
        plu_message("cannot write to the standard output");
        return PLU_IO;
    }
    return code;
}

int plu_execute(const plu_command *command, int count, char **words)
{
    return plu_execute_end(run_command(command, count, words));
}
