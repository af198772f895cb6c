#include "assemble/assemble.h"
#include "base/exact.h"
#include "base/vec3.h"
#include "pluvia/scene.h"
#include "pluvia/solving.h"

/* Bodies of a cell of a dense packing, about, where the scene does not say: as many as a core's
 * cache holds, but of cells so many that all threads have some of each group of tiles. */
static const double least_bodies = 500.0, most_bodies = 1500.0, least_cells = 800.0;

/* Share of all contacts, about, that may reach further than the next cell: they are one tile, which
 * one thread works off. The contacts of a body are counted as its surface. */
static const double far_share = 1.0 / 32.0;

static double bodies_of_cell(const plu_world *w)
{
    const int asked = w->scene->solver->cell_bodies;
    return asked > 0 ? asked
                     : plu_max(least_bodies, plu_min(most_bodies, w->bodies.count / least_cells));
}

/* Sums of r^power over the bodies with low < r <= high, and their number. */
static double sum_radii(const plu_world *w, double low, double high, int power, int *count)
{
    plu_exact sum = {0};
    *count = 0;
    for (int i = 0; i < w->bodies.count; i++) {
        const double r = w->bodies.position[i][3];
        if (!(r > low && r <= high))
            continue;
        plu_exact_add(&sum, power == 2 ? r * r : r * r * r);
        ++*count;
    }
    return plu_exact_value(&sum);
}

static double largest_radius(const plu_world *w, double limit)
{
    double largest = 0.0;
    for (int i = 0; i < w->bodies.count; i++)
        if (w->bodies.position[i][3] <= limit)
            largest = plu_max(largest, w->bodies.position[i][3]);
    return largest;
}

/* The largest radius but for those of few large bodies, whose contacts may reach over cells. */
static double common_radius(const plu_world *w)
{
    static const double stride = 0.8;
    int count;
    const double surface = sum_radii(w, 0.0, HUGE_VAL, 2, &count);
    double limit = largest_radius(w, HUGE_VAL);
    while (limit > 0.0 && sum_radii(w, stride * limit, HUGE_VAL, 2, &count) <= far_share * surface)
        limit = largest_radius(w, stride * limit);
    return limit;
}

/* A body of mean volume in a random close packing takes 1.56 volumes of its own; a cell has to be
 * wider than two of the largest common spheres. */
static double choose_edge(const plu_world *w)
{
    const double common = common_radius(w);
    int count;
    const double cubes = sum_radii(w, 0.0, common, 3, &count);
    if (count == 0)
        return 1.0;
    return plu_max(2.2 * common, cbrt(bodies_of_cell(w) * 1.56 * 4.19 * cubes / count));
}

/* 2 to the mean of exponents. */
static double power_of(long sum, long count)
{
    return count > 0 ? ldexp(1.0, (int)(sum / count)) : 1.0;
}

plu_scale plu_scale_of(const plu_world *w)
{
    plu_scale scale = {.edge = choose_edge(w)};
    long mass = 0, length = 0, count = 0;
    for (int i = 0; i < w->bodies.count; i++) {
        const double *row = w->bodies.row[i];
        if (row[6] <= 0.0 || row[7] <= 0.0 || plu_is_fixed(w, i))
            continue;
        mass -= ilogb(row[6]);
        length += ilogb(sqrt(row[6] / row[7]));
        count++;
    }
    scale.mass = power_of(mass, count);
    scale.length = power_of(length, count);
    return scale;
}
