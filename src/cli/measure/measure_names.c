/* The names of all numbers that a result can have, so that a campaign file with a wrong name is
 * refused before its runs, not after. A name is of one of these kinds (plu_measure_kind):
 *
 *   always     each run has it                     "energy.translation"
 *   of scene   it depends on the scene             "pile.angle", "sensors.outlet_mass"
 *   of run     it depends on what happens          "phases.0.from", "energy.pivoting"
 *   unknown    none has it; the nearest name is proposed (plu_measure_meant)
 *
 * Names of species, sensors, phases, stages and boundaries are not in the table: they contain
 * names or numbers of the scene, so that only their form is checked. */
#include "cli/base/text.h"
#include "cli/measure/measure_run.h"
#include "cli/measure/measure_series.h"
#include "pluvia/tool/paths.h"
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define TENSOR "xx xy xz yx yy yz zx zy zz"
#define SOLID(space)                                                                               \
    space "_volume " space "_solid_fraction " space "_porosity " space "_void_ratio"

/* What `pluvia measure --json` gives without a region (measure_run.c, measure_pile.c) and `pluvia
 * info --json` (info.c; those of `last`: io/trajectory/observables.c). A test compares the table
 * with them. */
static const struct {
    const char *group; /* "pile." */
    plu_measure_kind kind;
    const char *names; /* with a blank between */
} table[] = {
    {"run.", PLU_MEASURE_ALWAYS, "time active waiting removed"},
    {"rolling.", PLU_MEASURE_OF_SCENE,
     "stop_time stop_distance x y z vx vy vz wx wy wz normal_force friction_force rolling_moment"},
    {"pile.", PLU_MEASURE_OF_SCENE,
     "height height_ratio angle angle_error cone_radius axis_x axis_y base spheres falling lost "
     "diameter mean_height bottom mean_radius base_radius"},
    {"packing.", PLU_MEASURE_OF_SCENE, SOLID("box") " left_out " SOLID("core") " " SOLID("cell")},
    {"bed.", PLU_MEASURE_OF_SCENE,
     "mass x y z extent_x extent_y extent_z runout slope_x slope_y slope slope_error flow_depth"},
    {"mixing.", PLU_MEASURE_OF_SCENE, "lacey cells"},
    {"energy.", PLU_MEASURE_ALWAYS,
     "translation rotation potential sliding_power rolling_power change inserted removed impact "
     "friction rolling theta projection missing imbalance"},
    {"energy.", PLU_MEASURE_OF_SCENE, "created creating_steps elastic dissipated"},
    {"energy.", PLU_MEASURE_OF_RUN, "pivoting_power pivoting cohesion cell boundary"},
    {"solver.", PLU_MEASURE_ALWAYS,
     "velocity_error worst_velocity_error sinking_speed worst_sinking_speed boundary_load "
     "unconverged_steps made_steps jams yielding_steps jam_depth error_share error_share_now "
     "error_share_all"},
    {"contacts.", PLU_MEASURE_ALWAYS,
     "count walls open stick slide roll slide_roll coordination coordination_mechanical rattlers "
     "force_mean force_max force_spread force_tail mobilized overlap_mean overlap_max "
     "overlap_ratio dissipation_possible dissipation_missed bipotential"},
    {"grains.", PLU_MEASURE_ALWAYS,
     "pressure_mean pressure_max pressure_spread coordination_max dissipation_max"},
    {"fabric.", PLU_MEASURE_ALWAYS, TENSOR " anisotropy"},
    {"stress.", PLU_MEASURE_OF_SCENE, TENSOR " pressure deviator ratio"},
    {"last.", PLU_MEASURE_ALWAYS,
     "kinetic_energy kinetic_energy_rotation potential_energy work_friction work_rolling "
     "work_impact energy_imbalance contacts active coordination max_penetration solver_iterations "
     "solver_residual solver_natural_map unconverged_steps work_theta work_projection "
     "work_cohesion work_pivoting work_boundary work_cell energy_inserted energy_removed "
     "velocity_error sinking_speed boundary_load worst_velocity_error worst_sinking_speed "
     "energy_created creating_steps jams yielding_contacts yielding_steps jam_depth jam_time "
     "jam_body jam_with jam_against error_work_net error_work error_work_friction made_steps"},
    {"last.", PLU_MEASURE_OF_SCENE,
     "elastic_energy dissipated_energy solid_fraction void_ratio cell_stress_xx cell_stress_yy "
     "cell_stress_zz cell_stress_xy cell_stress_xz cell_stress_yz stage"},
    {"", PLU_MEASURE_ALWAYS,
     "frames schema bodies active waiting removed threads bytes seed start end step"},
    {"", PLU_MEASURE_OF_SCENE, "contacts"},
};
enum { GROUPS = sizeof table / sizeof *table, NAME = 96 };

/* Writes the name at *at of a group in full, and moves *at behind it. False: there is none. */
static bool next_name(int group, const char **at, char name[NAME])
{
    const size_t length = strcspn(*at, " ");
    snprintf(name, NAME, "%s%.*s", table[group].group, (int)length, *at);
    *at += length + strspn(*at + length, " ");
    return length > 0;
}

/* "phases.0.from": of a single sphere, as many as there were phases in its motion. */
static bool is_of_phase(const char *name)
{
    static const char *const members[] = {"slides", "turns",          "from",
                                          "to",     "friction_ratio", "moment_ratio"};
    int number = -1, length = 0;
    if (sscanf(name, "phases.%d.%n", &number, &length) != 1 || number < 0 || length == 0)
        return false;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (strcmp(name + length, members[i]) == 0)
            return true;
    return false;
}

/* "stages.1.ended" (info_end.c). */
static bool is_of_stage(const char *name)
{
    static const char *const members[] = {"begun", "ended", "first", "last"};
    int number = -1, length = 0;
    if (sscanf(name, "stages.%d.%n", &number, &length) != 1 || number < 0 || length == 0)
        return false;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (strcmp(name + length, members[i]) == 0)
            return true;
    return false;
}

/* "mixing.glass_z": of each species, whose names are those of materials, small or large;
 * "sensors.outlet_mass". */
static bool is_of_species(const char *name)
{
    const size_t length = strlen(name);
    if (strncmp(name, "sensors.", 8) == 0 || strncmp(name, "last.sensor_", 12) == 0)
        return true; /* the scene decides */
    if (strncmp(name, "mixing.", 7) != 0)
        return false;
    for (int i = 0; i < PLU_SPECIES_NUMBERS; i++) {
        const size_t end = strlen(plu_species_endings[i]);
        if (length > 8 + end && name[length - end - 1] == '_' &&
            strcmp(name + length - end, plu_species_endings[i]) == 0)
            return true;
    }
    return false;
}

/* "boundaries.0.position.2", "cell.c.0": where the last frame has them (info_end.c). */
static bool is_of_end(const char *name)
{
    static const char *const members[] = {"boundaries.position",
                                          "boundaries.moved",
                                          "boundaries.rotation",
                                          "cell.origin",
                                          "cell.a",
                                          "cell.b",
                                          "cell.c",
                                          "cell.periodic"};
    static const char *const whole[] = {"boundaries.removed", "boundaries.stress", "boundaries",
                                        "cell"};
    char member[NAME] = "";
    int number = 0, length = 0;
    if (sscanf(name, "boundaries.%d.%n", &number, &length) == 1 && number >= 0 && length > 0)
        snprintf(member, sizeof member, "boundaries.%s", name + length);
    else
        snprintf(member, sizeof member, "%s", name);
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (strcmp(member, whole[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        const size_t size = strlen(members[i]);
        const char *rest = member + size;
        if (strncmp(member, members[i], size) == 0 && rest[0] == '.' && rest[1] >= '0' &&
            rest[1] <= '3' && !rest[2])
            return true;
    }
    return false;
}

plu_measure_kind plu_measure_kind_of(const char *name)
{
    static const char frame[] = "frame."; /* where result.json has the numbers of the last frame */
    char known[NAME];
    if (strncmp(name, frame, sizeof frame - 1) == 0)
        name += sizeof frame - 1;
    if (is_of_phase(name) || is_of_end(name))
        return PLU_MEASURE_OF_RUN;
    if (is_of_species(name) || is_of_stage(name))
        return PLU_MEASURE_OF_SCENE;
    for (int g = 0; g < GROUPS; g++)
        for (const char *at = table[g].names; next_name(g, &at, known);)
            if (plu_same_name(name, known))
                return table[g].kind;
    return PLU_MEASURE_UNKNOWN;
}

const char *plu_measure_meant(const char *name, char *text, size_t size)
{
    plu_nearest nearest = plu_nearest_start(name);
    char known[NAME];
    for (int g = 0; g < GROUPS; g++)
        for (const char *at = table[g].names; next_name(g, &at, known);)
            plu_nearest_try_brief(&nearest, known, text, size);
    return nearest.best;
}
