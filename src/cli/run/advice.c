/* Which time step suits a scene, and whether beds that are pressed can be solved at all (advice.h).
 *
 * The speed at which spheres can meet: what falls by s from rest has v^2 = 2 g s, so
 *
 *     onto what lies (falls.c)   v = min(sqrt(v_0^2 + 2 g s), v_0 + g T)
 *     onto each other            v = min(diagonal of the box around all v_0, 2 max |v_0 - middle|)
 *
 * and a step h is proposed with v h / d = 0.5 where all contacts land, else 0.02, rounded down to
 * 1, 2 or 5 times a power of ten.
 *
 * A bed under a stress p that is strained at a rate g' has the inertial number
 * I = g' d sqrt(rho / p): the time that a grain takes to be pressed into a hole, over that of the
 * strain (GDR MiDi, Eur. Phys. J. E 14 (2004) 341). Rigid grains in a cell of prescribed volume jam
 * at some solid fraction phi; with the rate ln(V)' of the volume, phi e^(-ln(V)' T) is what a run
 * would end with. */
#include "cli/run/advice.h"
#include "cli/base/small_vector.h"
#include "cli/base/text.h"
#include "pluvia/boundary.h"
#include "pluvia/cell.h"
#include "pluvia/material.h"
#include "pluvia/rules.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* Bonds keep spheres together that would part after an impact: these turn about each other. */
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
    static const double right = 0.3; /* rad: bonds, circles, and impacts of two alone */
    const double r = 0.5 * a->diameter;
    double most = 0.0, smooth = 0.0;
    if (bodies->count >= PLU_FEW)
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

/* By how much, over the diameter, few spheres are hit that fall on something, where others follow
 * that close behind them: what bounces off meets those in the same step (the rule of chains). */
static double chained(const plu_scene *scene, const plu_bodies_view *bodies, const double *way)
{
    static const double across = 0.95, back = 1.5;
    const double *g = scene->gravity, size = sqrt(plu_dot3(g, g));
    double most = 0.0, e = 0.0;
    for (int i = 0; i < scene->laws_count; i++)
        e = fmax(e, scene->laws[i].restitution);
    if (bodies->count >= PLU_FEW || !(e > PLU_CHAIN_ELASTIC) || !(size > 0.0))
        return 0.0;
    for (int i = 0; i < bodies->count; i++)
        for (int j = 0; j < bodies->count; j++) {
            const double *x = bodies->position[i], *y = bodies->position[j];
            const double apart[3] = {y[0] - x[0], y[1] - x[1], y[2] - x[2]};
            const double length = sqrt(plu_dot3(apart, apart)), sum = x[3] + y[3];
            const double above = -plu_dot3(apart, g) / size, gap = length - sum,
                         d = 2.0 * fmin(x[3], y[3]);
            const double *v = bodies->velocity[i], u = sqrt(plu_dot3(v, v) + 2.0 * size * way[i]);
            if (above > 0.0 && length * length - above * above < across * across * sum * sum &&
                gap > PLU_CHAIN_RESTS * scene->slop * d && gap < back * scene->step * u)
                most = fmax(most, u * scene->step / d);
        }
    return most;
}

/* Whether no contact bounces by Newton's law, so that impacts end where they are met (forecast
 * "touch") and a step may be long. */
static bool all_land(const plu_scene *scene)
{
    bool land = scene->forecast == PLU_TOUCH;
    for (int i = 0; i < scene->laws_count; i++)
        land = land &&
               (scene->laws[i].restitution == 0.0 || scene->laws[i].restitution_law == PLU_ENERGY);
    return land;
}

/* 1, 2 or 5 times a power of ten, not above `step`. */
static double step_rounded(double step)
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
    if (a.speed > 0.0)
        a.chain = chained(scene, &bodies, way);
    free(way);
    if (a.speed > 0.0)
        a.turn = turning(&a, scene, &bodies);
    if (!(a.speed > 0.0)) /* also with springs, which say their step themselves */
        return (plu_step_advice){0};
    a.way = a.speed * scene->step / a.diameter;
    a.step = step_rounded(most->good * a.diameter / a.speed);
    a.share = most->share;
    a.shorter = scene->step > a.step * (1.0 + 1e-9);
    a.deep = a.way > most->deep;
    return a;
}

double plu_step_after(const plu_step_advice *advice, double step, double overlap)
{
    if (overlap <= PLU_DEEP_OVERLAP)
        return 0.0;
    return advice->shorter ? advice->step : step_rounded(step * PLU_DEEP_OVERLAP / overlap);
}

static const double pi = 3.14159265358979323846;

/* --- beds that something presses or shears: does the method suit them --- */

/* Solid fractions: of the densest random packings without friction, and of beds that dilate when
 * they are sheared with the friction of real grains (critical state). */
static const double jammed = 0.64, dilates = 0.57;

/* Inertial numbers of slow shear: above, stresses go with the rate; below, only the cost grows. */
static const double fast = 1e-3, slow = 1e-5;

typedef struct grains {
    double diameter, density; /* means */
    double volume;            /* of all */
    double low[3], high[3];
} grains;

static grains grains_of(const plu_simulation *simulation)
{
    const plu_bodies_view b = plu_world_bodies(simulation->world);
    grains g = {.low = {INFINITY, INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY, -INFINITY}};
    double mass = 0.0;
    for (int i = 0; i < b.count; i++) {
        const double r = b.position[i][3];
        g.diameter += 2.0 * r / b.count;
        g.volume += 4.0 / 3.0 * pi * r * r * r;
        mass += 1.0 / b.velocity[i][6];
        for (int k = 0; k < 3; k++) {
            g.low[k] = fmin(g.low[k], b.position[i][k] - r);
            g.high[k] = fmax(g.high[k], b.position[i][k] + r);
        }
    }
    g.density = g.volume > 0.0 ? mass / g.volume : 0.0;
    return g;
}

/* The largest stress of the cell and of servos (Pa), as far as the scene gives it. */
static double stress_of(const plu_scene *scene)
{
    double most = 0.0;
    for (int k = 0; k < 3; k++)
        most = fmax(most, scene->cell->stress[k]);
    for (int i = 0; i < scene->boundaries_count; i++)
        if (scene->boundaries[i].has_servo)
            most = fmax(most, fabs(scene->boundaries[i].servo.stress));
    return most;
}

/* The largest rate (1/s): of the cell, and of planes that move along their normals across the bed.
 */
static double rate_of(const plu_scene *scene, const grains *g)
{
    double most = fabs(scene->cell->shear_rate);
    for (int k = 0; k < 3; k++)
        most = fmax(most, fabs(scene->cell->strain_rate[k]));
    for (int i = 0; i < scene->boundaries_count; i++) {
        const plu_boundary_spec *b = &scene->boundaries[i];
        if (!b->moves || b->kind > PLU_DISC)
            continue;
        const double speed = plu_dot3(b->motion.velocity, b->normal);
        double height = 0.0;
        for (int k = 0; k < 3; k++)
            height += fabs(b->normal[k]) * (g->high[k] - g->low[k]);
        most = fmax(most, height > 0.0 ? fabs(speed) / height : 0.0);
    }
    return most;
}

static void print_inertia(FILE *out, const char *path, const plu_scene *scene, const grains *g)
{
    const double stress = stress_of(scene), rate = rate_of(scene, g);
    if (!(stress > 0.0) || !(rate > 0.0) || !(g->diameter > 0.0))
        return;
    const double number = rate * g->diameter * sqrt(g->density / stress);
    fprintf(out,
            "%s: inertial number about %.2g (rate %.3g /s, mean d %.3g m, %.4g Pa): 1e-4 to 1e-3 "
            "is slow enough and soon done%s\n",
            path, number, rate, g->diameter, stress,
            number > fast   ? "; at this one stresses depend on the rate"
            : number < slow ? "; below 1e-5 the same strain only takes longer: take a faster rate"
                            : "");
}

/* Whether strain rates alone give the cell its volume. */
static bool has_volume(const plu_scene *scene)
{
    return scene->cell->given && scene->cell->periodic == 7 && scene->method != PLU_PENALTY &&
           !plu_cell_yields(scene->cell);
}

/* d ln V / dt, without the rounding of rates that sum up to zero. */
static double growth_of(const plu_cell_spec *cell)
{
    double sum = 0.0, most = 0.0;
    for (int k = 0; k < 3; k++) {
        sum += cell->strain_rate[k];
        most = fmax(most, fabs(cell->strain_rate[k]));
    }
    return fabs(sum) > 1e-6 * most ? sum : 0.0;
}

static void warn_of_volume(const char *path, const plu_simulation *simulation, const grains *g)
{
    const plu_scene *scene = &simulation->scene;
    const plu_cell_spec *cell = scene->cell;
    const double growth = growth_of(cell),
                 fraction = g->volume / (cell->size[0] * cell->size[1] * cell->size[2]);
    const bool strained = plu_cell_flows(cell);
    if (growth < 0.0 && fraction * exp(-growth * scene->end) > jammed)
        plu_message("%s: warning: cell.strain_rate compresses the grains from a solid fraction of "
                    "%.3f to %.3f at time.end: rigid spheres jam at 0.57 (much friction) to 0.64 "
                    "(none), which is at t = %.3g s at the latest, and steps have no solution "
                    "beyond; end before, or press them by cell.stress",
                    path, fraction, fraction * exp(-growth * scene->end),
                    fmax(0.0, log(jammed / fraction) / -growth));
    else if (growth == 0.0 && strained && fraction > dilates)
        plu_message("%s: warning: the cell is sheared at constant volume with a solid fraction of "
                    "%.3f: rigid grains that are this dense have to dilate, and lock where they "
                    "cannot, so that steps have no solution; give one axis a stress (cell.stress)",
                    path, fraction);
    else if (growth == 0.0 && strained && cell->shear_rate == 0.0)
        plu_message("%s: warning: the strain rates of the cell sum up to zero: rigid grains at "
                    "constant volume have no stress scale of their own: dense ones lock, loose "
                    "ones lose their contacts; give one axis a stress (cell.stress)",
                    path);
}

void plu_press_advice_print(FILE *out, const char *path, const plu_simulation *simulation)
{
    const grains g = grains_of(simulation);
    print_inertia(out, path, &simulation->scene, &g);
    if (has_volume(&simulation->scene) && g.volume > 0.0)
        warn_of_volume(path, simulation, &g);
}
