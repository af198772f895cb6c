/* Lines of text files, numbers as text, spellings of names (words.h, pluvia/tool/paths.h). */
#include "base/words.h"
#include "pluvia/tool/paths.h"
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

plu_line plu_line_read(FILE *file, char *buffer, size_t size)
{
    size_t length = 0;
    int c = getc_unlocked(file);
    if (c == EOF)
        return PLU_LINE_NONE;
    for (; c != EOF && c != '\n' && c != '\r'; c = getc_unlocked(file)) {
        if (c == '\0')
            return PLU_LINE_ZERO;
        if (length + 1 >= size)
            return PLU_LINE_LONG;
        buffer[length++] = (char)c;
    }
    buffer[length] = '\0';
    if (c == '\r' && (c = getc_unlocked(file)) != '\n' && c != EOF)
        ungetc(c, file);
    return PLU_LINE;
}

char *plu_trimmed(char *text)
{
    text += strspn(text, " \t\r\n");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r\n", text[length - 1]))
        length--;
    text[length] = '\0';
    return text;
}

int plu_split(char *line, char **fields, int most)
{
    int count = 0;
    for (char *next; line; line = next) {
        next = strchr(line, ',');
        if (next)
            *next++ = '\0';
        if (count < most)
            fields[count] = plu_trimmed(line);
        count++;
    }
    return count;
}

void plu_shortest(char text[PLU_SHORTEST], double value)
{
    int digits = 15;
    do
        snprintf(text, PLU_SHORTEST, "%.*g", digits, value);
    while (strtod(text, NULL) != value && digits++ < 17);
}

static const struct {
    const char *british, *american;
} words[] = {{"colour", "color"}, {"mobilised", "mobilized"}};

/* If `name` begins with a word of the table, returns the American form of the word and sets *rest
 * to what follows it; else returns NULL. */
static const char *word_at(const char *name, const char **rest)
{
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        for (int form = 0; form < 2; form++) {
            const char *word = form == 0 ? words[k].british : words[k].american;
            if (strncmp(name, word, strlen(word)) == 0) {
                *rest = name + strlen(word);
                return words[k].american;
            }
        }
    return NULL;
}

bool plu_same_name(const char *a, const char *b)
{
    while (*a && *b) {
        const char *rest_a, *rest_b, *word = word_at(a, &rest_a);
        if (word && word == word_at(b, &rest_b)) {
            a = rest_a;
            b = rest_b;
        } else if (*a++ != *b++) {
            return false;
        }
    }
    return *a == *b;
}
