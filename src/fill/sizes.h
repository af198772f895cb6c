/* sizes.h: how large spheres are: the inverse of a distribution of radii by number.
 *
 * A radius is the inverse at one number u in [0, 1), so it rises with u and depends on u alone.
 * The density of radii by number is, within each piece between two edges,
 *
 *   r^-slope                         uniform (0), power law, table of sieves
 *   r^-tilt exp(-(r - m)^2 / 2 s^2)  normal
 *   exp(-(ln r - c)^2 / 2 s^2) / r   lognormal
 *
 * A distribution by mass is one by number times r^3: a slope is larger by 3, tilt is 3, and c is
 * ln(median) - 3 s^2 (Hatch and Choate, J. Franklin Inst. 207, 1929). Between two sieves what
 * passes is linear in ln d: slope 4 by mass, 1 by number. Pieces of powers are inverted in closed
 * form; the bells by Newton's method on Gauss-Legendre quadrature in ln r, of pieces so short that
 * both are exact to rounding. */
#ifndef FILL_SIZES_H
#define FILL_SIZES_H

#include "pluvia/sizes.h"

enum { PLU_SIZE_PIECES = 160 };

typedef struct plu_sizes {
    int pieces;
    double edge[PLU_SIZE_PIECES + 1];  /* ln of radii in m, rising */
    double below[PLU_SIZE_PIECES + 1]; /* share by number of what is smaller, 0 to 1 */
    bool bell;
    double slope;               /* of powers */
    bool normal;                /* the bell is one of r, else of ln r */
    double center, width, tilt; /* of the bell: m, s (m) or c, s */
    double origin;              /* (nearest point of the range to the center, in widths)^2 / 2 */
    double range[2];            /* m: radii are never outside of it */
    double cube;                /* m^3: mean of r^3 */
} plu_sizes;

/* `spec` is one that plu_scene_read has accepted, of a kind but PLU_RANGE. */
void plu_sizes_make(plu_sizes *sizes, const plu_size_spec *spec);

/* The radius (m) below which a share u of all spheres by number is. */
double plu_sizes_radius(const plu_sizes *sizes, double u);

#endif
