#include "base/shortest.h"
#include <stdio.h>
#include <stdlib.h>

void plu_shortest(char text[PLU_SHORTEST], double value)
{
    int digits = 15;
    do
        snprintf(text, PLU_SHORTEST, "%.*g", digits, value);
    while (strtod(text, NULL) != value && digits++ < 17);
}
