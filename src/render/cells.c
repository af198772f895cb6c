#include "render/cells.h"
#include "base/memory.h"
#include <limits.h>
#include <stdlib.h>

enum { BITS = 64 /* of a word of `filled` */ };

typedef struct range {
    int low[3], high[3]; /* cells, both included */
} range;

static int cell_of(const plu_cells *cells, double x, int k)
{
    const double i = floor((x - cells->low[k]) / cells->edge);
    return i < 0.0 ? 0 : i >= cells->n[k] ? cells->n[k] - 1 : (int)i;
}

static int items_of(const plu_cells *cells)
{
    return cells->balls + cells->rods + cells->facets;
}

/* The facet that is item i; NULL: it is none. */
static const plu_facet *facet_of(const plu_cells *cells, int i)
{
    const int facet = i - cells->balls - cells->rods;
    return facet >= 0 ? &cells->facet[facet] : NULL;
}

static void item_box(const plu_cells *cells, int i, double low[3], double high[3])
{
    if (facet_of(cells, i)) {
        plu_facet_box(facet_of(cells, i), low, high);
        return;
    }
    const plu_ball *ball = &cells->ball[i];
    const plu_rod *rod = i < cells->balls ? NULL : &cells->rod[i - cells->balls];
    for (int k = 0; k < 3; k++) {
        low[k] = rod ? plu_min(rod->a[k], rod->b[k]) - rod->r : ball->c[k] - ball->r;
        high[k] = rod ? plu_max(rod->a[k], rod->b[k]) + rod->r : ball->c[k] + ball->r;
    }
}

static range cells_of(const plu_cells *cells, int i)
{
    range r;
    double low[3], high[3];
    item_box(cells, i, low, high);
    for (int k = 0; k < 3; k++) {
        r.low[k] = cell_of(cells, low[k], k);
        r.high[k] = cell_of(cells, high[k], k);
    }
    return r;
}

/* Chooses cells about as large as a ball, but not more of them than a million and a few for each
 * item. */
static void choose_edge(plu_cells *cells)
{
    const int items = items_of(cells);
    double sum = 0.0, volume = 1.0, longest = 0.0;
    for (int i = 0; i < cells->balls; i++)
        sum += cells->ball[i].r;
    for (int i = 0; i < cells->rods; i++)
        sum += cells->rod[i].r;
    for (int i = 0; i < cells->facets; i++)
        sum += 0.25 * (plu_norm(cells->facet[i].edge[0]) + plu_norm(cells->facet[i].edge[1]));
    for (int k = 0; k < 3; k++)
        longest = plu_max(longest, cells->high[k] - cells->low[k]);
    const double mean = items ? sum / items : 1.0;
    for (int k = 0; k < 3; k++)
        volume *= cells->high[k] - cells->low[k] + mean;
    const double most = 1e6 + 4.0 * items;
    cells->edge = plu_max(plu_max(2.0 * mean, cbrt(volume / most)), longest / 1000.0);
    if (!(cells->edge > 0.0))
        cells->edge = 1.0;
    for (int k = 0; k < 3; k++)
        cells->n[k] = 1 + (int)((cells->high[k] - cells->low[k]) / cells->edge);
}

static int index_of(const plu_cells *cells, int x, int y, int z)
{
    return (z * cells->n[1] + y) * cells->n[0] + x;
}

/* Squared distance of a ball's center from a cell. */
static double distance2(const plu_cells *cells, const plu_ball *ball, const int at[3])
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        const double low = cells->low[k] + at[k] * cells->edge;
        const double off = plu_max(plu_max(low - ball->c[k], ball->c[k] - low - cells->edge), 0.0);
        sum += off * off;
    }
    return sum;
}

/* Adds item i to its cells: only counts it, or with `fill` stores it in the list of each cell. */
static void cells_add(plu_cells *cells, int i, bool fill)
{
    const range r = cells_of(cells, i);
    const double slack = 1e-9 * cells->edge;
    int at[3];
    for (at[2] = r.low[2]; at[2] <= r.high[2]; at[2]++)
        for (at[1] = r.low[1]; at[1] <= r.high[1]; at[1]++)
            for (at[0] = r.low[0]; at[0] <= r.high[0]; at[0]++) {
                if (i < cells->balls) {
                    const double reach = cells->ball[i].r + slack;
                    if (distance2(cells, &cells->ball[i], at) > reach * reach)
                        continue;
                }
                const int c = index_of(cells, at[0], at[1], at[2]);
                if (fill)
                    cells->item[cells->start[c]++] = i;
                else
                    cells->start[c + 1]++;
            }
}

static bool casts_shadow(const plu_cells *cells, int i)
{
    const plu_facet *facet = facet_of(cells, i);
    const bool line = i >= cells->balls && i - cells->balls < cells->unshaded;
    return !line && !(facet && (facet->front || facet->clear));
}

/* The boxes of all items, and of those that cast shadows: lines of containers extend far beyond. */
static void set_bounds(plu_cells *cells)
{
    for (int k = 0; k < 3; k++) {
        cells->cast[0][k] = INFINITY;
        cells->cast[1][k] = -INFINITY;
    }
    for (int i = 0; i < items_of(cells); i++) {
        double low[3], high[3];
        const bool casts = casts_shadow(cells, i);
        item_box(cells, i, low, high);
        for (int k = 0; k < 3; k++) {
            cells->low[k] = i ? plu_min(cells->low[k], low[k]) : low[k];
            cells->high[k] = i ? plu_max(cells->high[k], high[k]) : high[k];
            cells->cast[0][k] = plu_min(cells->cast[0][k], casts ? low[k] : INFINITY);
            cells->cast[1][k] = plu_max(cells->cast[1][k], casts ? high[k] : -INFINITY);
        }
    }
}

/* The list of items is larger than the caches, and a ray goes through many cells without any. */
static plu_status mark_filled(plu_cells *cells, size_t count, plu_error *err)
{
    cells->filled = plu_alloc(count / BITS + 1, sizeof *cells->filled, err);
    if (!cells->filled)
        return PLU_IO;
    for (size_t c = 0; c < count; c++)
        if (cells->start[c + 1] > cells->start[c])
            cells->filled[c / BITS] |= (uint64_t)1 << c % BITS;
    return PLU_OK;
}

/* Prefix sum: turns start[c + 1], the number of items in cell c, into the place where cell c + 1
 * begins. False: the sum overflows an int. */
static bool prefix_sum(int *start, size_t cells)
{
    long long total = 0;
    for (size_t c = 1; c <= cells; c++) {
        total += start[c];
        if (total > INT_MAX)
            return false;
        start[c] = (int)total;
    }
    return true;
}

/* Restores the starts, each of which was advanced to the next one while the cells were filled. */
static void restore_starts(int *start, size_t cells)
{
    for (size_t c = cells; c > 0; c--)
        start[c] = start[c - 1];
    start[0] = 0;
}

static plu_status list_items(plu_cells *cells, size_t count, plu_error *err)
{
    const int items = items_of(cells);
    cells->start = plu_alloc(count + 1, sizeof *cells->start, err);
    if (!cells->start)
        return PLU_IO;
    for (int i = 0; i < items; i++)
        cells_add(cells, i, false);
    if (!prefix_sum(cells->start, count))
        return plu_fail(err, PLU_IO, "too many spheres of too different sizes for a picture");
    cells->item = plu_alloc((size_t)cells->start[count], sizeof *cells->item, err);
    if (!cells->item)
        return PLU_IO;
    for (int i = 0; i < items; i++)
        cells_add(cells, i, true);
    restore_starts(cells->start, count);
    return PLU_OK;
}

static int home_of(const plu_cells *cells, int i)
{
    const double *c = cells->ball[i].c;
    return index_of(cells, cell_of(cells, c[0], 0), cell_of(cells, c[1], 1),
                    cell_of(cells, c[2], 2));
}

static plu_status list_homes(plu_cells *cells, size_t count, plu_error *err)
{
    cells->home_start = plu_alloc(count + 1, sizeof *cells->home_start, err);
    cells->home = plu_alloc((size_t)cells->balls, sizeof *cells->home, err);
    if (!cells->home_start || !cells->home)
        return PLU_IO;
    for (int i = 0; i < cells->balls; i++)
        cells->home_start[home_of(cells, i) + 1]++;
    prefix_sum(cells->home_start, count);
    for (int i = 0; i < cells->balls; i++)
        cells->home[cells->home_start[home_of(cells, i)]++] = cells->ball[i];
    restore_starts(cells->home_start, count);
    return PLU_OK;
}

plu_status plu_cells_build(plu_cells *cells, const plu_ball *ball, int balls, const plu_rod *rod,
                           int rods, int unshaded, const plu_facet *facet, int facets,
                           plu_error *err)
{
    *cells = (plu_cells){.balls = balls,
                         .rods = rods,
                         .facets = facets,
                         .unshaded = unshaded,
                         .ball = ball,
                         .rod = rod,
                         .facet = facet};
    set_bounds(cells);
    choose_edge(cells);
    const size_t count = (size_t)cells->n[0] * (size_t)cells->n[1] * (size_t)cells->n[2];
    if (list_items(cells, count, err) != PLU_OK || mark_filled(cells, count, err) != PLU_OK)
        return PLU_IO;
    return list_homes(cells, count, err);
}

void plu_cells_free(plu_cells *cells)
{
    free(cells->filled);
    free(cells->start);
    free(cells->item);
    free(cells->home_start);
    free(cells->home);
    *cells = (plu_cells){0};
}

/* The walk of a ray from cell to cell; `next`: distance to the next cell border along each axis. */
typedef struct walk {
    int at[3], step[3];
    double next[3], width[3], out;
} walk;

/* Starts the walk in the first cell; false: the ray does not hit the grid before `limit`. */
static bool enter(const plu_cells *cells, const plu_ray *ray, double limit, walk *w)
{
    double in = 0.0;
    w->out = limit;
    for (int k = 0; k < 3; k++) {
        const double d = ray->d[k];
        const double a = (cells->low[k] - ray->o[k]) / d, b = (cells->high[k] - ray->o[k]) / d;
        if (d != 0.0) {
            in = plu_max(in, plu_min(a, b));
            w->out = plu_min(w->out, plu_max(a, b));
        } else if (ray->o[k] < cells->low[k] || ray->o[k] > cells->high[k]) {
            return false;
        }
    }
    if (!(in <= w->out))
        return false;
    for (int k = 0; k < 3; k++) {
        const double d = ray->d[k];
        w->at[k] = cell_of(cells, ray->o[k] + in * d, k);
        w->step[k] = d > 0.0 ? 1 : -1;
        w->width[k] = d != 0.0 ? cells->edge / fabs(d) : INFINITY;
        const double border = cells->low[k] + (w->at[k] + (d > 0.0)) * cells->edge;
        w->next[k] = d != 0.0 ? (border - ray->o[k]) / d : INFINITY;
    }
    return true;
}

static bool is_filled(const plu_cells *cells, int c)
{
    return cells->filled[c / BITS] >> c % BITS & 1;
}

/* Ends the walk where the ray leaves the box of what casts shadows. */
static void leave_casting(const plu_cells *cells, const plu_ray *ray, walk *w)
{
    const double slack = 1e-6 * cells->edge;
    for (int k = 0; k < 3; k++) {
        const double d = ray->d[k];
        const double border = d > 0.0 ? cells->cast[1][k] + slack : cells->cast[0][k] - slack;
        if (d != 0.0)
            w->out = plu_min(w->out, (border - ray->o[k]) / d);
    }
}

/* Goes on to the next cell; false: the end of the grid. */
static bool advance(const plu_cells *cells, walk *w)
{
    const int k = w->next[0] <= w->next[1] ? (w->next[0] <= w->next[2] ? 0 : 2)
                                           : (w->next[1] <= w->next[2] ? 1 : 2);
    if (w->next[k] > w->out)
        return false;
    w->at[k] += w->step[k];
    w->next[k] += w->width[k];
    return w->at[k] >= 0 && w->at[k] < cells->n[k];
}

static double meet(const plu_cells *cells, const plu_ray *ray, int i, double near)
{
    if (facet_of(cells, i))
        return plu_ray_facet(ray, facet_of(cells, i), near);
    return i < cells->balls ? plu_ray_ball(ray, &cells->ball[i], near)
                            : plu_ray_rod(ray, &cells->rod[i - cells->balls], near);
}

int plu_cells_first(const plu_cells *cells, const plu_ray *ray, double near, double *t)
{
    walk w;
    int found = -1;
    if (items_of(cells) == 0 || !enter(cells, ray, *t, &w))
        return -1;
    do {
        const int c = index_of(cells, w.at[0], w.at[1], w.at[2]);
        if (!is_filled(cells, c))
            continue;
        for (int j = cells->start[c]; j < cells->start[c + 1]; j++) {
            const double s = meet(cells, ray, cells->item[j], near);
            if (s < *t) {
                *t = s;
                found = cells->item[j];
            }
        }
        w.out = plu_min(w.out, *t); /* what lies in later cells is farther away */
    } while (advance(cells, &w));
    return found;
}

bool plu_cells_any(const plu_cells *cells, const plu_ray *ray, double near)
{
    walk w;
    if (items_of(cells) == 0 || !enter(cells, ray, INFINITY, &w))
        return false;
    leave_casting(cells, ray, &w);
    if (w.out < 0.0)
        return false;
    do {
        const int c = index_of(cells, w.at[0], w.at[1], w.at[2]);
        if (!is_filled(cells, c))
            continue;
        for (int j = cells->start[c]; j < cells->start[c + 1]; j++) {
            const int i = cells->item[j];
            if (casts_shadow(cells, i) && meet(cells, ray, i, near) < INFINITY)
                return true;
        }
    } while (advance(cells, &w));
    return false;
}

/* The share of the sky above a point that a ball leaves open; 1 for the ball on which the point
 * lies. */
static double open_beside(const plu_ball *ball, const double point[3], const double normal[3],
                          double reach2)
{
    double to[3];
    plu_sub(ball->c, point, to);
    const double d2 = plu_dot(to, to), up = plu_dot(to, normal);
    if (d2 > reach2 || up <= 0.0)
        return 1.0;
    const double near = 1.0 - d2 * d2 / (reach2 * reach2);
    return 1.0 - plu_min(ball->r * ball->r / d2, 1.0) * up / sqrt(d2) * near;
}

double plu_cells_open(const plu_cells *cells, const double point[3], const double normal[3],
                      double reach)
{
    int low[3], high[3];
    double open = 1.0;
    if (cells->balls == 0)
        return 1.0;
    for (int k = 0; k < 3; k++) {
        if (point[k] < cells->low[k] - reach || point[k] > cells->high[k] + reach)
            return 1.0;
        low[k] = cell_of(cells, point[k] - reach, k);
        high[k] = cell_of(cells, point[k] + reach, k);
    }
    for (int z = low[2]; z <= high[2]; z++)
        for (int y = low[1]; y <= high[1]; y++) { /* the cells of a row follow each other */
            const int first = cells->home_start[index_of(cells, low[0], y, z)];
            const int end = cells->home_start[index_of(cells, high[0], y, z) + 1];
            for (int j = first; j < end; j++)
                open *= open_beside(&cells->home[j], point, normal, reach * reach);
        }
    return open;
}
