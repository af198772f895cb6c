#include "base/vec3.h"
#include "shape/shape.h"
#include <stdio.h>

bool plu_settle_unit(const plu_settling *s, const char *key, double vector[3])
{
    /* scaled first: squares of tiny or huge numbers leave the range of doubles */
    const double largest = fmax(fabs(vector[0]), fmax(fabs(vector[1]), fabs(vector[2])));
    if (largest == 0.0) {
        char text[96];
        snprintf(text, sizeof text, ".%s has length 0: it must give a direction", key);
        s->complain(s->user, key, text);
        return false;
    }
    for (int k = 0; k < 3; k++)
        vector[k] /= largest;
    const double length = plu_norm(vector);
    for (int k = 0; k < 3; k++)
        vector[k] /= length;
    return true;
}
