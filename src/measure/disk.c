/* The section of a disk with a rectangle. */
#include "base/vec3.h"
#include "measure/container.h"

/* Area of the part x > h of a disk of radius r around the origin. */
static double segment(double r, double h)
{
    const double at = plu_max(-r, plu_min(h, r));
    return r * r * acos(at / r) - at * sqrt(plu_max(r * r - at * at, 0.0));
}

/* Area of the part x < a, y < b of the disk. */
static double quadrant(double r, double a, double b)
{
    a = plu_max(-r, plu_min(a, r));
    b = plu_max(-r, plu_min(b, r));
    const double u = sqrt(plu_max(r * r - a * a, 0.0)), v = sqrt(plu_max(r * r - b * b, 0.0));
    if (a * a + b * b < r * r) /* the corner lies in the disk */
        return a * b + 0.5 * (a * u + b * v) +
               0.5 * r * r * (asin(a / r) + asin(b / r) + 0.5 * PLU_PI);
    if (a < 0.0 || b < 0.0)
        return a < 0.0 && b < 0.0 ? 0.0 : segment(r, a < 0.0 ? -a : -b);
    return PLU_PI * r * r - segment(r, a) - segment(r, b);
}

double plu_disk_in_rectangle(double r, const plu_region *box)
{
    if (!(r > 0.0))
        return 0.0;
    return quadrant(r, box->upper[0], box->upper[1]) - quadrant(r, box->lower[0], box->upper[1]) -
           quadrant(r, box->upper[0], box->lower[1]) + quadrant(r, box->lower[0], box->lower[1]);
}
