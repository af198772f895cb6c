#include "scene/nearest.h"
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LETTERS = 63 };

static int smallest(int a, int b)
{
    return a < b ? a : b;
}

int plu_word_distance(const char *a, const char *b)
{
    const size_t n = strnlen(a, LETTERS), m = strnlen(b, LETTERS);
    int table[LETTERS + 1][LETTERS + 1];
    for (size_t i = 0; i <= n; i++)
        for (size_t j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                table[i][j] = (int)(i + j);
                continue;
            }
            int best = table[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            best = smallest(best, 1 + smallest(table[i - 1][j], table[i][j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = smallest(best, 1 + table[i - 2][j - 2]);
            table[i][j] = best;
        }
    return table[n][m];
}

int plu_word_near(const char *word, const char *known)
{
    return plu_word_distance(word, known) <= 1 + (int)strnlen(word, LETTERS) / 4;
}

/* `best`, or a key of the group that is nearer. Of a stage also what it may change. */
static const plu_key *nearest_of(const plu_key *group, bool staged, const char *name,
                                 const plu_key *best)
{
    int distance = best ? plu_word_distance(name, plu_key_name(best)) : LETTERS;
    for (const plu_key *key = plu_key_next(group, NULL); key; key = plu_key_next(group, key)) {
        const int d = plu_word_distance(name, plu_key_name(key));
        if (d < distance && plu_word_near(name, plu_key_name(key)) &&
            (!staged || plu_key_staged(key))) {
            best = key;
            distance = d;
        }
    }
    return best;
}

static const plu_key *nearest_in(const plu_key *group, const char *name)
{
    const plu_key *best = nearest_of(group, false, name, NULL);
    return strcmp(group->path, "stages") == 0 ? nearest_of(plu_keys, true, name, best) : best;
}

static const plu_key *elsewhere(const char *name)
{
    for (const plu_key *key = plu_keys + 1; key->path; key++)
        if (strcmp(plu_key_name(key), name) == 0)
            return key;
    return NULL;
}

const char *plu_key_hint(const plu_key *group, const char *name, char *text, size_t size)
{
    const plu_key *near = nearest_in(group, name), *other = elsewhere(name);
    const char *tried = plu_key_tried(group, name);
    if (tried) {
        snprintf(text, size, ": %s", tried);
        return text;
    }
    if (near && (!other || plu_word_distance(name, plu_key_name(near)) <= 1)) {
        snprintf(text, size, "; did you mean \"%s\"?", plu_key_name(near));
        return text;
    }
    if (other) {
        snprintf(text, size, "; there is a key \"%s\"", other->path);
        return text;
    }
    int used = snprintf(text, size, "; known keys:");
    for (const plu_key *key = plu_key_next(group, NULL); key; key = plu_key_next(group, key))
        if (used >= 0 && (size_t)used < size)
            used += snprintf(text + used, size - (size_t)used, " %s", plu_key_name(key));
    return text;
}

const char *plu_keys_staged(const plu_key *group, char *text, size_t size)
{
    size_t used = 0;
    snprintf(text, size, "nothing");
    for (const plu_key *key = plu_key_next(group, NULL); key; key = plu_key_next(group, key))
        if (plu_key_staged(key) && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "",
                                     plu_key_name(key));
    return text;
}
