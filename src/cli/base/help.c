/* What pluvia help prints: the program, its subcommands and, from the library's table, the keys of
 * a scene. */
#include "cli/base/commands.h"
#include "cli/base/message.h"
#include "cli/base/text.h"
#include "pluvia/scene.h"
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

static void print_option(FILE *out, const plu_option *option)
{
    char name[64];
    snprintf(name, sizeof name, "%c%c  --%s%s%s", option->letter ? '-' : ' ',
             option->letter ? option->letter : ' ', option->name, option->value ? " " : "",
             option->value ? option->value : "");
    fprintf(out, "  %-24s ", name);
    if (strlen(name) > 24)
        fprintf(out, "\n%27s", "");
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
