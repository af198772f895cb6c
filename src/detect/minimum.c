#include "detect/minimum.h"
#include "base/vec3.h"

/* In radii: gaps that differ by less are equal, and a point nearer to a part lies on it. The latter
 * is far below the slop, and above the rounding of corners in files (floats, a thousand radii from
 * their origin): a step that is so low is one surface, too. */
#define SAME_GAP 1e-9
#define ON_PART 1e-4

/* Steps of SAME_GAP, so that "nearer" is an order. */
static double gap_level(double gap, double radius)
{
    return floor(gap / (SAME_GAP * radius));
}

static bool lies_on(const plu_part *part, const double point[3], double radius)
{
    const double dot[4] = {point[0], point[1], point[2], 0.0};
    double normal[3];
    return fabs(plu_part_gap(part, dot, normal)) <= ON_PART * radius;
}

bool plu_is_minimum(const plu_sight *sight, const plu_pairs *walls, size_t k,
                    const plu_looked *looked)
{
    const plu_world *w = sight->world;
    const plu_contact *c = &looked->contact[k - looked->from];
    const int b = c->b, own = walls->pair[k].a;
    const double *x = w->spheres.at[b];
    size_t first = k, end = k + 1;
    while (first > 0 && walls->pair[first - 1].b == b)
        first--;
    while (end < walls->count && walls->pair[end].b == b)
        end++;
    if (end - first == 1 || w->parts[own].alone)
        return true;
    double point[3] = {x[0], x[1], x[2]}, normal[3];
    plu_add_scaled(point, -(c->gap + x[3]), c->normal);
    const double level = gap_level(c->gap, x[3]);
    for (size_t j = first; j < end; j++) {
        const int other = walls->pair[j].a;
        const plu_part *part = &w->parts[other];
        if (j == k || part->alone)
            continue;
        const double gap = j >= looked->from && j < looked->end
                               ? looked->contact[j - looked->from].gap
                               : plu_part_gap(part, x, normal);
        const double there = gap_level(gap, x[3]);
        if ((there < level || (there == level && other < own)) && lies_on(part, point, x[3]))
            return false;
    }
    return true;
}
