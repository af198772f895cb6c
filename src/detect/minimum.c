#include "detect/minimum.h"
#include "base/vec3.h"
#include <string.h>

/* In radii: gaps that differ by less are equal. */
#define SAME_GAP 1e-9

/* Steps of SAME_GAP, so that "nearer" is an order. */
static double gap_level(double gap, double radius)
{
    return floor(gap / (SAME_GAP * radius));
}

static bool lies_on(const plu_part *part, const double point[3], double radius)
{
    const double dot[4] = {point[0], point[1], point[2], 0.0};
    double normal[3];
    return fabs(plu_part_gap(part, dot, normal)) <= PLU_ON_PART * radius;
}

/* The closest point of a part to the center of the sphere. */
static void closest_point(const double sphere[4], double gap, const double normal[3],
                          double point[3])
{
    memcpy(point, sphere, 3 * sizeof *point);
    plu_add_scaled(point, -(gap + sphere[3]), normal);
}

/* Whether the closest point of `part` lies on `other`. */
static bool meets_on(const plu_part *part, const plu_part *other, const double sphere[4])
{
    double normal[3], point[3];
    const double gap = plu_part_gap(part, sphere, normal);
    closest_point(sphere, gap, normal, point);
    return lies_on(other, point, sphere[3]);
}

/* Where each of two parts has its closest point on the other, these are one: the part counts that
 * is nearer or, of equals, has the smaller number. Where only one has, it is silent. */
static bool silences(const plu_world *w, int other, double gap, const plu_contact *c, int own,
                     const double point[3])
{
    const double *x = w->spheres.at[c->b];
    if (w->parts[other].alone || !lies_on(&w->parts[other], point, x[3]))
        return false;
    const double there = gap_level(gap, x[3]), here = gap_level(c->gap, x[3]);
    return there < here || (there == here && other < own) ||
           !meets_on(&w->parts[other], &w->parts[own], x);
}

bool plu_is_minimum(const plu_sight *sight, const plu_pairs *walls, size_t k, const plu_contact *c,
                    const plu_looked *looked)
{
    const plu_world *w = sight->world;
    const int b = c->b, own = walls->pair[k].a;
    size_t first = k, end = k + 1;
    while (first > 0 && walls->pair[first - 1].b == b)
        first--;
    while (end < walls->count && walls->pair[end].b == b)
        end++;
    if (end - first == 1 || w->parts[own].alone)
        return true;
    const double *x = w->spheres.at[b], most = c->gap + PLU_ON_PART * x[3];
    double point[3], normal[3];
    closest_point(x, c->gap, c->normal, point);
    for (size_t j = first; j < end; j++) {
        const int other = walls->pair[j].a;
        const double gap = j >= looked->from && j < looked->end
                               ? looked->gap[j - looked->from]
                               : plu_part_gap(&w->parts[other], x, normal);
        if (j != k && gap <= most && silences(w, other, gap, c, own, point))
            return false;
    }
    return true;
}
