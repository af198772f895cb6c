#include "step_advice.h"
#include "pluvia/outline.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* v h / d for overlaps of 1 % and of 5 %. */
typedef struct limits {
    double good, deep;
} limits;

static const limits landing = {0.25, 0.75}, sinking = {0.02, 0.1};
static const double steep = 0.1; /* cosine: planes nearer to vertical are walls */

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Way along `down` from x to the plane through c with normal n; 0 where it is above or a wall. */
static double way_to(const double x[3], const double down[3], const double c[3], const double n[3])
{
    const double d[3] = {c[0] - x[0], c[1] - x[1], c[2] - x[2]}, along = dot(down, n);
    return fabs(along) > steep ? fmax(0.0, dot(d, n) / along) : 0.0;
}

/* Planes that bodies of the scene may fall on, each once: a floor may be made of thousands. */
typedef struct planes {
    double down[3];
    double (*at)[2][3]; /* a point, the normal; owned */
    size_t count, capacity;
} planes;

static bool same_plane(const double a[2][3], const double b[2][3])
{
    const double d[3] = {a[0][0] - b[0][0], a[0][1] - b[0][1], a[0][2] - b[0][2]};
    return memcmp(a[1], b[1], sizeof a[1]) == 0 && dot(d, a[1]) == 0.0;
}

static void add_plane(planes *p, const double point[3], const double normal[3])
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
static void add_mantle(planes *p, const plu_piece *mantle)
{
    const double along = dot(mantle->axis, p->down), *n = mantle->axis;
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
static void add_globe(planes *p, const plu_piece *globe)
{
    const double lower = globe->container ? globe->radius[0] : -globe->radius[0];
    double point[3];
    for (int i = 0; i < 3; i++)
        point[i] = globe->center[i] + lower * p->down[i];
    add_plane(p, point, p->down);
}

static void add_piece(void *user, const plu_piece *piece)
{
    planes *p = user;
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
    }
}

/* Way of a point down to the lowest boundary below it; 0 where there is none. */
static double way_down(const planes *p, const double x[3], const double down[3])
{
    double longest = 0.0;
    for (size_t k = 0; k < p->count; k++)
        longest = fmax(longest, way_to(x, down, p->at[k][0], p->at[k][1]));
    return longest;
}

/* Bodies that wait stand where they will be released. */
static void find_speed(plu_step_advice *a, const plu_simulation *simulation)
{
    const plu_scene *scene = &simulation->scene;
    const plu_bodies_view bodies = plu_world_bodies(simulation->world);
    const double g = sqrt(dot(scene->gravity, scene->gravity));
    double down[3], lowest = -INFINITY;
    for (int i = 0; i < 3; i++)
        down[i] = g > 0.0 ? scene->gravity[i] / g : 0.0;
    planes floors = {.down = {down[0], down[1], down[2]}};
    for (int i = 0; i < scene->boundaries_count; i++)
        plu_boundary_outline(&scene->boundaries[i], add_piece, &floors);
    for (int b = 0; b < bodies.count; b++)
        lowest = fmax(lowest, dot(bodies.position[b], down));
    for (int b = 0; b < bodies.count; b++) {
        const double *x = bodies.position[b], *v = bodies.velocity[b], r = x[3];
        const double start = sqrt(dot(v, v)), longest = 0.5 * g * scene->end * scene->end;
        double drop = way_down(&floors, x, down) - r;
        if (!(drop > 0.0)) /* onto other spheres */
            drop = fmax(0.0, lowest - dot(x, down) - 2.0 * r);
        drop = fmin(drop, start * scene->end + longest);
        a->drop = fmax(a->drop, drop);
        a->speed =
            fmax(a->speed, fmin(sqrt(start * start + 2.0 * g * drop), start + g * scene->end));
        a->diameter = b == 0 ? 2.0 * r : fmin(a->diameter, 2.0 * r);
    }
    free(floors.at);
}

static bool all_land(const plu_scene *scene)
{
    bool land = scene->forecast == PLU_TOUCH;
    for (int i = 0; i < scene->laws_count; i++)
        land = land &&
               (scene->laws[i].restitution == 0.0 || scene->laws[i].restitution_law == PLU_ENERGY);
    return land;
}

double plu_step_rounded(double step)
{
    static const double part[] = {5.0, 2.0};
    const double ten = pow(10.0, floor(log10(step) + 1e-9));
    for (int k = 0; k < 2; k++)
        if (part[k] * ten <= step * (1.0 + 1e-9))
            return part[k] * ten;
    return ten;
}

plu_step_advice plu_step_advise(const plu_simulation *simulation)
{
    plu_step_advice a = {0};
    const limits *most = all_land(&simulation->scene) ? &landing : &sinking;
    if (simulation->scene.method == PLU_PENALTY) /* springs say themselves */
        return a;
    find_speed(&a, simulation);
    if (!(a.speed > 0.0))
        return a;
    a.way = a.speed * simulation->scene.step / a.diameter;
    a.step = plu_step_rounded(most->good * a.diameter / a.speed);
    a.deep = a.way > most->deep;
    return a;
}
