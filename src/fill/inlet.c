/* Inlets: how many spheres, when each is due, where it may come in.
 *
 *     due       k / rate, or the mass of those before it over the mass flow
 *     place     uniform in the area: box, line, or disc (radius sqrt(u): equal areas are equally
 *               likely) by a counter (seed, feeder, number, try), and nothing is kept of tries
 *     room      when a place is taken the sphere waits. Behind a sphere of diameter d there is room
 *               after T, in which it moves by d with its velocity and gravity. So at most
 *
 *               1/T through one place ,   0.3 A d / T of volume through an area A widened by d
 *
 * which `check` compares with what the scene asks for. */
#include "fill/inlet.h"
#include "base/vec3.h"
#include "fill/build.h"
#include "pluvia/feeder.h"
#include <string.h>

/* Numbers drawn for one sphere: after its grade three for each try. */
enum { DRAW_PLACE = 1, DRAWS_OF_A_TRY = 3 };

/* Solid fraction of random places in an area that spheres pass through. */
#define RANDOM_FRACTION 0.34
/* Spheres whose places are fixed and that come in their order: how many come until one has no room,
 * over the square root of how many would fill the area (a birthday problem). */
#define IN_ORDER 1.25

double plu_feeder_count(const plu_feeder_spec *spec, const plu_grading *grading)
{
    if (spec->kind != PLU_INLET)
        return spec->count;
    double count = spec->count > 0 ? spec->count : HUGE_VAL;
    if (spec->mass > 0.0)
        count = fmin(count, plu_max(1.0, rint(spec->mass / grading->mass)));
    if (spec->stop > 0.0) {
        const double time = spec->stop - spec->start;
        const double due = spec->rate > 0.0 ? ceil(time * spec->rate * (1.0 - 1e-12))
                                            : rint(time * spec->mass_flow / grading->mass);
        count = fmin(count, plu_max(1.0, due));
    }
    return count;
}

/* The directions in which the draws of an area spread it, and how far (m). */
static void spread(const plu_area_spec *area, double edge[3][3], double size[3])
{
    static const double point[3] = {0.0, 0.0, 0.0};
    memcpy(edge[0], area->direction, sizeof edge[0]);
    memcpy(edge[2], area->normal, sizeof edge[2]);
    memcpy(size, area->kind == PLU_AREA_BOX ? area->size : point, 3 * sizeof *size);
    if (area->kind == PLU_AREA_DISC) {
        const double *n = area->normal;
        const int k = fabs(n[0]) < 0.9 ? 0 : 1;
        double along[3] = {k == 0, k == 1, 0.0};
        plu_add_scaled(along, -n[k], n);
        const double length = plu_norm(along);
        for (int i = 0; i < 3; i++)
            edge[0][i] = along[i] / length;
    } else if (area->kind == PLU_AREA_LINE) {
        double way[3];
        plu_sub(area->ends[1], area->ends[0], way);
        size[0] = plu_norm(way);
        for (int i = 0; i < 3; i++)
            edge[0][i] = size[0] > 0.0 ? way[i] / size[0] : i == 0;
    }
    plu_cross(edge[2], edge[0], edge[1]);
}

void plu_inlet_place(const plu_scene *scene, int feeder, int number, long attempt, double x[3])
{
    const plu_area_spec *area = &scene->feeders[feeder].area;
    const plu_rng rng = {scene->seed, PLU_STREAM(PLU_STREAM_FEEDERS, feeder)};
    double u[3], edge[3][3], size[3];
    for (uint32_t k = 0; k < 3; k++)
        u[k] = plu_rng_uniform(rng, (uint64_t)number,
                               DRAW_PLACE + DRAWS_OF_A_TRY * ((uint32_t)attempt & 0xfffffff) + k);
    if (area->kind == PLU_AREA_LINE) {
        for (int i = 0; i < 3; i++)
            x[i] = area->ends[0][i] + u[0] * (area->ends[1][i] - area->ends[0][i]);
        return;
    }
    spread(area, edge, size);
    double along[3] = {size[0] * (u[0] - 0.5), size[1] * (u[1] - 0.5), size[2] * (u[2] - 0.5)};
    if (area->kind == PLU_AREA_DISC) {
        along[0] = area->radius * sqrt(u[0]) * cos(2.0 * PLU_PI * u[1]);
        along[1] = area->radius * sqrt(u[0]) * sin(2.0 * PLU_PI * u[1]);
    }
    memcpy(x, area->center, 3 * sizeof *x);
    for (int k = 0; k < 3; k++)
        plu_add_scaled(x, along[k], edge[k]);
}

void plu_build_inlet(plu_build *build, int entry, int queue)
{
    const plu_scene *scene = build->scene;
    const int feeder = entry - scene->bodies_count;
    const plu_feeder_spec *spec = &scene->feeders[feeder];
    plu_new_body body = {.queue = queue};
    memcpy(body.velocity, spec->velocity, sizeof body.velocity);
    memcpy(body.angular_velocity, spec->angular_velocity, sizeof body.angular_velocity);
    double before = 0.0; /* kg */
    for (int k = 0; k < build->first[entry + 1] - build->first[entry]; k++) {
        plu_grading_draw(&build->gradings[entry], (uint64_t)k, &body.radius, &body.material);
        plu_inlet_place(scene, feeder, k, 0, body.position);
        body.release = spec->start + (spec->rate > 0.0 ? k / spec->rate : before / spec->mass_flow);
        plu_build_put(build, build->first[entry] + k, &body);
        before += 1.0 / build->world->bodies.row[build->first[entry] + k][6];
    }
}

/* Area of the projection of a box of these edges along the unit vector u. */
static double shadow(const double edge[3][3], const double size[3], const double u[3])
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++)
        sum += fabs(plu_dot(u, edge[k])) * size[(k + 1) % 3] * size[(k + 2) % 3];
    return sum;
}

/* Area across the unit vector u of where spheres of diameter d are. */
static double across(const plu_feeder_spec *spec, const double u[3], double d)
{
    plu_area_spec area = spec->area;
    double edge[3][3], size[3];
    if (spec->kind == PLU_PLUVIATION)
        area = (plu_area_spec){.kind = spec->disc > 0.0 ? PLU_AREA_DISC : PLU_AREA_BOX,
                               .normal = {0.0, 0.0, 1.0},
                               .direction = {1.0, 0.0, 0.0},
                               .size = {spec->square, spec->square, 0.0},
                               .radius = 0.5 * spec->disc};
    if (area.kind == PLU_AREA_DISC) {
        const double r = area.radius + 0.5 * d, steep = fabs(plu_dot(u, area.normal));
        return PLU_PI * r * r * steep + 2.0 * r * d * sqrt(plu_max(0.0, 1.0 - steep * steep));
    }
    if (area.kind == PLU_AREA_LINE) { /* any two directions across it */
        const double way[3] = {area.ends[1][0] - area.ends[0][0], area.ends[1][1] - area.ends[0][1],
                               area.ends[1][2] - area.ends[0][2]};
        const double length = plu_norm(way);
        const double along = length > 0.0 ? fabs(plu_dot(u, way)) / length : 0.0;
        return along * d * d + sqrt(plu_max(0.0, 1.0 - along * along)) * (length + d) * d;
    }
    spread(&area, edge, size);
    for (int k = 0; k < 3; k++)
        size[k] += d;
    return shadow((const double(*)[3])edge, size, u);
}

double plu_feeder_most(const plu_scene *scene, int feeder, double d, double volume)
{
    const plu_feeder_spec *spec = &scene->feeders[feeder];
    const double speed = plu_norm(spec->velocity);
    const double *way = speed > 0.0 ? spec->velocity : scene->gravity;
    const double length = plu_norm(way);
    if (!(length > 0.0)) /* nothing moves away */
        return 0.0;
    const double u[3] = {way[0] / length, way[1] / length, way[2] / length};
    const double pull = plu_max(0.0, plu_dot(u, scene->gravity));
    const double time = 2.0 * d / (speed + sqrt(speed * speed + 2.0 * pull * d));
    const double area = across(spec, u, d);
    const double places = spec->kind == PLU_PLUVIATION ? IN_ORDER * sqrt(area / (PLU_PI * d * d))
                                                       : RANDOM_FRACTION * area * d / volume;
    return plu_max(1.0, places) / time;
}
