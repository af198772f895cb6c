/* step.h: advances a world in time by the method of its scene (src/README.md). */
#ifndef PLUVIA_STEP_H
#define PLUVIA_STEP_H

#include "pluvia/extension.h"
#include "pluvia/problem.h"
#include "pluvia/rules.h"
#include "pluvia/side.h"
#include "pluvia/start.h"
#include "pluvia/world.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* what the library exports */

typedef struct plu_stepper plu_stepper;

typedef enum plu_phase {
    PLU_PHASE_FEED,      /* releases and removals */
    PLU_PHASE_DETECT,    /* broad and narrow phase, warm-start match */
    PLU_PHASE_ASSEMBLE,  /* free velocity, islands, colors, local Delassus blocks */
    PLU_PHASE_SOLVE,     /* the contact problem */
    PLU_PHASE_INTEGRATE, /* positions, orientations, projection, energies */
    PLU_PHASES
} plu_phase;

/* Work (J) of what solves leave wrong where a servo or a stress presses, or where bodies are
 * strained slowly without gravity: the number that tells a wrong bed from a right one
 * (src/solving.md, "Work of errors"). All are 0 elsewhere, and with the penalty method. */
typedef struct plu_error_work {
    double net; /* sum p_N e_N: of errors that cancel nothing is left. Below 0 a bed gets denser
                 * than it should, above 0 looser */
    double all; /* sum |p . e| */
    double friction; /* work of friction and rolling friction, or the least that counts: 2e-6 d of
                      * a contact in a step */
    double impacts;  /* what impacts take meanwhile, sum m |v - v_free|^2 */
} plu_error_work;

/* The results of one step. */
typedef struct plu_step_info {
    int contacts;             /* loaded ones: r_N > 0 */
    int wall_contacts;        /* those of them with a boundary */
    int pairs;                /* of the contact problem: most others may touch in the step */
    int islands;              /* connected groups of contacts */
    int colors;               /* of the largest island */
    int iterations;           /* sweeps of the island that needed most */
    long updates;             /* contact updates of all sweeps */
    double residual_scaled;   /* e_s, dimensionless; largest over the islands */
    double residual_natural;  /* natural map as in the literature, SI; largest over the islands.
                               * NAN: not computed, see plu_stepper_natural */
    double velocity_error;    /* criterion "velocity": error of contact velocities over g h, or over
                               * the velocity change of the step (rms); largest over the islands */
    double sinking_speed;     /* criterion "velocity": mean speed at which loads sink (m/s) */
    bool converged;           /* every island met the scene's criterion */
    double tolerance;         /* of the criterion; if not met, the strictest that was not met */
    double missed;            /* errors over the allowed error; largest over the islands */
    double penetration;       /* largest interpenetration at the start of the step (m) */
    double penetration_ratio; /* largest interpenetration over the smaller diameter of its pair */
    int yielding;       /* contacts that yield, as they bear all they may (contacts.strength) */
    double yield_depth; /* their largest overlap at the end of the step (m) */
    plu_error_work errors;
} plu_step_info;

/* Limits that no correct run exceeds: plu_scene.limits (src/machinery.md, "Limits of a run"). */
typedef enum plu_limit {
    PLU_LIMIT_VELOCITY,    /* a body is too fast */
    PLU_LIMIT_PENETRATION, /* a pair overlaps too deeply */
    PLU_LIMIT_PASSAGE,     /* the center of a body has passed through a boundary */
    PLU_LIMIT_UNCONVERGED, /* too many consecutive steps did not converge */
    PLU_LIMITS
} plu_limit;

enum { PLU_NOBODY = -1000000000 };

/* A body that a boundary presses against something that does not give way. */
typedef struct plu_jam {
    double time, depth; /* s, m: overlap at the end of the step */
    double force;       /* N: the largest with which a contact yielded in the run */
    long body;
    long between[2]; /* what it is between: bodies, or -1 - a boundary (plu_scene.boundaries);
                      * PLU_NOBODY: none. The first is that with which it overlaps. */
} plu_jam;

/* Sums over a run; `work_*` and the others are energies in J. They satisfy
 *   E(t) - E(0) = inserted - removed + work_impact + work_friction + work_rolling
 *                 + work_pivoting + work_cohesion + work_boundary + work_cell + theta
 *                 + projection
 * to rounding, E being kinetic plus potential energy (src/theory.md, "Energy balance"). */
typedef struct plu_totals {
    long steps, unconverged;
    long iterations, updates;
    double worst_scaled, worst_natural; /* largest residuals of the steps in which they are known */
    double worst_velocity, worst_sinking; /* velocity_error, sinking_speed */
    long natural_open;                    /* steps without a known natural map */
    double worst_penetration, worst_penetration_ratio;
    double worst_missed;       /* largest plu_step_info.missed */
    double unconverged_masses; /* of steps that missed the criterion: largest ratio of masses of two
                                * bodies in contact */
    double inserted, removed;  /* energy of bodies added and removed */
    double work_impact, work_friction, work_rolling, work_pivoting; /* 1/2 p . (y+ + y-), by
                                                                     * component */
    double work_cohesion; /* of cohesion, - 1/2 c (u_N+ + u_N-) */
    double work_cell;     /* of a periodic cell: by its motion, and by wrapping bodies */
    double work_boundary; /* of moving boundaries, 1/2 p . (V+ + V-); the others are relative */
    double theta;         /* of the theta scheme, 0 for theta = 1/2 */
    double projection;    /* energy given by the projection, where bodies are afterwards, less what
                           * those that bounce pay for it from their velocities: */
    double projection_up; /* the same of the steps in which it gave some, without the others */
    double projection_most, projection_time; /* and by the one in which it gave most, which ended
                                              * then (s) */
    double initial;                          /* E(0) */
    /* Energy that contacts created: the work of a step where it is positive beyond rounding, which
     * no contact law allows except springs. With restitution_law = "energy" a bounce may return
     * energy that the landing in the step before has dissipated. 0 for the penalty method. */
    double created;
    long creating;                                /* steps with such work */
    double created_by_solver, created_by_impacts; /* the parts of it that errors of solves have
                                                   * made, and several impacts at once; the rest is
                                                   * of normals that turn (J) */
    long restrained; /* steps in which several impacts at once would have created energy, and had
                      * less restitution instead */
    long cold; /* loaded contacts of a first step that began without impulses, in a scene at rest,
                * and for which no impulses that bear the load were found before it */
    double last_work; /* of contacts, in the last step */
    /* Penalty method: energy in the springs at the start of the last step, and what dampers and
     * friction had dissipated until then. Their sum is minus the work until then, except for the
     * error of the integration. */
    double elastic, dissipated;
    plu_error_work errors;     /* sums over all steps */
    long errors_beyond;        /* how often errors took too much of that work while they moved
                                * contacts by a noticeable way (step/error_work.c), */
    double errors_time;        /* s: when that was the case last */
    double locked;             /* s: when the grains of a cell of prescribed volume were found to
                                * be jammed; 0: they were not */
    long yielding_steps;       /* steps in which contacts yield (contacts.strength) */
    long yields;               /* contacts that yield, summed over all steps */
    long jams;                 /* how often a body of such contacts was jammed anew */
    plu_jam jam;               /* the deepest overlap of them; its depth is 0 where there is none */
    long beyond[PLU_LIMITS];   /* steps beyond a limit */
    long unconverged_in_a_row; /* up to now */
    /* By rule (pluvia/rules.h): steps that were too long, the largest number of them, and its time
     * (s) */
    long too_long[PLU_RULES];
    double worst_long[PLU_RULES], worst_long_time[PLU_RULES];
    /* Where the run chooses its steps: `steps` are those that count, others were too long and were
     * repeated in halves; the shortest one of all (s) */
    long repeated;
    double shortest;
    double seconds[PLU_PHASES]; /* wall time */
    double solver_seconds;      /* part of the solve spent in the solver */
    /* Since the stepper was made: steps in which solver.fallback was called (counted twice if
     * spheres woke and a step was solved again), and the processor time of the process meanwhile
     * (s) */
    long fallback_steps;
    double fallback_seconds;
} plu_totals;

/* The contacts of the last step, in the order of the contact list. Impulses act on b, their
 * opposite on a. */
typedef struct plu_contact_row {
    plu_side a;
    int b;                     /* a body */
    double point[3];           /* m: on the surface of body b, after the step */
    double normal[3];          /* unit, from a to b */
    double gap;                /* m, at the start of the step */
    double impulse_normal;     /* r_N (N s) */
    double impulse_tangent[3]; /* r_T, world frame (N s) */
    double impulse_moment[3];  /* m_R + m_P n, world frame (N m s) */
    double velocity[3];        /* u_N n + u_T after the step, world frame (m/s) */
    double spin[3];     /* omega_R after the step, with pivoting friction omega_R + omega_P n,
                         * world frame (rad/s) */
    int law;            /* index into plu_scene.laws */
    unsigned char mode; /* plu_contact_mode */
} plu_contact_row;

typedef enum plu_contact_mode {
    PLU_MODE_OPEN = 0,      /* take-off: r_N = 0 */
    PLU_MODE_STICK = 1,     /* neither limit reached */
    PLU_MODE_SLIDE = 2,     /* |r_T| = mu r_N */
    PLU_MODE_ROLL = 3,      /* |m_R| = mu_r r_N, with mu_r > 0 */
    PLU_MODE_SLIDE_ROLL = 4 /* both */
} plu_contact_mode;

/* `world` and `scene` must outlive the stepper; `log` may be NULL. PLU_OK, PLU_BAD_INPUT (the
 * method or the solver does not support the scene; the step is too long for the springs) or PLU_IO.
 */
plu_status plu_stepper_create(plu_stepper **stepper, plu_world *world,
                              const struct plu_scene *scene, const plu_log *log, plu_error *err);
/* As plu_stepper_create; the scene may name solvers of `extensions`, which must outlive the
 * stepper. */
plu_status plu_stepper_create_with(plu_stepper **stepper, plu_world *world,
                                   const struct plu_scene *scene, const plu_extensions *extensions,
                                   const plu_log *log, plu_error *err);
void plu_stepper_destroy(plu_stepper *stepper); /* accepts NULL */

/* A callback of plu_step (plu_stepper_set_calls of pluvia/control.h). `info` is NULL before the
 * step, and that of the step after it. A status other than PLU_OK is returned by plu_step; if it
 * comes before the step, the step is not made. */
typedef plu_status plu_step_call(void *user, plu_stepper *stepper, const plu_step_info *info,
                                 plu_error *err);
/* Another, which gives up a step under way (plu_stepper_set_stop). */
typedef bool plu_stop_call(void *user);

/* One step of length scene->step, in parts where the run chooses its steps. PLU_NOT_CONVERGED only
 * with solver.on_failure = "stop"; PLU_BREAKDOWN when a velocity is not finite. The world is then
 * in the state after the step. */
plu_status plu_step(plu_stepper *stepper, plu_step_info *info, plu_error *err);

/* Computes the natural map of the last step, whose info this is, if plu_step has not done so, and
 * adds it to the totals, once however often it is asked for. plu_step leaves it out, because it
 * takes longer than other errors, in steps of the nonsmooth method unless it is the criterion: for
 * tiled islands and, with the criterion "velocity", for all. It stays NAN after a state was set. */
void plu_stepper_natural(plu_stepper *stepper, plu_step_info *info);

const plu_totals *plu_stepper_totals(const plu_stepper *stepper);

/* What a contact whose law has no strength bears at most in the coming step (N), unless it is an
 * impact; 0: nothing drives the bodies, and no contact yields. */
double plu_stepper_strength(const plu_stepper *stepper);

/* Energy that the balance cannot explain, over the energy turned over (J/J). */
double plu_stepper_imbalance(const plu_stepper *stepper);
/* As plu_stepper_imbalance, where the energy of the world is known already. */
double plu_stepper_imbalance_at(const plu_stepper *stepper, plu_energy energy);

/* Distance of the world from rest after the last step: the largest value over m g d of the
 * translational energy of a body and of the rolling energy at a contact, 1/2 omega_R^2 / (1/I_a +
 * 1/I_b), the latter weighted by the contact's load up to the weight of the reduced mass. Spin
 * about contact normals counts only if a pair has pivoting friction: otherwise spheres may spin
 * against each other forever. Infinite before the first step, without gravity, and while something
 * is to come: bodies that wait, or a boundary that begins to move, ends to or is taken away. */
double plu_stepper_rest_measure(const plu_stepper *stepper);

/* The state of a run at one time, as in a frame of its trajectory. */
typedef struct plu_moment {
    double time; /* s */
    long step;
    int bodies;
    const double (*position)[3];
    const double (*velocity)[3];
    const double (*angular_velocity)[3];
    const double (*orientation)[4]; /* NULL: unchanged */
    const unsigned char *state;     /* plu_body_state */
    int contacts;                   /* of the step before, for the warm start; < 0: not known */
    const plu_contact_row *contact;
} plu_moment;

/* Sets a new stepper and its world, made from the scene of that run, to a state of it. The next
 * step is that of the run, except for the warm start if the contacts are not known. PLU_OK,
 * PLU_BAD_INPUT (not of this scene, or of the penalty method) or PLU_IO. */
plu_status plu_stepper_set(plu_stepper *stepper, const plu_moment *moment, plu_error *err);

/* Makes the first step of a new stepper start with the impulses of `start`, from which its world
 * was made, and counts them there. Impulses of contacts with a boundary are left out if no surface
 * with the same normal exists, and all impulses with the penalty method, whose springs start
 * unloaded. PLU_OK, PLU_BAD_INPUT or PLU_IO. */
plu_status plu_stepper_start(plu_stepper *stepper, plu_start *start, plu_error *err);

/* Takes over the present stage of the scene, which plu_scene_enter has made another one: laws,
 * gravity, motions and servos, from where everything is. `goes_on`: the run goes on with it, so
 * that what is added must have room; otherwise a state of that stage is to be loaded (a
 * checkpoint). PLU_OK; PLU_BREAKDOWN: spheres are where a boundary is added; PLU_BAD_INPUT (a
 * table, the area of a servo) or PLU_IO: the stepper must not be used then. */
plu_status plu_stepper_restage(plu_stepper *stepper, bool goes_on, plu_error *err);

/* A number of the state after a step, by which a stage ends (pluvia/stage.h); NAN: unknown. */
struct plu_stage_number;
double plu_stepper_reading(const plu_stepper *stepper, const struct plu_stage_number *reading,
                           const plu_step_info *info);

/* From now on keeps the impulses that a step starts from, for plu_stepper_problem. */
void plu_stepper_keep_start(plu_stepper *stepper);

/* The contact problem of the last step, without contacts of sleeping bodies, in SI units, with the
 * impulses that it started from as its guess and its final impulses as its solution; the caller
 * owns it. PLU_OK, PLU_USAGE (plu_stepper_keep_start was not called), PLU_BAD_INPUT (the penalty
 * method has none) or PLU_IO.
 */
plu_status plu_stepper_problem(const plu_stepper *stepper, plu_contact_problem **problem,
                               plu_error *err);

/* Number of contacts of the last step, and a copy of contact `i` of them. */
int plu_stepper_contacts(const plu_stepper *stepper);
void plu_stepper_contact(const plu_stepper *stepper, int i, plu_contact_row *row);

/* Whether contact `i` is more than a forecast: with time.forecast = "touch" the list also
 * holds pairs that might have touched within the step, and lists for users leave them out. True for
 * what bears something or is closed, and for all where the forecast is a number. */
bool plu_stepper_touches(const plu_stepper *stepper, int i);

/* The stress in a periodic cell after the last step, of contacts and of motion relative to the
 * cell, made symmetric (Pa; pressure is positive). */
void plu_stepper_cell_stress(const plu_stepper *stepper, double stress[3][3]);

/* Load of the boundaries in the last step, over the weight of all bodies: near 1 if all bodies are
 * at rest. 0 before the first step and without gravity. */
double plu_stepper_boundary_load(const plu_stepper *stepper);

/* Number `number` of sensor `sensor` of the scene (pluvia/sensor.h). */
double plu_stepper_sensor(const plu_stepper *stepper, int sensor, int number);

/* Force (N) and moment (N m) of the bodies on a boundary (index into plu_scene.boundaries) in the
 * last step: the moment about the center of its motion, where it was at the start of the step,
 * without a motion about its own center. */
void plu_stepper_boundary_force(const plu_stepper *stepper, int boundary, double force[3],
                                double moment[3]);

/* Contact forces on every body in the last step, impulse / h (N); `force` has one row a body. */
void plu_stepper_forces(const plu_stepper *stepper, double (*force)[3]);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
