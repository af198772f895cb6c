#include "cli/base/small_vector.h"
#include "cli/run/falls.h"
#include "pluvia/outline.h"
#include "pluvia/scene.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

void plu_floors_find(plu_floors *floors, const plu_scene *scene, const double down[3])
{
    *floors = (plu_floors){.down = {down[0], down[1], down[2]}};
    for (int i = 0; i < scene->boundaries_count; i++)
        plu_boundary_outline(&scene->boundaries[i], add_piece, floors);
}

void plu_floors_free(plu_floors *floors)
{
    free(floors->at);
    *floors = (plu_floors){0};
}

double plu_way_down(const plu_floors *floors, const double x[3])
{
    double longest = 0.0;
    for (size_t k = 0; k < floors->count; k++)
        longest = fmax(longest, way_to(x, floors->down, floors->at[k][0], floors->at[k][1]));
    return longest;
}
