/* The pages about keys, all from the table (keys.c): `pluvia help KEY`, `pluvia help GROUP`, and
 * the reference page of scenes (`pluvia help --reference`):
 *
 *   ### `contacts[]`                                              heading, for each group
 *   A law of contact ...                                          its help
 *   - **`friction`** (a number >= 0, default `0.5`): ...          print_item, for each key of it
 *
 * Lines of the page are broken at PAGE_WIDTH; a word that would begin a list or a heading at the
 * start of a line stays on the line before. */
#include "pluvia/scene.h"
#include "pluvia/tool/keys.h"
#include "scene/describe.h"
#include "scene/keys.h"
#include <stdlib.h>
#include <string.h>

static bool is_container(const plu_key *key)
{
    return key->type == PLU_KEY_GROUP || key->type == PLU_KEY_LIST;
}

/* Where lines end: those of the page, and those of help in a terminal. */
enum { PAGE_WIDTH = 150, HELP_WIDTH = 92 };

/* Characters of UTF-8. */
static int width_of(const char *word, size_t length)
{
    int width = 0;
    for (size_t i = 0; i < length; i++)
        width += ((unsigned char)word[i] & 0xc0) != 0x80;
    return width;
}

/* A list, a heading, a quotation or a table of the page, where it begins a line. */
static bool begins_block(const char *word, size_t length)
{
    const size_t digits = strspn(word, "0123456789");
    return (length == 1 && strchr("-+*=", *word)) || strchr("#>|", *word) ||
           (digits > 0 && digits + 1 == length && strchr(".)", word[digits]));
}

/* Prints words in lines of `last` characters, of which all but the first begin with `indent`. */
static void print_lines(FILE *out, const char *text, int last, const char *indent)
{
    int column = 0;
    for (const char *word = text; *word;) {
        const size_t length = strcspn(word, " ");
        const int width = width_of(word, length);
        if (column > 0 && column + 1 + width > last && !begins_block(word, length))
            column = fprintf(out, "\n%s", indent) - 1;
        else if (column > 0)
            column += fprintf(out, " ");
        fprintf(out, "%.*s", (int)length, word);
        column += width;
        word += length + (word[length] == ' ');
    }
    fputs("\n", out);
}

/* A paragraph that is written to a stream of its own before it is printed in lines; where there is
 * no memory for that, in one line. */
typedef struct paragraph {
    FILE *out, *whole;
    char *text;
    size_t size;
} paragraph;

static FILE *paragraph_begin(paragraph *p, FILE *out)
{
    *p = (paragraph){.out = out};
    p->whole = open_memstream(&p->text, &p->size);
    return p->whole ? p->whole : out;
}

static void paragraph_end(paragraph *p, int last, const char *indent)
{
    if (p->whole && fclose(p->whole) == 0)
        print_lines(p->out, p->text, last, indent);
    else
        fputs("\n", p->out);
    free(p->text);
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

/* "required unless there is `file`, `run` or `mixture`" and its like, as messages say it. */
static void print_need(FILE *out, const plu_key *key)
{
    char unless[64];
    if (!key->fallback && key->need != PLU_ONE_OF && key->unless[0])
        fprintf(out, "required unless there is %s", unless_words(key, "", unless));
    else
        fputs(need_words(key), out);
}

static void help_value(FILE *out, const plu_key *key)
{
    char wanted[256];
    paragraph words;
    fprintf(out, "%s = %s; ", key->path, plu_key_wanted(key, 0, wanted, sizeof wanted));
    if (!key->fallback && key->need == PLU_ONE_OF)
        fputs("one of several, see the help of its group", out);
    else {
        fputs(key->fallback ? "default " : "", out);
        print_need(out, key);
    }
    fputs("\n    ", out);
    FILE *whole = paragraph_begin(&words, out);
    fprintf(whole, "%s%s", key->help, reference_note(key));
    paragraph_end(&words, HELP_WIDTH, "    ");
}

static void help_group(FILE *out, const plu_key *group)
{
    const char *brackets = group->type == PLU_KEY_LIST ? " = ( { ... }, ... )" : " = { ... }";
    paragraph words;
    fprintf(out, "%s%s\n    ", *group->path ? group->path : "scene", *group->path ? brackets : "");
    FILE *whole = paragraph_begin(&words, out);
    fputs(group->help, whole);
    print_alternatives(whole, group, "");
    paragraph_end(&words, HELP_WIDTH, "    ");
    fputs("\n", out);
    for (const plu_key *key = plu_key_next(group, NULL); key; key = plu_key_next(group, key)) {
        char wanted[256];
        fprintf(out, "  %-21s %s", plu_key_name(key),
                plu_key_wanted(key, 0, wanted, sizeof wanted));
        if (!is_container(key) || key->need != PLU_REQUIRED) {
            fputs("; ", out);
            print_need(out, key);
        }
        fputs("\n", out);
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

/* Names alike as a whole come before those of which only the last part is alike ("step" is
 * time.step). */
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

/* Kind, unit and default of a key, as "number > 0, m, default `0.1`". */
static void print_kind(FILE *out, const plu_key *key)
{
    char wanted[256], unless[64];
    plu_key bare = *key; /* the unit stands behind it */
    bare.unit = NULL;
    plu_key_wanted(&bare, 0, wanted, sizeof wanted);
    if (is_container(key))
        fputs(key->type == PLU_KEY_LIST ? "list of groups" : "group", out);
    else
        fputs(wanted, out);
    fprintf(out, "%s%s", key->unit ? ", " : "", key->unit ? key->unit : "");
    if (key->fallback)
        fprintf(out, ", default `%s`", key->fallback);
    else if (key->unless[0])
        fprintf(out, ", required unless %s", unless_words(key, "`", unless));
    else if (!is_container(key) || key->need != PLU_REQUIRED)
        fprintf(out, ", %s", need_words(key));
}

/* "- **`name`** (kind): meaning" */
static void print_item(FILE *out, const plu_key *key)
{
    paragraph item;
    FILE *whole = paragraph_begin(&item, out);
    fprintf(whole, "- **`%s`** (", plu_key_name(key));
    print_kind(whole, key);
    fprintf(whole, "): %s%s", key->help, reference_note(key));
    paragraph_end(&item, PAGE_WIDTH, "  ");
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
        paragraph words;
        heading(out, group);
        FILE *whole = paragraph_begin(&words, out);
        fputs(group->help, whole);
        print_alternatives(whole, group, "`");
        paragraph_end(&words, PAGE_WIDTH, "");
        fputs("\n", out);
        for (const plu_key *key = plu_key_next(group, NULL); key; key = plu_key_next(group, key))
            print_item(out, key);
        fputs("\n", out);
    }
}
