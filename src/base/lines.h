/* lines.h: reads a text file line by line, with the line ends of any system, and tables in it. */
#ifndef BASE_LINES_H
#define BASE_LINES_H

#include <stdio.h>

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

#endif
