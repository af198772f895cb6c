/* The manual pages, in the language of man(7), from the same tables as the help. */
#include "cli/base/commands.h"
#include <ctype.h>
#include <string.h>

/* A text of several lines as it stands. Hyphens of options are no hyphens to break a line at. */
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
