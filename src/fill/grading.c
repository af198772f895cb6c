#include "fill/grading.h"
#include "base/memory.h"
#include "pluvia/scene.h"
#include <stdlib.h>

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
