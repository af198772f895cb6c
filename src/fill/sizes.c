/* Radii by the inverse of their distribution: r = F^-1(u), u uniform in [0, 1) (sizes.h has the
 * densities). F is cut into pieces, whose masses are summed up once:
 *
 *     u |                 .--'      find the piece that has u by bisection, then within it
 *       |            .--'|           power law      closed form, by expm1 (also at exponent -1)
 *     --+--------.--' |  |           bell           Newton's method on its integral, by Gauss and
 *       |     .'  |   |  |                          Legendre with eight points, in t = ln r
 *       '----------------------- r
 *
 * so that a radius is right to rounding, and rises with u: stratified numbers u give stratified
 * sizes. */
#include "fill/sizes.h"
#include "base/memory.h"
#include "base/vec3.h"
#include "fill/inlet.h"
#include "pluvia/body.h"
#include "pluvia/feeder.h"
#include "pluvia/material.h"
#include "pluvia/scene.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Pieces of a bell: equal ones in ln r, and those of a quarter of its width up to nine widths. */
enum { EQUAL_PIECES = 64, QUARTERS = 36 };

/* Of Newton's method on the inverse; three to five are needed. */
enum { NEWTON_STEPS = 60 };

/* Integral of r^power from exp(t) to exp(t + length), over exp((power + 1) t). */
static double power_integral(double power, double length)
{
    const double p = power + 1.0;
    return fabs(p * length) < 1e-12 ? length : expm1(p * length) / p;
}

/* Density of a bell in ln r, times r^power; it is 1 where the range comes nearest to its middle. */
static double bell_at(const plu_sizes *s, double t, double power)
{
    const double x = s->normal ? exp(t) : t, z = (x - s->center) / s->width;
    const double tilted = s->normal ? (1.0 - s->tilt) * (t - log(s->center)) : 0.0;
    return exp(s->origin - 0.5 * z * z + tilted + power * t);
}

/* Of that density, by the rule of Gauss and Legendre with eight points. */
static double bell_integral(const plu_sizes *s, double from, double to, double power)
{
    static const double at[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                 0.9602898564975363},
                        weight[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                     0.1012285362903763};
    const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    double sum = 0.0;
    for (int k = 0; k < 4; k++)
        sum += weight[k] * (bell_at(s, middle - half * at[k], power) +
                            bell_at(s, middle + half * at[k], power));
    return half * sum;
}

static int rising(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void cut_bell(plu_sizes *s, const plu_size_spec *spec)
{
    const double low = log(spec->range[0]), high = log(spec->range[1]);
    int count = 0;
    for (int k = 0; k <= EQUAL_PIECES; k++)
        s->edge[count++] = k < EQUAL_PIECES ? low + (high - low) * k / EQUAL_PIECES : high;
    for (int k = -QUARTERS; k <= QUARTERS; k++) {
        const double x = s->center + 0.25 * k * s->width;
        const double t = !s->normal ? x : x > 0.0 ? log(x) : low;
        if (t > low && t < high)
            s->edge[count++] = t;
    }
    qsort(s->edge, (size_t)count, sizeof *s->edge, rising);
    s->pieces = count - 1;
}

/* Densities in t = ln r. A share by mass is one by number times r^3, so by number
 *
 *     lognormal    exp(-z^2 / 2) r^-3 = exp(-z'^2 / 2) const,   its center moved by -3 sigma^2
 *     normal       exp(-z^2 / 2) r^(1 - tilt),                  r of dr = r dt, tilt = 3 by mass
 *
 * `origin` lifts exponents to about 0 where the range comes nearest to the center: a range far out
 * in the tail has densities below the smallest double otherwise, and all pieces would be empty. */
static void make_bell(plu_sizes *s, const plu_size_spec *spec)
{
    s->bell = true;
    s->normal = spec->kind == PLU_NORMAL;
    s->width = spec->sigma;
    s->tilt = s->normal && spec->by == PLU_BY_MASS ? 3.0 : 0.0;
    s->center = spec->mean;
    if (!s->normal)
        s->center =
            log(spec->median) - (spec->by == PLU_BY_MASS ? 3.0 * spec->sigma * spec->sigma : 0.0);
    double nearest = s->center;
    for (int end = 0; end < 2; end++) {
        const double x = s->normal ? spec->range[end] : log(spec->range[end]);
        nearest = end == 0 ? fmax(nearest, x) : fmin(nearest, x);
    }
    nearest = (nearest - s->center) / s->width;
    s->origin = 0.5 * nearest * nearest;
    cut_bell(s, spec);
    double cubes = 0.0;
    for (int k = 0; k < s->pieces; k++) {
        s->below[k + 1] = s->below[k] + bell_integral(s, s->edge[k], s->edge[k + 1], 0.0);
        cubes += bell_integral(s, s->edge[k], s->edge[k + 1], 3.0);
    }
    s->cube = cubes / s->below[s->pieces];
}

/* Mean of r^3 over r in [exp(from), exp(to)] with a density like r^-slope. */
static double mean_cube(double slope, double from, double to)
{
    return exp(3.0 * from) * power_integral(3.0 - slope, to - from) /
           power_integral(-slope, to - from);
}

/* Powers: what a piece holds of the whole, by number or by mass, is given. */
static void make_powers(plu_sizes *s, const plu_size_spec *spec)
{
    const bool mass = spec->by == PLU_BY_MASS, sieves = spec->kind == PLU_SIEVES;
    s->slope = (sieves ? 1.0 : spec->kind == PLU_POWER ? spec->exponent : 0.0) + (mass ? 3.0 : 0.0);
    s->pieces = sieves ? spec->sieves_count - 1 : 1;
    for (int k = 0; k <= s->pieces; k++)
        s->edge[k] = log(sieves ? 0.5 * spec->sieves[k][0] : spec->range[k]);
    double cubes = 0.0;
    for (int k = 0; k < s->pieces; k++) {
        const double cube = mean_cube(s->slope, s->edge[k], s->edge[k + 1]);
        const double share = sieves ? spec->sieves[k + 1][1] - spec->sieves[k][1] : 1.0;
        const double number = mass ? share / cube : share;
        s->below[k + 1] = s->below[k] + number;
        cubes += number * cube;
    }
    s->cube = cubes / s->below[s->pieces];
}

void plu_sizes_make(plu_sizes *sizes, const plu_size_spec *spec)
{
    memset(sizes, 0, sizeof *sizes);
    if (spec->kind == PLU_NORMAL || spec->kind == PLU_LOGNORMAL)
        make_bell(sizes, spec);
    else
        make_powers(sizes, spec);
    for (int end = 0; end < 2; end++)
        sizes->range[end] = spec->kind != PLU_SIEVES
                                ? spec->range[end]
                                : 0.5 * spec->sieves[end == 0 ? 0 : spec->sieves_count - 1][0];
    const double whole = sizes->below[sizes->pieces];
    for (int k = 0; k < sizes->pieces; k++)
        sizes->below[k] /= whole;
    sizes->below[sizes->pieces] = 1.0;
}

/* Where a share c of the piece from `low` to `high` is below: Newton's method, kept in brackets. */
static double bell_inverse(const plu_sizes *s, double low, double high, double c)
{
    const double from = low, wanted = c * bell_integral(s, low, high, 0.0);
    double t = low + c * (high - low);
    for (int k = 0; k < NEWTON_STEPS; k++) {
        const double over = bell_integral(s, from, t, 0.0) - wanted;
        *(over > 0.0 ? &high : &low) = t;
        const double next = t - over / bell_at(s, t, 0.0);
        const double before = t;
        t = next > low && next < high ? next : 0.5 * (low + high);
        if (fabs(t - before) <= 1e-15 * (1.0 + fabs(t)))
            break;
    }
    return t;
}

/* Inverse of F(t) = expm1(p (t - low)) / expm1(p (high - low)); its limit for p -> 0 is linear. */
static double power_inverse(double slope, double low, double high, double c)
{
    const double p = 1.0 - slope, length = high - low;
    return fabs(p * length) < 1e-12 ? low + c * length : low + log1p(c * expm1(p * length)) / p;
}

double plu_sizes_radius(const plu_sizes *s, double u)
{
    int low = 0, high = s->pieces; /* below[low] <= u < below[high] */
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        *(s->below[middle] <= u ? &low : &high) = middle;
    }
    const double c = (u - s->below[low]) / (s->below[low + 1] - s->below[low]);
    const double t = s->bell ? bell_inverse(s, s->edge[low], s->edge[low + 1], c)
                             : power_inverse(s->slope, s->edge[low], s->edge[low + 1], c);
    return plu_max(s->range[0], fmin(s->range[1], exp(t)));
}

/* The first number of a sphere; entries draw what else they need from the next on. */
enum { DRAW_GRADE = 0 };

#define BALL 4.18879020478639098462 /* 4/3 pi */

/* What an entry of bodies and one of feeders have alike. */
typedef struct what {
    int material, mixture_count;
    const double *radius;
    const plu_size_spec *sizes;
    const plu_mixture_part *mixture;
    plu_share by;
} what;

static what of_entry(const plu_scene *scene, int entry)
{
    if (entry < scene->bodies_count) {
        const plu_body_spec *b = &scene->bodies[entry];
        return (what){b->material, b->mixture_count, b->radius,
                      &b->sizes,   b->mixture,       b->mixture_by};
    }
    const plu_feeder_spec *f = &scene->feeders[entry - scene->bodies_count];
    return (what){f->material, f->mixture_count, f->radius, &f->sizes, f->mixture, f->mixture_by};
}

/* Mean of r^3 between a and b. */
static double range_cube(const double radius[2])
{
    const double a = radius[0], b = radius[1];
    return 0.25 * (a + b) * (a * a + b * b);
}

/* Fills in a part; *cube is its mean of r^3. */
static plu_status make_part(plu_grade *part, int material, const double radius[2],
                            const plu_size_spec *spec, double *cube, plu_error *err)
{
    *part = (plu_grade){.material = material, .radius = {radius[0], radius[1]}};
    *cube = range_cube(radius);
    if (spec->kind == PLU_RANGE)
        return PLU_OK;
    part->sizes = plu_alloc(1, sizeof *part->sizes, err);
    if (!part->sizes)
        return PLU_IO;
    plu_sizes_make(part->sizes, spec);
    *cube = part->sizes->cube;
    return PLU_OK;
}

static plu_status make_mixture(plu_grading *g, const plu_scene *scene, const what *w,
                               plu_error *err)
{
    double numbers = 0.0;
    g->stratified = true;
    for (int k = 0; k < g->parts_count; k++) {
        const plu_mixture_part *p = &w->mixture[k];
        double cube;
        if (make_part(&g->parts[k], p->material, p->radius, &p->sizes, &cube, err) != PLU_OK)
            return PLU_IO;
        const double volume = BALL * cube, mass = volume * scene->materials[p->material].density;
        const double number = w->by == PLU_BY_NUMBER ? p->share : p->share / mass;
        g->stratified &= p->sizes.kind == PLU_RANGE || p->sizes.stratified;
        g->parts[k].below = numbers;
        numbers += number;
        g->volume += number * volume;
        g->mass += number * mass;
    }
    for (int k = 0; k < g->parts_count; k++)
        g->parts[k].below /= numbers;
    g->volume /= numbers;
    g->mass /= numbers;
    return PLU_OK;
}

plu_status plu_grading_make(plu_grading *g, const plu_scene *scene, int entry, plu_error *err)
{
    const what w = of_entry(scene, entry);
    const bool feeder = entry >= scene->bodies_count;
    *g = (plu_grading){
        .rng = {scene->seed, feeder ? PLU_STREAM(PLU_STREAM_FEEDERS, entry - scene->bodies_count)
                                    : PLU_STREAM(PLU_STREAM_BODIES, entry)},
        .parts_count = w.mixture_count > 0 ? w.mixture_count : 1};
    if (!(g->parts = plu_alloc((size_t)g->parts_count, sizeof *g->parts, err)))
        return PLU_IO;
    if (w.mixture_count > 0)
        return make_mixture(g, scene, &w, err);
    double cube;
    const plu_status status = make_part(g->parts, w.material, w.radius, w.sizes, &cube, err);
    g->stratified = w.sizes->kind != PLU_RANGE && w.sizes->stratified;
    g->volume = BALL * cube;
    if (w.material >= 0) /* spheres of a run keep theirs */
        g->mass = g->volume * scene->materials[w.material].density;
    return status;
}

void plu_grading_free(plu_grading *g)
{
    for (int k = 0; g->parts && k < g->parts_count; k++)
        free(g->parts[k].sizes);
    free(g->parts);
    *g = (plu_grading){0};
}

/* One number u decides both the part and the size in it (rescaled to [0, 1) there), so that strata
 * of u are strata of the whole mixture. Stratified: sphere `number` has the stratum that a random
 * permutation gives it, and each of `count` strata is drawn from once. */
void plu_grading_draw(const plu_grading *g, uint64_t number, double *radius, int *material)
{
    double u = plu_rng_uniform(g->rng, number, DRAW_GRADE);
    if (g->stratified)
        u = ((double)plu_rng_permuted(g->rng, number, g->count) + u) / (double)g->count;
    int k = 0;
    while (k + 1 < g->parts_count && g->parts[k + 1].below <= u)
        k++;
    const plu_grade *part = &g->parts[k];
    if (g->parts_count > 1) {
        const double end = k + 1 < g->parts_count ? part[1].below : 1.0;
        u = (u - part->below) / (end - part->below);
    }
    *material = part->material;
    *radius = part->sizes ? plu_sizes_radius(part->sizes, u)
                          : part->radius[0] + (part->radius[1] - part->radius[0]) * u;
}
