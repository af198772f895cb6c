/* world.h: the bodies, the boundaries and the laws between them, at one moment.
 *
 * A world is made from a scene. It holds every body that the scene will ever create, also those
 * that wait for their release; a body keeps its index for the whole run. */
#ifndef PLUVIA_WORLD_H
#define PLUVIA_WORLD_H

#include "pluvia/log.h"
#include "pluvia/outline.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* what the library exports */

struct plu_scene; /* pluvia/scene.h */
typedef struct plu_world plu_world;

/* As in the trajectory (output/README.md). 2 is kept for bodies asleep. */
typedef enum plu_body_state { PLU_WAITING = 0, PLU_ACTIVE = 1, PLU_REMOVED = 3 } plu_body_state;

/* Read access to all bodies; the arrays belong to the world and change with every step. */
typedef struct plu_bodies_view {
    int count;
    const double (*position)[4];    /* center x, y, z (m) and radius (m) */
    const double (*velocity)[8];    /* v (m/s), omega (rad/s), both world frame; 1/m, 1/I */
    const double (*orientation)[4]; /* unit quaternion, scalar first */
    const int *species;             /* index of the material */
    const unsigned char *state;     /* plu_body_state */
} plu_bodies_view;

/* Mechanical energy of the active bodies (J); the potential is -m g . x. */
typedef struct plu_energy {
    double translation, rotation, potential;
} plu_energy;

/* Makes the bodies of `scene` (lattices, packings, files, feeders), the boundaries and the table of
 * laws. Initial spheres that overlap each other or a boundary are an error unless the scene allows
 * them; so is a pair of materials that can meet without a law. `scene` must outlive the world.
 * Returns PLU_OK, PLU_BAD_INPUT (also for a scene that starts from other runs), PLU_BREAKDOWN (of a
 * shape from outside) or PLU_IO. */
plu_status plu_world_create(plu_world **world, const struct plu_scene *scene, plu_error *err);

/* The same of a scene that starts from other runs, which plu_start_read has read (pluvia/start.h).
 */
struct plu_start;
plu_status plu_world_create_from(plu_world **world, const struct plu_scene *scene,
                                 const struct plu_start *start, plu_error *err);
void plu_world_destroy(plu_world *world); /* accepts NULL */

/* The bodies of a run at a moment of it, as its trajectory has them. */
typedef struct plu_known_bodies {
    int count;
    const double (*position)[3];                         /* m */
    const double *radius;                                /* m */
    const int *species;                                  /* index of the material */
    const unsigned char *state;                          /* plu_body_state */
    const double (*velocity)[3], (*angular_velocity)[3]; /* m/s, rad/s; NULL: 0 */
    const unsigned char *fixed;                          /* 1: it does not move; NULL: none */
} plu_known_bodies;

/* The world of a run, to be set to that moment (plu_stepper_set): where the scene takes bodies from
 * files or runs, these are not opened, and all bodies but those of feeders are the known ones. Of
 * these a waiting sphere is not released. Overlaps are not checked then. As plu_world_create. */
plu_status plu_world_create_known(plu_world **world, const struct plu_scene *scene,
                                  const plu_known_bodies *known, plu_error *err);

/* The world of a run that continues from a checkpoint: where the scene takes bodies from other
 * runs, these are not opened, and all bodies but those of feeders and of files are the known ones,
 * of the first frame of the run itself. As plu_world_create_known. */
plu_status plu_world_create_again(plu_world **world, const struct plu_scene *scene,
                                  const plu_known_bodies *known, plu_error *err);

/* Makes what each stage of the scene needs, to find mistakes before the run; at its start, and
 * world and scene are as they were afterwards. PLU_OK, PLU_BAD_INPUT or PLU_IO. */
plu_status plu_world_try_stages(plu_world *world, struct plu_scene *scene, plu_error *err);

double plu_world_time(const plu_world *world); /* s */
long plu_world_steps(const plu_world *world);  /* steps done */
/* s: length of the last step or, where it was made in parts, of its last part; of the first one
 * before any was made. */
double plu_world_step(const plu_world *world);
int plu_world_active(const plu_world *world);  /* bodies in state PLU_ACTIVE */
int plu_world_waiting(const plu_world *world); /* bodies in state PLU_WAITING */
int plu_world_removed(const plu_world *world); /* bodies in state PLU_REMOVED */
int plu_world_fixed(const plu_world *world);   /* those of the active ones that are fixed */
bool plu_world_is_fixed(const plu_world *world, int body);
/* Releases a step or more behind their time, those that still wait included: their place was taken,
 * or that of one before them, for a queue keeps its order. */
long plu_world_delayed(const plu_world *world);

/* Results of a feeder so far. A sphere is released when its place is free, so the real
 * rate may be lower than the one in the scene. */
typedef struct plu_feed {
    int count, released; /* spheres: all, up to now */
    long delayed;        /* as plu_world_delayed, of this feeder */
    double asked, rate;  /* 1/s: as in the scene; real, 0 with less than two released */
    double most;         /* 1/s: what its area allows, about */
    double sphere_mass;  /* kg, in the mean of all */
    double mass;         /* kg released up to now */
    double mass_due;     /* kg due up to now */
    double mass_flow;    /* kg/s, real, as `rate` */
    bool by_mass;        /* the scene has a mass flow: sphere_mass asked (kg/s) */
} plu_feed;

plu_feed plu_world_feed(const plu_world *world, int feeder); /* index into plu_scene.feeders */

/* Number of spheres of an entry of the scene: bodies first, then feeders, in one numbering. */
int plu_world_made(const plu_world *world, int entry);

plu_bodies_view plu_world_bodies(const plu_world *world);

/* A periodic cell at one time. */
typedef struct plu_cell_box {
    bool given, periodic[3]; /* there is one; along each edge */
    double origin[3];        /* m: its corner */
    double edge[3][3];       /* m: the edges a, b, c in rows */
} plu_cell_box;

/* The velocities of the edges of such a cell (m/s). */
struct plu_cell_spec; /* pluvia/cell.h */
void plu_cell_rates(const struct plu_cell_spec *cell, const double edge[3][3], double rate[3][3]);

/* The edges of the periodic cell (m), one per row; false: there is none. For each body: the cell
 * that it is in, counted along the edges from the one where it started; NULL: there is none. */
bool plu_world_cell(const plu_world *world, double edges[3][3]);
double plu_cell_fraction(const plu_world *world); /* solid fraction of the active spheres */
const int (*plu_world_images(const plu_world *world))[3];

/* The motion of a boundary that calls move (pluvia/control.h). */
typedef struct plu_drive {
    double velocity[3]; /* m/s */
    double rate;        /* rad/s, about the axis of its motion */
    double belt[3];     /* m/s: of the surface alone */
} plu_drive;

/* The current pose of a boundary (index into plu_scene.boundaries). */
plu_boundary_place plu_world_boundary(const plu_world *world, int boundary);

/* Whether a servo will press harder, by its table, than it has up to now. */
bool plu_world_load_rises(const plu_world *world);
plu_energy plu_world_energy(const plu_world *world);

/* 64-bit hash of the state (positions, velocities, orientations, states), for comparing runs. */
uint64_t plu_world_hash(const plu_world *world);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
