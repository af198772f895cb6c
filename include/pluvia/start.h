/* start.h: what a scene takes from other runs (bodies.run): spheres at a moment of theirs, and the
 * impulses of their contacts.
 *
 * plu_start_read reads it, plu_world_create_from makes the bodies of it, plu_stepper_start has the
 * first step begin from the impulses. */
#ifndef PLUVIA_START_H
#define PLUVIA_START_H

#include "pluvia/world.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* what the library exports */

/* A contact that bore something, on its sphere `b`. */
typedef struct plu_start_contact {
    int a, b;          /* spheres of the entry; a < 0: part -1-a of the boundaries of that run */
    double normal[3];  /* unit, from a to b */
    double gap;        /* m */
    double impulse[7]; /* on b, world frame: normal, 3 tangential (N s), 3 moments (N m s); of a
                          step of the scene that starts: the same forces */
} plu_start_contact;

/* The spheres of one entry of plu_scene.bodies. All arrays are owned. */
typedef struct plu_start_entry {
    bool read;                /* false: an entry of another kind */
    double time;              /* s, of the frame */
    int count;                /* spheres that were active */
    int waiting, removed;     /* that are left out */
    double (*position)[4];    /* m: x, y, z, radius */
    double (*velocity)[6];    /* m/s and rad/s */
    double (*orientation)[4]; /* unit quaternion, scalar first */
    int *species;             /* index of the material in the scene that starts */
    unsigned char *fixed;     /* 1: it does not move; NULL: all do */
    int (*image)[3];          /* edges gone beyond the first cell; NULL: counted from 0 */
    bool took_cell;           /* the scene has taken the periodic cell of this run */
    int carried;              /* boundaries taken from places other than their shapes say */
    bool same_space;          /* spheres that touch each other did so in the run */
    bool *met;    /* by boundary of the scene: spheres that touch it did so in the run */
    int contacts; /* in the order of the file; -1: it has none, or they are not kept */
    plu_start_contact *contact;
    int found; /* by plu_stepper_start: contacts that the first step can begin with */
} plu_start_entry;

typedef struct plu_start {
    int entries; /* plu_scene.bodies_count */
    plu_start_entry *entry;
} plu_start;

/* Reads all that the entries of `scene` name. What these have and the scene leaves to them
 * (run.keep: its periodic cell, where boundaries begin) is put into the scene, also into its
 * `resolved`. An error is one sentence for each of them, with file and line of the scene. PLU_OK,
 * PLU_BAD_INPUT (no trajectory, damaged, no such time, a material that the scene has not) or PLU_IO
 * (cannot be opened, memory). plu_start_free in any case. */
plu_status plu_start_read(plu_start *start, struct plu_scene *scene, plu_error *err);

/* For the scene of a run that goes on: it takes over what it did when the run began with the scene
 * `resolved` (plu_scene.resolved, as the result at `path` has it). PLU_OK or as the reading of a
 * stored scene. */
plu_status plu_start_adopt_again(struct plu_scene *scene, const char *path, const char *resolved,
                                 plu_error *err);

void plu_start_free(plu_start *start); /* accepts an empty one */

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
