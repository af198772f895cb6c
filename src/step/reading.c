/* Numbers by which stages end. */
#include "base/vec3.h"
#include "pluvia/cell.h"
#include "pluvia/scene.h"
#include "pluvia/stage.h"
#include "step/stepper.h"
#include "world/enclosure.h"
#include "world/servo.h"
#include <math.h>

static double solid_fraction(const plu_stepper *s)
{
    const plu_cell_spec *cell = s->scene->cell;
    return cell->given && cell->periodic == 7 ? plu_cell_fraction(s->world)
                                              : plu_enclosed_fraction(s->world);
}

static double cell_stress(const plu_stepper *s, int part)
{
    static const int row[] = {0, 1, 2, 0, 0, 1}, column[] = {0, 1, 2, 1, 2, 2};
    double stress[3][3];
    plu_stepper_cell_stress(s, stress);
    return stress[row[part]][column[part]];
}

/* The number of a boundary that is there. */
static double of_boundary(const plu_stepper *s, const plu_stage_number *reading)
{
    const plu_boundary_place place = plu_world_boundary(s->world, reading->index);
    double force[3], moment[3];
    if (place.gone)
        return NAN;
    if (reading->kind == PLU_READ_PLACE)
        return place.position[reading->part];
    plu_stepper_boundary_force(s, reading->index, force, moment);
    if (reading->kind == PLU_READ_STRESS)
        return plu_boundary_stress(s->world, reading->index, force);
    return reading->part < 3 ? force[reading->part] : plu_norm(force);
}

double plu_stepper_reading(const plu_stepper *s, const plu_stage_number *reading,
                           const plu_step_info *info)
{
    const double grains = (double)plu_world_active(s->world) - plu_world_fixed(s->world);
    const plu_energy energy = reading->kind == PLU_READ_KINETIC ? plu_world_energy(s->world)
                                                                : (plu_energy){.rotation = 0.0};
    switch (reading->kind) {
    case PLU_READ_GRAINS:
        return grains;
    case PLU_READ_CONTACTS:
        return info->contacts;
    case PLU_READ_COORDINATION:
        return grains > 0.0 ? (2.0 * info->contacts - info->wall_contacts) / grains : 0.0;
    case PLU_READ_KINETIC:
        return energy.translation + energy.rotation;
    case PLU_READ_SOLID_FRACTION:
        return solid_fraction(s);
    case PLU_READ_VOID_RATIO:
        return 1.0 / solid_fraction(s) - 1.0;
    case PLU_READ_CELL_STRESS:
        return cell_stress(s, reading->part);
    case PLU_READ_SENSOR:
        return plu_stepper_sensor(s, reading->index, reading->part);
    case PLU_READ_STRESS:
    case PLU_READ_FORCE:
    case PLU_READ_PLACE:
        break;
    }
    return of_boundary(s, reading);
}
