/* scene.h: a scene as the user wrote it: plain numbers and names in SI units, constant once read.
 *
 * plu_scene_read fills it from a libconfig file through one table of keys (src/scene/keys.c), which
 * also feeds the validation, `pluvia check --defaults`, `pluvia help KEY` and scenes/reference.md.
 */
#ifndef PLUVIA_SCENE_H
#define PLUVIA_SCENE_H

#include "pluvia/boundary.h"
#include "pluvia/cell.h"
#include "pluvia/sensor.h"
#include "pluvia/sizes.h"
#include "pluvia/stage.h"
#include "pluvia/status.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* what the library exports */

typedef struct plu_material {
    char name[PLU_NAME];
    double density; /* kg/m^3; 0: not given (then no body may be made of it) */
    plu_where where;
} plu_material;

/* How pairs bounce (src/theory.md, "Bounces"). */
typedef enum plu_restitution {
    PLU_NEWTON, /* e times the velocity of approach of the step */
    PLU_ENERGY  /* e^2 times the energy at the time of contact */
} plu_restitution;

/* The law between two materials (AB21 section 2, with impacts). */
typedef struct plu_contact_law {
    char between[2][PLU_NAME];
    int material[2];          /* resolved from `between` */
    double friction;          /* mu, dimensionless */
    double rolling_friction;  /* mu_r, a length in m: the moment is at most mu_r r_N */
    double pivoting_friction; /* mu_p, the same for the moment about the normal */
    double restitution;       /* e in [0, 1] */
    plu_restitution restitution_law;
    double cohesion;       /* F_c (N): tensile force that a sphere and a sphere or wall can carry */
    double cohesion_range; /* m: pairs attract each other up to this gap */
    double strength;       /* N: what a contact bears at most; 0: see plu_stepper_strength */
    /* only with the penalty method (src/theory.md); 0 otherwise */
    double friction_dynamic;                       /* mu_d <= mu, of a contact that slides */
    double normal_stiffness, tangential_stiffness; /* N/m */
    double rolling_stiffness; /* N m/rad; 0: tangential_stiffness L^2, L the contact's length */
    double normal_damping, tangential_damping, rolling_damping; /* ratios in [0, 1] */
    plu_where where;
} plu_contact_law;

/* One component of a mixture. */
typedef struct plu_mixture_part {
    char material_name[PLU_NAME];
    int material;
    double share; /* of the sum of all shares */
    double radius[2];
    plu_size_spec sizes;
    plu_where where;
} plu_mixture_part;

typedef enum plu_body_kind {
    PLU_SPHERE,
    PLU_LATTICE,
    PLU_PACKING,
    PLU_FILE,
    PLU_FROM_RUN, /* spheres of another run, from one of its frames (pluvia/start.h) */
    PLU_RESERVE   /* spheres that calls add while the run lasts (pluvia/edit.h) */
} plu_body_kind;

enum { /* bits of plu_body_spec.keep: what spheres of a run keep besides position and size */
       PLU_KEEP_VELOCITY = 1,
       PLU_KEEP_SPIN = 2,
       PLU_KEEP_IMPULSES = 4,
       PLU_KEEP_MATERIAL = 8,
       PLU_KEEP_CELL = 16,      /* the periodic cell, where the scene does not give its size */
       PLU_KEEP_BOUNDARIES = 32 /* where boundaries are that the scene has in common with the run */
};

/* plu_body_spec.at: the end of a complete run. */
enum { PLU_AT_END = -1 };

/* One entry of `bodies`: a single sphere or a rule that creates many. */
typedef struct plu_body_spec {
    plu_body_kind kind;
    char material_name[PLU_NAME];
    int material;     /* -1: spheres of a run keep theirs */
    double radius[2]; /* smallest and largest, uniform between; equal for one size */
    plu_size_spec sizes;
    int mixture_count;         /* 0: `material` and `radius` */
    plu_mixture_part *mixture; /* owned */
    plu_share mixture_by;
    double velocity[3];
    double angular_velocity[3];
    double position[3]; /* sphere */
    int counts[3];      /* lattice: spheres along x, y, z */
    double spacing;     /* lattice: distance of neighboring centers */
    double origin[3];   /* lattice: center of the first sphere */
    double jitter;      /* lattice: each coordinate is shifted by a uniform number in +-jitter */
    int count;          /* packing; 0 with has_fill; reserve */
    bool has_fill;      /* packing: the count follows from the two below and the mean volume */
    double fill_fraction, fill_height; /* solid; m, 0: the whole region */
    double box[2][3]; /* packing: spheres lie wholly inside; used when `cylinder_radius` is 0 */
    double center[3]; /* packing in a cylinder: center of its bottom */
    double cylinder_radius, cylinder_height;
    char path[PLU_PATH]; /* file: CSV; run: a trajectory; "" of others; already relative to the
                            working folder */
    bool fixed;          /* they do not move */
    bool moves;          /* they are fixed, and `motion` is given: as a boundary */
    bool center_given;   /* motion.center is; else it is the middle of the group */
    plu_motion_spec motion;
    bool fixed_given; /* the scene says so; of a run, they otherwise are what they were there */
    double at;        /* run: s, or PLU_AT_END */
    unsigned keep;    /* run */
    plu_where where;
} plu_body_spec;

typedef enum plu_feeder_kind { PLU_PLUVIATION, PLU_INLET } plu_feeder_kind;
typedef enum plu_area { PLU_AREA_DISC, PLU_AREA_BOX, PLU_AREA_LINE } plu_area;

/* The area in which an inlet places centers at random; all in m. */
typedef struct plu_area_spec {
    plu_area kind;
    double center[3];    /* disc, box */
    double normal[3];    /* disc, box: unit vector after reading */
    double radius;       /* disc */
    double size[3];      /* box: along `direction`, normal x direction, normal */
    double direction[3]; /* box: made normal to `normal`; zero: chosen (x, else y) */
    double ends[2][3];   /* line */
} plu_area_spec;

typedef struct plu_feeder_spec {
    plu_feeder_kind kind;
    char material_name[PLU_NAME];
    int material;
    double radius[2];
    plu_size_spec sizes;
    int mixture_count;         /* 0: `material` and `radius` */
    plu_mixture_part *mixture; /* owned */
    plu_share mixture_by;
    double velocity[3];
    double angular_velocity[3];
    int count;          /* inlet: 0 if `mass` or `stop` gives the number */
    double start;       /* s, release of the first */
    double rate;        /* inlet, 1/s; 0: by mass_flow */
    double mass_flow;   /* inlet, kg/s */
    double stop;        /* inlet, s; 0: not given */
    double mass;        /* inlet, kg; 0: not given */
    plu_area_spec area; /* inlet */
    double interval;    /* pluviation: s between two spheres (from `interval` or 1/`rate`) */
    double height;      /* z of the centers at release (m) */
    double center[2];
    double square;             /* side of the square footprint (m); 0 where `disc` is given */
    double disc;               /* diameter of the round footprint (m) */
    char stage_name[PLU_NAME]; /* times count from its beginning; "": from that of the run */
    int stage;                 /* number of it */
    double begun;              /* s: when it began; INFINITY: not yet (plu_scene_enter) */
    plu_where where;
} plu_feeder_spec;

typedef enum plu_method {
    PLU_NONSMOOTH, /* Moreau and Jean: impulses from a complementarity problem */
    PLU_PENALTY,   /* springs, dampers and friction limits, explicit in time */
    PLU_METHODS    /* number of kinds */
} plu_method;
typedef enum plu_law {
    PLU_COULOMB,   /* K* contains y^: sliding does not open a contact */
    PLU_ASSOCIATED /* K* contains y: it opens with mu |u_T| + mu_r |omega_R| */
} plu_law;
typedef enum plu_criterion {
    PLU_VELOCITY,    /* error of contact velocities, relative to what gravity adds in a step */
    PLU_WEIGHT,      /* error of impulses, stricter in deep beds */
    PLU_SCALED,      /* impulses */
    PLU_NATURAL_MAP, /* the literature's natural map, SI */
    PLU_CRITERIA     /* number of kinds */
} plu_criterion;

/* plu_scene.forecast: contacts are those that can touch within the step, see there. */
enum { PLU_TOUCH = -1 };
/* plu_scene.step while a scene is read. */
enum { PLU_AUTO_STEP = -1 };
/* The finest parts of a step that the run chooses, unless the scene says `smallest`. */
enum { PLU_FINEST_LEVEL = 12 };
typedef enum plu_stabilization { PLU_NONE, PLU_PROJECTION } plu_stabilization;
typedef enum plu_on_failure { PLU_WARN, PLU_STOP } plu_on_failure;
typedef enum plu_outside { PLU_KEEP, PLU_REMOVE } plu_outside;

typedef struct plu_solver_spec {
    char name[PLU_NAME];     /* of the solver: "gs" */
    char local[PLU_NAME];    /* of the local solver: "exact", "projection" */
    char fallback[PLU_NAME]; /* second solver where "gs" does not converge; or "none" */
    plu_where name_where, local_where, fallback_where;
    plu_criterion criterion;
    double tolerance;
    int min_iterations, max_iterations;
    plu_on_failure on_failure;
    bool momentum;      /* Nesterov momentum with gradient restart */
    int anderson_after; /* sweeps before Anderson acceleration starts; 0: never */
    bool single;        /* large islands are swept in single precision */
    bool quiet;         /* bodies at rest sleep */
    bool islands;       /* each connected group of contacts is solved separately */
    int cell_bodies;    /* bodies in a cell of a tile; 0: from the number of bodies */
} plu_solver_spec;

enum { /* bits of plu_output_spec.quantities; `position` is always written */
       PLU_OUT_VELOCITY = 1,
       PLU_OUT_ANGULAR_VELOCITY = 2,
       PLU_OUT_ORIENTATION = 4,
       PLU_OUT_FORCE = 8, /* contact impulse of the last step / h (N) */
       PLU_OUT_TORQUE = 16,
       PLU_OUT_STRESS = 32, /* these of pluvia/grains.h */
       PLU_OUT_DISSIPATION = 64,
       PLU_OUT_COORDINATION = 128
};

/* Which contact problems become files of their own. */
typedef enum plu_dump { PLU_DUMP_NONE, PLU_DUMP_EVERY, PLU_DUMP_UNCONVERGED } plu_dump;

typedef struct plu_output_spec {
    double interval; /* s between frames; the first frame is the start, the last one the end */
    unsigned quantities;
    bool contacts;   /* contact lists per frame */
    bool boundaries; /* position, force and moment of each boundary; true if one moves */
    bool float32;    /* `precision = "float32"`: positions, velocities, ... in single precision */
    int compression; /* gzip level, 0: none */
    double position_error, velocity_error; /* what rounding may add (m, m/s); 0: nothing */
    plu_where position_error_where;
    plu_dump dump;
    int dump_every;                  /* steps */
    double checkpoint_interval;      /* simulated s between checkpoints, 0: none by this */
    double checkpoint_wall_interval; /* wall s between checkpoints, 0: none by this */
} plu_output_spec;

/* Limits that no correct run exceeds (src/machinery.md, "Limits of a run"). */
typedef struct plu_limit_spec {
    double velocity;         /* m/s, of v and of omega r; 0: from the energy of the scene */
    double penetration;      /* divided by the smaller diameter of the pair */
    int unconverged_steps;   /* in a row; 0: no limit */
    plu_on_failure on_limit; /* velocities that are not finite always stop a run */
} plu_limit_spec;

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
    plu_cell_spec cell;
    plu_solver_spec solver;
    plu_limit_spec limits;
    plu_output_spec output;

    /* owned arrays */
    int materials_count, laws_count, boundaries_count, bodies_count, feeders_count, sensors_count,
        stages_count;
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

/* The files that a scene reads: itself, its includes, tables of spheres and of motions, meshes,
 * trajectories. `k` from 0 on; NULL: there are no more. Borrowed. */
const char *plu_scene_input(const plu_scene *scene, int k);

/* Whether a file looks like a scene, a campaign or a part of one: a line in its first 256 KiB is an
 * include, or gives one of their keys a text, a list or a group. False where it cannot be read. */
bool plu_scene_looks_like_one(const char *path);

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

/* What the table of keys says of one key ("time.step", "boundaries.plate.size") or, for a group, of
 * all its keys. PLU_USAGE and the nearest known key in `err` when there is none. */
plu_status plu_scene_help(const char *key, FILE *out, plu_error *err);

/* The whole table as a Markdown reference (scenes/reference.md holds it; a test compares them). */
void plu_scene_reference(FILE *out);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
