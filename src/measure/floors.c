/* The floor below each body. The bodies are sorted into square columns, and each piece of a
 * boundary looks at those in the columns that it covers, so that a mesh of many triangles costs
 * hardly more than a plane.
 *
 *       |     |  o  |     |  o  |       a body asks, straight down from its center, for the highest
 *       |  o  |     |  o  |     |       point of a floor below it; a triangle is offered to the
 *       |  :  |  :  |  :  |  :  |       bodies of the columns that its box covers only
 *       |  :  |  v__|__v__|  :  |
 *    ======v==================v====     level: a sheet; ____ a triangle of a mesh */
#include "measure/floors.h"
#include "base/memory.h"
#include "base/space.h"
#include "detect/grid.h"
#include "measure/view.h"
#include "pluvia/boundary.h"
#include "pluvia/scene.h"
#include <stdlib.h>

enum { WIDEST = 1024 }; /* columns along a side */
static const double level_cosine = 1.0 - 1e-6, steep_cosine = 0.70710678;

/* Bodies by columns: those of column k are order[start[k]] to order[start[k + 1] - 1]. */
typedef struct columns {
    double origin[2], width; /* m */
    int size[2];
    int *start, *order;
} columns;

typedef struct search {
    const plu_view *view;
    columns c;
    plu_below *below;
    double *first;
} search;

static bool is_there(const plu_view *view, int body)
{
    const double *x = plu_view_position(view, body);
    return plu_view_active(view, body) && isfinite(x[0] + x[1] + x[2]);
}

static int column_along(const columns *c, int axis, double x)
{
    const double at = (x - c->origin[axis]) / c->width;
    return at > 0.0 ? (at < c->size[axis] ? (int)at : c->size[axis] - 1) : 0; /* NAN: 0 */
}

static void find_extent(columns *c, const plu_view *view)
{
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    int count = 0;
    for (int b = 0; b < view->bodies; b++) {
        const double *x = plu_view_position(view, b);
        if (!is_there(view, b))
            continue;
        count++;
        for (int i = 0; i < 2; i++) {
            low[i] = plu_min(low[i], x[i]);
            high[i] = plu_max(high[i], x[i]);
        }
    }
    const double longest = count ? plu_max(high[0] - low[0], high[1] - low[1]) : 0.0;
    const double across = plu_min(ceil(sqrt(count)), WIDEST);
    c->width = longest > 0.0 ? longest / across : 1.0;
    for (int i = 0; i < 2; i++) {
        c->origin[i] = count ? low[i] : 0.0;
        c->size[i] = 1;
        if (longest > 0.0 && isfinite(longest))
            c->size[i] += (int)plu_min((high[i] - low[i]) / c->width, WIDEST);
    }
}

static int column_of(const columns *c, const double *x)
{
    return column_along(c, 1, x[1]) * c->size[0] + column_along(c, 0, x[0]);
}

static plu_status sort_bodies(columns *c, const plu_view *view, plu_error *err)
{
    find_extent(c, view);
    const size_t count = (size_t)c->size[0] * (size_t)c->size[1];
    c->start = plu_alloc(count + 2, sizeof *c->start, err);
    c->order = c->start ? plu_alloc((size_t)view->bodies, sizeof *c->order, err) : NULL;
    if (!c->order)
        return PLU_IO;
    for (int b = 0; b < view->bodies; b++)
        if (is_there(view, b))
            c->start[column_of(c, plu_view_position(view, b)) + 2]++;
    for (size_t k = 2; k <= count; k++)
        c->start[k] += c->start[k - 1];
    for (int b = 0; b < view->bodies; b++)
        if (is_there(view, b))
            c->order[c->start[column_of(c, plu_view_position(view, b)) + 1]++] = b;
    return PLU_OK;
}

/* A floor as a plane through `point` with its unit normal upward. */
typedef struct floor_piece {
    const plu_piece *piece;
    double point[3], normal[3];
    double low[2], high[2]; /* of a box around it, m */
} floor_piece;

static bool make_sheet(floor_piece *f, const plu_piece *p)
{
    double across[3];
    const double up = p->container ? p->axis[2] : fabs(p->axis[2]);
    if (!(up > level_cosine))
        return false;
    plu_cross(p->axis, p->edge, across);
    for (int i = 0; i < 3; i++) {
        f->point[i] = p->center[i];
        f->normal[i] = copysign(1.0, p->axis[2]) * p->axis[i];
    }
    for (int i = 0; i < 2; i++) {
        double half = HUGE_VAL;
        if (!isinf(p->half[0]))
            half = p->round ? p->half[0]
                            : fabs(p->edge[i]) * p->half[0] + fabs(across[i]) * p->half[1];
        f->low[i] = p->center[i] - half;
        f->high[i] = p->center[i] + half;
    }
    return true;
}

static bool make_triangle(floor_piece *f, const plu_piece *p)
{
    double edge[2][3], normal[3];
    plu_sub(p->corner[1], p->corner[0], edge[0]);
    plu_sub(p->corner[2], p->corner[0], edge[1]);
    plu_cross(edge[0], edge[1], normal);
    const double area = plu_norm(normal);
    if (!(fabs(normal[2]) > steep_cosine * area))
        return false;
    for (int i = 0; i < 3; i++) {
        f->point[i] = p->corner[0][i];
        f->normal[i] = copysign(1.0, normal[2]) * normal[i] / area;
    }
    for (int i = 0; i < 2; i++) {
        f->low[i] = plu_min(p->corner[0][i], plu_min(p->corner[1][i], p->corner[2][i]));
        f->high[i] = plu_max(p->corner[0][i], plu_max(p->corner[1][i], p->corner[2][i]));
    }
    return true;
}

static bool make_floor(floor_piece *f, const plu_piece *p)
{
    f->piece = p;
    return p->kind == PLU_SHEET      ? make_sheet(f, p)
           : p->kind == PLU_TRIANGLE ? make_triangle(f, p)
                                     : false;
}

/* Whether the vertical line through x meets the piece, its edges included. */
static bool is_above(const floor_piece *f, const double x[3])
{
    const plu_piece *p = f->piece;
    if (p->kind == PLU_SHEET) {
        double from[3] = {x[0] - p->center[0], x[1] - p->center[1], 0.0}, across[3];
        plu_cross(p->axis, p->edge, across);
        if (isinf(p->half[0]))
            return true;
        return p->round ? hypot(from[0], from[1]) <= p->half[0]
                        : fabs(plu_dot(from, p->edge)) <= p->half[0] &&
                              fabs(plu_dot(from, across)) <= p->half[1];
    }
    int left = 0, right = 0;
    for (int k = 0; k < 3; k++) {
        const double *a = p->corner[k], *b = p->corner[(k + 1) % 3];
        const double side = (b[0] - a[0]) * (x[1] - a[1]) - (b[1] - a[1]) * (x[0] - a[0]);
        left += side > 0.0;
        right += side < 0.0;
    }
    return left == 0 || right == 0;
}

static void look_from(search *s, const floor_piece *f, int body)
{
    const double *x = plu_view_position(s->view, body), r = plu_view_radius(s->view, body);
    double from[3];
    plu_sub(x, f->point, from);
    const double distance = plu_dot(from, f->normal), level = x[2] - distance / f->normal[2];
    plu_below *below = &s->below[body];
    if (!(distance > 0.0) || level < below->level || !is_above(f, x))
        return;
    below->level = level;
    below->triangle = f->piece->kind == PLU_TRIANGLE;
    for (int i = 0; i < 2; i++)
        below->tilt[i] = f->normal[i] / f->normal[2];
    below->rests = distance <= (1.0 + plu_touch) * r;
}

static void look_at(void *user, const plu_piece *piece)
{
    search *s = user;
    const columns *c = &s->c;
    floor_piece f;
    if (!make_floor(&f, piece))
        return;
    if (piece->kind == PLU_SHEET && isnan(*s->first))
        *s->first = piece->center[2];
    for (int j = column_along(c, 1, f.low[1]); j <= column_along(c, 1, f.high[1]); j++) {
        const int row = j * c->size[0];
        const int from = c->start[row + column_along(c, 0, f.low[0])],
                  to = c->start[row + column_along(c, 0, f.high[0]) + 1];
        for (int k = from; k < to; k++)
            look_from(s, &f, c->order[k]);
    }
}

plu_status plu_floors_below(plu_below *below, double *first, const plu_view *view, plu_error *err)
{
    search s = {.view = view, .below = below, .first = first};
    const plu_status status = sort_bodies(&s.c, view, err);
    *first = NAN;
    for (int b = 0; b < view->bodies; b++)
        below[b] = (plu_below){.level = -HUGE_VAL};
    if (status == PLU_OK)
        plu_view_outline(view, look_at, &s);
    for (int b = 0; b < view->bodies; b++)
        if (isinf(below[b].level))
            below[b].level = NAN;
    free(s.c.start);
    free(s.c.order);
    return status;
}

static void find_any(void *user, const plu_piece *piece)
{
    bool *any = user;
    floor_piece f;
    *any = *any || make_floor(&f, piece);
}

bool plu_floors_any(const plu_scene *scene)
{
    bool any = false;
    for (int i = 0; i < scene->boundaries_count && !any; i++)
        plu_boundary_outline(&scene->boundaries[i], find_any, &any);
    return any;
}

/* Groups of bodies that touch: pairs of a grid, joined in trees whose root is the lowest number. */

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
