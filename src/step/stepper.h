/* stepper.h: inside of a stepper; each part of the step is a file of this folder. */
#ifndef STEP_STEPPER_H
#define STEP_STEPPER_H

#include "assemble/assemble.h"
#include "detect/detect.h"
#include "pluvia/step.h"
#include "problem/problem_lanes.h"
#include "solve/solve.h"
#include "world/world.h"
#include <math.h>

enum { PLU_BODY_CHUNK = 1024 }; /* bodies to a partial sum */

/* The last percent of the slop is not chased by the position projection. */
#define PLU_SLOP_MARGIN 1.01

/* How the contacts of a step become impulses: one for each plu_method. */
typedef struct plu_step_method {
    /* Once, with the world made: takes or refuses the scene. PLU_OK, PLU_BAD_INPUT or PLU_IO. */
    plu_status (*prepare)(plu_stepper *stepper, plu_error *err);
    /* From the contacts and the problem that was assembled to the impulses in its blocks and
     * v_{k+1} = v_free + M^-1 H p; fills in `converged`, and iterations and residuals where there
     * are any. PLU_OK or PLU_IO. */
    plu_status (*impulses)(plu_stepper *stepper, plu_step_info *info, plu_error *err);
    /* Saves or sets what the method keeps from step to step; NULL: the warm start alone. */
    void (*state)(plu_stepper *stepper, plu_state *state);
    void (*discard)(plu_stepper *stepper); /* also where `prepare` failed or was not reached */
} plu_step_method;

extern const plu_step_method plu_nonsmooth, plu_penalty;

/* By which number of its own the criterion of a step was missed: "residual 0.3 (tolerance 0.01)".
 * `is` comes after what the number is called: "" or "is ". */
const char *plu_missed_text(const plu_stepper *stepper, const plu_step_info *info, const char *is,
                            char *text, size_t size);

/* What decides who sleeps (quiet.c). */
typedef struct plu_quiet {
    double speed;      /* m/s: below it a body is quiet */
    double change;     /* m/s: a change of velocity that wakes a body after the step */
    double shock;      /* m/s: one that wakes it at once */
    double (*held)[8]; /* by body of the border: what weight and dormant contacts do to it */
    int *parent;       /* union-find of the bodies that are awake */
    int *size;
    unsigned char *marked;
    int *border; /* bodies that sleep and feel live contacts, or miss one */
    int border_count;
    long naps, generation; /* of the world when the border was listed */
} plu_quiet;

/* The way of a body that has a contact with a wall in this step: its centre. */
typedef struct plu_wall_way {
    double start[3];      /* before plu_integrate */
    double integrated[3]; /* after it, before the projection; where there is one */
} plu_wall_way;

/* Contacts that bear something, those of them with boundaries, and what these bear against gravity
 * (N s). */
typedef struct plu_bearing {
    int contacts, walls;
    double load;
} plu_bearing;

/* What PLU_SUM_CHUNK slots give at the end of a step. */
typedef struct plu_slot_chunk {
    plu_work work;
    plu_bearing bearing;
} plu_slot_chunk;

struct plu_stepper {
    plu_world *world;
    const plu_scene *scene;
    const plu_step_method *method;
    plu_log log;
    plu_detector *detector;
    plu_assembler *assembler;
    plu_workspace *workspace; /* of the nonsmooth method, as the settings */
    plu_solve_settings settings;
    struct plu_penalty_springs *springs; /* of the penalty method */
    plu_problem problem;
    int walls;         /* contacts with walls: the last of the list */
    plu_wall_way *way; /* by contact with a wall */
    size_t way_capacity;
    double dormant_depth, dormant_ratio; /* of the contacts that sleep: info->penetration */
    plu_bearing dormant;                 /* of the contacts that sleep, */
    plu_bearing bearing;                 /* and of all in the last step */
    int first_wall;                      /* in the live contacts: those from here on are walls */
    double up[3];                        /* against gravity; 0 without */
    plu_contacts *contacts;              /* of the last step; NULL before the first */
    double *partial;                     /* [chunks of bodies] */
    double *potential;       /* by chunk: of the bodies that are awake, after plu_integrate */
    double hit;              /* m/s: a change of velocity that makes a body land (plu_integrate) */
    unsigned char *bounced;  /* by body: how, in this step (integrate.c) */
    unsigned char *moved;    /* by body: last pass of the position projection that moved it */
    unsigned char *too_deep; /* by block, bits: the step may leave the pair deeper than the slop */
    unsigned char *apart; /* by block, bits: the projection moved the pair and marked its bodies */
    size_t too_deep_capacity, apart_capacity, chunk_capacity;
    plu_slot_chunk *chunk; /* by slot / PLU_SUM_CHUNK */
    bool keep_start;
    size_t start_capacity;
    double (*start)[7]; /* by contact: impulses before the solve */
    /* by plu_limits_begin: squared speed that bodies had at the start or get by a fall through a
     * diameter (m^2/s^2), and their highest potential (g . x taken negative, m^2/s^2) */
    double base_speed, highest;
    double smallest_radius;
    double fastest[2]; /* largest squared speed after this step and after the one before */
    plu_quiet quiet;
    plu_totals totals;
};

/* Copies the impulses that the step starts from, where they are wanted. PLU_OK or PLU_IO. */
plu_status plu_remember_start(plu_stepper *stepper, plu_error *err);

static inline int plu_body_chunks(const plu_world *w)
{
    return (w->count + PLU_BODY_CHUNK - 1) / PLU_BODY_CHUNK;
}

static inline int plu_chunk_end(const plu_world *w, int chunk)
{
    const int end = (chunk + 1) * PLU_BODY_CHUNK;
    return end < w->count ? end : w->count;
}

static inline double plu_smaller_radius(const plu_world *w, const plu_contact *c)
{
    const double ra = c->a >= 0 ? w->position[c->a][3] : HUGE_VAL, rb = w->position[c->b][3];
    return ra < rb ? ra : rb;
}

/* x += h (theta v_{k+1} + (1 - theta) v_k), theta = 1 for what lands; orientations by the
 * exponential of the same mean of omega; the world takes over v_{k+1} from the problem. Adds the
 * theta term of the energy balance.
 */
double plu_theta_of(const plu_stepper *stepper, int body, const double change[3]); /* of v */
plu_status plu_integrate(plu_stepper *stepper, plu_error *err);

/* --- bodies that sleep (quiet.c) --- */

plu_status plu_quiet_create(plu_stepper *stepper, plu_error *err);
void plu_quiet_free(plu_stepper *stepper);

/* --- border.c: the bodies that sleep and touch others that do not --- */

/* Whether a row of velocities, omega times the radius of body i, is above the limit (m/s). */
bool plu_exceeds(const plu_stepper *stepper, int i, const double row[8], double limit);

/* For new live contacts: lists the border, and pins those that only small groups touch. Before the
 * assembly. */
void plu_border_prepare(plu_stepper *stepper);

/* After the assembly of new live contacts: the border's rows. */
void plu_border_place(plu_stepper *stepper);

/* After the solve: what the border feels, in held + M^-1 H p; on return in problem.v for each. */
void plu_border_feel(plu_stepper *stepper);

/* After a solve: wakes those that would be set in motion, and more of their surroundings with each
 * round. True: somebody was woken, and the step has to be solved again. */
bool plu_quiet_wake(plu_stepper *stepper, int round);

/* Notes at the end of a step whether body i is quiet. */
static inline void plu_quiet_note(plu_world *w, const plu_quiet *q, int i)
{
    const double *v = w->velocity[i], r = w->position[i][3];
    const double limit = q->speed * q->speed;
    const bool still = v[0] * v[0] + v[1] * v[1] + v[2] * v[2] <= limit &&
                       r * r * (v[3] * v[3] + v[4] * v[4] + v[5] * v[5]) <= limit;
    w->quiet[i] = still ? (unsigned char)(w->quiet[i] + (w->quiet[i] < PLU_PINNED - 1)) : 0;
}

/* At the end of a step: those fall asleep that have been quiet for long enough. */
void plu_quiet_sleep(plu_stepper *stepper);

/* Position projection: moves pairs that overlap by more than slop x d apart along their normal, by
 * a few Gauss-Seidel passes over the contacts of the step; velocities stay. Adds the potential
 * energy that this takes to the totals. */
void plu_project_positions(plu_stepper *stepper);

/* --- walls.c: bodies that have contacts with walls --- */

/* Notes where they are at the start of the step. PLU_OK or PLU_IO. */
plu_status plu_walls_start(plu_stepper *stepper, plu_error *err);

/* The first of the contacts with walls whose body's centre has passed that wall since the start of
 * the step, counted among them; or their number. */
int plu_walls_passed(const plu_stepper *stepper);

/* Notes where they are before the projection. */
void plu_walls_integrated(plu_stepper *stepper);

/* After the projection of pairs, which may push a body into a wall behind it: none is left deeper
 * in a wall than it was before and the slop allows, and none beyond it. */
void plu_walls_hold(plu_stepper *stepper);

/* --- contacts after the solve (work.c), while the world still has v_k --- */

/* Adds wall contact `c` with impulse `p`, which bears something. */
static inline void plu_bear_wall(const plu_stepper *s, const double normal[3], double n,
                                 const double t[3], plu_bearing *sum)
{
    sum->walls++;
    for (int k = 0; k < 3; k++)
        sum->load += (n * normal[k] + t[k]) * s->up[k];
}

/* Before each solve: makes room for what plu_finish_slots finds. PLU_OK or PLU_IO. */
plu_status plu_finish_begin(plu_stepper *stepper, plu_error *err);

/* Finishes the slots of a chunk, as the end of the problem's flow: copies the impulses to the
 * contact list, works out what they do, 1/2 p . (y_{k+1} + y_k), and marks the slots that the
 * position projection will have to look at. */
void plu_finish_slots(void *stepper, int begin, int end);

/* Ends the flow. Adds work to the totals; counts and depths of the contacts to info. */
void plu_finish_contacts(plu_stepper *stepper, plu_step_info *info);

/* The squared speed that counts: of the centre, or of the surface as the body turns. */
static inline double plu_speed_squared(const plu_world *w, int i)
{
    const double *v = w->velocity[i], r = w->position[i][3];
    const double centre = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    const double surface = r * r * (v[3] * v[3] + v[4] * v[4] + v[5] * v[5]);
    return centre > surface ? centre : surface;
}

/* Works out what the limits of the run rest on; once, from the bodies as the scene makes them. */
void plu_limits_begin(plu_stepper *stepper);

/* Compares the step with the limits of the scene, when positions are those of its end and the
 * boundaries have not removed anything yet. Beyond one: PLU_BREAKDOWN or, for a solver that does
 * not converge, PLU_NOT_CONVERGED, the sentence naming step, body and contact; or a warning, once a
 * kind, and a count in the totals. */
plu_status plu_check_limits(plu_stepper *stepper, const plu_step_info *info, plu_error *err);

#endif
