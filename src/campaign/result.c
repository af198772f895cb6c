/* Parses JSON to a flat list of members ("pile.height" with its number), by recursive descent. It
 * only has to understand the JSON that the command itself writes, but must not fail badly on
 * damaged files: depth and lengths are bounded, and what does not parse counts as a case that has
 * not run.
 *
 *   {"a": {"b": 1, "c": [2, "x"]}}   ->   a.b = 1,  a.c.0 = 2,  a.c.1 = "x" (number NAN)
 *
 *   value   = object | array | text | number | true (1) | false (0) | null (NAN)
 *   `path`  is the name of the value that comes next; read_members appends to it and cuts it again
 */
#include "base/memory.h"
#include "pluvia/tool/campaign.h"
#include "pluvia/tool/paths.h"
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 32, PATH = 256 };

typedef struct parser {
    plu_result *result;
    const char *at;
    char path[PATH]; /* of the value that comes next */
    int depth;
    plu_status status;
} parser;

static bool fail(parser *p, plu_status status)
{
    if (p->status == PLU_OK)
        p->status = status;
    return false;
}

static void skip_blanks(parser *p)
{
    p->at += strspn(p->at, " \t\r\n");
}

static bool result_take(parser *p, char letter)
{
    skip_blanks(p);
    if (*p->at != letter)
        return false;
    p->at++;
    return true;
}

/* `text` is owned by the list from here on. */
static bool result_add(parser *p, double number, char *text)
{
    plu_result *result = p->result;
    char *name = strdup(p->path);
    if (!name || plu_reserve(&result->member, &result->capacity, (size_t)result->count + 1,
                             sizeof *result->member, 1, NULL) != PLU_OK) {
        free(name);
        free(text);
        return fail(p, PLU_IO);
    }
    result->member[result->count++] = (plu_member){name, number, text};
    return true;
}

/* The four hexadecimal digits of "\uXXXX"; -1: there are none. */
static long code_unit(parser *p)
{
    char digits[5] = "";
    memcpy(digits, p->at, strnlen(p->at, 4));
    if (strspn(digits, "0123456789abcdefABCDEF") < 4)
        return -1;
    p->at += 4;
    return strtol(digits, NULL, 16);
}

/* The code point after "\u", of which those beyond 16 bits are written as two (surrogates); -1:
 * half of such a pair, no digits, or the end of a text in C. */
static long code_point(parser *p)
{
    const long first = code_unit(p);
    if (first < 0xd800 || first > 0xdfff)
        return first > 0 ? first : -1;
    if (first > 0xdbff || strncmp(p->at, "\\u", 2) != 0)
        return -1;
    p->at += 2;
    const long second = code_unit(p);
    return second >= 0xdc00 && second <= 0xdfff
               ? 0x10000 + (first - 0xd800) * 0x400 + second - 0xdc00
               : -1;
}

/* Writes a code point as UTF-8, which never takes more bytes than its escape; the place behind it.
 */
static char *encode(char *end, long code)
{
    static const unsigned char lead[] = {0, 0xc0, 0xe0, 0xf0};
    const int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    *end++ = (char)(lead[more] | code >> 6 * more);
    for (int k = more - 1; k >= 0; k--)
        *end++ = (char)(0x80 | (code >> 6 * k & 0x3f));
    return end;
}

/* Decodes the escape sequence behind a backslash. */
static char *unescape(parser *p, char *end)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const char letter = *p->at, *known = letter ? strchr(from, letter) : NULL;
    p->at += letter != '\0';
    if (known) {
        *end++ = to[known - from];
        return end;
    }
    const long code = letter == 'u' ? code_point(p) : -1;
    if (code < 0)
        fail(p, PLU_BAD_INPUT);
    return code < 0 ? end : encode(end, code);
}

/* A text after its opening quote; the caller frees it. Bytes stay as they are, also those of a file
 * name that is no UTF-8. */
static char *read_text(parser *p)
{
    char *text = malloc(strlen(p->at) + 1), *end = text;
    if (!text) {
        fail(p, PLU_IO);
        return NULL;
    }
    while (p->status == PLU_OK && *p->at && *p->at != '"') {
        if (*p->at == '\\') {
            p->at++;
            end = unescape(p, end);
        } else {
            *end++ = *p->at++;
        }
    }
    *end = '\0';
    if (*p->at == '"')
        p->at++;
    else
        fail(p, PLU_BAD_INPUT);
    return text;
}

static bool read_scalar(parser *p)
{
    static const struct {
        const char *word;
        double value;
    } words[] = {{"true", 1.0}, {"false", 0.0}, {"null", NAN}};
    for (int i = 0; i < 3; i++) {
        const size_t length = strlen(words[i].word);
        if (strncmp(p->at, words[i].word, length) == 0) {
            p->at += length;
            return result_add(p, words[i].value, NULL);
        }
    }
    char *end;
    const double number = strtod(p->at, &end);
    if (end == p->at || isalpha((unsigned char)*p->at))
        return fail(p, PLU_BAD_INPUT);
    p->at = end;
    return result_add(p, number, NULL);
}

static bool read_value(parser *p);

/* Members of an object or elements of an array, each with its name behind the path. */
static bool read_members(parser *p, bool object)
{
    const char close = object ? '}' : ']';
    const size_t length = strlen(p->path);
    if (++p->depth > DEPTH)
        return fail(p, PLU_BAD_INPUT);
    for (int i = 0; p->status == PLU_OK && !result_take(p, close); i++) {
        if (i > 0 && !result_take(p, ','))
            return fail(p, PLU_BAD_INPUT);
        char number[16], *name = NULL;
        snprintf(number, sizeof number, "%d", i);
        if (object && (!result_take(p, '"') || !(name = read_text(p)) || !result_take(p, ':')))
            fail(p, PLU_BAD_INPUT);
        snprintf(p->path + length, sizeof p->path - length, "%s%s", length ? "." : "",
                 name ? name : number);
        free(name);
        if (p->status == PLU_OK)
            read_value(p);
        p->path[length] = '\0';
    }
    p->depth--;
    return p->status == PLU_OK;
}

static bool read_value(parser *p)
{
    if (result_take(p, '{'))
        return read_members(p, true);
    if (result_take(p, '['))
        return read_members(p, false);
    if (!result_take(p, '"'))
        return read_scalar(p);
    char *text = read_text(p);
    return text && result_add(p, NAN, text);
}

plu_status plu_result_parse(plu_result *result, const char *json, const char *source,
                            plu_error *err)
{
    memset(result, 0, sizeof *result);
    parser p = {.result = result, .at = json, .status = PLU_OK};
    if (!result_take(&p, '{'))
        fail(&p, PLU_BAD_INPUT);
    else if (read_members(&p, true))
        skip_blanks(&p);
    if (p.status == PLU_OK && *p.at)
        fail(&p, PLU_BAD_INPUT);
    if (p.status == PLU_BAD_INPUT)
        return plu_fail(err, PLU_BAD_INPUT, "%s: this is not a JSON object (byte %ld)", source,
                        (long)(p.at - json));
    return p.status == PLU_OK ? PLU_OK : plu_fail(err, PLU_IO, "%s: out of memory", source);
}

void plu_result_free(plu_result *result)
{
    for (int i = 0; i < result->count; i++) {
        free(result->member[i].name);
        free(result->member[i].text);
    }
    free(result->member);
    memset(result, 0, sizeof *result);
}

const plu_member *plu_result_find(const plu_result *result, const char *name)
{
    for (int i = 0; i < result->count; i++)
        if (plu_same_name(result->member[i].name, name))
            return &result->member[i];
    return NULL;
}
