#include "io/trajectory/rounding.h"
#include <math.h>
#include <stddef.h>

/* The largest power of two of which rounding to multiples has at most this error. */
static double quantum(double error)
{
    int exponent;
    frexp(2.0 * error, &exponent);
    return ldexp(1.0, exponent - 1);
}

void plu_round_rows(double *rows, int count, int components, double error,
                    const double (*position)[4])
{
    double radius = 0.0, unit = quantum(error);
    for (int i = 0; i < count; i++) {
        if (position && position[i][3] != radius) {
            radius = position[i][3];
            unit = quantum(error / radius);
        }
        double *row = rows + (size_t)i * (size_t)components;
        for (int k = 0; k < components; k++)
            row[k] = rint(row[k] / unit) * unit;
    }
}
