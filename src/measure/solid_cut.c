/* Solid volume in a box; exact also for spheres cut by faces, edges and corners of the box. Fixed
 * spheres are boundaries: they are no part of it, and take room.
 *
 *   V = int A(z) dz ,   A(z) = area of a disk within the rectangle of the box ,
 *
 * the disk of the radius sqrt(r^2 - z^2) being about the center of the sphere. A is smooth between
 * the heights at which a side or an edge of the box begins or ends to cut the sphere, so that the
 * integral is taken from each to the next. */
#include "base/vec3.h"
#include "measure/container.h"
#include "measure/view.h"
#include <stdlib.h>

enum { BREAKS = 18 };

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

static double volume_of(double radius)
{
    return 4.0 / 3.0 * PLU_PI * radius * radius * radius;
}

/* Area of the section of a sphere of radius r at height z with the rectangle of a box around its
 * center. */
static double section(const plu_region *box, double r, double z)
{
    return plu_disk_in_rectangle(sqrt(plu_max(r * r - z * z, 0.0)), box);
}

/* Integral of the section from `low` to `high`. The section is smooth there except for square roots
 * at both ends, which the substitution z = mid + half sin(turn) removes; the rest is integrated by
 * ten-point Gauss-Legendre. */
static double slice(const plu_region *box, double r, double low, double high)
{
    static const double node[5] = {0.1488743389816312, 0.4333953941292472, 0.6794095682990244,
                                   0.8650633666889845, 0.9739065285171717};
    static const double weight[5] = {0.2955242247147529, 0.2692667193099963, 0.2190863625159820,
                                     0.1494513491505806, 0.0666713443086881};
    const double mid = 0.5 * (low + high), half = 0.5 * (high - low);
    double sum = 0.0;
    for (int k = 0; k < 10; k++) {
        const double turn = 0.5 * PLU_PI * (k < 5 ? node[k] : -node[k - 5]);
        sum += weight[k % 5] * cos(turn) * section(box, r, mid + half * sin(turn));
    }
    return 0.5 * PLU_PI * half * sum;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Heights between bottom and top of the box at which a side or an edge of the box begins or ends to
 * cut the sphere. */
static int find_breaks(double list[BREAKS], const plu_region *box, double r)
{
    const double low = plu_max(box->lower[2], -r), high = plu_min(box->upper[2], r);
    const double x[2] = {box->lower[0], box->upper[0]}, y[2] = {box->lower[1], box->upper[1]};
    int count = 0;
    list[count++] = low;
    list[count++] = high;
    for (int k = 0; k < 8; k++) { /* two sides along x, two along y, four edges */
        const double a = k < 2 ? x[k] : k >= 4 ? x[k & 1] : 0.0;
        const double b = k >= 4 ? y[(k >> 1) & 1] : k >= 2 ? y[k & 1] : 0.0;
        const double z = sqrt(plu_max(r * r - a * a - b * b, 0.0));
        for (int sign = -1; sign <= 1; sign += 2)
            if (sign * z > low && sign * z < high)
                list[count++] = sign * z;
    }
    qsort(list, (size_t)count, sizeof *list, by_value);
    return count;
}

/* Volume (m^3) of the part of a sphere of radius r at x that lies in the box. */
static double volume_in(const plu_region *region, const double x[3], double r)
{
    plu_region box;
    bool inside = true;
    for (int i = 0; i < 3; i++) {
        box.lower[i] = region->lower[i] - x[i];
        box.upper[i] = region->upper[i] - x[i];
        if (!(box.lower[i] < r && box.upper[i] > -r)) /* also NAN */
            return 0.0;
        inside = inside && box.lower[i] <= -r && box.upper[i] >= r;
    }
    if (inside)
        return volume_of(r);
    double list[BREAKS], sum = 0.0;
    const int count = find_breaks(list, &box, r);
    for (int k = 0; k + 1 < count; k++)
        sum += slice(&box, r, list[k], list[k + 1]);
    return sum;
}

double plu_solid_in(const plu_view *view, const plu_region *region, bool fixed)
{
    double solid = 0.0;
    for (int b = 0; b < view->bodies; b++)
        if (plu_view_active(view, b) && plu_view_fixed(view, b) == fixed)
            solid += volume_in(region, plu_view_position(view, b), plu_view_radius(view, b));
    return solid;
}

plu_region plu_across_sides(const plu_view *view, const plu_region *region)
{
    plu_region whole = *region;
    for (int k = 0; k < 3; k++)
        if (view->cell.given && view->cell.periodic[k] &&
            region->upper[k] - region->lower[k] >= view->cell.edge[k][k] * (1.0 - 1e-12)) {
            whole.lower[k] = -HUGE_VAL;
            whole.upper[k] = HUGE_VAL;
        }
    return whole;
}

double plu_fixed_volume(const plu_view *view, const plu_region *region)
{
    const plu_region whole = plu_across_sides(view, region);
    return view->fixed ? plu_solid_in(view, &whole, true) : 0.0;
}
