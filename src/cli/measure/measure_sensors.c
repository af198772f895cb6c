/* What the sensors of a scene say: sums as the file has them, and rates, forces and means between
 * a frame and the one before, which are differences of sums and so exact for whatever happened
 * between.
 *
 *   file   sensor_outlet_mass    S(t_k), kg through a surface until frame k
 *   here   sensors.outlet_mass        S(t_k)
 *          sensors.outlet_mass_rate   (S(t_k) - S(t_k-1)) / (t_k - t_k-1); NAN in the first frame
 *
 * Boxes sum mass x time, boundaries impulses, so that the same quotient gives mean masses and
 * forces. */
#include "cli/measure/measure_run.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A number of a kind of sensor: a sum of the file, or its difference over the time of that. */
typedef struct derived {
    const char *name, *unit, *label; /* label: as in plu_quantity */
    int of;                          /* number of the sensor (pluvia/sensor.h) */
    bool rate;
} derived;

enum { MOST_DERIVED = 6 };

static const derived of_surface[MOST_DERIVED] = {
    {"mass", "kg", "mass through it; per time", 0, false},
    {"mass_rate", "kg/s", "", 0, true},
    {"grains", "", "  spheres; per time", 1, false},
    {"grain_rate", "1/s", "", 1, true},
    {"first", "s", "  first at", 2, false},
};
static const derived of_box[MOST_DERIVED] = {
    {"mass", "kg", "mass in it; mean since the frame before", 0, false},
    {"mean_mass", "kg", "", 2, true},
    {"grains", "", "  spheres; mean", 1, false},
    {"mean_grains", "", "", 3, true},
    {"first", "s", "  first at", 4, false},
};
static const derived of_boundary[MOST_DERIVED] = {
    {"force_x", "N", "force on it x, y, z", 0, true},
    {"force_y", "N", "", 1, true},
    {"force_z", "N", "", 2, true},
    {"moment_x", "N m", "  moment x, y, z", 3, true},
    {"moment_y", "N m", "", 4, true},
    {"moment_z", "N m", "", 5, true},
};

static const derived *table_of(plu_sensor_kind kind)
{
    return kind == PLU_SENSOR_BOUNDARY ? of_boundary : kind == PLU_SENSOR_BOX ? of_box : of_surface;
}

const char *plu_run_sensor_number(plu_sensor_kind kind, int i)
{
    return i < MOST_DERIVED ? table_of(kind)[i].name : NULL;
}

/* One number of a sensor over all frames, and what it is called; quantities keep pointers to that.
 */
typedef struct named {
    char name[MOST_DERIVED][96], label[MOST_DERIVED][128];
    const double *sum[PLU_SENSOR_NUMBERS]; /* by frame, of the trajectory; NULL: not in it */
} named;

struct plu_run_sensors {
    int count;
    named *of;
};

static plu_status read_sensor(named *n, const plu_measured_run *run, const plu_sensor_spec *sensor,
                              plu_error *err)
{
    const derived *table = table_of(sensor->kind);
    plu_status status = PLU_OK;
    for (int k = 0; status == PLU_OK && k < plu_sensor_numbers(sensor->kind); k++) {
        char wanted[2 * PLU_NAME];
        snprintf(wanted, sizeof wanted, "sensor_%s_%s", sensor->name,
                 plu_sensor_number_name(sensor->kind, k));
        status = plu_frames_observable(&n->sum[k], run->frames, wanted, err);
    }
    for (int k = 0; k < MOST_DERIVED && table[k].name; k++) {
        snprintf(n->name[k], sizeof n->name[k], "%s_%s", sensor->name, table[k].name);
        if (!table[k].label[0])
            continue;
        if (k == 0)
            snprintf(n->label[k], sizeof n->label[k], "%s: %s", sensor->name, table[k].label);
        else
            snprintf(n->label[k], sizeof n->label[k], "%s", table[k].label);
    }
    return status;
}

plu_status plu_run_sensors_read(plu_measured_run *run, plu_error *err)
{
    const int count = run->scene.sensors_count;
    if (count == 0)
        return PLU_OK;
    run->sensors = calloc(1, sizeof *run->sensors);
    if (run->sensors)
        run->sensors->of = calloc((size_t)count, sizeof *run->sensors->of);
    if (!run->sensors || !run->sensors->of)
        return plu_fail(err, PLU_IO, "out of memory");
    run->sensors->count = count;
    plu_status status = PLU_OK;
    for (int i = 0; status == PLU_OK && i < count; i++)
        status = read_sensor(&run->sensors->of[i], run, &run->scene.sensors[i], err);
    return status;
}

void plu_run_sensors_free(plu_measured_run *run)
{
    if (run->sensors)
        free(run->sensors->of);
    free(run->sensors);
    run->sensors = NULL;
}

static double value_of(const named *n, const derived *d, const plu_measured_run *run, long k)
{
    const double *sum = n->sum[d->of];
    if (!sum || (d->rate && k == 0))
        return NAN;
    return d->rate ? (sum[k] - sum[k - 1]) /
                         (plu_frames_time(run->frames, k) - plu_frames_time(run->frames, k - 1))
                   : sum[k];
}

void plu_quantities_sensors(plu_quantities *q, const plu_measured_run *run, long k)
{
    for (int i = 0; run->sensors && i < run->sensors->count; i++) {
        const named *n = &run->sensors->of[i];
        const derived *table = table_of(run->scene.sensors[i].kind);
        for (int j = 0; j < MOST_DERIVED && table[j].name; j++)
            plu_quantities_add(q, "sensors", n->name[j], table[j].unit, n->label[j],
                               value_of(n, &table[j], run, k));
    }
}
