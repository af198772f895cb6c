/* Writes /observables, one number for each frame; output/README.md defines them. A row of the
 * table has name and unit, and `KINETIC` ... are places in it; which of them a file has follows
 * from the scene (servos, cells, springs), so that a run that is continued has the same.
 *
 *   /observables/kinetic_energy/value   [frames]   unit "J"    step, time: links to those of
 * positions /observables/sensor_NAME_mass/value ...                    sums since the start of the
 * run
 *
 * Numbers of the last step (contacts, residual, ...) are 0 in the first frame, which is before any
 * step; sums (works, totals) go on over a restart, since the checkpoint contains them. */
#include "io/trajectory/writer.h"
#include "pluvia/boundary.h"
#include "pluvia/cell.h"
#include "pluvia/frames.h"
#include "pluvia/scene.h"
#include "pluvia/sensor.h"
#include "pluvia/stage.h"
#include "world/enclosure.h"
#include <math.h>
#include <string.h>

typedef struct observable {
    const char *name;
    const char *unit;
} observable;

enum {
    KINETIC,
    KINETIC_ROTATION,
    POTENTIAL,
    WORK_FRICTION,
    WORK_ROLLING,
    WORK_IMPACT,
    IMBALANCE,
    CONTACTS,
    ACTIVE,
    COORDINATION,
    PENETRATION,
    ITERATIONS,
    RESIDUAL,
    NATURAL_MAP,
    UNCONVERGED,
    WORK_THETA,
    WORK_PROJECTION,
    WORK_COHESION,
    WORK_PIVOTING,
    WORK_BOUNDARY,
    WORK_CELL,
    INSERTED,
    REMOVED,
    VELOCITY_ERROR,
    SINKING_SPEED,
    BOUNDARY_LOAD,
    WORST_VELOCITY,
    WORST_SINKING,
    CREATED,
    CREATING,
    JAMS,
    YIELDING,
    YIELDING_STEPS,
    JAM_DEPTH,
    JAM_TIME,
    JAM_BODY,
    JAM_WITH,
    JAM_AGAINST,
    ERRORS_NET,
    ERRORS_ALL,
    ERRORS_FRICTION,
    MADE,
    ELASTIC, /* these two: with the penalty method only */
    DISSIPATED,
    SOLID_FRACTION, /* these two: with a servo only, which the penalty method has not */
    VOID_RATIO,
    STRESS_XX, /* in a periodic cell */
    STRESS_YY,
    STRESS_ZZ,
    STRESS_XY,
    STRESS_XZ,
    STRESS_YZ,
    STAGE, /* in a scene with stages */
    OBSERVABLES
};

static const observable observables[] = {
    [KINETIC] = {"kinetic_energy", "J"},
    [KINETIC_ROTATION] = {"kinetic_energy_rotation", "J"},
    [POTENTIAL] = {"potential_energy", "J"},
    [WORK_FRICTION] = {"work_friction", "J"},
    [WORK_ROLLING] = {"work_rolling", "J"},
    [WORK_IMPACT] = {"work_impact", "J"},
    [IMBALANCE] = {"energy_imbalance", NULL},
    [CONTACTS] = {"contacts", NULL},
    [ACTIVE] = {"active", NULL},
    [COORDINATION] = {"coordination", NULL},
    [PENETRATION] = {"max_penetration", "m"},
    [ITERATIONS] = {"solver_iterations", NULL},
    [RESIDUAL] = {"solver_residual", NULL},
    [NATURAL_MAP] = {"solver_natural_map", NULL},
    [UNCONVERGED] = {"unconverged_steps", NULL},
    [WORK_THETA] = {"work_theta", "J"},
    [WORK_PROJECTION] = {"work_projection", "J"},
    [WORK_COHESION] = {"work_cohesion", "J"},
    [WORK_PIVOTING] = {"work_pivoting", "J"},
    [WORK_BOUNDARY] = {"work_boundary", "J"},
    [WORK_CELL] = {"work_cell", "J"},
    [INSERTED] = {"energy_inserted", "J"},
    [REMOVED] = {"energy_removed", "J"},
    [VELOCITY_ERROR] = {"velocity_error", NULL},
    [SINKING_SPEED] = {"sinking_speed", "m s-1"},
    [BOUNDARY_LOAD] = {"boundary_load", NULL},
    [WORST_VELOCITY] = {"worst_velocity_error", NULL},
    [WORST_SINKING] = {"worst_sinking_speed", "m s-1"},
    [CREATED] = {"energy_created", "J"},
    [CREATING] = {"creating_steps", NULL},
    [JAMS] = {"jams", NULL},
    [YIELDING] = {"yielding_contacts", NULL},
    [YIELDING_STEPS] = {"yielding_steps", NULL},
    [JAM_DEPTH] = {"jam_depth", "m"},
    [JAM_TIME] = {"jam_time", "s"},
    [JAM_BODY] = {"jam_body", NULL},
    [JAM_WITH] = {"jam_with", NULL},
    [JAM_AGAINST] = {"jam_against", NULL},
    [ERRORS_NET] = {"error_work_net", "J"},
    [ERRORS_ALL] = {"error_work", "J"},
    [ERRORS_FRICTION] = {"error_work_friction", "J"},
    [MADE] = {"made_steps", NULL},
    [ELASTIC] = {"elastic_energy", "J"},
    [DISSIPATED] = {"dissipated_energy", "J"},
    [SOLID_FRACTION] = {"solid_fraction", NULL},
    [VOID_RATIO] = {"void_ratio", NULL},
    [STRESS_XX] = {"cell_stress_xx", "Pa"},
    [STRESS_YY] = {"cell_stress_yy", "Pa"},
    [STRESS_ZZ] = {"cell_stress_zz", "Pa"},
    [STRESS_XY] = {"cell_stress_xy", "Pa"},
    [STRESS_XZ] = {"cell_stress_xz", "Pa"},
    [STRESS_YZ] = {"cell_stress_yz", "Pa"},
    [STAGE] = {"stage", NULL},
};
_Static_assert(sizeof observables / sizeof *observables == OBSERVABLES,
               "a row for each observable");

const char *plu_observable_unit(const char *name)
{
    for (int k = 0; k < OBSERVABLES; k++)
        if (strcmp(observables[k].name, name) == 0 && observables[k].unit)
            return observables[k].unit;
    return "";
}

/* Whether space is periodic in all directions, so that it has a volume. */
static bool is_cell(const plu_trajectory *t)
{
    return t->scene->cell->given && t->scene->cell->periodic == 7;
}

/* Whether a servo moves a boundary, in this or in another stage. */
static bool has_servos(const plu_scene *scene)
{
    bool any = false;
    for (int b = 0; b < scene->boundaries_count; b++) {
        any |= scene->boundaries[b].has_servo;
        for (int k = 0; k < scene->stages_count; k++)
            any |= scene->stages[k].scene->boundaries[b].has_servo;
    }
    return any;
}

/* Decided by the scene alone and the same in all of its stages: a data set cannot come later. */
static bool is_written(const plu_trajectory *t, int k)
{
    if (k == ELASTIC || k == DISSIPATED)
        return t->scene->method == PLU_PENALTY;
    if (k == STAGE)
        return t->scene->stages_count > 0;
    if (k >= STRESS_XX && k <= STRESS_YZ)
        return is_cell(t);
    return (k != SOLID_FRACTION && k != VOID_RATIO) || has_servos(t->scene) || is_cell(t);
}

/* "sensor_outlet_mass". */
static void write_sensor(plu_trajectory *t, plu_h5 *h5, hid_t group, const plu_sensor_spec *sensor,
                         const plu_h5_layout *layout)
{
    for (int k = 0; k < plu_sensor_numbers(sensor->kind); k++) {
        char name[2 * PLU_NAME];
        snprintf(name, sizeof name, "sensor_%s_%s", sensor->name,
                 plu_sensor_number_name(sensor->kind, k));
        const hid_t element = plu_writer_element(t, h5, group, name);
        const hid_t value = plu_writer_series(t, h5, element, "value", layout);
        if (plu_sensor_number_unit(sensor->kind, k)[0])
            plu_h5_attr_text(h5, value, "unit", plu_sensor_number_unit(sensor->kind, k));
    }
}

void plu_writer_observables(plu_trajectory *t, plu_h5 *h5)
{
    const plu_h5_layout layout = {
        .type = H5T_IEEE_F64LE, .rank = 1, .chunk = {PLU_CHUNK_FRAMES}, .growing = 1};
    const hid_t group = plu_h5_group(h5, t->file, "observables");
    t->first_observable = t->series_count;
    for (int k = 0; k < OBSERVABLES; k++) {
        if (!is_written(t, k))
            continue;
        const hid_t element = plu_writer_element(t, h5, group, observables[k].name);
        const hid_t value = plu_writer_series(t, h5, element, "value", &layout);
        if (observables[k].unit)
            plu_h5_attr_text(h5, value, "unit", observables[k].unit);
    }
    for (int i = 0; i < t->scene->sensors_count; i++)
        write_sensor(t, h5, group, &t->scene->sensors[i], &layout);
}

/* Mean number of contacts of a sphere; a contact between two spheres counts for both. */
static double coordination(const plu_step_info *info, int active)
{
    return active > 0 ? (2.0 * info->contacts - info->wall_contacts) / active : 0.0;
}

/* What the deepest jam is between; NAN: nothing. */
static double side_number(const plu_totals *totals, int side)
{
    const long number = totals->jam.between[side];
    return totals->jams > 0 && number != PLU_NOBODY ? (double)number : NAN;
}

void plu_writer_observables_frame(plu_trajectory *t, plu_h5 *h5, const plu_step_info *info)
{
    const plu_energy energy = plu_world_energy(t->world);
    const plu_totals *totals = plu_stepper_totals(t->stepper);
    double value[OBSERVABLES] = {
        [KINETIC] = energy.translation + energy.rotation,
        [KINETIC_ROTATION] = energy.rotation,
        [POTENTIAL] = energy.potential,
        [WORK_FRICTION] = totals->work_friction,
        [WORK_ROLLING] = totals->work_rolling,
        [WORK_IMPACT] = totals->work_impact,
        [IMBALANCE] = plu_stepper_imbalance_at(t->stepper, energy),
        [ACTIVE] = plu_world_active(t->world),
        [UNCONVERGED] = (double)totals->unconverged,
        [WORK_THETA] = totals->theta,
        [WORK_PROJECTION] = totals->projection,
        [WORK_COHESION] = totals->work_cohesion,
        [WORK_PIVOTING] = totals->work_pivoting,
        [WORK_BOUNDARY] = totals->work_boundary,
        [WORK_CELL] = totals->work_cell,
        [INSERTED] = totals->inserted,
        [REMOVED] = totals->removed,
        [WORST_VELOCITY] = totals->worst_velocity,
        [WORST_SINKING] = totals->worst_sinking,
        [CREATED] = totals->created,
        [CREATING] = (double)totals->creating,
        [JAMS] = (double)totals->jams,
        [YIELDING_STEPS] = (double)totals->yielding_steps,
        [JAM_DEPTH] = totals->jam.depth,
        [JAM_TIME] = totals->jams > 0 ? totals->jam.time : NAN,
        [JAM_BODY] = totals->jams > 0 ? (double)totals->jam.body : NAN,
        [JAM_WITH] = side_number(totals, 0),
        [JAM_AGAINST] = side_number(totals, 1),
        [ERRORS_NET] = totals->errors.net,
        [ERRORS_ALL] = totals->errors.all,
        [ERRORS_FRICTION] = totals->errors.friction,
        [MADE] = (double)totals->steps,
        [ELASTIC] = totals->elastic,
        [DISSIPATED] = totals->dissipated,
        [STAGE] = t->scene->stage,
    };
    if (info) {
        value[CONTACTS] = info->contacts;
        value[YIELDING] = info->yielding;
        value[COORDINATION] =
            coordination(info, plu_world_active(t->world) - plu_world_fixed(t->world));
        value[PENETRATION] = info->penetration;
        value[ITERATIONS] = info->iterations;
        value[RESIDUAL] = info->residual_scaled;
        value[NATURAL_MAP] = info->residual_natural;
        value[VELOCITY_ERROR] = info->velocity_error;
        value[SINKING_SPEED] = info->sinking_speed;
        value[BOUNDARY_LOAD] = plu_stepper_boundary_load(t->stepper);
    }
    if (has_servos(t->scene)) {
        value[SOLID_FRACTION] = plu_enclosed_fraction(t->world);
        value[VOID_RATIO] = 1.0 / value[SOLID_FRACTION] - 1.0;
    }
    if (is_cell(t)) {
        double stress[3][3];
        plu_stepper_cell_stress(t->stepper, stress);
        value[SOLID_FRACTION] = plu_cell_fraction(t->world);
        value[VOID_RATIO] = 1.0 / value[SOLID_FRACTION] - 1.0;
        for (int k = 0; k < 3; k++) {
            value[STRESS_XX + k] = stress[k][k];
            value[STRESS_XY + k] = stress[k == 2][k == 0 ? 1 : 2];
        }
    }
    int at = t->first_observable;
    for (int k = 0; k < OBSERVABLES; k++)
        if (is_written(t, k))
            plu_series_append(h5, &t->series[at++], H5T_NATIVE_DOUBLE, 1, &value[k]);
    for (int i = 0; i < t->scene->sensors_count; i++)
        for (int k = 0; k < plu_sensor_numbers(t->scene->sensors[i].kind); k++) {
            const double number = plu_stepper_sensor(t->stepper, i, k);
            plu_series_append(h5, &t->series[at++], H5T_NATIVE_DOUBLE, 1, &number);
        }
}
