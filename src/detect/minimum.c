#include "detect/minimum.h"
#include "base/vec3.h"
#include <math.h>
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

void plu_walls_beside(const plu_pairs *walls, size_t k, size_t *first, size_t *end)
{
    const int sphere = walls->pair[k].b;
    for (*first = k; *first > 0 && walls->pair[*first - 1].b == sphere;)
        --*first;
    for (*end = k + 1; *end < walls->count && walls->pair[*end].b == sphere;)
        ++*end;
}

/* The gap of candidate j where it is at most `most`, else more than that; the sphere is at x and
 * has moved since it got its skin. */
static double gap_within(const plu_detector *d, size_t j, const plu_looked *looked,
                         const double x[4], double moved, double most)
{
    double normal[3];
    if (j >= looked->from && j < looked->end && !isnan(looked->gap[j - looked->from]))
        return looked->gap[j - looked->from];
    if (d->wall_note[j].gap - moved > most)
        return HUGE_VAL;
    return plu_part_gap(&d->world->parts[d->walls.pair[j].a], x, normal);
}

size_t plu_silencer(const plu_detector *d, size_t k, const plu_contact *c, const plu_looked *looked)
{
    const plu_world *w = d->world;
    const int own = d->walls.pair[k].a;
    size_t first, end;
    plu_walls_beside(&d->walls, k, &first, &end);
    if (end - first == 1 || w->parts[own].alone)
        return k;
    const double *x = w->spheres.at[c->b], most = c->gap + PLU_ON_PART * x[3];
    double point[3], way[3];
    plu_apart_from(&w->space, 0, d->origin[c->b], x, way);
    const double moved = plu_norm(way) * (1.0 + 1e-9);
    closest_point(x, c->gap, c->normal, point);
    for (size_t j = first; j < end; j++) {
        const int other = d->walls.pair[j].a;
        const double gap = j == k ? HUGE_VAL : gap_within(d, j, looked, x, moved, most);
        if (gap <= most && silences(w, other, gap, c, own, point))
            return j;
    }
    return k;
}
