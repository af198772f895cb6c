#include "scene/describe.h"
#include "scene/keys.h"
#include <string.h>

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
