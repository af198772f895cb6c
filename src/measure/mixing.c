/* How well species are mixed. Lacey's index compares the variance of the fraction of a species over
 * cells with that of no mixing and of perfect random mixing:
 *
 *   M = (S0 - S) / (S0 - Sr),   S = sum_c n_c (p_c - p)^2 / N,   S0 = p (1 - p),
 *   Sr = p (1 - p) (C - 1) / (N - 1)
 *
 * with N grains in C cells, n_c in cell c, a fraction p_c of the species there and p of all (P. M.
 * C. Lacey, Journal of Applied Chemistry 4, 257, 1954). Weighted by n_c, Sr is the exact mean of S
 * over all ways to deal out the grains (multivariate hypergeometric), cells that are filled in part
 * included. The S of several species are summed up.
 *
 * Segregation along an axis is the distance between the centers of a species and of the rest over
 * the largest that it can be with the places as they are: all places in order, the species on one
 * side.
 *
 *   o o o o x x x x : 1      o x o x o x o x : near 0      x x x x o o o o : -1 */
#include "base/memory.h"
#include "measure/view.h"
#include "pluvia/tool/bed.h"
#include <stdlib.h>
#include <string.h>

/* A grain of the region. */
typedef struct grain {
    double at;     /* m, along the axis in question */
    double volume; /* m^3 */
    int species, body;
} grain;

static int compare(const void *a, const void *b)
{
    const grain *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return x->body - y->body;
}

static long gather(grain *list, const plu_view *view, const plu_region *region, const int *species,
                   plu_mixing *m)
{
    long count = 0;
    for (int b = 0; b < view->bodies; b++) {
        if (!plu_view_grain(view, b) || !plu_region_holds(region, plu_view_position(view, b)) ||
            species[b] < 0 || species[b] >= m->species)
            continue;
        const double r = plu_view_radius(view, b), mass = plu_view_mass(view, b);
        list[count++] = (grain){0.0, r * r * r, species[b], b};
        plu_mixed *s = &m->of[species[b]];
        s->grains++;
        s->mass += mass;
        plu_add_scaled(s->center, mass, plu_view_position(view, b));
    }
    for (int s = 0; s < m->species; s++)
        for (int i = 0; i < 3; i++)
            m->of[s].center[i] = m->of[s].grains > 0 ? m->of[s].center[i] / m->of[s].mass : NAN;
    return count;
}

/* The first moment of the places from the first on that a volume takes, whose grains are split
 * where it ends. */
static double moment_of_first(const grain *list, long count, double volume)
{
    double moment = 0.0;
    for (long i = 0; i < count && volume > 0.0; i++) {
        const double part = plu_min(volume, list[i].volume);
        moment += part * list[i].at;
        volume -= part;
    }
    return moment;
}

/* Sums by volume, so that a swap of grains of unlike sizes keeps what is where. `list` is in
 * order. */
static double segregation(const grain *list, long count, int species)
{
    double own = 0.0, all = 0.0, moment = 0.0, total = 0.0;
    for (long i = 0; i < count; i++) {
        const bool is_own = list[i].species == species;
        all += list[i].volume;
        total += list[i].volume * list[i].at;
        own += is_own ? list[i].volume : 0.0;
        moment += is_own ? list[i].volume * list[i].at : 0.0;
    }
    const double rest = all - own;
    if (!(own > 0.0) || !(rest > 0.0))
        return NAN;
    const double distance = moment / own - (total - moment) / rest;
    const double low = moment_of_first(list, count, own); /* the species at the low end */
    const double others = moment_of_first(list, count, rest);
    const double least = low / own - (total - low) / rest;
    const double largest = (total - others) / own - others / rest;
    const double limit = distance < 0.0 ? -least : largest;
    return limit > 0.0 ? distance / limit : 0.0;
}

/* Cells of the grains, in `cell`; how many there are in all. */
static long number_cells(const grain *list, long count, const plu_view *view, double width,
                         long *cell)
{
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    long size[3];
    for (long k = 0; k < count; k++)
        for (int i = 0; i < 3; i++) {
            low[i] = plu_min(low[i], plu_view_position(view, list[k].body)[i]);
            high[i] = plu_max(high[i], plu_view_position(view, list[k].body)[i]);
        }
    for (int i = 0; i < 3; i++) {
        const double parts = ceil((high[i] - low[i]) / width);
        size[i] = parts >= 1.0 ? (parts < 1000.0 ? (long)parts : 1000) : 1;
    }
    for (long k = 0; k < count; k++) {
        long at[3];
        for (int i = 0; i < 3; i++) {
            const double part =
                (plu_view_position(view, list[k].body)[i] - low[i]) / (high[i] - low[i]);
            at[i] = part < 1.0 ? (long)(part * (double)size[i]) : size[i] - 1;
        }
        cell[k] = (at[2] * size[1] + at[1]) * size[0] + at[0];
    }
    return size[0] * size[1] * size[2];
}

static plu_status find_lacey(plu_mixing *m, const grain *list, long count, const plu_view *view,
                             double width, plu_error *err)
{
    long *cell = plu_alloc((size_t)count + 1, sizeof *cell, err);
    if (!cell)
        return PLU_IO;
    const long cells = number_cells(list, count, view, width, cell);
    int(*in)[PLU_SPECIES] = plu_alloc((size_t)cells, sizeof *in, err);
    if (!in) {
        free(cell);
        return PLU_IO;
    }
    for (long k = 0; k < count; k++)
        in[cell[k]][list[k].species]++;
    double variance = 0.0, unmixed = 0.0;
    for (int s = 0; s < m->species; s++)
        unmixed += (double)m->of[s].grains * (double)(count - m->of[s].grains);
    unmixed /= (double)count * (double)count;
    for (long c = 0; c < cells; c++) {
        long n = 0;
        for (int s = 0; s < m->species; s++)
            n += in[c][s];
        m->cells += n > 0;
        for (int s = 0; n > 0 && s < m->species; s++) {
            const double p = (double)m->of[s].grains / (double)count;
            const double off = (double)in[c][s] / (double)n - p;
            variance += (double)n * off * off / (double)count;
        }
    }
    const double random = unmixed * (double)(m->cells - 1) / (double)(count - 1);
    m->lacey = unmixed > random ? (unmixed - variance) / (unmixed - random) : NAN;
    free(in);
    free(cell);
    return PLU_OK;
}

/* Along axis i; i = 3: distances from a line through the center of mass. */
static void place(grain *list, long count, const plu_view *view, int i, const double axis[3])
{
    double center[3] = {0.0}, mass = 0.0;
    for (long k = 0; k < count; k++) {
        plu_add_scaled(center, plu_view_mass(view, list[k].body),
                       plu_view_position(view, list[k].body));
        mass += plu_view_mass(view, list[k].body);
    }
    for (long k = 0; k < count; k++) {
        const double *x = plu_view_position(view, list[k].body);
        double from[3];
        for (int j = 0; j < 3; j++)
            from[j] = x[j] - center[j] / mass;
        plu_add_scaled(from, -plu_dot(from, axis), axis);
        list[k].at = i < 3 ? x[i] : plu_norm(from);
    }
}

/* Whether a cell closes along axis i, or for i = 3 across the axis. */
static bool closes(const plu_view *view, int i, const double axis[3])
{
    bool closes = false;
    for (int k = 0; view->cell.given && k < 3; k++)
        closes |= view->cell.periodic[k] && (i < 3 ? i == k : fabs(axis[k]) < 1.0 - 1e-9);
    return closes;
}

plu_status plu_measure_mixing(plu_mixing *m, const plu_view *view, const plu_region *region,
                              const int *of_body, int species, double width, const double axis[3],
                              plu_error *err)
{
    *m = (plu_mixing){.species = species < PLU_SPECIES ? species : PLU_SPECIES, .lacey = NAN};
    grain *list = plu_alloc((size_t)view->bodies + 1, sizeof *list, err);
    if (!list)
        return PLU_IO;
    const long count = gather(list, view, region, of_body, m);
    plu_status status = PLU_OK;
    if (count > 1 && width > 0.0)
        status = find_lacey(m, list, count, view, width, err);
    for (int i = 0; i < 4; i++) {
        const bool unknown = !region && closes(view, i, axis);
        place(list, count, view, i, axis);
        qsort(list, (size_t)count, sizeof *list, compare);
        for (int s = 0; s < m->species; s++)
            *(i < 3 ? &m->of[s].segregation[i] : &m->of[s].radial) =
                unknown ? NAN : segregation(list, count, s);
    }
    for (int s = 0; s < m->species; s++)
        for (int i = 0; i < 3; i++)
            if (!region && closes(view, i, axis))
                m->of[s].center[i] = NAN;
    free(list);
    return status;
}
