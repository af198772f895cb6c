/* build.h: a world in the making: what the steps of plu_world_create hand to each other. */
#ifndef FILL_BUILD_H
#define FILL_BUILD_H

#include "fill/csv.h"
#include "fill/inlet.h"
#include "pluvia/scene.h"
#include "pluvia/start.h"
#include "pluvia/status.h"
#include "world/world.h"

/* Bodies are numbered entry by entry: first those of scene->bodies, then those of scene->feeders.
 * Each file and each feeder has a queue of its own, in the same order. */
typedef struct plu_build {
    const struct plu_scene *scene;
    plu_world *world;
    plu_error *err;
    const plu_start *start;        /* what was read of other runs; NULL: nothing */
    const plu_known_bodies *known; /* NULL: files and runs are read */
    bool reads_files;              /* nevertheless files are: known are the bodies of runs */
    plu_csv *tables;               /* one per entry of scene->bodies, empty where it is no file */
    plu_grading *gradings;         /* one per entry */
    int entries;                   /* scene->bodies_count + scene->feeders_count */
    int *first;                    /* first body of each entry; one more at the end: world->first */
} plu_build;

typedef struct plu_new_body {
    double position[3], radius;
    double velocity[3], angular_velocity[3];
    double release; /* s */
    int material;
    int queue; /* -1: there from the start */
} plu_new_body;

/* Writes body `index` into the arrays of the world. */
void plu_build_put(const plu_build *build, int index, const plu_new_body *body);

/* Where an entry was written. */
plu_where plu_build_entry_where(const plu_build *build, int entry);

/* The steps. Those that place bodies fill first[entry] up to first[entry + 1]. */
plu_status plu_build_tables(plu_build *build);
plu_status plu_build_parts(plu_build *build);  /* of boundaries, with their motions */
plu_status plu_build_servos(plu_build *build); /* after motions and bodies */
plu_status plu_build_laws(plu_build *build);
void plu_laws_fill(plu_world *world);
void plu_build_lattice(plu_build *build, int entry);
plu_status plu_build_packing(plu_build *build, int entry);
double plu_packing_count(const plu_body_spec *spec, const plu_grading *grading); /* with has_fill */
void plu_build_file(plu_build *build, int entry, int queue);
void plu_build_reserve(plu_build *build, int entry);
plu_status plu_build_check_runs(const plu_build *build);
void plu_build_run(plu_build *build, int entry);
bool plu_build_counts_known(const plu_build *build, int entry);
bool plu_build_knows(const plu_build *build, int entry);
int plu_build_known_count(const plu_build *build, int entry, double others);
plu_status plu_build_check_known(const plu_build *build);
void plu_build_known(const plu_build *build, int entry, int queue);
void plu_build_feeder(plu_build *build, int entry, int queue);
void plu_build_inlet(plu_build *build, int entry, int queue);
plu_status plu_build_check_overlaps(plu_build *build);

struct plu_motion_spec; /* pluvia/motion.h */
plu_status plu_build_motion(plu_build *build, plu_motion *motion,
                            const struct plu_motion_spec *spec, plu_where where);
plu_status plu_build_groups(plu_build *build);                 /* after the bodies that are fixed */
plu_status plu_build_fixed(plu_build *build);                  /* after all are placed */
plu_status plu_build_check_fixed_cell(const plu_build *build); /* whether a cell has them at rest */

plu_status plu_build_cell(plu_build *build);       /* before bodies are placed: the space */
void plu_build_flow(plu_build *build);             /* adds the motion of the cell to velocities */
plu_status plu_build_check_cell(plu_build *build); /* after bodies are placed */

/* Whether queue `queue` belongs to a feeder; `*index` is that of the feeder or of the body entry.
 */
bool plu_queue_is_feeder(const struct plu_scene *scene, int queue, int *index);
/* When body `body` of a queue is to be released (s); INFINITY before the stage of its feeder. */
double plu_release_time(const plu_world *world, int queue, int body);
/* Bodies that wait for the stage of their feeder. */
int plu_wait_for_stage(const plu_world *world);

/* Spheres in an order in which those that are near each other in space are near each
 * other in memory, too. */

/* Sorts rows x, y, z, radius, and the species with them, along Morton's curve through cells of one
 * edge (m); rows of a cell keep their order. PLU_OK or PLU_IO. */
plu_status plu_space_order(double (*sphere)[4], int *species, int count, double edge,
                           plu_error *err);

#endif
