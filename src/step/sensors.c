/* Sensors: what passes a surface, and what a box holds. A sphere has passed if its center was
 * behind the surface before the step and is before it after the step, or the other way round, and
 * the straight line between meets it there:
 *
 *     behind     |     before        n.(x_k - c) <= 0 < n.(x_{k+1} - c) :  +1 ;  else -1
 *       o--------+-----> o           at x_k + s (x_{k+1} - x_k), within its rectangle or disc
 *
 * Boxes integrate mass and grains over time. Sums are made by one thread in the order of the
 * bodies. */
#include "step/sensors.h"
#include "base/memory.h"
#include "base/vec3.h"
#include "pluvia/scene.h"
#include "pluvia/sensor.h"
#include "step/stepper.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Places in the sums, as the table of names has them (scene/sensor.c). */
enum { MASS, GRAINS, FIRST_PASSAGE };             /* of a surface */
enum { MASS_TIME = 2, GRAIN_TIME, FIRST_INSIDE }; /* of a box, behind MASS and GRAINS */

/* Whether sensor k sums in the present stage. */
static bool is_on(const plu_stepper *s, int k)
{
    const plu_sensor_spec *sensor = &s->scene->sensors[k];
    return s->scene->stage >= sensor->stage && s->scene->stage <= sensor->last_stage;
}

static bool is_surface(const plu_sensor_spec *sensor)
{
    return sensor->kind != PLU_SENSOR_BOUNDARY && sensor->kind != PLU_SENSOR_BOX;
}

void plu_sensors_free(plu_stepper *s)
{
    free(s->sensors.start);
    free(s->sensors.sum);
}

plu_status plu_sensors_begin(plu_stepper *s, plu_error *err)
{
    PLU_SPHERES_ARE_BODIES;
    const plu_spheres *spheres = &s->world->spheres;
    bool any = false;
    for (int k = 0; k < s->scene->sensors_count; k++)
        any |= is_surface(&s->scene->sensors[k]);
    if (!any)
        return PLU_OK;
    const plu_status status = plu_reserve(&s->sensors.start, &s->sensors.capacity,
                                          (size_t)spheres->count, sizeof *s->sensors.start, 0, err);
    for (int b = 0; status == PLU_OK && b < spheres->count; b++)
        memcpy(s->sensors.start[b], spheres->at[b], sizeof *s->sensors.start);
    return status;
}

static bool counts(const plu_world *w, const plu_sensor_spec *sensor, int b)
{
    const double r = w->spheres.at[b][3];
    return w->bodies.state[b] == PLU_ACTIVE && !plu_is_fixed(w, b) &&
           (sensor->material < 0 || w->spheres.species[b] == sensor->material) &&
           (sensor->radii[1] == 0.0 || (r >= sensor->radii[0] && r <= sensor->radii[1]));
}

/* Whether a point of the plane of a surface lies in it. */
static bool is_within(const plu_sensor_spec *sensor, const double x[3])
{
    double arm[3], other[3];
    plu_sub(x, sensor->center, arm);
    if (sensor->kind == PLU_SENSOR_DISC)
        return plu_dot(arm, arm) <= sensor->radius * sensor->radius;
    if (sensor->kind != PLU_SENSOR_RECTANGLE)
        return true;
    plu_cross(sensor->normal, sensor->direction, other);
    return fabs(plu_dot(arm, sensor->direction)) <= 0.5 * sensor->size[0] &&
           fabs(plu_dot(arm, other)) <= 0.5 * sensor->size[1];
}

/* +1: passes along the normal, -1: against it, 0: not. *share: of the step until then. */
static int passage(const plu_sensor_spec *sensor, const double from[3], const double to[3],
                   double *share)
{
    double a[3], b[3], at[3];
    plu_sub(from, sensor->center, a);
    plu_sub(to, sensor->center, b);
    const double before = plu_dot(a, sensor->normal), after = plu_dot(b, sensor->normal);
    if ((before > 0.0) == (after > 0.0))
        return 0;
    *share = before / (before - after);
    for (int i = 0; i < 3; i++)
        at[i] = from[i] + *share * (to[i] - from[i]);
    return is_within(sensor, at) ? (after > 0.0 ? 1 : -1) : 0;
}

/* The numbers of a sensor. */
static double *sums(const plu_stepper *s, int sensor)
{
    return &s->sensors.sum[(size_t)sensor * PLU_SENSOR_NUMBERS];
}

static void note(plu_stepper *s, int sensor, int body, int sign, double share)
{
    const plu_world *w = s->world;
    double *sum = sums(s, sensor);
    sum[MASS] += sign / w->bodies.row[body][6];
    sum[GRAINS] += sign;
    if (sign > 0 && isnan(sum[FIRST_PASSAGE]))
        sum[FIRST_PASSAGE] = w->time - (1.0 - share) * w->step;
}

/* Images of a place in its cell and those around it, numbers *first to *end - 1: itself where space
 * is open. */
static void count_images(const plu_world *w, int *first, int *end)
{
    const bool open = w->space.kind != PLU_PERIODIC_SPACE;
    *first = open ? 13 : 0;
    *end = open ? 14 : 27;
}

/* False: space is not periodic in the direction of image k. */
static bool image_of(const plu_world *w, int k, const double x[3], double image[3])
{
    const int by[3] = {k / 9 - 1, k / 3 % 3 - 1, k % 3 - 1};
    memcpy(image, x, 3 * sizeof *image);
    for (int i = 0; i < 3; i++) {
        if (by[i] != 0 && !w->space.periodic[i])
            return false;
        if (by[i] != 0)
            plu_add_scaled(image, by[i], w->space.edge[i]);
    }
    return true;
}

/* A surface stands in every cell of a periodic space: the way of a body is looked at as the cells
 * around have it, and passes once: planes that go on through these cells are one. */
static void look_at_images(plu_stepper *s, int sensor, int body)
{
    const plu_world *w = s->world;
    int first, end;
    count_images(w, &first, &end);
    for (int k = first; k < end; k++) {
        double from[3], to[3], share;
        if (!image_of(w, k, s->sensors.start[body], from) ||
            !image_of(w, k, w->spheres.at[body], to))
            continue;
        const int sign = passage(&s->scene->sensors[sensor], from, to, &share);
        if (sign != 0) {
            note(s, sensor, body, sign, share);
            return;
        }
    }
}

void plu_sensors_pass(plu_stepper *s)
{
    const plu_world *w = s->world;
    for (int k = 0; k < s->scene->sensors_count; k++) {
        const plu_sensor_spec *sensor = &s->scene->sensors[k];
        if (!is_surface(sensor) || !is_on(s, k))
            continue;
        for (int b = 0; b < w->spheres.count; b++)
            if (counts(w, sensor, b))
                look_at_images(s, k, b);
    }
}

/* Whether a sphere or one of its images next to its cell is in a box: it counts once. */
static bool is_inside(const plu_world *w, const plu_sensor_spec *sensor, int b)
{
    int first, end;
    count_images(w, &first, &end);
    for (int k = first; k < end; k++) {
        double x[3];
        bool in = image_of(w, k, w->spheres.at[b], x);
        for (int i = 0; i < 3 && in; i++)
            in = x[i] >= sensor->lower[i] && x[i] <= sensor->upper[i];
        if (in)
            return true;
    }
    return false;
}

/* For a time. */
static void count_inside(plu_stepper *s, int k, double time)
{
    const plu_world *w = s->world;
    const plu_sensor_spec *sensor = &s->scene->sensors[k];
    double *sum = sums(s, k), mass = 0.0, grains = 0.0;
    for (int b = 0; b < w->spheres.count; b++) {
        const bool inside = counts(w, sensor, b) && is_inside(w, sensor, b);
        mass += inside ? 1.0 / w->bodies.row[b][6] : 0.0;
        grains += inside;
    }
    sum[MASS_TIME] += 0.5 * (sum[MASS] + mass) * time;
    sum[GRAIN_TIME] += 0.5 * (sum[GRAINS] + grains) * time;
    sum[MASS] = mass;
    sum[GRAINS] = grains;
    if (grains > 0.0 && isnan(sum[FIRST_INSIDE]))
        sum[FIRST_INSIDE] = w->time;
}

plu_status plu_sensors_create(plu_stepper *s, plu_error *err)
{
    const int count = s->scene->sensors_count;
    if (count == 0)
        return PLU_OK;
    s->sensors.sum = plu_alloc((size_t)count * PLU_SENSOR_NUMBERS, sizeof *s->sensors.sum, err);
    if (!s->sensors.sum)
        return PLU_IO;
    for (int k = 0; k < count; k++) {
        if (s->scene->sensors[k].kind == PLU_SENSOR_BOX) {
            sums(s, k)[FIRST_INSIDE] = NAN;
            if (is_on(s, k))
                count_inside(s, k, 0.0);
        } else if (is_surface(&s->scene->sensors[k]))
            sums(s, k)[FIRST_PASSAGE] = NAN;
    }
    return PLU_OK;
}

static void add_forces(plu_stepper *s, int k)
{
    double force[3], moment[3], *sum = sums(s, k);
    plu_stepper_boundary_force(s, s->scene->sensors[k].boundary, force, moment);
    for (int i = 0; i < 3; i++) {
        sum[i] += force[i] * s->world->step;
        sum[3 + i] += moment[i] * s->world->step;
    }
}

void plu_sensors_end(plu_stepper *s)
{
    for (int k = 0; k < s->scene->sensors_count; k++)
        if (!is_on(s, k))
            continue;
        else if (s->scene->sensors[k].kind == PLU_SENSOR_BOX)
            count_inside(s, k, s->world->step);
        else if (s->scene->sensors[k].kind == PLU_SENSOR_BOUNDARY)
            add_forces(s, k);
}

void plu_sensors_restage(plu_stepper *s)
{
    for (int k = 0; k < s->scene->sensors_count; k++)
        if (s->scene->sensors[k].kind == PLU_SENSOR_BOX && s->scene->sensors[k].stage > 0 &&
            s->scene->sensors[k].stage == s->scene->stage)
            count_inside(s, k, 0.0);
}

void plu_sensors_state(plu_stepper *s, plu_state *state)
{
    if (s->scene->sensors_count > 0)
        plu_state_real_or_none(state, "sensors/sum", (size_t)s->scene->sensors_count,
                               PLU_SENSOR_NUMBERS, s->sensors.sum);
}

double plu_stepper_sensor(const plu_stepper *s, int sensor, int number)
{
    return sums(s, sensor)[number];
}
