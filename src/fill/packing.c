/* Where the spheres of an entry are: on a grid, or packed at random by sequential addition (B.
 * Widom, J. Chem. Phys. 44 (1966) 3888):
 *
 *     for each sphere, the largest first:   draw places in the region until one is free (near.c)
 *
 *         O   O  .o       the probability to find a place falls as the region fills: equal spheres
 *        o  O   O  .      end at a solid fraction of about 0.34 after 500 tries each. The largest
 *       O  .  o  O        come first, for their holes are the rarest; small ones fit in between
 *
 * Places and sizes are functions of (seed, entry, number, try) alone (base/rng.h), so that the same
 * scene gives the same packing everywhere. At last spheres are numbered by the cells they lie in,
 * so that neighbors are near each other in memory. */
#include "base/memory.h"
#include "base/rng.h"
#include "base/vec3.h"
#include "fill/build.h"
#include "fill/near.h"
#include "pluvia/body.h"
#include "pluvia/boundary.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- lattices --- */

/* Numbers drawn for one sphere of the entry. */
enum { DRAW_JITTER = 1 /* behind its grade */ };

/* Spheres of a regular grid, x running fastest; a single sphere is a grid of one. */
void plu_build_lattice(plu_build *build, int entry)
{
    const plu_body_spec *spec = &build->scene->bodies[entry];
    const plu_grading *grading = &build->gradings[entry];
    const plu_rng rng = grading->rng;
    const bool single = spec->kind == PLU_SPHERE;
    const double *origin = single ? spec->position : spec->origin;
    const double jitter = single ? 0.0 : spec->jitter;
    plu_new_body body = {.queue = -1};
    memcpy(body.velocity, spec->velocity, sizeof body.velocity);
    memcpy(body.angular_velocity, spec->angular_velocity, sizeof body.angular_velocity);
    for (int b = build->first[entry]; b < build->first[entry + 1]; b++) {
        const int number = b - build->first[entry];
        int rest = number;
        for (int k = 0; k < 3; k++) {
            const double u = plu_rng_uniform(rng, (uint64_t)number, DRAW_JITTER + (uint32_t)k);
            const int step = single ? 0 : rest % spec->counts[k];
            rest = single ? 0 : rest / spec->counts[k];
            body.position[k] = origin[k] + step * spec->spacing + (2.0 * u - 1.0) * jitter;
        }
        plu_grading_draw(grading, (uint64_t)number, &body.radius, &body.material);
        plu_build_put(build, b, &body);
    }
}

/* --- random packings --- */

/* Numbers drawn for one sphere (its grade) and for one try (position). */
enum { DRAW_POSITION = 1 };

/* Tries before giving up: at 500 a sphere, equal spheres reach a solid fraction of about 0.34. */
enum { WIDE = 1 }; /* m: a grain of this radius was meant to be smaller */
enum { TRIES_PER_SPHERE = 500, TRIES_LEAST = 100000 };

/* Edge of the cells by which spheres are ordered, over the largest radius. */
enum { CELL = 4 };

/* Random sequential addition (B. Widom, J. Chem. Phys. 44, 1966) of the spheres of one entry, the
 * largest first: each takes the first of its random places that is free. */
struct packing {
    const plu_build *build;
    const plu_body_spec *spec;
    const plu_grading *grading;
    plu_rng rng;
    plu_near near; /* the spheres that are there already */
    uint64_t tries;
};

/* A sphere without a place. */
typedef struct grain {
    double radius;
    int number, material;
} grain;

static int larger_first(const void *a, const void *b)
{
    const grain *x = a, *y = b;
    return x->radius != y->radius ? (x->radius < y->radius) - (x->radius > y->radius)
                                  : (x->number > y->number) - (x->number < y->number);
}

/* Whether a box reaches through the cell along axis k, where it is periodic: then it has no sides.
 */
static bool goes_on(const plu_world *w, const plu_body_spec *spec, int k)
{
    return w->space.periodic[k] &&
           spec->box[1][k] - spec->box[0][k] >= (1.0 - 1e-9) * w->space.edge[k][k];
}

/* Center of a sphere of radius r somewhere in the region; false: it is too large for it. */
static bool draw_center(const struct packing *packing, double r, double x[3])
{
    const plu_body_spec *spec = packing->spec;
    double u[3];
    for (uint32_t k = 0; k < 3; k++)
        u[k] = plu_rng_uniform(packing->rng, packing->tries, DRAW_POSITION + k);
    if (spec->cylinder_radius > 0.0) {
        const double width = spec->cylinder_radius - r, height = spec->cylinder_height - 2.0 * r;
        const double axial = width * sqrt(u[0]);
        x[0] = spec->center[0] + axial * cos(2.0 * PLU_PI * u[1]);
        x[1] = spec->center[1] + axial * sin(2.0 * PLU_PI * u[1]);
        x[2] = spec->center[2] + r + height * u[2];
        return width >= 0.0 && height >= 0.0;
    }
    bool fits = true;
    for (int k = 0; k < 3; k++) {
        const double inset = goes_on(packing->build->world, spec, k) ? 0.0 : r;
        const double width = spec->box[1][k] - spec->box[0][k] - 2.0 * inset;
        x[k] = spec->box[0][k] + inset + width * u[k];
        fits = fits && width >= 0.0;
    }
    return fits;
}

static bool is_free(const struct packing *packing, const double sphere[4])
{
    if (plu_near_overlapping(&packing->near, sphere) >= 0)
        return false;
    const plu_world *world = packing->build->world;
    double normal[3];
    plu_part_search search = plu_parts_near(sphere, sphere[3]);
    for (int p; (p = plu_part_next(&world->tree, &search)) >= 0;)
        if (plu_part_gap(&world->parts[p], sphere, normal) < 0.0)
            return false;
    return true;
}

/* false: no free place was found before `limit` tries. */
static bool find_place(struct packing *packing, double radius, uint64_t limit, double x[3])
{
    while (packing->tries < limit) {
        const bool fits = draw_center(packing, radius, x);
        packing->tries++;
        if (!fits)
            return false;
        if (is_free(packing, (const double[4]){x[0], x[1], x[2], radius}))
            return true;
    }
    return false;
}

static plu_status packing_prepare(struct packing *packing, int first, int count, grain *grains)
{
    const plu_world *world = packing->build->world;
    for (int k = 0; k < count; k++) {
        grains[k].number = k;
        plu_grading_draw(packing->grading, (uint64_t)k, &grains[k].radius, &grains[k].material);
    }
    qsort(grains, (size_t)count, sizeof *grains, larger_first);
    double largest = count > 0 ? grains[0].radius : 0.0;
    for (int b = 0; b < first; b++)
        largest = fmax(largest, world->spheres.at[b][3]);
    const plu_status status =
        plu_near_create(&packing->near, &world->space, (const double(*)[4])world->spheres.at,
                        first + count, largest, packing->build->err);
    for (int b = 0; b < first && status == PLU_OK; b++)
        if (world->bodies.state[b] == PLU_ACTIVE)
            plu_near_add(&packing->near, b);
    return status;
}

/* Up to `height` above its bottom (m, m^3). */
static double region_volume(const plu_body_spec *spec, double height)
{
    if (spec->cylinder_radius > 0.0)
        return PLU_PI * spec->cylinder_radius * spec->cylinder_radius * height;
    return (spec->box[1][0] - spec->box[0][0]) * (spec->box[1][1] - spec->box[0][1]) * height;
}

static double region_height(const plu_body_spec *spec)
{
    return spec->cylinder_radius > 0.0 ? spec->cylinder_height : spec->box[1][2] - spec->box[0][2];
}

double plu_packing_count(const plu_body_spec *spec, const plu_grading *grading)
{
    const double height = spec->fill_height > 0.0 ? spec->fill_height : region_height(spec);
    return fmax(1.0, rint(spec->fill_fraction * region_volume(spec, height) / grading->volume));
}

/* The boundary that takes every place of a region for spheres of radius r, by places at random; -1:
 * none does alone. */
static int all_is_in(const struct packing *packing, double r)
{
    enum { PLACES = 1000 };
    const plu_world *world = packing->build->world;
    struct packing drawn = *packing;
    for (int b = 0; b < packing->build->scene->boundaries_count; b++) {
        bool all = true;
        for (int k = 0; k < PLACES && all; k++, drawn.tries++) {
            double sphere[4] = {0.0, 0.0, 0.0, r}, normal[3];
            draw_center(&drawn, r, sphere);
            plu_part_search search = plu_parts_near(sphere, r);
            bool in = false;
            for (int p; !in && (p = plu_part_next(&world->tree, &search)) >= 0;)
                in = world->parts[p].boundary == b &&
                     plu_part_gap(&world->parts[p], sphere, normal) < 0.0;
            all = in;
        }
        if (all)
            return b;
    }
    return -1;
}

static plu_status give_up(const struct packing *packing, const grain *grains, int placed, int count)
{
    const plu_body_spec *spec = packing->spec;
    plu_error *err = packing->build->err;
    char where[PLU_PATH + 32];
    plu_scene_where(packing->build->scene, spec->where, where, sizeof where);
    double x[3];
    if (!draw_center(packing, grains[placed].radius, x))
        return plu_error_add(err, PLU_BAD_INPUT,
                             "%s: the region of the packing is too narrow for a sphere of radius "
                             "%g m; make it larger or the sphere smaller%s",
                             where, grains[placed].radius,
                             grains[placed].radius > WIDE ? " (where mm are meant, 0.001 times)"
                                                          : "");
    const int taken = placed == 0 ? all_is_in(packing, grains[0].radius) : -1;
    if (taken >= 0)
        return plu_error_add(
            err, PLU_BAD_INPUT,
            "%s: the packing found no room: all of its region is in boundary \"%s\"; "
            "move the region, or turn the boundary (a normal points to where the "
            "spheres are)",
            where, packing->build->scene->boundaries[taken].name);
    const double region = region_volume(spec, region_height(spec));
    double solid = 0.0;
    for (int k = 0; k < count; k++)
        solid += 4.0 / 3.0 * PLU_PI * pow(grains[k].radius, 3);
    return plu_error_add(err, PLU_BAD_INPUT,
                         "%s: the packing found room for %d of %d spheres; all of them need a "
                         "solid fraction of %.3g, but random insertion reaches about 0.35: use "
                         "fewer or smaller spheres, or a larger region",
                         where, placed, count, solid / region);
}

/* Finds the places, rows of the world from `first` on. */
static plu_status find_places(struct packing *packing, int first, int count, const grain *grains)
{
    const uint64_t limit = TRIES_LEAST + (uint64_t)TRIES_PER_SPHERE * (uint64_t)count;
    for (int k = 0; k < count; k++) {
        plu_spheres *spheres = &packing->build->world->spheres;
        double *sphere = spheres->at[first + k];
        if (!find_place(packing, grains[k].radius, limit, sphere))
            return give_up(packing, grains, k, count);
        sphere[3] = grains[k].radius;
        spheres->species[first + k] = grains[k].material;
        plu_near_add(&packing->near, first + k);
    }
    return PLU_OK;
}

static void put_all(const struct packing *packing, int first, int count)
{
    const plu_body_spec *spec = packing->spec;
    plu_new_body body = {.queue = -1};
    memcpy(body.velocity, spec->velocity, sizeof body.velocity);
    memcpy(body.angular_velocity, spec->angular_velocity, sizeof body.angular_velocity);
    for (int k = 0; k < count; k++) {
        const double *sphere = packing->build->world->spheres.at[first + k];
        memcpy(body.position, sphere, sizeof body.position);
        body.radius = sphere[3];
        body.material = packing->build->world->spheres.species[first + k];
        plu_build_put(packing->build, first + k, &body);
    }
}

plu_status plu_build_packing(plu_build *build, int entry)
{
    const int first = build->first[entry], count = build->first[entry + 1] - first;
    struct packing packing = {.build = build,
                              .spec = &build->scene->bodies[entry],
                              .grading = &build->gradings[entry],
                              .rng = build->gradings[entry].rng};
    plu_spheres *spheres = &build->world->spheres;
    grain *grains = plu_alloc((size_t)count, sizeof *grains, build->err);
    plu_status status = grains ? packing_prepare(&packing, first, count, grains) : PLU_IO;
    if (status == PLU_OK)
        status = find_places(&packing, first, count, grains);
    if (status == PLU_OK && count > 0) /* no order is required: the fastest one */
        status = plu_space_order(spheres->at + first, spheres->species + first, count,
                                 CELL * grains[0].radius, build->err);
    if (status == PLU_OK)
        put_all(&packing, first, count);
    plu_near_free(&packing.near);
    free(grains);
    return status;
}
