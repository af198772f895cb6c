#include "pluvia/tool/spelling.h"
#include <stddef.h>
#include <string.h>

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
