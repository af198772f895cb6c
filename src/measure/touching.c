/* Groups of bodies that touch: pairs of a grid, joined in trees whose root is the lowest number. */
#include "measure/touching.h"
#include "base/memory.h"
#include "base/space.h"
#include "detect/grid.h"
#include "measure/view.h"
#include <stdlib.h>

/* Bodies, and behind them copies of those near the sides of a periodic cell. */
typedef struct crowd {
    int count;
    int *number;         /* ascending: 0, 1, ... */
    int *body;           /* by number */
    double (*sphere)[4]; /* center, radius grown by the largest gap */
    double *radius;
    size_t room[4];
} crowd;

static plu_status add(crowd *c, int body, const double x[3], double r, plu_error *err)
{
    const size_t need = (size_t)c->count + 1;
    if (plu_reserve(&c->number, &c->room[0], need, sizeof *c->number, 1, err) != PLU_OK ||
        plu_reserve(&c->body, &c->room[1], need, sizeof *c->body, 1, err) != PLU_OK ||
        plu_reserve(&c->sphere, &c->room[2], need, sizeof *c->sphere, 1, err) != PLU_OK ||
        plu_reserve(&c->radius, &c->room[3], need, sizeof *c->radius, 1, err) != PLU_OK)
        return PLU_IO;
    c->number[c->count] = c->count;
    c->body[c->count] = body;
    memcpy(c->sphere[c->count], x, 3 * sizeof *x);
    c->sphere[c->count][3] = (1.0 + plu_touch) * r;
    c->radius[c->count++] = r;
    return PLU_OK;
}

/* Copies of a body by edges of the cell where they come within `reach` of it. */
static plu_status add_copies(crowd *c, const plu_space *space, int body, const double x[3],
                             double r, double reach, plu_error *err)
{
    int from[3], to[3], s[3];
    plu_status status = PLU_OK;
    for (int k = 0; k < 3; k++) {
        const double part = plu_space_fraction(space, k, x), more = reach / space->height[k];
        from[k] = space->periodic[k] && part > 1.0 - more ? -1 : 0;
        to[k] = space->periodic[k] && part < more ? 1 : 0;
    }
    for (s[0] = from[0]; s[0] <= to[0]; s[0]++)
        for (s[1] = from[1]; s[1] <= to[1]; s[1]++)
            for (s[2] = from[2]; s[2] <= to[2] && status == PLU_OK; s[2]++) {
                double at[3] = {x[0], x[1], x[2]};
                for (int k = 0; k < 3; k++)
                    plu_add_scaled(at, s[k], space->edge[k]);
                if (s[0] || s[1] || s[2])
                    status = add(c, body, at, r, err);
            }
    return status;
}

/* Files that are damaged hold anything; such a body touches none. */
static bool is_body(const plu_view *view, int body)
{
    const double *x = plu_view_position(view, body), r = plu_view_radius(view, body);
    return plu_view_active(view, body) && isfinite(x[0] + x[1] + x[2]) && isfinite(r) && r > 0.0;
}

static plu_status gather(crowd *c, const plu_view *view, plu_error *err)
{
    plu_space space;
    double largest = 0.0;
    plu_status status = PLU_OK;
    for (int b = 0; b < view->bodies && status == PLU_OK; b++)
        if (is_body(view, b)) {
            largest = plu_max(largest, plu_view_radius(view, b));
            status = add(c, b, plu_view_position(view, b), plu_view_radius(view, b), err);
        }
    if (!view->cell.given || status != PLU_OK)
        return status;
    plu_space_make(&space, view->cell.origin, view->cell.edge, view->cell.periodic);
    for (int b = 0; b < view->bodies && status == PLU_OK; b++)
        if (is_body(view, b))
            status = add_copies(c, &space, b, plu_view_position(view, b), plu_view_radius(view, b),
                                (2.0 + plu_touch) * largest, err);
    return status;
}

static int root_of(int *group, int body)
{
    while (group[body] != body) {
        group[body] = group[group[body]];
        body = group[body];
    }
    return body;
}

static bool touch(const crowd *c, plu_pair pair)
{
    double way[3];
    plu_sub(c->sphere[pair.a], c->sphere[pair.b], way);
    const double a = c->radius[pair.a], b = c->radius[pair.b];
    return plu_norm(way) <= a + b + plu_touch * plu_min(a, b);
}

static void join(int *group, int a, int b)
{
    a = root_of(group, a);
    b = root_of(group, b);
    group[a > b ? a : b] = a > b ? b : a;
}

plu_status plu_touching_groups(int *group, const plu_view *view, plu_error *err)
{
    crowd c = {0};
    plu_pairs pairs = {0};
    plu_grid *grid = plu_grid_create(err);
    plu_status status = grid ? gather(&c, view, err) : PLU_IO;
    if (status == PLU_OK && c.count > 0)
        status = plu_grid_pairs(grid, c.count, c.number, (const double(*)[4])c.sphere, c.count,
                                &pairs, err);
    for (int b = 0; b < view->bodies; b++)
        group[b] = plu_view_active(view, b) ? b : -1;
    for (size_t k = 0; k < pairs.count && status == PLU_OK; k++)
        if (touch(&c, pairs.pair[k]))
            join(group, c.body[pairs.pair[k].a], c.body[pairs.pair[k].b]);
    for (int b = 0; b < view->bodies; b++)
        if (group[b] >= 0)
            group[b] = root_of(group, b);
    plu_grid_destroy(grid);
    free(pairs.pair);
    free(c.number);
    free(c.body);
    free(c.sphere);
    free(c.radius);
    return status;
}
