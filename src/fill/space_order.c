/* Spheres in the order of the cells of a grid along a Z curve (G. M. Morton, 1966): the number of a
 * cell has the bits of its coordinates in turn, z y x z y x ..., so that cells of near numbers are
 * near in space on all scales:
 *
 *     y = 1    2---3   6---7
 *                \   \   \
 *     y = 0    0---1   4---5
 *         x =  0   1   2   3
 */
#include "base/memory.h"
#include "fill/build.h"
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BITS = 21 }; /* of a coordinate: three fit into a code */

typedef struct place {
    uint64_t code;
    int index;
} place;

typedef struct grain {
    double sphere[4];
    int species;
} grain;

/* The bits of x, two empty ones between each. */
static uint64_t order_spread(uint64_t x)
{
    x = (x | x << 32) & UINT64_C(0x001f00000000ffff);
    x = (x | x << 16) & UINT64_C(0x001f0000ff0000ff);
    x = (x | x << 8) & UINT64_C(0x100f00f00f00f00f);
    x = (x | x << 4) & UINT64_C(0x10c30c30c30c30c3);
    return (x | x << 2) & UINT64_C(0x1249249249249249);
}

static uint64_t code_of(const double x[3], const double low[3], double edge)
{
    const double most = (1 << BITS) - 1;
    uint64_t code = 0;
    for (int k = 0; k < 3; k++)
        code |= order_spread((uint64_t)fmin((x[k] - low[k]) / edge, most)) << k;
    return code;
}

static int by_code(const void *a, const void *b)
{
    const place *x = a, *y = b;
    if (x->code != y->code)
        return x->code < y->code ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static void order_sort(double (*sphere)[4], int *species, int count, double edge, place *order,
                       grain *copy)
{
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            low[k] = fmin(low[k], sphere[i][k]);
    for (int i = 0; i < count; i++)
        order[i] = (place){code_of(sphere[i], low, edge), i};
    qsort(order, (size_t)count, sizeof *order, by_code);
    for (int i = 0; i < count; i++) {
        memcpy(copy[i].sphere, sphere[order[i].index], sizeof copy[i].sphere);
        copy[i].species = species[order[i].index];
    }
    for (int i = 0; i < count; i++) {
        memcpy(sphere[i], copy[i].sphere, sizeof sphere[i]);
        species[i] = copy[i].species;
    }
}

plu_status plu_space_order(double (*sphere)[4], int *species, int count, double edge,
                           plu_error *err)
{
    place *order = plu_alloc((size_t)count, sizeof *order, err);
    grain *copy = plu_alloc((size_t)count, sizeof *copy, err);
    const bool ok = order && copy;
    if (ok)
        order_sort(sphere, species, count, edge, order, copy);
    free(order);
    free(copy);
    return ok ? PLU_OK : PLU_IO;
}
