/* A scene as text with all defaults filled in, which every result stores ("scene_resolved"):
 * numbers as the shortest text that reads back as the same double, so that the scene of a result
 * gives the same bits.
 *
 *   time = {
 *       step = 0.001; # s
 *       end = 2.0; # s
 *   };
 *
 * Keys are printed in the order of the table (keys.c), not of the file, so that two scenes that
 * mean the same have the same text. Also here: what a message calls the value that it found, and
 * what a key wants ("a number > 0 (m)"). */
#include "scene/describe.h"
#include "base/words.h"
#include "scene/keys.h"
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Shortest text that reads back as the same double, with a point or an exponent. */
static void print_number(FILE *out, double value)
{
    char text[PLU_SHORTEST];
    plu_shortest(text, isnan(value) ? fabs(value) : value); /* its sign means nothing */
    fprintf(out, "%s%s", text, strpbrk(text, ".en") ? "" : ".0");
}

/* Bytes below a blank as \xNN, which libconfig reads; all others as they are (UTF-8). */
static void print_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else if ((unsigned char)*text < ' ')
            fprintf(out, "\\x%02x", (unsigned char)*text);
        else
            fputc(*text, out);
    fputc('"', out);
}

void plu_print_scalar(FILE *out, const config_setting_t *setting)
{
    switch (config_setting_type(setting)) {
    case CONFIG_TYPE_INT:
        fprintf(out, "%d", config_setting_get_int(setting));
        break;
    case CONFIG_TYPE_INT64:
        fprintf(out, "%lldL", config_setting_get_int64(setting));
        break;
    case CONFIG_TYPE_FLOAT:
        print_number(out, config_setting_get_float(setting));
        break;
    case CONFIG_TYPE_BOOL:
        fputs(config_setting_get_bool(setting) ? "true" : "false", out);
        break;
    default:
        print_text(out, config_setting_get_string(setting));
    }
}

const char *plu_setting_found(const config_setting_t *setting, char *text, size_t size)
{
    if (config_setting_is_group(setting)) {
        snprintf(text, size, "a group");
    } else if (config_setting_is_aggregate(setting)) {
        const int length = config_setting_length(setting);
        snprintf(text, size, "a list of %d value%s", length, length == 1 ? "" : "s");
    } else {
        FILE *out = fmemopen(text, size, "w");
        text[0] = '\0';
        if (!out)
            return text;
        plu_print_scalar(out, setting);
        fclose(out);
        text[size - 1] = '\0';
    }
    return text;
}

/* Appends to a text of limited size. */
PLU_PRINTF(3, 4) static void add(char *text, size_t size, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

static void add_range(const plu_key *key, char *text, size_t size)
{
    const plu_range range = key->range;
    const double no_limit = key->type == PLU_KEY_INTEGER ? INT_MAX : HUGE_VAL;
    if (range.low == -HUGE_VAL)
        return;
    if (range.high == no_limit)
        add(text, size, " %s %g", range.open ? ">" : ">=", range.low);
    else
        add(text, size, " from %g to %g", range.low, range.high);
}

static void add_choices(const plu_choice *choice, char *text, size_t size)
{
    for (const plu_choice *c = choice; c->name; c++)
        add(text, size, "%s\"%s\"", c == choice ? "" : c[1].name ? ", " : " or ", c->name);
}

static const char *type_words(const plu_key *key)
{
    switch (key->type) {
    case PLU_KEY_REAL:
        return key->count == 3   ? "3 numbers [x, y, z]"
               : key->count == 2 ? "2 numbers [a, b]"
                                 : "a number";
    case PLU_KEY_RATE:
        return "a number";
    case PLU_KEY_INTEGER:
        return key->count == 3 ? "3 integers [nx, ny, nz]" : "an integer";
    case PLU_KEY_SEED:
        return "an integer";
    case PLU_KEY_BOOL:
        return "true or false";
    case PLU_KEY_TEXT:
        return key->range.low > 0.0 ? "text in double quotes, not empty" : "text in double quotes";
    case PLU_KEY_NAMES:
        return "two names [\"a\", \"b\"]";
    case PLU_KEY_FLAGS:
        return "a list of ";
    case PLU_KEY_BOX:
        return "two corners [[x, y, z], [x, y, z]], the lower one first";
    case PLU_KEY_RADIUS:
        return "a number or [smallest, largest]";
    case PLU_KEY_PAIRS:
        return "a list of 2 to 32 pairs of numbers [[a, b], ...]";
    case PLU_KEY_NUMBERS:
        return "a list of at most 64 numbers [a, b, ...]";
    case PLU_KEY_WORDS:
        return "a list of names [\"a\", ...]";
    case PLU_KEY_GROUP:
        return "a group { ... }";
    case PLU_KEY_LIST:
        return "a list of groups ( { ... }, ... )";
    case PLU_KEY_CHOICE:
        break;
    }
    return "";
}

const char *plu_key_wanted(const plu_key *key, int brief, char *text, size_t size)
{
    const int number = key->type == PLU_KEY_REAL || key->type == PLU_KEY_RATE ||
                       key->type == PLU_KEY_INTEGER || key->type == PLU_KEY_SEED ||
                       key->type == PLU_KEY_RADIUS || key->type == PLU_KEY_PAIRS;
    text[0] = '\0';
    if (!(brief && number && key->count < 2 && key->range.low > -HUGE_VAL))
        add(text, size, "%s", type_words(key));
    if (number)
        add_range(key, text, size);
    if (key->choices)
        add(text, size, "%s", number ? " or " : "");
    if (key->choices)
        add_choices(key->choices, text, size);
    if (key->unit)
        add(text, size, " (%s)", key->unit);
    if (key->type == PLU_KEY_RADIUS && !brief)
        add(text, size, ", or a group { ... }");
    if (text[0] == ' ')
        memmove(text, text + 1, strlen(text));
    return text;
}

static void indent(FILE *out, int depth)
{
    fprintf(out, "%*s", 4 * depth, "");
}

static void print_group(FILE *out, const plu_key *group, const config_setting_t *setting,
                        int depth);

/* A value; nested lists stand in [ ], as a scene would write them. */
static void print_value(FILE *out, const config_setting_t *setting)
{
    if (!config_setting_is_aggregate(setting)) {
        plu_print_scalar(out, setting);
        return;
    }
    for (int i = 0; i < config_setting_length(setting); i++) {
        fputs(i == 0 ? "[" : ", ", out);
        print_value(out, config_setting_get_elem(setting, (unsigned)i));
    }
    fputs(config_setting_length(setting) > 0 ? "]" : "[]", out);
}

static void print_list(FILE *out, const plu_key *key, const config_setting_t *list, int depth)
{
    const int length = config_setting_length(list);
    fputs(length > 0 ? "(\n" : "(", out);
    for (int i = 0; i < length; i++) {
        indent(out, depth + 1);
        fputs("{\n", out);
        print_group(out, key, config_setting_get_elem(list, (unsigned)i), depth + 2);
        indent(out, depth + 1);
        fputs(i + 1 < length ? "},\n" : "}\n", out);
    }
    if (length > 0)
        indent(out, depth);
    fputs(")", out);
}

/* A key of a group, where the scene has it. */
static void print_member(FILE *out, const plu_key *key, const config_setting_t *setting, int depth)
{
    const config_setting_t *member = config_setting_get_member(setting, plu_key_name(key));
    if (!member)
        return;
    indent(out, depth);
    fprintf(out, "%s = ", plu_key_name(key));
    if (config_setting_is_group(member)) {
        fputs("{\n", out);
        print_group(out, key, member, depth + 1);
        indent(out, depth);
        fputs("}", out);
    } else if (key->type == PLU_KEY_LIST) {
        print_list(out, key, member, depth);
    } else {
        print_value(out, member);
    }
    fprintf(out, key->unit ? "; # %s\n" : ";\n", key->unit);
}

static void print_group(FILE *out, const plu_key *group, const config_setting_t *setting, int depth)
{
    for (const plu_key *key = plu_key_next(group, NULL); key; key = plu_key_next(group, key))
        print_member(out, key, setting, depth);
    if (strcmp(group->path, "stages") != 0)
        return;
    for (const plu_key *key = plu_key_next(plu_keys, NULL); key; key = plu_key_next(plu_keys, key))
        if (plu_key_staged(key)) /* what a stage changes */
            print_member(out, key, setting, depth);
}

void plu_print_scene(FILE *out, const config_setting_t *root)
{
    print_group(out, plu_keys, root, 0);
}
