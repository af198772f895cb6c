/* Scripts for bash, zsh and fish that complete the words of a command line, from the same tables as
 * the help. Written in full into the script, so that completing a word starts no pluvia:
 *
 *   bash   one function; a `case` for each subcommand, in it a `case` for the option before the
 *          word, which offers the values of the option, files, or nothing
 *   zsh    _arguments for each subcommand: '--name=[help]:VALUE:_files'
 *   fish   a line for each option: complete -c pluvia -n '...from run' -l name -d 'help'
 *
 * What a value can be is read off what the table calls it: "a|b" are words, FILE, DIR and the like
 * are files, SOLVER and LOCAL are the names of solvers that this program has. */
#include "cli/base/commands.h"
#include "cli/base/text.h"
#include "pluvia/tool/solver.h"
#include <ctype.h>
#include <string.h>

/* Whether a shell should offer files for the value of an option, or for operands: what they are
 * called contains FILE, DIR, SCENE, CAMPAIGN, PROBLEM or an ending. */
static bool takes_files(const char *value)
{
    static const char *const words[] = {"FILE", "DIR", "SCENE", "CAMPAIGN", "PROBLEM", ".h5md"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(value, words[i]))
            return true;
    return false;
}

/* The words among which a value is chosen, each after a blank: those in small letters of "a|b", and
 * the names of solvers. */
static void put_choices(FILE *out, const char *value)
{
    if (strcmp(value, "SOLVER") == 0)
        for (int i = 0; i < plu_solvers_count(); i++)
            fprintf(out, " %s", plu_solver_name(i));
    if (strcmp(value, "LOCAL") == 0)
        for (int i = 0; i < plu_local_solvers_count(); i++)
            fprintf(out, " %s", plu_local_solver_name(i));
    for (const char *word = value; strchr(value, '|') && *word;) {
        const size_t length = strcspn(word, "|");
        if (islower((unsigned char)*word))
            fprintf(out, " %.*s", (int)length, word);
        word += length + (word[length] == '|');
    }
}

/* The first line of a text inside single quotes of any of the shells, without the marks that zsh
 * reads in a description. */
static void put_line(FILE *out, const char *text)
{
    for (const char *c = text; *c && *c != '\n'; c++)
        if (*c == ':')
            fputc(',', out);
        else if (!strchr("'`[]\\", *c))
            fputc(*c, out);
}

/* The subcommands, each after a blank. */
static void put_names(FILE *out, const plu_command *const *commands)
{
    for (int i = 0; commands[i]; i++)
        fprintf(out, " %s", commands[i]->name);
}

static void bash_command(FILE *out, const plu_command *command)
{
    fprintf(out, "    %s)\n        case $before in\n", command->name);
    for (int i = 0; i < command->options_count; i++) {
        const plu_option *option = &command->options[i];
        if (!option->value)
            continue;
        fprintf(out, "        --%s", option->name);
        if (option->letter)
            fprintf(out, " | -%c", option->letter);
        fputs(") _pluvia_value '", out);
        put_choices(out, option->value);
        fprintf(out, "' %s; return ;;\n", takes_files(option->value) ? "files" : "none");
    }
    fputs("        esac\n        options='--help", out);
    for (int i = 0; i < command->options_count; i++)
        fprintf(out, " --%s", command->options[i].name);
    fputs("'\n        ;;\n", out);
}

static void bash(FILE *out, const plu_command *const *commands)
{
    fputs("# bash completion for pluvia\n"
          "_pluvia_value() { # WORDS files|none: the words, else files or nothing\n"
          "    mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$word\")\n"
          "    [[ $2 == files ]] || compopt +o default\n"
          "}\n"
          "_pluvia() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} options=\n"
          "    [[ $word != = ]] || word=\n"
          "    [[ $before != = ]] || before=${COMP_WORDS[COMP_CWORD - 2]}\n"
          "    COMPREPLY=()\n"
          "    if ((COMP_CWORD == 1)); then\n"
          "        _pluvia_value '--help --version",
          out);
    put_names(out, commands);
    fputs("' none\n        return\n    fi\n    case ${COMP_WORDS[1]} in\n", out);
    for (int i = 0; commands[i]; i++)
        bash_command(out, commands[i]);
    fputs("    esac\n"
          "    if [[ $word == -* ]]; then\n"
          "        _pluvia_value \"$options\" none\n"
          "    elif [[ ${COMP_WORDS[1]} == help ]]; then\n"
          "        _pluvia_value '",
          out);
    put_names(out, commands);
    fputs("' none\n    fi\n}\ncomplete -o default -F _pluvia pluvia\n", out);
}

/* ":VALUE:ACTION" of _arguments: files, a list of words, or nothing. */
static void zsh_value(FILE *out, const char *value)
{
    fputc(':', out);
    put_line(out, value);
    fputc(':', out);
    if (takes_files(value)) {
        fputs("_files", out);
    } else if (strchr(value, '|') || strcmp(value, "SOLVER") == 0 || strcmp(value, "LOCAL") == 0) {
        fputs("(", out);
        put_choices(out, value);
        fputs(")", out);
    }
}

static void zsh_option(FILE *out, const plu_option *option)
{
    fprintf(out, " \\\n            '*--%s%s[", option->name, option->value ? "=" : "");
    put_line(out, option->help);
    fputc(']', out);
    if (option->value)
        zsh_value(out, option->value);
    fputc('\'', out);
    if (!option->letter)
        return;
    fprintf(out, " '*-%c[", option->letter);
    put_line(out, option->help);
    fputc(']', out);
    if (option->value)
        zsh_value(out, option->value);
    fputc('\'', out);
}

static void zsh(FILE *out, const plu_command *const *commands)
{
    fputs("#compdef pluvia\n"
          "_pluvia() {\n"
          "    local -a commands\n"
          "    commands=(",
          out);
    for (int i = 0; commands[i]; i++) {
        fprintf(out, "\n        '%s:", commands[i]->name);
        put_line(out, commands[i]->summary);
        fputc('\'', out);
    }
    fputs(")\n"
          "    if ((CURRENT == 2)); then\n"
          "        _describe command commands\n"
          "        _arguments --help --version\n"
          "        return\n"
          "    fi\n"
          "    local command=$words[2]\n"
          "    shift words\n"
          "    ((CURRENT--))\n"
          "    case $command in\n",
          out);
    for (int i = 0; commands[i]; i++) {
        fprintf(out, "    %s)\n        _arguments -s", commands[i]->name);
        for (int k = 0; k < commands[i]->options_count; k++)
            zsh_option(out, &commands[i]->options[k]);
        zsh_option(out, &plu_option_help);
        if (takes_files(commands[i]->operands))
            fputs(" \\\n            '*:file:_files'", out);
        fputs("\n        ;;\n", out);
    }
    fputs("    esac\n}\n_pluvia \"$@\"\n", out);
}

/* -r -F: needs a value, files are offered; -x: needs a value, no files. */
static void fish_option(FILE *out, const plu_command *command, const plu_option *option)
{
    fprintf(out, "complete -c pluvia -n '__fish_seen_subcommand_from %s' -l %s", command->name,
            option->name);
    if (option->letter)
        fprintf(out, " -s %c", option->letter);
    if (option->value) {
        fprintf(out, " %s -a '", takes_files(option->value) ? "-r -F" : "-x");
        put_choices(out, option->value);
        fputc('\'', out);
    }
    fputs(" -d '", out);
    put_line(out, option->help);
    fputs("'\n", out);
}

static void fish(FILE *out, const plu_command *const *commands)
{
    fputs("# fish completion for pluvia\n"
          "complete -c pluvia -n __fish_use_subcommand -f\n"
          "complete -c pluvia -n __fish_use_subcommand -l version -d 'version and licenses'\n",
          out);
    for (int i = 0; commands[i]; i++) {
        fprintf(out, "complete -c pluvia -n __fish_use_subcommand -a %s -d '", commands[i]->name);
        put_line(out, commands[i]->summary);
        fputs("'\n", out);
        for (int k = 0; k < commands[i]->options_count; k++)
            fish_option(out, commands[i], &commands[i]->options[k]);
        fish_option(out, commands[i], &plu_option_help);
    }
}

int plu_help_completion(const char *shell, FILE *out, const plu_command *const *commands)
{
    if (strcmp(shell, "bash") == 0) {
        bash(out, commands);
    } else if (strcmp(shell, "zsh") == 0) {
        zsh(out, commands);
    } else if (strcmp(shell, "fish") == 0) {
        fish(out, commands);
    } else {
        plu_message("option --completion: \"%s\" is not one of bash, zsh, fish", shell);
        return PLU_USAGE;
    }
    return PLU_OK;
}
