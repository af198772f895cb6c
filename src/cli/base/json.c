#include "cli/base/json.h"
#include <math.h>

/* Bytes of the code point that begins here (RFC 3629); 0: this is no UTF-8. */
static int length_of(const unsigned char *c)
{
    if (c[0] < 0x80)
        return 1;
    if (c[0] < 0xc2 || c[0] > 0xf4)
        return 0;
    const int length = c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;
    const unsigned char low = c[0] == 0xe0   ? 0xa0
                              : c[0] == 0xf0 ? 0x90
                                             : 0x80; /* no shorter form */
    const unsigned char high = c[0] == 0xed   ? 0x9f
                               : c[0] == 0xf4 ? 0x8f
                                              : 0xbf; /* no surrogate; the last one */
    if (c[1] < low || c[1] > high)
        return 0;
    for (int k = 2; k < length; k++)
        if ((c[k] & 0xc0) != 0x80)
            return 0;
    return length;
}

void plu_json_write_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (const char *c = text; *c;) {
        const int length = length_of((const unsigned char *)c);
        if (length == 0)
            fputs("\\ufffd", out);
        else if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else if ((unsigned char)*c < 0x20)
            fprintf(out, "\\u%04x", (unsigned)(unsigned char)*c);
        else
            fwrite(c, 1, (size_t)length, out);
        c += length > 0 ? length : 1;
    }
    fputc('"', out);
}

void plu_json_string(const char *text)
{
    plu_json_write_string(stdout, text);
}

void plu_json_key(const char *name, bool first)
{
    printf("%s", first ? "" : ", ");
    plu_json_string(name);
    printf(": ");
}

void plu_json_text(const char *name, const char *text)
{
    plu_json_key(name, false);
    plu_json_string(text);
}

void plu_json_integer(const char *name, long long value)
{
    plu_json_key(name, false);
    printf("%lld", value);
}

void plu_json_bool(const char *name, bool value)
{
    plu_json_key(name, false);
    printf(value ? "true" : "false");
}

void plu_json_real(const char *name, double value, bool first)
{
    plu_json_key(name, first);
    if (isfinite(value))
        printf("%.17g", value);
    else
        printf("null");
}
