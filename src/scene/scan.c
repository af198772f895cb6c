/* Lines of a scene file on their way to libconfig, for what that would accept without a word:
 * numbers that are too large, digits behind what it reads as a number, brackets that are not
 * closed (it would name the end of the file; here the line of the one that was opened). "[ ]"
 * becomes "( )", so that lists may hold anything, whichever brackets they have.
 *
 *               '"'                       states of a scan, kept from line to line
 *       .---------------> STRING          (a text ends on its line)
 *       |   '"', end of line  |
 *    CODE <-------------------'
 *       |   comment opened            end of comment
 *       '---------------> COMMENT ---------------> CODE
 *
 * In CODE a word or a number is checked only where a value is expected: after '=', ':', an opening
 * bracket of a list, and ',' within a list. */
#include "scene/reader.h"
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { TOKEN = 64 };

/* A line being scanned. */
typedef struct cursor {
    plu_reader *reader;
    plu_scan *scan;
    char *at, *end;
    plu_place place;
} cursor;

static void open_bracket(cursor *c)
{
    plu_scan *scan = c->scan;
    const char bracket = *c->at;
    if (scan->depth == PLU_DEPTH) {
        if (!scan->broken)
            plu_complain(c->reader, c->place, "brackets are nested more than %d deep", PLU_DEPTH);
        scan->broken = true;
        return;
    }
    scan->bracket[scan->depth] = bracket;
    scan->bracket_place[scan->depth++] = c->place;
    scan->value = bracket != '{';
    if (bracket == '[')
        *c->at = '(';
}

static void close_bracket(cursor *c)
{
    plu_scan *scan = c->scan;
    const char bracket = *c->at;
    const char wanted = bracket == ')' ? '(' : bracket == ']' ? '[' : '{';
    if (scan->broken)
        return;
    if (scan->depth == 0) {
        plu_complain(c->reader, c->place, "\"%c\" closes no bracket", bracket);
        scan->broken = true;
    } else if (scan->bracket[--scan->depth] != wanted) {
        char where[PLU_PATH + 32];
        const plu_where opened = plu_place_where(c->reader, scan->bracket_place[scan->depth]);
        plu_complain(c->reader, c->place, "\"%c\" cannot close the \"%c\" of %s", bracket,
                     scan->bracket[scan->depth],
                     plu_scene_where(c->reader->scene, opened, where, sizeof where));
        scan->broken = true;
    }
    scan->value = false;
    if (bracket == ']')
        *c->at = ')';
}

static void check_word(const cursor *c, const char *word)
{
    const char *bare = word + (*word == '-' || *word == '+');
    if (strcasecmp(bare, "nan") == 0 || strcasecmp(bare, "inf") == 0 ||
        strcasecmp(bare, "infinity") == 0)
        plu_complain(c->reader, c->place, "%s is not a number that a scene may contain", word);
    else if (strcasecmp(word, "true") != 0 && strcasecmp(word, "false") != 0)
        plu_complain(c->reader, c->place, "%s is not a value: text needs double quotes, \"%s\"",
                     word, word);
}

/* libconfig keeps integers without the suffix L in 32 bits and drops the rest without a word. */
static void check_integer(const cursor *c, const char *token, const char *digits, int base)
{
    char *end;
    errno = 0;
    const long long value = strtoll(token, &end, base);
    const bool is_long = *end == 'L';
    if (end == digits || strspn(end, "L") != strlen(end) || strlen(end) > 2)
        plu_complain(c->reader, c->place, "%s is not a number", token);
    else if (errno == ERANGE)
        plu_complain(c->reader, c->place, "the integer %s is too large", token);
    else if (!is_long && (value > INT_MAX || value < INT_MIN))
        plu_complain(c->reader, c->place,
                     "the integer %s is too large: write %s.0 for a real number or %sL where a "
                     "large integer is allowed",
                     token, token, token);
}

static void check_number(const cursor *c, const char *token)
{
    const char *digits = token + (*token == '-' || *token == '+');
    if (isalpha((unsigned char)*digits)) {
        check_word(c, token);
    } else if (token[0] == '0' && (token[1] == 'x' || token[1] == 'X')) {
        check_integer(c, token, token + 2, 16);
    } else if (!strpbrk(digits, ".eE")) {
        check_integer(c, token, digits, 10);
    } else {
        char *end;
        const double value = strtod(token, &end);
        if (*end || strpbrk(digits, "xX") || !strpbrk(digits, "0123456789"))
            plu_complain(c->reader, c->place, "%s is not a number", token);
        else if (!isfinite(value))
            plu_complain(c->reader, c->place, "the number %s is too large", token);
    }
}

/* A minus within a word is part of it (as in names), within a number only behind an e. */
static bool in_token(const char *start, const char *at, bool number)
{
    const unsigned char letter = (unsigned char)*at;
    if (isalnum(letter) || letter == '_')
        return true;
    if (!number)
        return letter == '-' || letter == '*';
    const bool sign = letter == '-' || letter == '+';
    const bool hex = start[0] == '0' && (start[1] == 'x' || start[1] == 'X');
    return letter == '.' || (sign && (at == start || (!hex && (at[-1] | 32) == 'e')));
}

/* A word or a number. Only values are checked here; libconfig sees to the keys. */
static void scan_token(cursor *c)
{
    char *start = c->at;
    const bool number = isdigit((unsigned char)*start) || strchr("+-.", *start);
    while (c->at < c->end && (c->at == start || in_token(start, c->at, number)))
        c->at++;
    if (!c->scan->value)
        return;
    c->scan->value = false;
    char token[TOKEN];
    const size_t length = (size_t)(c->at - start) < TOKEN ? (size_t)(c->at - start) : TOKEN - 1;
    memcpy(token, start, length);
    token[length] = '\0';
    if ((size_t)(c->at - start) >= TOKEN && number)
        plu_complain(c->reader, c->place, "the number %.20s... has too many digits", token);
    else if (number)
        check_number(c, token);
    else
        check_word(c, token);
}

static void scan_unknown(cursor *c)
{
    const unsigned char letter = (unsigned char)*c->at++;
    if (letter == '@')
        plu_complain(
            c->reader, c->place,
            "\"@\": an include needs a line of its own, for example @include \"file.cfg\"");
    else if (letter > ' ' && letter < 127)
        plu_complain(c->reader, c->place, "\"%c\" has no meaning in a scene", letter);
    else
        plu_complain(c->reader, c->place,
                     "unexpected byte 0x%02x outside of text: is this a scene file?", letter);
    while (letter >= 128 && c->at < c->end && (unsigned char)*c->at >= 128)
        c->at++;
}

/* Text stands where a value is expected, or continues the text before it. */
static void open_text(cursor *c)
{
    plu_scan *scan = c->scan;
    if (!scan->value && !scan->text)
        plu_complain(c->reader, c->place,
                     "a text stands where no value is expected: is a \"=\" or a \",\" missing?");
    scan->mode = PLU_SCAN_STRING;
    scan->value = false;
    scan->text = true;
    c->at++;
}

static void scan_symbol(cursor *c)
{
    plu_scan *scan = c->scan;
    const char letter = *c->at;
    scan->text = false;
    if (letter && strchr("([{", letter)) {
        open_bracket(c);
        c->at++;
    } else if (letter && strchr(")]}", letter)) {
        close_bracket(c);
        c->at++;
    } else if (letter && strchr("=:;,", letter)) {
        const bool in_list = scan->depth > 0 && scan->bracket[scan->depth - 1] != '{';
        scan->value = letter == ',' ? in_list : letter != ';';
        c->at++;
    } else if (isalnum((unsigned char)letter) || (letter && strchr("*+-.", letter))) {
        scan_token(c);
    } else {
        scan_unknown(c);
    }
}

static void scan_code(cursor *c)
{
    const char letter = *c->at;
    const char next = c->at + 1 < c->end ? c->at[1] : '\0';
    if (letter && strchr(" \t\r\n\f", letter)) {
        c->at++;
    } else if (letter == '#' || (letter == '/' && next == '/')) {
        c->at = c->end;
    } else if (letter == '/' && next == '*') {
        c->scan->mode = PLU_SCAN_COMMENT;
        c->scan->opened = c->place;
        c->at += 2;
    } else if (letter == '"') {
        open_text(c);
    } else {
        scan_symbol(c);
    }
}

void plu_scan_line(plu_reader *reader, plu_scan *scan, char *line, size_t length, plu_place place)
{
    cursor c = {reader, scan, line, line + length, place};
    while (c.at < c.end) {
        if (scan->mode == PLU_SCAN_CODE) {
            scan_code(&c);
        } else if (scan->mode == PLU_SCAN_STRING) {
            const char letter = *c.at;
            if (letter == '"')
                scan->mode = PLU_SCAN_CODE;
            c.at += letter == '\\' && c.at + 1 < c.end ? 2 : 1;
        } else if (*c.at == '*' && c.at + 1 < c.end && c.at[1] == '/') {
            scan->mode = PLU_SCAN_CODE;
            c.at += 2;
        } else {
            c.at++;
        }
    }
    if (scan->mode == PLU_SCAN_STRING) { /* one missing quote must not turn the rest around */
        plu_complain(reader, place, "this text has no closing double quote on its line");
        scan->mode = PLU_SCAN_CODE;
        scan->broken = true;
    }
}

void plu_scan_end_of_file(plu_reader *reader, plu_scan *scan)
{
    if (scan->mode != PLU_SCAN_COMMENT)
        return;
    plu_complain(reader, scan->opened, "this comment has no closing */");
    scan->broken = true;
    scan->mode = PLU_SCAN_CODE;
}

void plu_scan_end(plu_reader *reader, plu_scan *scan)
{
    if (!scan->broken && scan->depth > 0)
        plu_complain(reader, scan->bracket_place[scan->depth - 1], "\"%c\" is never closed",
                     scan->bracket[scan->depth - 1]);
}
