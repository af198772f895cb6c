/* Reads the words of a subcommand by its table of options (options.h), and gives their values.
 *
 *   word            means                                              read by
 *   --name          a switch, or the next word is the value            read_long
 *   --name=VALUE
 *   -q  -j4  -qo F  letters; the first that takes a value takes        read_short
 *                   the rest of the word, else the next word
 *   --              all later words are operands
 *   -  and others   operands                                           plu_arguments_read
 *
 * Options are kept in the order given, with their index in the table. One given twice counts as the
 * last (plu_argument); those that may be repeated are read from the list `given`. Values are
 * only checked where they are used, by the functions at the end: an integer within limits, positive
 * numbers, a list of numbers, a time span. All of them refuse what follows the number ("5x") and
 * numbers that are not finite. */
#include "cli/base/options.h"
#include "cli/base/text.h"
#include "pluvia/tool/paths.h"
#include <errno.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    plu_arguments *arguments;
    char **words;
    int count, next; /* `next` is the word to read next */
    plu_error *err;
} reader;

/* Room was allocated for all that the words can give (plu_arguments_read). */
static plu_status options_give(reader *r, int option, const char *value)
{
    r->arguments->given[r->arguments->given_count++] = (struct plu_given){option, value};
    return PLU_OK;
}

static plu_status needs_value(reader *r, const char *word, const plu_option *option)
{
    return plu_fail(r->err, PLU_USAGE, "option %s needs a value: %s", word, option->value);
}

/* Names the option of the table that is most similar, or none if all differ too much. */
static plu_status options_unknown(reader *r, const char *name)
{
    const plu_command *command = r->arguments->command;
    plu_nearest nearest = plu_nearest_start(name);
    for (int i = 0; i < command->options_count; i++)
        plu_nearest_try(&nearest, command->options[i].name);
    plu_nearest_try(&nearest, "help");
    if (nearest.best)
        return plu_fail(r->err, PLU_USAGE, "pluvia %s has no option --%s; did you mean --%s?",
                        command->name, name, nearest.best);
    return plu_fail(r->err, PLU_USAGE, "pluvia %s has no option --%s", command->name, name);
}

/* --name, --name=value or --name value */
static plu_status read_long(reader *r, const char *word)
{
    const plu_command *command = r->arguments->command;
    char name[96];
    const char *equals = strchr(word, '=');
    const size_t length = equals ? (size_t)(equals - word) - 2 : strlen(word) - 2;
    if (length >= sizeof name)
        return plu_fail(r->err, PLU_USAGE, "pluvia %s has no option %s", command->name, word);
    memcpy(name, word + 2, length);
    name[length] = '\0';
    for (int i = 0; i < command->options_count; i++) {
        const plu_option *option = &command->options[i];
        if (!plu_same_name(option->name, name))
            continue;
        if (!option->value)
            return equals ? plu_fail(r->err, PLU_USAGE, "option --%s takes no value", name)
                          : options_give(r, i, NULL);
        if (equals)
            return options_give(r, i, equals + 1);
        if (r->next >= r->count)
            return needs_value(r, word, option);
        return options_give(r, i, r->words[r->next++]);
    }
    /* Every subcommand has --help without a row of its own; a row of this name would win. */
    if (strcmp(name, "help") == 0 && !equals) {
        r->arguments->help = true;
        return PLU_OK;
    }
    return options_unknown(r, name);
}

static int find_letter(const plu_command *command, char letter)
{
    for (int i = 0; i < command->options_count; i++)
        if (command->options[i].letter == letter)
            return i;
    return -1;
}

/* -q, -qo FILE, -j4: switches may stand together, the first one with a value takes the rest */
static plu_status read_short(reader *r, const char *word)
{
    const plu_command *command = r->arguments->command;
    for (const char *c = word + 1; *c; c++) {
        const int i = find_letter(command, *c);
        if (i < 0 && *c == 'h') {
            r->arguments->help = true;
            return PLU_OK;
        }
        if (i < 0)
            return plu_fail(r->err, PLU_USAGE, "pluvia %s has no option -%c", command->name, *c);
        if (!command->options[i].value) {
            options_give(r, i, NULL);
            continue;
        }
        if (c[1])
            return options_give(r, i, c + 1);
        if (r->next >= r->count)
            return needs_value(r, word, &command->options[i]);
        return options_give(r, i, r->words[r->next++]);
    }
    return PLU_OK;
}

static plu_status count_operands(const plu_arguments *arguments, plu_error *err)
{
    const plu_command *command = arguments->command;
    if (arguments->operands_count < command->least)
        return plu_fail(err, PLU_USAGE, "pluvia %s needs %s", command->name, command->operands);
    if (arguments->operands_count > command->most)
        return plu_fail(err, PLU_USAGE, "pluvia %s does not accept \"%s\": it accepts %s",
                        command->name, arguments->operands[command->most],
                        command->most ? command->operands : "no operand");
    return PLU_OK;
}

plu_status plu_arguments_read(plu_arguments *arguments, const plu_command *command, int count,
                              char **words, plu_error *err)
{
    /* A word such as -qq gives several options, never more than it has letters. */
    size_t most_given = 1;
    for (int i = 0; i < count; i++)
        most_given += strlen(words[i]);
    *arguments = (plu_arguments){.command = command};
    arguments->operands = calloc((size_t)count + 1, sizeof *arguments->operands);
    arguments->given = calloc(most_given, sizeof *arguments->given);
    if (!arguments->operands || !arguments->given)
        return plu_fail(err, PLU_IO, "out of memory for the arguments");

    reader r = {arguments, words, count, 0, err};
    bool options_ended = false;
    while (r.next < count && !arguments->help) {
        const char *word = words[r.next++];
        plu_status status = PLU_OK;
        if (options_ended || word[0] != '-' || word[1] == '\0')
            arguments->operands[arguments->operands_count++] = word;
        else if (strcmp(word, "--") == 0)
            options_ended = true;
        else if (word[1] == '-')
            status = read_long(&r, word);
        else
            status = read_short(&r, word);
        if (status != PLU_OK)
            return status;
    }
    return arguments->help ? PLU_OK : count_operands(arguments, err);
}

void plu_arguments_free(plu_arguments *arguments)
{
    free(arguments->operands);
    free(arguments->given);
    *arguments = (plu_arguments){0};
}

bool plu_argument_given(const plu_arguments *arguments, int option)
{
    for (int i = 0; i < arguments->given_count; i++)
        if (arguments->given[i].option == option)
            return true;
    return false;
}

const char *plu_argument(const plu_arguments *arguments, int option)
{
    const char *value = arguments->command->options[option].fallback;
    for (int i = 0; i < arguments->given_count; i++)
        if (arguments->given[i].option == option)
            value = arguments->given[i].value;
    return value;
}

plu_status plu_argument_integer(const plu_arguments *arguments, int option, long least, long most,
                                long *number, plu_error *err)
{
    const char *word = plu_argument(arguments, option);
    char *end;
    errno = 0;
    *number = strtol(word, &end, 10);
    if (end == word || *end || errno || *number < least || *number > most)
        return plu_fail(err, PLU_USAGE, "option --%s: \"%s\" is not an integer from %ld to %ld",
                        arguments->command->options[option].name, word, least, most);
    return PLU_OK;
}

plu_status plu_argument_positive(const plu_arguments *arguments, int option, double *number,
                                 plu_error *err)
{
    const char *word = plu_argument(arguments, option);
    char *end;
    *number = strtod(word, &end);
    if (end == word || *end || !isfinite(*number) || *number <= 0.0)
        return plu_fail(err, PLU_USAGE, "option --%s: \"%s\" is not a positive number",
                        arguments->command->options[option].name, word);
    return PLU_OK;
}

/* `count` numbers with commas between and nothing after them. */
plu_status plu_argument_numbers(const plu_arguments *arguments, int option, int count,
                                double *number, plu_error *err)
{
    const char *word = plu_argument(arguments, option), *at = word;
    const plu_option *o = &arguments->command->options[option];
    for (int i = 0; i < count; i++) {
        char *end;
        number[i] = strtod(at, &end);
        if (end == at || !isfinite(number[i]) || *end != (i + 1 < count ? ',' : '\0'))
            return plu_fail(err, PLU_USAGE, "option --%s: \"%s\" is not %s", o->name, word,
                            o->value);
        at = end + 1;
    }
    return PLU_OK;
}

/* A number of seconds, or one with the unit s, m (minutes) or h. */
plu_status plu_argument_duration(const plu_arguments *arguments, int option, double *seconds,
                                 plu_error *err)
{
    const char *word = plu_argument(arguments, option);
    char *unit;
    *seconds = strtod(word, &unit);
    const bool number = unit != word && (!*unit || (strchr("smh", *unit) && !unit[1]));
    *seconds *= *unit == 'h' ? 3600.0 : *unit == 'm' ? 60.0 : 1.0;
    if (!number || !isfinite(*seconds) || *seconds <= 0.0)
        return plu_fail(err, PLU_USAGE,
                        "option --%s: \"%s\" is not a time span such as 90s, 30m or 2h",
                        arguments->command->options[option].name, word);
    return PLU_OK;
}

/* The command line with options in their long form, as a file keeps it; cut off where it is longer
 * than `size`. */
void plu_arguments_join(const plu_arguments *arguments, char *text, size_t size)
{
    const plu_command *command = arguments->command;
    size_t used =
        (size_t)snprintf(text, size, "pluvia %s %s", command->name, arguments->operands[0]);
    for (int i = 0; i < arguments->given_count && used < size; i++) {
        const struct plu_given *given = &arguments->given[i];
        used += (size_t)snprintf(text + used, size - used, " --%s%s%s",
                                 command->options[given->option].name, given->value ? "=" : "",
                                 given->value ? given->value : "");
    }
}

/* Without the option and without OMP_NUM_THREADS the number of threads is open (*free): the caller
 * may choose fewer than there are processors. */
plu_status plu_threads_set(const plu_arguments *arguments, int option, bool *free, plu_error *err)
{
    long threads;
    const bool given = plu_argument_given(arguments, option);
    *free = !given && !getenv("OMP_NUM_THREADS");
    if (!given)
        return PLU_OK;
    const plu_status status = plu_argument_integer(arguments, option, 1, 1024, &threads, err);
    if (status == PLU_OK)
        omp_set_num_threads((int)threads);
    return status;
}
