/* words.h: lines of text files, numbers as text, lists of names. */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include <stdio.h>
#include <string.h>

/* --- reads a text file line by line, with the line ends of any system, and tables in it --- */

typedef enum plu_line {
    PLU_LINE,      /* a line is in the buffer */
    PLU_LINE_NONE, /* the file has ended, or cannot be read (ferror) */
    PLU_LINE_LONG, /* a line that the buffer does not hold */
    PLU_LINE_ZERO  /* a line with a byte 0: no text */
} plu_line;

/* Reads the next line, without its end: a newline, a carriage return or both. */
plu_line plu_line_read(FILE *file, char *buffer, size_t size);

/* The text without blanks at either end, in place. */
char *plu_trimmed(char *text);

/* Cuts a line at its commas, in place, into trimmed fields, and returns how many there are: the
 * first `most` of them are kept. */
int plu_split(char *line, char **fields, int most);

/* --- numbers as text that is read as the same number --- */

enum { PLU_SHORTEST = 32 }; /* bytes of such a text */

/* Writes `value` with as few digits as that takes, at least 15. */
void plu_shortest(char text[PLU_SHORTEST], double value);

/* --- names in messages --- */

/* Appends a name in double quotes to a list with commas between, as far as there is room. */
static inline void plu_names_add(char *list, size_t size, const char *name)
{
    const size_t used = strlen(list);
    snprintf(list + used, size - used, "%s\"%s\"", used ? ", " : "", name);
}

#endif
