/* Warnings of scenes that run, but hardly as they are meant. Each compares a number with what
 * grains can be (a density, a friction coefficient, a radius, a length of rolling friction over r)
 * and says what it would be in the unit that was probably meant. Nothing is changed: the scene may
 * be right.
 *
 *   friction = 30                where 30 degrees are meant, it is 0.577
 *   density = 2.5                where g/cm^3 are meant, it is 2500
 *   radius = 5                   where mm are meant, it is 0.005
 *   rolling_friction = 0.1       a length (m): where a coefficient is meant, times r
 *   mesh smaller than a sphere   look at mesh.scale */
#include "cli/base/small_vector.h"
#include "cli/run/advice.h"
#include "pluvia/boundary.h"
#include "pluvia/material.h"
#include "pluvia/sensor.h"
#include "pluvia/tool/mesh.h"
#include <math.h>

static const double long_one = 3.0; /* radii: less is taken where nothing is to roll */

static void warn_of_length(const plu_log *log, const char *key, int law, double length,
                           double radius)
{
    if (length > long_one * radius && radius > 0.0)
        plu_log_write(
            log, PLU_LOG_WARNING,
            "contacts[%d].%s = %g m is %.3g times the radius of the largest sphere (%g m): it is a "
            "length; where a coefficient of %g is meant, it is %g m",
            law, key, length, length / radius, radius, length, length * radius);
}

/* Beyond what grains are, by far: other units are meant. */
static const double steep = 2.0, light = 20.0, wide = 1.0; /* 1, kg/m^3, m */
static const double degrees = 57.29577951308232;           /* in a radian */

static void warn_of_units(const plu_scene *scene, double radius, const plu_log *log)
{
    for (int i = 0; i < scene->laws_count; i++) {
        const double mu = scene->laws[i].friction;
        if (mu > steep)
            plu_log_write(log, PLU_LOG_WARNING,
                          "contacts[%d].friction = %g is a coefficient, the tangent of an angle: "
                          "where %g degrees are meant, it is %.3g; where percent, %g",
                          i, mu, mu, tan(fmin(mu, 89.0) / degrees), 0.01 * mu);
    }
    for (int i = 0; i < scene->materials_count; i++) {
        const double density = scene->materials[i].density;
        if (density > 0.0 && density < light)
            plu_log_write(log, PLU_LOG_WARNING,
                          "materials[%d].density = %g kg/m^3 is lighter than foam: where g/cm^3 "
                          "are meant, it is %g",
                          i, density, 1000.0 * density);
    }
    if (radius > wide)
        plu_log_write(log, PLU_LOG_WARNING,
                      "the largest sphere has a radius of %g m: where mm are meant, it is %g",
                      radius, 0.001 * radius);
}

/* Meshes that no grain fits into or rests on: written in other units than read. */
static void warn_of_meshes(const plu_scene *scene, double radius, const plu_log *log)
{
    for (int i = 0; i < scene->boundaries_count; i++) {
        const plu_boundary_spec *spec = &scene->boundaries[i];
        const plu_mesh_report *report = spec->mesh ? plu_mesh_reported(spec->mesh) : NULL;
        double square = 0.0;
        for (int k = 0; report && k < 3; k++)
            square += (report->high[k] - report->low[k]) * (report->high[k] - report->low[k]);
        if (report && sqrt(square) < radius)
            plu_log_write(log, PLU_LOG_WARNING,
                          "boundary \"%s\": its mesh is %.3g m across, less than the radius of the "
                          "largest sphere (%g m): look at mesh.scale",
                          spec->name, sqrt(square), radius);
    }
}

void plu_hints_warn(const plu_scene *scene, double radius, const plu_log *log)
{
    for (int i = 0; i < scene->laws_count; i++) {
        warn_of_length(log, "rolling_friction", i, scene->laws[i].rolling_friction, radius);
        warn_of_length(log, "pivoting_friction", i, scene->laws[i].pivoting_friction, radius);
    }
    warn_of_units(scene, radius, log);
    warn_of_meshes(scene, radius, log);
    if (scene->gravity[2] > 0.0)
        plu_log_write(
            log, PLU_LOG_WARNING,
            "gravity = [%g, %g, %g] points up: z is the height, and gravity on earth is [0, 0, "
            "-9.81]",
            scene->gravity[0], scene->gravity[1], scene->gravity[2]);
}

/* A sensor counts spheres of a material and a range of radii: is there one. */
static bool can_count(const plu_sensor_spec *sensor, const plu_bodies_view *bodies)
{
    for (int b = 0; b < bodies->count; b++) {
        const double r = bodies->position[b][3];
        const bool sized =
            sensor->radii[1] == 0.0 || (r >= sensor->radii[0] && r <= sensor->radii[1]);
        if (sized && (sensor->material < 0 || bodies->species[b] == sensor->material))
            return true;
    }
    return false;
}

static bool is_in_domain(const plu_scene *scene, const double x[4])
{
    bool in = true;
    for (int k = 0; k < 3; k++)
        in = in && x[k] >= scene->domain[0][k] && x[k] <= scene->domain[1][k];
    return in;
}

void plu_hints_warn_of_idle(const plu_scene *scene, const plu_bodies_view *bodies,
                            const plu_log *log)
{
    for (int i = 0; i < scene->sensors_count; i++) {
        const plu_sensor_spec *sensor = &scene->sensors[i];
        if (sensor->kind != PLU_SENSOR_BOUNDARY && bodies->count > 0 && !can_count(sensor, bodies))
            plu_log_write(log, PLU_LOG_WARNING,
                          "sensors[%d] \"%s\" never counts: no sphere of the run has its %s", i,
                          sensor->name,
                          sensor->material < 0      ? "radii"
                          : sensor->radii[1] == 0.0 ? "material"
                                                    : "material and radii");
    }
    int active = 0, inside = 0;
    for (int b = 0; b < bodies->count; b++)
        if (bodies->state[b] == PLU_ACTIVE) {
            active++;
            inside += is_in_domain(scene, bodies->position[b]);
        }
    if (scene->has_domain && active > 0 && inside == 0)
        plu_log_write(
            log, PLU_LOG_WARNING,
            "no sphere is in the domain at the start (active: %d): the first step removes all",
            active);
}

/* The body with the largest energy over its mass. Spin about the vertical is left out:
 * time.until_rest does not ask for it. */
static int most_lively(const plu_bodies_view *bodies, double *speed, double *spin)
{
    int most = -1;
    double largest = 0.0;
    for (int b = 0; b < bodies->count; b++) {
        const double *v = bodies->velocity[b], *w = v + 3, r = bodies->position[b][3];
        const double linear = plu_dot3(v, v), level = w[0] * w[0] + w[1] * w[1];
        if (bodies->state[b] != PLU_ACTIVE || !(linear + 0.4 * r * r * level > largest))
            continue;
        largest = linear + 0.4 * r * r * level;
        most = b;
        *speed = sqrt(linear);
        *spin = sqrt(level);
    }
    return most;
}

static bool rolls_freely(const plu_scene *scene)
{
    for (int i = 0; i < scene->laws_count; i++)
        if (scene->laws[i].rolling_friction == 0.0)
            return true;
    return false;
}

void plu_hints_print_unrest(FILE *out, const plu_simulation *simulation)
{
    const plu_scene *scene = &simulation->scene;
    const plu_bodies_view bodies = plu_world_bodies(simulation->world);
    const int waiting = plu_world_waiting(simulation->world);
    double speed = 0.0, spin = 0.0;
    const int body = most_lively(&bodies, &speed, &spin);
    if (!(scene->until_rest > 0.0))
        return;
    if (waiting > 0)
        fprintf(out, "not at rest       %d spheres still wait to be released\n", waiting);
    else if (body >= 0)
        fprintf(
            out,
            "not at rest       most lively is sphere %d: %.3g m/s, and %.3g rad/s about a level "
            "axis%s\n",
            body, speed, spin,
            bodies.position[body][3] * spin > 0.5 * speed && rolls_freely(scene)
                ? "; where contacts.rolling_friction is 0, nothing stops spheres that roll or "
                  "spin"
                : "");
}
