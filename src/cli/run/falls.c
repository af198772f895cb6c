/* How far spheres fall (advice.h). They are sorted into columns along gravity, as wide as the
 * largest diameter, and treated from the lowest one up, so that what may lie below is known:
 *
 *     |     (b)      |     onto a sphere that lies: down - sqrt((r_a + r_b)^2 - off^2), where the
 *     |      |       |     way between the centers is (down, off) along gravity and across; it lies
 *     |      v  (a)  |     if its own height of fall is at most d / 100
 *     |        (_)(_)|
 *     +--------------+     onto a plane: (c - x).n / (down.n) - r, walls left out
 *
 * A sphere looks into its column and the eight around it. Columns are lists of a hash table; where
 * two share a list, spheres that are too far off do not count anyhow. Meshes count as one level
 * plane at their lowest corner: an upper bound. */
#include "cli/base/small_vector.h"
#include "cli/run/advice.h"
#include "pluvia/boundary.h"
#include "pluvia/outline.h"
#include "pluvia/scene.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- what is below: planes, mantles, globes, triangles --- */

/* Planes, each once: a floor may be made of thousands of plates. */
typedef struct plu_floors {
    double down[3];     /* unit vector along gravity */
    double (*at)[2][3]; /* a point, the normal; owned */
    size_t count, capacity;
} plu_floors;

static const double steep = 0.1; /* cosine: planes nearer to vertical are walls */

/* Way along `down` from x to the plane through c with normal n; 0 where it is above or a wall. */
static double way_to(const double x[3], const double down[3], const double c[3], const double n[3])
{
    const double d[3] = {c[0] - x[0], c[1] - x[1], c[2] - x[2]}, along = plu_dot3(down, n);
    return fabs(along) > steep ? fmax(0.0, plu_dot3(d, n) / along) : 0.0;
}

static bool same_plane(const double a[2][3], const double b[2][3])
{
    const double d[3] = {a[0][0] - b[0][0], a[0][1] - b[0][1], a[0][2] - b[0][2]};
    return memcmp(a[1], b[1], sizeof a[1]) == 0 && plu_dot3(d, a[1]) == 0.0;
}

static void add_plane(plu_floors *p, const double point[3], const double normal[3])
{
    double at[2][3];
    memcpy(at[0], point, sizeof at[0]);
    memcpy(at[1], normal, sizeof at[1]);
    for (size_t k = 0; k < p->count; k++)
        if (same_plane((const double(*)[3])p->at[k], (const double(*)[3])at))
            return;
    if (p->count == p->capacity) {
        const size_t capacity = 2 * p->capacity + 16;
        double(*larger)[2][3] = realloc(p->at, capacity * sizeof *larger);
        if (!larger) /* the advice does without it */
            return;
        p->at = larger;
        p->capacity = capacity;
    }
    memcpy(p->at[p->count++], at, sizeof at);
}

/* The lower side of a tube or cone. None where it is vertical and as wide below as above. */
static void add_mantle(plu_floors *p, const plu_piece *mantle)
{
    const double along = plu_dot3(mantle->axis, p->down), *n = mantle->axis;
    const double flat = sqrt(fmax(1.0 - along * along, 0.0));
    if (flat < 1e-6 && mantle->radius[0] == mantle->radius[1])
        return;
    for (int end = 0; end < 2; end++) {
        double point[3];
        for (int i = 0; i < 3; i++) {
            const double across = flat > 0.0 ? (p->down[i] - along * n[i]) / flat : 0.0;
            point[i] =
                mantle->center[i] + end * mantle->height * n[i] + mantle->radius[end] * across;
        }
        add_plane(p, point, p->down);
    }
}

/* Bodies meet a solid sphere at its top, a bowl at its bottom. */
static void add_globe(plu_floors *p, const plu_piece *globe)
{
    const double lower = globe->container ? globe->radius[0] : -globe->radius[0];
    double point[3];
    for (int i = 0; i < 3; i++)
        point[i] = globe->center[i] + lower * p->down[i];
    add_plane(p, point, p->down);
}

/* Of a mesh the lowest corner of all counts: one level plane for all of them. */
static void add_triangle(plu_floors *p, const plu_piece *triangle)
{
    const double *lowest = triangle->corner[0];
    for (int k = 1; k < 3; k++)
        if (plu_dot3(triangle->corner[k], p->down) > plu_dot3(lowest, p->down))
            lowest = triangle->corner[k];
    for (size_t k = 0; k < p->count; k++)
        if (memcmp(p->at[k][1], p->down, sizeof p->at[k][1]) == 0) {
            if (plu_dot3(lowest, p->down) > plu_dot3(p->at[k][0], p->down))
                memcpy(p->at[k][0], lowest, sizeof p->at[k][0]);
            return;
        }
    add_plane(p, lowest, p->down);
}

static void add_piece(void *user, const plu_piece *piece)
{
    plu_floors *p = user;
    switch (piece->kind) {
    case PLU_SHEET:
        add_plane(p, piece->center, piece->axis);
        break;
    case PLU_MANTLE:
        add_mantle(p, piece);
        break;
    case PLU_GLOBE:
        add_globe(p, piece);
        break;
    case PLU_TRIANGLE:
        add_triangle(p, piece);
        break;
    }
}

/* Finds the planes of all boundaries; fewer if memory runs out. */
static void floors_find(plu_floors *floors, const plu_scene *scene, const double down[3])
{
    *floors = (plu_floors){.down = {down[0], down[1], down[2]}};
    for (int i = 0; i < scene->boundaries_count; i++)
        plu_boundary_outline(&scene->boundaries[i], add_piece, floors);
}

static void floors_free(plu_floors *floors)
{
    free(floors->at);
    *floors = (plu_floors){0};
}

/* Distance from a point down to the lowest boundary below it (m); 0: there is none. */
static double way_down(const plu_floors *floors, const double x[3])
{
    double longest = 0.0;
    for (size_t k = 0; k < floors->count; k++)
        longest = fmax(longest, way_to(x, floors->down, floors->at[k][0], floors->at[k][1]));
    return longest;
}

/* --- spheres in columns --- */

static const double close = 0.01; /* diameters: smaller gaps do not count as a fall */

/* The spheres that lie (advice.h), by column: the next ones fall on these. */
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
    const double *x = c->position[b], floor_below = way_down(floors, x);
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
    floors_find(&floors, scene, c.down);
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
    floors_free(&floors);
    return made;
}
