/* One condition on the inputs of a case:
 *
 *     "mu_r <= 0.01"    "mu < mu_r"    "name == lid"        left, operator, right
 *
 * An operand that is the name of an input stands for its value in the case, any other for itself;
 * one of the two has to be an input. Values are compared as numbers if both are numbers, else as
 * texts.
 *
 *   text --next_word--> left | operator (letters of "<>=!") | right --> input[side], constant[side]
 */
#include "campaign/campaign.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_number(const char *text, double *number)
{
    char *end;
    *number = strtod(text, &end);
    return end != text && *end == '\0';
}

/* The next word of a condition, cut out of it; a text may stand in quotes. */
static char *next_word(char **at, const char *ends)
{
    *at += strspn(*at, " \t");
    char *word = *at;
    *at += strcspn(*at, ends);
    return word;
}

static void trim(char *word)
{
    size_t length = strlen(word);
    while (length > 0 && isspace((unsigned char)word[length - 1]))
        word[--length] = '\0';
}

/* An operand without the quotes that may stand around it. */
static const char *bare(char *word)
{
    const size_t length = strlen(word);
    if (length < 2 || *word != '"' || word[length - 1] != '"')
        return word;
    word[length - 1] = '\0';
    return word + 1;
}

static bool known_operator(const char *op)
{
    static const char *const known[] = {"<", "<=", ">", ">=", "==", "!="};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(op, known[i]) == 0)
            return true;
    return false;
}

bool plu_filter_read(plu_filter *filter, plu_reader *reader, plu_place place,
                     const plu_texts *columns, const char *text)
{
    char copy[512], *at = copy;
    snprintf(copy, sizeof copy, "%s", text);
    char *left = next_word(&at, "<>=!");
    char op[8] = "";
    const size_t length = strspn(at, "<>=!");
    snprintf(op, sizeof op, "%.*s", (int)length, at);
    *at = '\0';
    at += length;
    char *right = length > 0 ? next_word(&at, "") : at;
    trim(left);
    trim(right);
    char *operand[2] = {left, right};
    if (!*left || !*right || !known_operator(op) || strpbrk(right, "<>=!")) {
        plu_complain(reader, place,
                     "where: \"%s\" is not a condition such as \"mu_r <= 0.01\" or \"mu < mu_r\"; "
                     "operators are < <= > >= == !=",
                     text);
        return false;
    }
    snprintf(filter->op, sizeof filter->op, "%s", op);
    for (int side = 0; side < 2; side++) {
        filter->input[side] = plu_texts_find(columns, operand[side]);
        snprintf(filter->constant[side], PLU_NAME, "%.63s", bare(operand[side]));
    }
    if (filter->input[0] >= 0 || filter->input[1] >= 0)
        return true;
    plu_complain(reader, place, "where: \"%s\" names no input of an axis", text);
    return false;
}

bool plu_filter_passes(const plu_filter *filter, char **values)
{
    char copy[2][256];
    const char *side[2];
    double number[2];
    bool numbers = true;
    for (int i = 0; i < 2; i++) {
        snprintf(copy[i], sizeof copy[i], "%s",
                 filter->input[i] >= 0 ? values[filter->input[i]] : filter->constant[i]);
        side[i] = bare(copy[i]);
        numbers = is_number(side[i], &number[i]) && numbers;
    }
    const int order =
        numbers ? (number[0] > number[1]) - (number[0] < number[1]) : strcmp(side[0], side[1]);
    switch (filter->op[0]) {
    case '<':
        return filter->op[1] ? order <= 0 : order < 0;
    case '>':
        return filter->op[1] ? order >= 0 : order > 0;
    case '=':
        return order == 0;
    default:
        return order != 0;
    }
}
