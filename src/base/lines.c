#include "base/lines.h"
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
