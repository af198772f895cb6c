#include "pluvia/scene.h"
#include "scene/describe.h"
#include "scene/keys.h"
#include <string.h>

static bool is_container(const plu_key *key)
{
    return key->type == PLU_KEY_GROUP || key->type == PLU_KEY_LIST;
}

/* What follows the help of a key. */
static const char *reference_note(const plu_key *key)
{
    return key->may_change ? " May be changed when a run is continued."
           : key->penalty  ? " Only with method = \"penalty\"."
                           : "";
}

/* "required", "optional", "one of", or the default. */
static const char *need_words(const plu_key *key)
{
    if (key->fallback)
        return key->fallback;
    return key->need == PLU_OPTIONAL ? "optional" : key->need == PLU_ONE_OF ? "one of" : "required";
}

/* The sentence about keys of which exactly one is given; nothing where there are none. */
static void print_alternatives(FILE *out, const plu_key *group, const char *quote)
{
    int count = 0;
    for (const plu_key *key = plu_key_next(group, NULL); key; key = plu_key_next(group, key))
        if (key->need == PLU_ONE_OF)
            fprintf(out, "%s%s%s%s", count++ ? ", " : " Exactly one of ", quote, plu_key_name(key),
                    quote);
    if (count > 0)
        fputs(count > 1 ? " is given." : " (the only kind so far) is given.", out);
}

/* "`file`, `run` or `mixture`", the keys beside which this one may be left out. */
static const char *unless_words(const plu_key *key, const char *quote, char text[64])
{
    size_t used = 0;
    for (int k = 0; k < 3 && key->unless[k]; k++) {
        const bool last = k == 2 || !key->unless[k + 1];
        used += (size_t)snprintf(text + used, 64 - used, "%s%s%s%s",
                                 k == 0 ? ""
                                 : last ? " or "
                                        : ", ",
                                 quote, key->unless[k], quote);
    }
    return text;
}

static void help_value(FILE *out, const plu_key *key)
{
    char wanted[256], unless[64];
    const char *need = key->fallback             ? "default "
                       : key->need == PLU_ONE_OF ? "one of several, see the help of its group"
                       : key->unless[0]          ? "required unless there is "
                                                 : need_words(key);
    const char *text = key->fallback    ? key->fallback
                       : key->unless[0] ? unless_words(key, "", unless)
                                        : "";
    fprintf(out, "%s = %s; %s%s\n    %s%s\n", key->path,
            plu_key_wanted(key, 0, wanted, sizeof wanted), need, text, key->help,
            reference_note(key));
}

static void help_group(FILE *out, const plu_key *group)
{
    const char *brackets = group->type == PLU_KEY_LIST ? " = ( { ... }, ... )" : " = { ... }";
    fprintf(out, "%s%s\n    %s", *group->path ? group->path : "scene", *group->path ? brackets : "",
            group->help);
    print_alternatives(out, group, "");
    fputs("\n\n", out);
    for (const plu_key *key = plu_key_next(group, NULL); key; key = plu_key_next(group, key)) {
        char wanted[256];
        plu_key_wanted(key, 0, wanted, sizeof wanted);
        if (is_container(key) && key->need == PLU_REQUIRED)
            fprintf(out, "  %-21s %s\n", plu_key_name(key), wanted);
        else
            fprintf(out, "  %-21s %s; %s\n", plu_key_name(key), wanted, need_words(key));
    }
}

/* "contacts[0].friction" and "contacts.0.friction" mean the key "contacts.friction". */
static void without_index(const char *key, char *path, size_t size)
{
    size_t used = 0;
    for (const char *part = key; *part;) {
        const size_t length = strcspn(part, ".[]");
        const bool index = strspn(part, "0123456789*") == length;
        if (!index && used + length + 2 < size)
            used += (size_t)snprintf(path + used, size - used, "%s%.*s", used ? "." : "",
                                     (int)length, part);
        part += length;
        part += strspn(part, ".[]");
    }
    path[used] = '\0';
}

static plu_status complain_of_key(const char *path, plu_error *err)
{
    const plu_key *best = NULL;
    const char *name = strrchr(path, '.') ? strrchr(path, '.') + 1 : path;
    int distance = 1000;
    for (const plu_key *key = plu_keys + 1; key->path; key++) {
        const bool whole = plu_word_near(path, key->path);
        const bool last = plu_word_near(name, plu_key_name(key));
        const int d = whole  ? plu_word_distance(path, key->path)
                      : last ? 100 + plu_word_distance(name, plu_key_name(key))
                             : 1000;
        if (d < distance) {
            best = key;
            distance = d;
        }
    }
    if (best)
        return plu_fail(err, PLU_USAGE, "a scene has no key \"%s\"; did you mean \"%s\"?", path,
                        best->path);
    return plu_fail(err, PLU_USAGE, "a scene has no key \"%s\"", path);
}

plu_status plu_scene_help(const char *key, FILE *out, plu_error *err)
{
    char path[256];
    without_index(strcmp(key, "scene") == 0 ? "" : key, path, sizeof path);
    const plu_key *found = plu_key_find(path);
    const char *advice = found ? NULL : plu_word_tried(path);
    if (advice) {
        fprintf(out, "a scene has no key \"%s\": %s\n", path, advice);
        return PLU_OK;
    }
    for (const plu_key *near = plu_keys + 1; !found && near->path; near++)
        found = plu_word_is_plural(near->path, path) ? near : NULL;
    if (!found)
        return complain_of_key(path, err);
    if (!is_container(found))
        help_value(out, found);
    if (!is_container(found) && plu_key_has_keys(found))
        fputs("\n", out);
    if (is_container(found) || plu_key_has_keys(found))
        help_group(out, found);
    return PLU_OK;
}

/* A vertical bar would begin the next column. */
static void table_text(FILE *out, const char *text)
{
    for (; *text; text++)
        fprintf(out, "%s%c", *text == '|' ? "\\" : "", *text);
}

static void table_row(FILE *out, const plu_key *key)
{
    char wanted[256], unless[64];
    plu_key bare = *key; /* the unit has a column of its own */
    bare.unit = NULL;
    plu_key_wanted(&bare, 0, wanted, sizeof wanted);
    fprintf(out, "| `%s` | ", plu_key_name(key));
    if (is_container(key))
        fprintf(out, "%s", key->type == PLU_KEY_LIST ? "list of groups" : "group");
    else
        fputs(wanted, out);
    fprintf(out, " | %s | ", key->unit ? key->unit : "");
    if (key->fallback)
        fprintf(out, "`%s`", key->fallback);
    else if (key->unless[0])
        fprintf(out, "required unless %s", unless_words(key, "`", unless));
    else
        fputs(is_container(key) && key->need == PLU_REQUIRED ? "" : need_words(key), out);
    fputs(" | ", out);
    table_text(out, key->help);
    fprintf(out, "%s |\n", reference_note(key));
}

/* Inside a list, names are written as in messages: "boundaries[].plate". */
static void heading(FILE *out, const plu_key *group)
{
    if (!*group->path) {
        fputs("### The scene\n\n", out);
        return;
    }
    fputs("### `", out);
    for (const char *part = group->path; *part;) {
        char outer[64];
        const size_t length = strcspn(part, ".");
        snprintf(outer, sizeof outer, "%.*s", (int)(part - group->path + (long)length),
                 group->path);
        const bool list = plu_key_find(outer)->type == PLU_KEY_LIST;
        fprintf(out, "%.*s%s%s", (int)length, part, list ? "[]" : "", part[length] ? "." : "");
        part += length + (part[length] != '\0');
    }
    fputs("`\n\n", out);
}

void plu_scene_reference(FILE *out)
{
    for (const plu_key *group = plu_keys; group->path; group++) {
        if (!plu_key_has_keys(group))
            continue;
        heading(out, group);
        fputs(group->help, out);
        print_alternatives(out, group, "`");
        fputs("\n\n| key | value | unit | default | meaning |\n| --- | --- | --- | --- | --- |\n",
              out);
        for (const plu_key *key = plu_key_next(group, NULL); key; key = plu_key_next(group, key))
            table_row(out, key);
        fputs("\n", out);
    }
}
