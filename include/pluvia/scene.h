/* scene.h: a scene as the user wrote it: plain numbers and names in SI units, constant once read.
 *
 * plu_scene_read fills it from a libconfig file through one table of keys (src/scene/keys.c), which
 * also feeds the validation, `pluvia check --defaults`, `pluvia help KEY` and scenes/reference.md.
 */
#ifndef PLUVIA_SCENE_H
#define PLUVIA_SCENE_H

#include "pluvia/status.h"
#include "pluvia/where.h"
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* what the library exports */

typedef enum plu_method {
    PLU_NONSMOOTH, /* Moreau and Jean: impulses from a complementarity problem */
    PLU_PENALTY,   /* springs, dampers and friction limits, explicit in time */
    PLU_METHODS    /* number of kinds */
} plu_method;
typedef enum plu_law {
    PLU_COULOMB,   /* K* contains y^: sliding does not open a contact */
    PLU_ASSOCIATED /* K* contains y: it opens with mu |u_T| + mu_r |omega_R| */
} plu_law;
/* plu_scene.forecast: contacts are those that can touch within the step, see there. */
enum { PLU_TOUCH = -1 };
/* plu_scene.step while a scene is read. */
enum { PLU_AUTO_STEP = -1 };
/* The finest parts of a step that the run chooses, unless the scene says `smallest`. */
enum { PLU_FINEST_LEVEL = 12 };
typedef enum plu_stabilization { PLU_NONE, PLU_PROJECTION } plu_stabilization;
typedef enum plu_outside { PLU_KEEP, PLU_REMOVE } plu_outside;

/* Its parts, each in a header of its own, so that a file reads those that it needs. */
typedef struct plu_material plu_material;           /* pluvia/material.h */
typedef struct plu_contact_law plu_contact_law;     /* the same */
typedef struct plu_boundary_spec plu_boundary_spec; /* pluvia/boundary.h */
typedef struct plu_body_spec plu_body_spec;         /* pluvia/body.h */
typedef struct plu_feeder_spec plu_feeder_spec;     /* pluvia/feeder.h */
typedef struct plu_sensor_spec plu_sensor_spec;     /* pluvia/sensor.h */
typedef struct plu_stage_spec plu_stage_spec;       /* pluvia/stage.h */
typedef struct plu_cell_spec plu_cell_spec;         /* pluvia/cell.h */
typedef struct plu_solver_spec plu_solver_spec;     /* pluvia/solving.h */
typedef struct plu_limit_spec plu_limit_spec;       /* the same */
typedef struct plu_output_spec plu_output_spec;     /* pluvia/writing.h */

typedef struct plu_scene {
    char title[256];
    uint64_t seed;
    plu_method method;
    plu_law law;
    double step, end, theta; /* h, duration, theta */
    plu_where step_where;
    /* The run chooses its steps: `step` is then the longest one, a whole part of output.interval,
     * and steps are halves of it, halves of these and so on, down to `smallest` at least. */
    bool chooses;
    double largest, smallest; /* s; smallest 0: a 4096th of `step` */
    /* Steps are made in parts of step 2^-level, `coarsest` <= level <= `finest`: where the run
     * chooses them, and where stages have steps of their own. */
    bool parts;
    int coarsest, finest;
    /* Which pairs are contacts of a step: a number is gamma in g + gamma h u_N <= 0; PLU_TOUCH:
     * those that can touch within the step, which then land without overlap (src/theory.md,
     * "Touch"); pairs with Newton's restitution are then treated as with gamma = 1/2. */
    double forecast;
    double until_rest; /* 0: off; else stop when each body's energy / (m g d) is below this */
    double gravity[3];
    plu_stabilization stabilization;
    double slop; /* projection corrects interpenetration beyond slop x d */
    bool allow_overlap;
    bool has_domain;
    double domain[2][3];
    plu_outside outside;

    int materials_count, laws_count, boundaries_count, bodies_count, feeders_count, sensors_count,
        stages_count;

    /* owned: sections, one each, none in an empty scene; then arrays */
    plu_cell_spec *cell;
    plu_solver_spec *solver;
    plu_limit_spec *limits;
    plu_output_spec *output;
    plu_material *materials;
    plu_contact_law *laws;
    plu_boundary_spec *boundaries;
    plu_body_spec *bodies;
    plu_feeder_spec *feeders;
    plu_sensor_spec *sensors;
    plu_stage_spec *stages;
    int stage; /* the present one, of which everything here is */

    char path[PLU_PATH]; /* of the scene file as given */
    char *text;          /* as read, includes joined; NUL-terminated */
    char *resolved;      /* the scene with all default values, libconfig text */
    int files_count;
    char (*files)[PLU_PATH]; /* the scene file and its includes */
    int overrides_count;
    char **overrides; /* "KEY=VALUE" as given */
} plu_scene;

/* Reads and validates the scene file `path`, then applies `overrides` ("time.end=2.5",
 * "contacts.0.friction=0.1", "contacts.*.friction=0.1"), which are validated the same way. All
 * errors are collected in `err`, each with file:line. On success the scene is complete: names are
 * resolved, normals have length 1, all defaults are filled in. On failure `scene` is empty.
 * Returns PLU_OK, PLU_BAD_INPUT or PLU_IO (the file cannot be opened, no memory). */
plu_status plu_scene_read(plu_scene *scene, const char *path, const char *const *overrides,
                          int overrides_count, plu_error *err);

/* Makes stage `stage` of the scene the present one: laws, gravity, motions and all else that stages
 * change. begun[k]: when stage k began (s), for k <= stage: times of motions count from then. What
 * was made from the scene follows by plu_stepper_restage (pluvia/step.h). */
void plu_scene_enter(plu_scene *scene, int stage, const double *begun);

/* The stage of a name, or of a number in digits, counted from 0; -1: there is none. */
int plu_scene_stage(const plu_scene *scene, const char *name);

/* The same of a scene that may use shapes of `extensions` (pluvia/extension.h; may be NULL), which
 * must outlive it. */
struct plu_extensions;
plu_status plu_scene_read_with(plu_scene *scene, const struct plu_extensions *extensions,
                               const char *path, const char *const *overrides, int overrides_count,
                               plu_error *err);

/* The same of a scene that is a text, not a file: messages call it `name`, files that it names are
 * relative to the working folder, and an include is an error. Status and errors as above. */
plu_status plu_scene_read_text(plu_scene *scene, const char *name, const char *text,
                               const char *const *overrides, int overrides_count, plu_error *err);
plu_status plu_scene_read_text_with(plu_scene *scene, const struct plu_extensions *extensions,
                                    const char *name, const char *text,
                                    const char *const *overrides, int overrides_count,
                                    plu_error *err);

/* Reads the scene that a result contains, with all default values (plu_scene.resolved): `text`
 * alone, without any other file. An include counts as damage; files of bodies that it names are
 * not read, and plu_body_spec.path is as it was written. Registered shapes are not looked up: such
 * a boundary can be drawn, but not simulated. Messages name `path`, the result. Status and errors
 * as above. */
plu_status plu_scene_read_stored(plu_scene *scene, const char *path, const char *text,
                                 plu_error *err);

/* Compares the scene of a run at its start with the one for its continuation, both with all
 * default values (plu_scene.resolved). PLU_OK: they differ at most in keys that do not change
 * what was computed so far (time.end, limits of the solver, ...); `changes` names these with their
 * new values, "time.end = 2.0". Otherwise PLU_BAD_INPUT, and `err` names every other difference. */
plu_status plu_scene_compare(const char *before, const char *now, char *changes, size_t size,
                             plu_error *err);

/* Frees what the scene owns and empties it. Accepts an empty scene. */
void plu_scene_free(plu_scene *scene);

/* The index of the material of that name; -1: there is none, as of the empty name. */
int plu_scene_material(const plu_scene *scene, const char *name);

/* The number of a boundary by its name; the first one without a name of its own is "plate-1",
 * ... */
int plu_scene_boundary(const plu_scene *scene, const char *name);

/* "scenes/pile.cfg:17" or "-s time.end=2.5", written into `buffer`, which is returned. */
const char *plu_scene_where(const plu_scene *scene, plu_where where, char *buffer, size_t size);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
