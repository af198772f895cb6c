#include "base/lines.h"

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
