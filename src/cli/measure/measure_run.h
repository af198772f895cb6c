/* measure_run.h: a trajectory with what measuring it needs, and the numbers of one of its frames.
 */
#ifndef CLI_MEASURE_MEASURE_RUN_H
#define CLI_MEASURE_MEASURE_RUN_H

#include "cli/base/options.h"
#include "cli/base/run_scene.h"
#include "cli/measure/quantities.h"
#include "cli/measure/statistics.h"
#include "pluvia/scene.h"
#include "pluvia/sensor.h"
#include "pluvia/tool/bed.h"
#include "pluvia/tool/measure.h"

/* What mixing is measured of: the materials that grains have or, with one, small and large. */
enum { PLU_SPECIES_NUMBERS = 8 };
/* Its numbers are called by its name, _ and one of these: "large_z". */
extern const char *const plu_species_endings[PLU_SPECIES_NUMBERS];
typedef struct plu_run_species {
    int count; /* 0: there is nothing to mix */
    bool by_size;
    double split; /* m, the radius between small and large */
    int material[PLU_SPECIES];
    char label[PLU_SPECIES][96];
    char name[PLU_SPECIES][PLU_SPECIES_NUMBERS][80];
} plu_run_species;

typedef struct plu_measured_run {
    const char *path;
    plu_frames *frames;
    plu_scene scene;
    struct plu_scene *entered; /* the scene in the stage of the frame that is looked at */
    plu_run_stages stages;
    double base;       /* m, level of the heap's base as the user named it; NAN: it is found */
    bool heaps;        /* there may be heaps: a base was named, or the scene has a floor */
    int sectors;       /* for the error of the angle of repose */
    bool has_region;   /* the user named one */
    plu_region region; /* that one */
    bool single;       /* one sphere: a rolling block instead of a pile */
    double normal[3];  /* of the plane that it rolls on */
    plu_rolling rolling;
    plu_run_species species;
    struct plu_run_sensors *sensors; /* NULL: the scene has none */
} plu_measured_run;

/* Opens the trajectory and reads its scene; the settings are their defaults. PLU_OK,
 * PLU_BAD_INPUT (no trajectory, no frame) or PLU_IO; plu_measured_run_close in any case. */
plu_status plu_measured_run_open(plu_measured_run *run, const char *path, plu_error *err);
void plu_measured_run_close(plu_measured_run *run);

/* --- measure_grains.c --- */

plu_status plu_measured_run_view(plu_view *view, const plu_measured_run *run, long k,
                                 plu_error *err);

/* A box X0,Y0,Z0,X1,Y1,Z1: an option of several commands. PLU_OK or PLU_USAGE. */
plu_status plu_region_argument(const plu_arguments *arguments, int option, plu_region *region,
                               plu_error *err);

/* --- measure_run.c --- */

/* What is measured of a frame. What holds over a region is unfolded in a periodic cell. */
typedef struct plu_measured {
    plu_view view;  /* all of it */
    plu_view inner; /* the same for what is measured over the region */
    plu_view pile;  /* of the heap, likewise */
    double base;    /* m, at that time; NAN: there is none */
} plu_measured;

/* All numbers of frame k (measure_pile.c: those of a heap and of its packing; the names are the
 * same for all frames of a run). */
plu_status plu_measured_run_frame(plu_quantities *q, const plu_measured_run *run, long k,
                                  plu_error *err);
plu_status plu_quantities_pile(plu_quantities *q, const plu_measured_run *run,
                               const plu_measured *measured, plu_error *err);
plu_status plu_quantities_packing(plu_quantities *q, const plu_measured_run *run,
                                  const plu_measured *measured, plu_error *err);

/* --- measure_bed.c --- */

/* Finds species in the last frame. PLU_OK, PLU_BAD_INPUT or PLU_IO. */
plu_status plu_run_species_find(plu_run_species *species, const plu_measured_run *run,
                                plu_error *err);
/* Groups bed and, with species, mixing; `view`: as `inner` above. */
plu_status plu_quantities_bed(plu_quantities *q, const plu_measured_run *run, const plu_view *view,
                              plu_error *err);

/* --- measure_grains.c --- */

/* Group grains; `view`: as `inner` above. Writes those of a frame as a table. PLU_OK or PLU_IO. */
plu_status plu_quantities_grains(plu_quantities *q, const plu_measured_run *run,
                                 const plu_view *view, plu_error *err);
plu_status plu_measure_grains_field(FILE *out, const plu_measured_run *run, const plu_view *view,
                                    plu_error *err);

/* --- measure_residence.c --- */

/* How long grains stay in the region, or in the run without one: a table with a row for each stay
 * up to frame `last`, and a message with mean and spread. PLU_OK, PLU_BAD_INPUT or PLU_IO. */
plu_status plu_measure_residence(FILE *out, const plu_measured_run *run, long last, plu_error *err);

/* --- measure_sensors.c --- */

/* Reads what the sensors of the scene summed up. PLU_OK, PLU_BAD_INPUT or PLU_IO. */
plu_status plu_run_sensors_read(plu_measured_run *run, plu_error *err);
void plu_run_sensors_free(plu_measured_run *run);
/* Number i of a sensor in group sensors is called NAME_ and this; NULL: it has no more. */
const char *plu_run_sensor_number(plu_sensor_kind kind, int i);
/* Group sensors, of frame k. */
void plu_quantities_sensors(plu_quantities *q, const plu_measured_run *run, long k);

/* As `pluvia measure --json`, to the standard output (measure.c). */
plu_status plu_measured_run_json(const plu_measured_run *run, plu_error *err);

/* `--field`: writes one field of frame k as CSV (measure_field.c). PLU_OK, PLU_USAGE or PLU_IO. */
plu_status plu_measure_field(FILE *out, const plu_measured_run *run, const char *field, long k,
                             double cell, plu_error *err);

/* --- measure_walls.c: whether what lies on the base is a heap, or fills the space between walls
 * --- */

/* Whether spheres above `base` reach a wall in most of the sectors around the axis in which there
 * are any: then they have no slope of their own. A wall is what is steeper than 45 degrees, reached
 * within a tenth of a radius. A few strays at the walls leave most sectors free. */
bool plu_walls_confine(const struct plu_scene *scene, const plu_view *view, double base,
                       const plu_repose *repose);

#endif
