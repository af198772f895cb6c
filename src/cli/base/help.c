/* What pluvia help prints: the program, its subcommands and, from the library's table, the keys of
 * a scene.
 *
 * All texts come from two tables: those of subcommands (plu_command with its plu_option rows) and
 * that of keys (pluvia/tool/keys.h). The same rows give the help, the manual pages and the
 * completion by shells (help_shell.c), so that none of them can lag behind.
 *
 *   pluvia help           plu_help_overview   commands and exit codes
 *   pluvia help run       plu_help_command    examples, usage, options, notes
 *   pluvia help time.step plu_scene_help      type, unit, range, default
 *   pluvia help --man run plu_help_man        .TH PLUVIA\-RUN 1 "" "pluvia X" "User Commands" ...
 */
#include "cli/base/commands.h"
#include "cli/base/text.h"
#include "pluvia/scene.h"
#include "pluvia/tool/keys.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Prints lines, the first at the present place and the others after `indent` blanks. */
static void print_indented(FILE *out, const char *text, int indent)
{
    for (const char *c = text; *c; c++) {
        fputc(*c, out);
        if (*c == '\n')
            fprintf(out, "%*s", indent, "");
    }
}

static void print_section(FILE *out, const char *title, const char *text)
{
    fprintf(out, "\n%s\n  ", title);
    print_indented(out, text, 2);
    fputc('\n', out);
}

/* Two columns, names and explanations; a name that reaches into the second one gets its own line.
 */
static void print_option(FILE *out, const plu_option *option)
{
    const int length = fprintf(out, "  %c%c  --%s%s%s", option->letter ? '-' : ' ',
                               option->letter ? option->letter : ' ', option->name,
                               option->value ? " " : "", option->value ? option->value : "");
    fprintf(out, length > 26 ? "\n%*s" : "%*s", length > 26 ? 27 : 27 - length, "");
    print_indented(out, option->help, 27);
    if (option->fallback)
        fprintf(out, " (default: %s)", option->fallback);
    fputc('\n', out);
}

const plu_option plu_option_help = {'h', "help", NULL, NULL, "this page"};

void plu_help_command(const plu_command *command, FILE *out)
{
    fprintf(out, "pluvia %s: %s\n", command->name, command->summary);
    print_section(out, "Examples", command->examples);
    fprintf(out, "\nUsage\n  pluvia %s%s%s%s\n", command->name, command->operands[0] ? " " : "",
            command->operands, command->options_count ? " [options]" : "");
    fprintf(out, "\nOptions\n");
    for (int i = 0; i < command->options_count; i++)
        print_option(out, &command->options[i]);
    print_option(out, &plu_option_help);
    if (command->notes)
        print_section(out, "Notes", command->notes);
}

void plu_help_overview(FILE *out, const plu_command *const *commands)
{
    fprintf(out, "pluvia %s: %s\n", plu_version(), PLU_PROGRAM_SUMMARY);
    print_section(out, "Examples", PLU_PROGRAM_EXAMPLES);
    fprintf(out, "\nCommands\n");
    for (int i = 0; commands[i]; i++) {
        char usage[64];
        snprintf(usage, sizeof usage, "%s %s", commands[i]->name, commands[i]->operands);
        fprintf(out, "  %-24s %s\n", usage, commands[i]->summary);
    }
    print_section(out, "Exit codes", PLU_PROGRAM_EXITS);
}

/* `topic` is no command: a key or a group of keys of a scene, else the nearest word. */
static int help_key(const char *topic, const plu_command *const *commands)
{
    plu_error err = {0};
    const plu_status status = plu_scene_help(topic, stdout, &err);
    if (status == PLU_OK)
        return PLU_OK;
    plu_nearest nearest = plu_nearest_start(topic);
    for (int i = 0; commands[i]; i++)
        plu_nearest_try(&nearest, commands[i]->name);
    if (nearest.best)
        plu_message("there is no help for \"%s\"; did you mean the command \"%s\"?", topic,
                    nearest.best);
    else
        plu_message_error(&err);
    return (int)status;
}

int plu_help_topic(const char *topic, const plu_command *const *commands)
{
    for (int i = 0; commands[i]; i++) {
        if (strcmp(commands[i]->name, topic) == 0) {
            plu_help_command(commands[i], stdout);
            return PLU_OK;
        }
    }
    return help_key(topic, commands);
}

/* --- The manual pages, in the language of man(7), from the same tables as the help --- */

/* A text of several lines as it stands. Hyphens of options are no hyphens to break a line at. A
 * point or an apostrophe at the start of a line would be a request to troff, hence the \& before
 * it. */
static void put(FILE *out, const char *text)
{
    bool begins = true;
    for (const char *c = text; *c; c++) {
        if (begins && (*c == '.' || *c == '\''))
            fputs("\\&", out);
        begins = *c == '\n';
        if (*c == '\\')
            fputs("\\e", out);
        else if (*c == '-')
            fputs("\\-", out);
        else
            fputc(*c, out);
    }
}

/* The name of the page of a subcommand, as PLUVIA-RUN or pluvia-run. */
static void put_page(FILE *out, const plu_command *command, bool large)
{
    fputs(large ? "PLUVIA" : "pluvia", out);
    if (!command)
        return;
    fputs("\\-", out);
    for (const char *c = command->name; *c; c++)
        fputc(large ? toupper((unsigned char)*c) : *c, out);
}

/* The head of a page: title line, name with summary, and the heading of the synopsis. */
static void begin(FILE *out, const plu_command *command, const char *summary)
{
    fputs(".TH ", out);
    put_page(out, command, true);
    fprintf(out, " 1 \"\" \"pluvia %s\" \"User Commands\"\n.SH NAME\n", plu_version());
    put_page(out, command, false);
    fputs(" \\- ", out);
    put(out, summary);
    fputs("\n.SH SYNOPSIS\n", out);
}

/* .nf and .fi: lines stay as they are. */
static void section(FILE *out, const char *title, const char *text)
{
    fprintf(out, ".SH %s\n.nf\n", title);
    put(out, text);
    fputs("\n.fi\n", out);
}

static void put_option(FILE *out, const plu_option *option)
{
    fputs(".TP\n", out);
    if (option->letter)
        fprintf(out, "\\fB\\-%c\\fR, ", option->letter);
    fputs("\\fB\\-\\-", out);
    put(out, option->name);
    fputs("\\fR", out);
    if (option->value) {
        fputs(" \\fI", out);
        put(out, option->value);
        fputs("\\fR", out);
    }
    fputc('\n', out);
    for (const char *line = option->help, *end; line; line = end ? end + 1 : NULL) {
        char text[256];
        end = strchr(line, '\n');
        snprintf(text, sizeof text, "%.*s", end ? (int)(end - line) : (int)strlen(line), line);
        put(out, text);
        fputs(end ? "\n.br\n" : "\n", out);
    }
    if (option->fallback) {
        fputs("(default: ", out);
        put(out, option->fallback);
        fputs(")\n", out);
    }
}

static void page_of_command(const plu_command *command, FILE *out)
{
    begin(out, command, command->summary);
    fprintf(out, "\\fBpluvia %s\\fR \\fI", command->name);
    put(out, command->operands);
    fputs("\\fR [options]\n.SH OPTIONS\n", out);
    for (int i = 0; i < command->options_count; i++)
        put_option(out, &command->options[i]);
    put_option(out, &plu_option_help);
    if (command->notes)
        section(out, "NOTES", command->notes);
    section(out, "EXAMPLES", command->examples);
    fputs(".SH SEE ALSO\n.BR pluvia (1)\n", out);
}

static void page_of_program(FILE *out, const plu_command *const *commands)
{
    begin(out, NULL, PLU_PROGRAM_SUMMARY);
    fputs("\\fBpluvia\\fR \\fICOMMAND\\fR [operands] [options]\n.SH COMMANDS\n", out);
    for (int i = 0; commands[i]; i++) {
        fprintf(out, ".TP\n\\fB%s\\fR \\fI", commands[i]->name);
        put(out, commands[i]->operands);
        fputs("\\fR\n", out);
        put(out, commands[i]->summary);
        fputc('\n', out);
    }
    section(out, "EXIT STATUS", PLU_PROGRAM_EXITS);
    section(out, "EXAMPLES", PLU_PROGRAM_EXAMPLES);
    fputs(".SH SEE ALSO\n", out);
    for (int i = 0; commands[i]; i++)
        fprintf(out, ".BR pluvia\\-%s (1)%s\n", commands[i]->name, commands[i + 1] ? "," : "");
}

void plu_help_man(const plu_command *command, FILE *out, const plu_command *const *commands)
{
    if (command)
        page_of_command(command, out);
    else
        page_of_program(out, commands);
}
