#include "cli/base/small_vector.h"
#include "cli/run/advice.h"
#include "cli/run/falls.h"
#include <math.h>
#include <stdlib.h>

/* v h / d for overlaps of impacts of `share` and of PLU_DEEP_OVERLAP, in diameters. */
typedef struct limits {
    double good, deep, share;
} limits;

static const limits landing = {0.5, 1.5, 0.02}, sinking = {0.02, 0.1, 0.01};

/* How fast two spheres can meet by the velocities of the start alone: no two of these differ by
 * more than the diagonal of the box around all of them, nor by more than twice the way from its
 * middle. */
static double relative_speed(const plu_bodies_view *bodies)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    double diagonal = 0.0, farthest = 0.0;
    for (int b = 0; b < bodies->count; b++)
        for (int i = 0; i < 3; i++) {
            low[i] = fmin(low[i], bodies->velocity[b][i]);
            high[i] = fmax(high[i], bodies->velocity[b][i]);
        }
    for (int i = 0; i < 3; i++)
        diagonal += (high[i] - low[i]) * (high[i] - low[i]);
    for (int b = 0; b < bodies->count; b++) {
        double squared = 0.0;
        for (int i = 0; i < 3; i++) {
            const double off = bodies->velocity[b][i] - 0.5 * (low[i] + high[i]);
            squared += off * off;
        }
        farthest = fmax(farthest, squared);
    }
    return fmin(sqrt(diagonal), 2.0 * sqrt(farthest));
}

/* Onto boundaries and spheres that lie still, then onto each other. */
static void find_speed(plu_step_advice *a, const plu_scene *scene, const plu_bodies_view *bodies,
                       const double *way)
{
    const double *gravity = scene->gravity, end = scene->end;
    const double g = sqrt(plu_dot3(gravity, gravity));
    for (int b = 0; b < bodies->count; b++) {
        const double *v = bodies->velocity[b], start = sqrt(plu_dot3(v, v));
        const double drop = fmin(way[b], start * end + 0.5 * g * end * end);
        const double fast = fmin(sqrt(start * start + 2.0 * g * drop), start + g * end);
        if (scene->boundaries_count > 0)
            a->speed = fmax(a->speed, fast);
        a->drop = fmax(a->drop, drop);
        a->diameter = fmin(a->diameter, 2.0 * bodies->position[b][3]);
    }
    a->speed = fmax(a->speed, relative_speed(bodies));
}

static bool coheres(const plu_scene *scene)
{
    int k = 0;
    while (k < scene->laws_count && scene->laws[k].cohesion == 0.0)
        k++;
    return k < scene->laws_count;
}

/* By how much contacts may turn in a step where few spheres meet each other or what is round: by
 * the velocities of the start, on boundaries also by the fall. Among many, single contacts that
 * turn do not count. */
static double turning(const plu_step_advice *a, const plu_scene *scene,
                      const plu_bodies_view *bodies)
{
    enum { FEW = 19 };
    static const double right = 0.3; /* rad: bonds, circles, and impacts of two alone */
    const double r = 0.5 * a->diameter;
    double most = 0.0, smooth = 0.0;
    if (bodies->count > FEW)
        return 0.0;
    if (bodies->count > 2 && !coheres(scene))
        most = relative_speed(bodies) * scene->step / a->diameter;
    else if (bodies->count > 1)
        smooth = relative_speed(bodies) * scene->step / a->diameter;
    for (int i = 0; i < scene->boundaries_count; i++) {
        const plu_boundary_spec *b = &scene->boundaries[i];
        if (b->kind == PLU_FIXED_SPHERE && !b->inside)
            most = fmax(most, a->speed * scene->step / (b->radius + r));
        else if ((b->kind == PLU_FIXED_SPHERE || b->kind == PLU_CYLINDER) && b->radius > 2.0 * r)
            smooth = fmax(smooth, a->speed * scene->step / (b->radius - r));
    }
    return smooth > right ? fmax(most, smooth) : most;
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
    const plu_scene *scene = &simulation->scene;
    const plu_bodies_view bodies = plu_world_bodies(simulation->world);
    const limits *most = all_land(scene) ? &landing : &sinking;
    plu_step_advice a = {.diameter = INFINITY};
    double *way = malloc(((size_t)bodies.count + 1) * sizeof *way);
    if (scene->method != PLU_PENALTY && !scene->parts && way && plu_falls_find(way, scene, &bodies))
        find_speed(&a, scene, &bodies, way);
    free(way);
    if (a.speed > 0.0)
        a.turn = turning(&a, scene, &bodies);
    if (!(a.speed > 0.0)) /* also with springs, which say their step themselves */
        return (plu_step_advice){0};
    a.way = a.speed * scene->step / a.diameter;
    a.step = plu_step_rounded(most->good * a.diameter / a.speed);
    a.share = most->share;
    a.shorter = scene->step > a.step * (1.0 + 1e-9);
    a.deep = a.way > most->deep;
    return a;
}

double plu_step_after(const plu_step_advice *advice, double step, double overlap)
{
    if (overlap <= PLU_DEEP_OVERLAP)
        return 0.0;
    return advice->shorter ? advice->step : plu_step_rounded(step * PLU_DEEP_OVERLAP / overlap);
}
