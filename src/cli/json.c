#include "json.h"
#include <math.h>
#include <stdio.h>

void plu_json_string(const char *text)
{
    putchar('"');
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            printf("\\%c", *c);
        else if ((unsigned char)*c < 0x20)
            printf("\\u%04x", (unsigned)(unsigned char)*c);
        else
            putchar(*c);
    }
    putchar('"');
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
