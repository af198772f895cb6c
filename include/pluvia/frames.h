/* frames.h: reads the frames of a trajectory one at a time (output/README.md has the layout). */
#ifndef PLUVIA_FRAMES_H
#define PLUVIA_FRAMES_H

#include "pluvia/outline.h"
#include "pluvia/trajectory.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* what the library exports */

typedef struct plu_frames plu_frames;

/* One frame. The arrays belong to the plu_frames and are overwritten by the next read. Quantities
 * that the file does not contain are NULL. Bodies that are not released yet or have been removed
 * have id -1 and meaningless numbers. */
typedef struct plu_frame_data {
    double time; /* s */
    long step;
    int bodies;
    const double (*position)[3];         /* m */
    const double (*velocity)[3];         /* m/s */
    const double (*angular_velocity)[3]; /* rad/s, world frame */
    const double (*orientation)[4];      /* unit quaternion, scalar first */
    const double (*force)[3];            /* contact forces (N) */
    const double (*torque)[3];           /* N m, these as in pluvia/grains.h */
    const double (*stress)[9];           /* Pa: xx, xy, xz, yx, ... */
    const double *dissipation;           /* W */
    const int *coordination;
    const int *id;                      /* -1: waiting or removed */
    const unsigned char *state;         /* plu_body_state */
    const int *species;                 /* index of the material */
    const unsigned char *fixed;         /* 1: it does not move; NULL: all do */
    const double *radius;               /* m */
    const double *mass;                 /* kg */
    const double *inertia;              /* kg m^2 */
    plu_cell_box cell;                  /* periodic; not `given`: space is open */
    const int (*image)[3];              /* in a cell: edges a, b, c gone beyond the first cell */
    int boundaries;                     /* with a place; 0: the file holds none, none moves */
    const plu_boundary_place *place;    /* of each boundary of the scene */
    bool turning;                       /* one turns in the run: its spin is not in the file */
    double dt;                          /* s: impulses of the contacts are those of one step */
    int contacts;                       /* -1: the file holds none */
    const plu_contact_row *contact;     /* `spin` is not in the file: zero */
    const double (*boundary_force)[3];  /* N: of the bodies on each boundary that has a place */
    const double (*boundary_moment)[3]; /* N m, likewise */
    const double *boundary_stress;      /* Pa, likewise; not a number without an area */
} plu_frame_data;

/* Opens a trajectory. PLU_OK, PLU_BAD_INPUT (not a pluvia trajectory, or damaged) or PLU_IO. */
plu_status plu_frames_open(plu_frames **frames, const char *path, plu_error *err);
void plu_frames_close(plu_frames *frames); /* accepts NULL */

long plu_frames_count(const plu_frames *frames);
int plu_frames_bodies(const plu_frames *frames);
double plu_frames_time(const plu_frames *frames, long k); /* s; k in [0, count) */

/* The frame nearest to a time; -1 without frames. */
long plu_frames_nearest(const plu_frames *frames, double time);

/* The scene in the file as by plu_trajectory_scene, without opening the file again; the caller
 * frees `*text`. Same status as opening. */
plu_status plu_frames_scene(char **text, bool resolved, plu_frames *frames, plu_error *err);

/* What plu_trajectory_info_read says of the file, without opening and checking it again. Same
 * status as opening. */
plu_status plu_frames_info(plu_trajectory_info *info, plu_frames *frames, plu_error *err);

/* Reads frame k in [0, count). Same status as opening. */
plu_status plu_frames_read(plu_frames *frames, long k, plu_frame_data *frame, plu_error *err);

/* Observables: one number a frame. `i` in [0, plu_frames_observables). */
int plu_frames_observables(const plu_frames *frames);
const char *plu_frames_observable_name(const plu_frames *frames, int i);
/* Unit of the observable of that name as files have it, "m s-1"; "": none, or a sensor's, or the
 * name is not known. */
const char *plu_observable_unit(const char *name);

/* *values: plu_frames_count numbers of the observable of that name, NULL where the file has none.
 * They are read at the first call, and belong to `frames`. Same status as opening. */
plu_status plu_frames_observable(const double **values, plu_frames *frames, const char *name,
                                 plu_error *err);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
