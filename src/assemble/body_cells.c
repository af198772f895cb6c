#include "assemble/body_cells.h"
#include "base/team.h"
#include <math.h>
#include <string.h>

enum { FEW = 4000 }; /* bodies up to which more than one thread does not pay */

/* The grid in numbers: coordinate k is floor(row[k] . (x - origin)), modulo around[k] if that is
 * not 0. */
typedef struct grid {
    double origin[3], row[3][3];
    int around[3];
} grid;

static grid grid_of(const plu_world *w, double edge)
{
    grid g = {0};
    if (w->space.kind == PLU_OPEN_SPACE) {
        for (int k = 0; k < 3; k++)
            g.row[k][k] = 1.0 / edge;
        return g;
    }
    memcpy(g.origin, w->space.origin, sizeof g.origin);
    for (int k = 0; k < 3; k++) {
        const double cells = w->space.height[k] / edge;
        double along = cells;
        if (w->space.periodic[k] && cells < PLU_CELLS)
            along = g.around[k] = cells < 2.0 ? 1 : (int)cells / 2 * 2;
        for (int i = 0; i < 3; i++)
            g.row[k][i] = along * w->space.inverse[k][i];
    }
    return g;
}

static int coordinate(const grid *g, int k, const double from[3])
{
    const double c = plu_dot(g->row[k], from);
    const int toward_zero = fabs(c) < 1e9 ? (int)c : 0;
    const int at = toward_zero - (toward_zero > c), n = g->around[k];
    return n == 0 || (at >= 0 && at < n) ? at : (at % n + n) % n;
}

static plu_body_cell cell_of(const grid *g, const double x[3])
{
    double from[3];
    plu_sub(x, g->origin, from);
    return plu_cell_at(
        (int[3]){coordinate(g, 0, from), coordinate(g, 1, from), coordinate(g, 2, from)});
}

static void find(plu_body_cells *cells, const plu_world *w, const grid *g, bool *moved)
{
    bool any = false;
#pragma omp for schedule(static) nowait
    for (int i = 0; i < w->bodies.count; i++) {
        const plu_body_cell at = cell_of(g, w->bodies.position[i]);
        any |= cells->of[i] != at;
        cells->of[i] = at;
    }
    if (any) {
#pragma omp atomic write
        *moved = true;
    }
}

bool plu_body_cells_find(plu_body_cells *cells, const plu_world *world, double edge)
{
    const grid g = grid_of(world, edge);
    bool moved = memcmp(cells->around, g.around, sizeof g.around) != 0;
    memcpy(cells->around, g.around, sizeof g.around);
    PLU_TEAM(plu_many(world->bodies.count, FEW), find(cells, world, &g, &moved));
    return moved;
}
