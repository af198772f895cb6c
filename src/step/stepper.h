/* stepper.h: inside of a stepper. Each part of the step has a file of this folder, and those that
 * others call a header. */
#ifndef STEP_STEPPER_H
#define STEP_STEPPER_H

#include "assemble/assemble.h"
#include "assemble/hits.h"
#include "base/exact.h"
#include "base/stop.h"
#include "detect/detect.h"
#include "pluvia/step.h"
#include "solve/solve.h"
#include "step/error_work.h"
#include "step/ladder.h"
#include "step/sensors.h"
#include "step/sleep.h"
#include "step/work.h"
#include "world/world.h"
#include <math.h>

/* What the strength of contacts is made of (strength.c): by mass the heaviest body and all bodies,
 * the largest cohesion, and how fast boundaries move at most (kg, kg, N, m/s). */
typedef struct plu_strength {
    double heaviest, mass, attraction, speed;
} plu_strength;

/* Contacts that yield (jams.c). */
typedef struct plu_jams {
    int *now, *before; /* bodies of them in this step and in the one before, rising */
    int now_count, before_count;
    size_t now_capacity, before_capacity;
} plu_jams;

enum { PLU_HIT_RECORD = 3 };   /* numbers of a body in the records of hits (impacts.c) */
enum { PLU_BODY_CHUNK = 256 }; /* bodies that a thread takes at a time: no sum depends on it */

struct plu_stepper {
    plu_world *world;
    const struct plu_scene *scene;
    const struct plu_step_method *method;
    plu_log log;
    const struct plu_extensions *extensions; /* NULL: none */
    plu_step_call *before, *after;           /* control.c; NULL: none */
    void *user;
    plu_detector *detector;
    plu_assembler *assembler;
    plu_workspace *workspace; /* of the nonsmooth method, as the settings */
    plu_solve_settings settings;
    plu_stop stop;                       /* control.c; that of the world while the stepper lives */
    struct plu_penalty_springs *springs; /* of the penalty method */
    plu_problem problem;
    int walls;                /* contacts with walls: the last of the list */
    struct plu_wall_way *way; /* by contact with a wall */
    size_t way_capacity;
    double sleeping_depth, sleeping_ratio; /* of the contacts that sleep: info->penetration */
    plu_bearing sleeping;                  /* of the contacts that sleep */
    plu_bearing bearing;                   /* of all contacts in the last step */
    int first_wall;                        /* in the live contacts: those from here on are walls */
    double up[3];                          /* against gravity; 0 without */
    plu_contacts *contacts;                /* of the last step; NULL before the first */
    bool cold;     /* the coming step is the first of a run, and no contact has an impulse */
    long served;   /* contacts of it whose impulses were found beforehand or need not be
                      (sweep/initial_impulses.h) */
    bool projects; /* positions, in this step: known before plu_integrate */
    /* By chunk of bodies: potential energy of those that are awake after plu_integrate, taken
     * negative; where positions are projected. */
    plu_exact *potential;
    double *height;   /* by body: lift.c; NULL: nothing bounces */
    double turn_unit; /* m/s (assemble/turn.h) */
    double hit;       /* m/s: a change of velocity that makes a body land (plu_integrate) */
    double jerk;      /* m/s: the same by what boundaries change their velocity in the step */
    struct plu_carried *carried;     /* what boundaries take along in this step (carried.h) */
    unsigned char *bounced;          /* by body: how, in this step (integrate.c) */
    plu_hits hits;                   /* impacts of the step */
    struct plu_impacts *impacts;     /* impacts.c; NULL before the first step */
    const unsigned char *hit_marked; /* by body: it is hit in this step; NULL before the first */
    const double *hit_theta;         /* theta of bodies of hits: PLU_HIT_RECORD numbers apart */
    struct plu_created *created;     /* created.c; NULL: nothing had to be looked at */
    plu_way *ways;                   /* by body, of a step with long strides */
    size_t ways_capacity;
    size_t arrival_capacity;
    bool swift;           /* some pair met in a long stride in this step: `arrival` is set */
    double *arrival;      /* by body: the share of the step after which it was hit in such a way */
    unsigned char *moved; /* by body: last pass of the position projection that moved it */
    unsigned char *too_deep; /* by block, bits: the step may leave the pair deeper than the slop */
    unsigned char *apart; /* by block, bits: the projection moved the pair and marked its bodies */
    size_t too_deep_capacity, apart_capacity, strip_capacity;
    plu_strip_end *strip;             /* by strip of the problem */
    plu_exact mixed[PLU_FINISH_SUMS]; /* of contacts of mixed strips */
    bool keep_start;
    size_t start_capacity;
    double (*start)[7]; /* by contact: impulses before the solve */
    /* by plu_limits_begin: squared speed that bodies had at the start or get by a fall through a
     * diameter (m^2/s^2), and their highest potential (g . x taken negative, m^2/s^2); the lowest
     * one is that of the start or of a step in which some body was fast, if lower */
    double base_speed, highest, lowest;
    double smallest_radius;
    double press;      /* m sqrt(kg/m^3): the least d sqrt(rho) of all spheres (rules.c) */
    double fastest[2]; /* largest squared speed after this step and at its start */
    plu_sleep sleep;
    plu_strength strength;
    plu_jams jams;
    plu_totals totals;
    plu_error_watch errors[PLU_WATCHES];
    double failing; /* share of the last steps that had no solution (locked.c) */
    plu_ladder ladder;
    plu_sensors sensors;
    bool *hurries;          /* by body: rule_contacts.c */
    unsigned char *bears;   /* by body: its contacts that bear something, up to 2; there, too */
    unsigned char *reached; /* by body: levels.h */
    double rule[PLU_RULES]; /* numbers of the last step (pluvia/rules.h) */
    bool natural_open;      /* nobody has asked for the natural map of the last step yet */
    double natural;         /* the natural map of the last step; NAN: not known */
};

/* Makes all that a stepper works with, from its world and scene; and frees it. PLU_OK,
 * PLU_BAD_INPUT or PLU_IO; to be stripped in any case (step.c). */
plu_status plu_stepper_furnish(plu_stepper *stepper, plu_error *err);
void plu_stepper_strip(plu_stepper *stepper);

/* Saves or sets what is kept from step to step beside the world (stepper_state.c). */
void plu_stepper_own_state(plu_stepper *stepper, plu_state *state);

/* Takes from gravity, laws and step of the world what the stepper keeps of them (control.c). */
void plu_stepper_weigh(plu_stepper *stepper);

/* Wakes a body that sleeps, and has it count anew how long it is at rest (control.c). */
void plu_stepper_wake(plu_stepper *stepper, int body);

/* Contacts and forces of the last step are not known any longer (state.c). */
void plu_stepper_forget(plu_stepper *stepper);

/* How many islands the problem has, and how many colors the largest one (step_problem.c). */
void plu_report_islands(const plu_stepper *stepper, plu_step_info *info);

/* Adds the time since *since to a phase, and moves *since on (totals.c). */
void plu_lap(plu_stepper *stepper, plu_phase phase, double *since);

/* Solves the live contacts (`same`: those of the last step), and again while there are others.
 * PLU_OK, PLU_STOPPED or PLU_IO (impulses.c). */
plu_status plu_step_impulses(plu_stepper *stepper, bool same, double *since, plu_step_info *info,
                             plu_error *err);

/* Depths and loads of contacts between bodies that sleep: looked at again when they are others
 * (sleepers.c). */
void plu_sleepers_look(plu_stepper *stepper);

/* Hands the velocities of servos and edges over to the world, and says once of each servo where it
 * runs idle (servos_take.c). */
void plu_servos_take(plu_stepper *stepper);

/* After the integration: the work of loads, and that they keep their bodies awake (control.c). */
void plu_loads_account(plu_stepper *stepper);

/* Copies the impulses that the step starts from, where they are wanted. PLU_OK or PLU_IO. */
plu_status plu_remember_start(plu_stepper *stepper, plu_error *err);

static inline int plu_body_chunks(const plu_world *w)
{
    return (w->bodies.count + PLU_BODY_CHUNK - 1) / PLU_BODY_CHUNK;
}

static inline int plu_chunk_end(const plu_world *w, int chunk)
{
    const int end = (chunk + 1) * PLU_BODY_CHUNK;
    return end < w->bodies.count ? end : w->bodies.count;
}

static inline double plu_smaller_radius(const plu_world *w, const plu_contact *c)
{
    return plu_pair_radius(w, c->a, c->b);
}

#endif
