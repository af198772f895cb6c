/* The command pluvia: finds the subcommand, reads its words, runs it.
 *
 *   pluvia run scenes/first.cfg -s time.step=1e-4
 *          |   '------------------------------- operands and options: options.c, by the
 *          |                                    table of the subcommand
 *          '-- dispatch: one of `commands`, else --help, --version, or the nearest word
 *
 * Order in main: standard descriptors, signals, HDF5's own clean-up, the handler of crashes, then,
 * for commands that compute, waiting threads (process.c: the program executes itself again), last
 * the subcommand. Every way out passes plu_execute_end: output that could not be written, as to a
 * full disk, is not taken for success.
 *
 * The exit code is that of the subcommand; PLU_PROGRAM_EXITS (commands.h) lists them all. */
#include "cli/base/commands.h"
#include "cli/base/process.h"
#include "cli/base/text.h"
#include "pluvia/scene.h"
#include "pluvia/tool/keys.h"
#include <fcntl.h>
#include <hdf5.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The subcommand that lists the others stands beside the table of them. */
static int help(const plu_arguments *arguments);

enum { REFERENCE, MAN, COMPLETION };

static const plu_option help_options[] = {
    [REFERENCE] = {0, "reference", NULL, NULL, "all keys of a scene as a Markdown page"},
    [MAN] = {0, "man", NULL, NULL,
             "the manual page of a command, or of the program:\n"
             "pluvia help --man run | man -l -"},
    [COMPLETION] = {0, "completion", "bash|zsh|fish", NULL,
                    "a script for the shell that completes commands and options:\n"
                    "source <(pluvia help --completion bash)"},
};

static const plu_command help_command = {
    .name = "help",
    .operands = "[COMMAND|KEY]",
    .most = 1,
    .summary = "explain a command or a key of a scene",
    .examples = "pluvia help run                      a command\n"
                "pluvia help scene                    the groups of keys of a scene\n"
                "pluvia help feeders.pluviation       a group of keys\n"
                "pluvia help time.step                one key: type, unit, range, default",
    .options = help_options,
    .options_count = sizeof help_options / sizeof *help_options,
    .run = help,
};

/* All of them, in the order in which the help lists them. */
static const plu_command *const commands[] = {
    &plu_command_run,       &plu_command_sweep,
    &plu_command_calibrate, &plu_command_check,
    &plu_command_info,      &plu_command_compare,
    &plu_command_measure,   &plu_command_fields,
    &plu_command_render,    &plu_command_export,
    &plu_command_solve,     &plu_command_solvers,
    &help_command,          NULL,
};

static const plu_command *command_named(const char *name)
{
    for (int i = 0; commands[i]; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static int help(const plu_arguments *arguments)
{
    const char *topic = arguments->operands_count ? arguments->operands[0] : NULL;
    const plu_command *command = topic ? command_named(topic) : NULL;
    if (plu_argument_given(arguments, REFERENCE))
        plu_scene_reference(stdout);
    else if (plu_argument_given(arguments, COMPLETION))
        return plu_help_completion(plu_argument(arguments, COMPLETION), stdout, commands);
    else if (plu_argument_given(arguments, MAN) && (command || !topic))
        plu_help_man(command, stdout, commands);
    else if (topic)
        return plu_help_topic(topic, commands);
    else
        plu_help_overview(stdout, commands);
    return PLU_OK;
}

/* A word that is no subcommand: the most similar one, options included, so that "pluvia --hlep" is
 * understood. Short words may differ in two letters (plu_nearest_start). */
static int main_unknown(const char *word)
{
    plu_nearest nearest = plu_nearest_start(word);
    for (int i = 0; commands[i]; i++)
        plu_nearest_try(&nearest, commands[i]->name);
    plu_nearest_try(&nearest, "--help");
    plu_nearest_try(&nearest, "--version");
    const char *kind = word[0] == '-' ? "option" : "command";
    if (nearest.best)
        plu_message("unknown %s \"%s\"; did you mean \"%s\"?", kind, word, nearest.best);
    else
        plu_message("unknown %s \"%s\"; \"pluvia help\" lists the commands", kind, word);
    return PLU_USAGE;
}

/* --version and --help stand here and not in a table, since they have no subcommand. */
static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        plu_help_overview(stderr, commands);
        return PLU_USAGE;
    }
    const char *word = argv[1];
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        plu_print_version();
        return PLU_OK;
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        plu_help_overview(stdout, commands);
        return PLU_OK;
    }
    const plu_command *command = command_named(word);
    return command ? plu_execute(command, argc - 2, argv + 2) : main_unknown(word);
}

/* The subcommands that solve for long in many threads; for others a second start is not worth it.
 */
static bool computes(const char *command)
{
    return strcmp(command, "run") == 0 || strcmp(command, "sweep") == 0 ||
           strcmp(command, "calibrate") == 0;
}

/* Opens the standard descriptors that are closed (as in a daemon). Otherwise the first file that
 * the program opens would become its standard output, and receive what is printed. They are opened
 * for reading only, so that printing fails as it does on a closed descriptor. */
static bool take_descriptors(void)
{
    bool taken = true;
    for (int file = STDIN_FILENO; taken && file <= STDERR_FILENO; file++)
        taken = fcntl(file, F_GETFD) >= 0 || open("/dev/null", O_RDONLY) == file;
    return taken;
}

int main(int argc, char **argv)
{
    if (!take_descriptors())
        return PLU_IO;
    signal(SIGXFSZ, SIG_IGN); /* a limit on files is an error of the call that exceeds it */
    /* HDF5 1.10 does not survive its own clean-up at the end after a file that a full disk kept
     * from being closed; all files are closed by then. */
    (void)H5dont_atexit();
    plu_guard_begin();
    if (argc > 1 && computes(argv[1]))
        plu_spin_briefly(argv);
    return plu_execute_end(dispatch(argc, argv));
}
