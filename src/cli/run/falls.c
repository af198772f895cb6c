/* falls.c: sorts spheres into columns along gravity and treats them from the lowest one up. */
#include "cli/run/falls.h"
#include "cli/base/small_vector.h"
#include "pluvia/scene.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double close = 0.01; /* diameters: smaller gaps do not count as a fall */

/* The spheres that lie (falls.h), by column: the next ones fall on these. */
typedef struct columns {
    const double (*position)[4];
    double down[3], side[2][3]; /* unit vectors: along gravity and normal to it */
    double width;               /* m, of a column: the largest diameter */
    unsigned mask;              /* columns of the same hash share a list */
    int *newest, *next;         /* lists of spheres that lie, each with the highest one first */
    int *order;                 /* of the bodies, the lowest first */
    double *depth;              /* m along `down`, of each body */
} columns;

static unsigned list_of(const columns *c, const double x[3], int right, int back)
{
    const long i = (long)floor(plu_dot3(x, c->side[0]) / c->width) + right;
    const long j = (long)floor(plu_dot3(x, c->side[1]) / c->width) + back;
    return ((unsigned)i * 73856093u ^ (unsigned)j * 19349663u) & c->mask;
}

/* Height of fall of sphere b onto the first sphere of the list, at most `room`. */
static double way_to_spheres(const columns *c, int list, int b, double room)
{
    const double *x = c->position[b];
    for (int s = list; s >= 0 && c->depth[s] - c->depth[b] <= room + c->width; s = c->next[s]) {
        const double *y = c->position[s], reach = x[3] + y[3], down = c->depth[s] - c->depth[b];
        const double d[3] = {y[0] - x[0], y[1] - x[1], y[2] - x[2]};
        const double up = reach * reach - (plu_dot3(d, d) - down * down);
        if (down > 0.0 && up > 0.0)
            room = fmin(room, fmax(0.0, down - sqrt(up)));
    }
    return room;
}

/* Height of fall of sphere b; infinite: there is nothing below. */
static double way_of(const columns *c, const plu_floors *floors, int b)
{
    const double *x = c->position[b], floor_below = plu_way_down(floors, x);
    double way = floor_below > 0.0 ? fmax(0.0, floor_below - x[3]) : INFINITY;
    for (int k = 0; k < 9; k++)
        way = way_to_spheres(c, c->newest[list_of(c, x, k % 3 - 1, k / 3 - 1)], b, way);
    return way;
}

/* Merge sort; `spare` has room for half of them. */
static void sort_by_depth(int *order, int *spare, int count, const double *depth)
{
    const int half = count / 2;
    if (count < 2)
        return;
    sort_by_depth(order, spare, half, depth);
    sort_by_depth(order + half, spare, count - half, depth);
    memcpy(spare, order, (size_t)half * sizeof *spare);
    for (int i = 0, j = half, k = 0; i < half; k++)
        order[k] = j < count && depth[order[j]] > depth[spare[i]] ? order[j++] : spare[i++];
}

/* False without memory. */
static bool make_columns(columns *c, const plu_bodies_view *bodies)
{
    const size_t count = (size_t)bodies->count;
    size_t lists = 1;
    while (lists < count)
        lists *= 2;
    c->mask = (unsigned)(lists - 1);
    c->order = malloc(count * sizeof *c->order);
    c->next = malloc(count * sizeof *c->next);
    c->newest = malloc(lists * sizeof *c->newest);
    c->depth = malloc(count * sizeof *c->depth);
    if (!c->order || !c->next || !c->newest || !c->depth)
        return false;
    for (int b = 0; b < bodies->count; b++) {
        c->order[b] = b;
        c->depth[b] = plu_dot3(c->position[b], c->down);
        c->width = fmax(c->width, 2.0 * c->position[b][3]);
    }
    for (size_t i = 0; i < lists; i++)
        c->newest[i] = -1;
    sort_by_depth(c->order, c->next, bodies->count, c->depth);
    return true;
}

static void free_columns(columns *c)
{
    free(c->order);
    free(c->next);
    free(c->newest);
    free(c->depth);
}

static void find_sides(columns *c, const double gravity[3], double g)
{
    for (int i = 0; i < 3; i++)
        c->down[i] = gravity[i] / g;
    const double *down = c->down;
    const int axis = fabs(down[0]) < 0.6 ? 0 : 1;
    double *s = c->side[0], *t = c->side[1];
    for (int i = 0; i < 3; i++)
        s[i] = (i == axis) - down[axis] * down[i];
    const double length = sqrt(plu_dot3(s, s));
    for (int i = 0; i < 3; i++)
        s[i] /= length;
    for (int i = 0; i < 3; i++)
        t[i] = down[(i + 1) % 3] * s[(i + 2) % 3] - down[(i + 2) % 3] * s[(i + 1) % 3];
}

bool plu_falls_find(double *way, const plu_scene *scene, const plu_bodies_view *bodies)
{
    const double g = sqrt(plu_dot3(scene->gravity, scene->gravity));
    memset(way, 0, (size_t)bodies->count * sizeof *way);
    if (!(g > 0.0) || bodies->count == 0)
        return true;
    columns c = {.position = bodies->position};
    plu_floors floors;
    find_sides(&c, scene->gravity, g);
    plu_floors_find(&floors, scene, c.down);
    const bool made = make_columns(&c, bodies);
    for (int i = 0; made && i < bodies->count; i++) {
        const int b = c.order[i];
        const double found = way_of(&c, &floors, b);
        const bool lies = found <= 2.0 * close * bodies->position[b][3];
        way[b] = lies || isinf(found) ? 0.0 : found;
        if (lies && bodies->state[b] == PLU_ACTIVE) {
            int *list = &c.newest[list_of(&c, c.position[b], 0, 0)];
            c.next[b] = *list;
            *list = b;
        }
    }
    free_columns(&c);
    plu_floors_free(&floors);
    return made;
}
