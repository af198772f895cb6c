/* world.h: inside of a world, for the folders that advance it (detect, assemble, step, io). */
#ifndef WORLD_WORLD_H
#define WORLD_WORLD_H

#include "base/space.h"
#include "base/state.h"
#include "pluvia/side.h"
#include "pluvia/world.h"
#include "shape/part_tree.h"
#include "world/bodies.h"

/* A contact open by this share of the smaller radius counts as closed: rounding of positions must
 * not make a resting contact flicker. */
#define PLU_CLOSED 1e-9

/* The last percent of the slop is not chased by the position projection: contacts at rest overlap
 * by up to this times the slop. */
#define PLU_SLOP_MARGIN 1.01

/* Which pairs are contacts of the coming step (src/theory.md, "Touch"), with r = min(r_a, r_b):
 *   g + ahead u_N <= max(PLU_CLOSED r, min(radius r, twice the fastest way)) +
 *                    speed (|v_a| + |v_b|) + fall */
typedef struct plu_reach {
    double ahead;  /* s */
    double radius; /* share of the smaller radius */
    double speed;  /* s: velocities change within the step */
    double fall;   /* m: what gravity closes, the range of cohesion */
} plu_reach;

typedef struct plu_pair_law {
    double friction, rolling_friction, pivoting_friction, restitution;
    double cohesion, cohesion_range; /* N, m: at least g h^2 and 1e-3 d (reach.c) */
    double strength;                 /* N; 0: not given */
    bool lands;    /* w_N = g / h where there is a gap: it closes in the step, and no more */
    bool rebounds; /* it bounces off in the next step (assemble/rebound.h) */
    plu_reach reach;
    int index; /* into scene->laws; -1: no law (such a pair cannot meet) */
} plu_pair_law;

typedef struct plu_motion plu_motion;
typedef struct plu_load plu_load;
typedef struct plu_world_servo plu_world_servo;

/* Edges of a periodic cell that a given stress moves (cell.h). */
typedef struct plu_stress_control {
    double mass;    /* kg; 0: there are none */
    double limit;   /* of their speed (m/s) */
    double load[3]; /* N: that pulls each edge together in the coming step; 0: none does */
    double free[3]; /* m/s: rate of each edge at the end of the step without contacts */
} plu_stress_control;

enum { PLU_WALLS = 256 }; /* flat walls that an enclosure can have */

struct plu_world {
    const struct plu_scene *scene;
    double time; /* s */
    double step; /* s: length of the coming step, the only one that a stage of it reads */
    long steps;
    bool split;        /* the coming step is a part of one of the scene (step/ladder.h) */
    double gravity[3]; /* m/s^2: that of the scene, or as a call has set it */

    plu_bodies bodies;   /* what moves */
    plu_spheres spheres; /* what the bodies are made of */
    int *first;          /* body of each entry of the scene, feeders last; one more at the end */

    int active, waiting, removed;
    int reserved;              /* of those that wait: a call may add them, no queue releases them */
    long delayed;              /* releases that were late */
    int queues;                /* number of release queues */
    int *queue_head;           /* first body of the queue that still waits: bodies of a queue are
                                * consecutive, and all behind it wait, except in that of an inlet */
    int *queue_end;            /* one past the last body of the queue */
    unsigned char *queue_late; /* whether the head of the queue waits for room (release.c) */
    double *queue_last;        /* s, when the queue released a body last */
    long *queue_delayed;       /* releases of the queue that were late */
    int asleep;                /* bodies that sleep */
    int fixed;                 /* bodies that are fixed */
    long sleeps;               /* counts steps after which bodies fell asleep */
    long wakings;              /* counts bodies that woke */
    long generation; /* counts releases and removals: detection rebuilds its list when it changes */

    int parts_count;
    plu_part *parts;     /* of the boundaries, one boundary after the other; contacts name them */
    plu_part_tree tree;  /* of the parts */
    int motions_count;   /* of boundaries that move or are taken away (motion.h) */
    plu_motion *motions; /* of these and, behind them, of groups of fixed bodies (groups.h) */
    int *mover;          /* by body: 1 + the motion of its group, 0: none; NULL: no groups */
    bool own_shapes;     /* some boundary has a shape from outside */
    int servos_count;    /* of boundaries that a force moves (servo.h) */
    plu_world_servo *servos;
    int walls_count; /* the flat walls (enclosure.h) */
    int *wall;
    int loads_count; /* forces on bodies from outside (loads.h) */
    size_t loads_capacity;
    plu_load *loads;
    int *load_of; /* [bodies]: 1 + its place among the loads, 0: none; NULL: no body ever had one */
    int materials;
    plu_pair_law *laws; /* [materials][materials] */
    plu_reach reach;    /* of every law, or the largest of each number where they differ */
    bool reaches;       /* laws differ in their reach */
    bool lands;         /* some law does */
    bool curves;        /* contacts follow what is curved (detect/curve.h) */
    bool bounces;       /* some law has a restitution */
    bool rebounds;      /* some law does */
    bool coheres;       /* some law has a cohesion */
    bool pivots;        /* some law has a pivoting friction */

    plu_space space;   /* of all positions, which a periodic cell wraps (cell.h) */
    int (*image)[3];   /* by body: the cell that it is in, counted from the one where it began */
    int (*wrapped)[3]; /* by body: what was added to its image in the last step */
    int wraps;         /* bodies that were wrapped in the last step */
    int flip;          /* edges a that edge c was set back by in the last step */
    double largest;    /* radius (m), in a periodic cell */
    double smallest;   /* radius (m); infinite without spheres */
    double unequal;    /* largest over smallest radius; 1 without spheres */
    plu_stress_control stress_control;

    struct plu_stop *stop; /* whether the step in progress is to be given up; NULL: no step is */
};

/* The time after so many steps of one length (s). */
static inline double plu_world_time_after(const plu_world *world, long steps)
{
    return (double)steps * world->step;
}

/* A moment of the coming step, that share of it after its start (s). */
static inline double plu_world_moment(const plu_world *world, double share)
{
    return world->split ? world->time + share * world->step
                        : ((double)world->steps + share) * world->step;
}

/* The end of the coming step, which begins at world->time (s): asked here alone. */
static inline double plu_world_step_end(const plu_world *world)
{
    return plu_world_moment(world, 1.0);
}

/* A body that is fixed (fill/fixed.c) is never moved by others, for which it has no mass that
 * counts. One that sleeps stands still, velocity 0; PLU_PINNED: and is as a fixed body in the
 * contact problem (step/border.c). */
enum { PLU_FIXED = 253, PLU_PINNED = 254, PLU_ASLEEP = 255 };

/* Whether others may move it in the coming step: it neither sleeps nor is fixed. */
static inline bool plu_awake(const plu_world *world, int body)
{
    return world->bodies.rest[body] < PLU_FIXED;
}

static inline bool plu_asleep(const plu_world *world, int body)
{
    return world->bodies.rest[body] >= PLU_PINNED;
}

static inline bool plu_is_fixed(const plu_world *world, int body)
{
    return world->bodies.rest[body] == PLU_FIXED;
}

/* 1/kg: what a force moves it by; 0: it is fixed. */
static inline double plu_lightness(const plu_world *world, int body)
{
    return plu_is_fixed(world, body) ? 0.0 : world->bodies.row[body][6];
}

/* The velocity of the center of a sphere (m/s): the first three of at least four numbers. */
static inline const double *plu_sphere_velocity(const plu_world *world, int sphere)
{
    PLU_SPHERES_ARE_BODIES; /* its center is the center of mass */
    return world->bodies.row[sphere];
}

/* The body of the sphere of a side; only for the side of a sphere. */
static inline int plu_side_owner(const plu_world *world, plu_side side)
{
    return plu_owner(&world->spheres, plu_side_sphere(side));
}

/* Whether a side is that of a sphere whose body is awake. */
static inline bool plu_side_awake(const plu_world *world, plu_side side)
{
    return plu_side_is_sphere(side) && plu_awake(world, plu_side_owner(world, side));
}

/* The part of the side of a part. */
static inline const plu_part *plu_side_surface(const plu_world *world, plu_side side)
{
    return &world->parts[plu_side_part(side)];
}

/* The pose of the side of a part; NULL: that of a sphere, or of a part that always stands still. */
static inline const plu_pose *plu_side_pose(const plu_world *world, plu_side side)
{
    return world->motions_count && plu_side_is_part(side) ? plu_side_surface(world, side)->pose
                                                          : NULL;
}

/* Whether a side is that of a part that moves in the coming step. */
static inline bool plu_side_moves(const plu_world *world, plu_side side)
{
    const plu_pose *pose = plu_side_pose(world, side);
    return pose && pose->moves;
}

/* Whether a contact between a and sphere b has to be looked at and solved. */
static inline bool plu_pair_awake(const plu_world *world, plu_side a, int b)
{
    return plu_awake(world, plu_owner(&world->spheres, b)) || plu_side_awake(world, a) ||
           plu_side_moves(world, a);
}

/* Wakes a body that sleeps. */
static inline void plu_wake(plu_world *world, int body)
{
    world->asleep--;
    world->wakings++;
    world->bodies.rest[body] = 0;
}

static inline int plu_side_material(const plu_world *world, plu_side side)
{
    return plu_side_is_sphere(side) ? world->spheres.species[plu_side_sphere(side)]
                                    : plu_side_surface(world, side)->material;
}

/* Whether the body of a sphere is fixed, and of both of two, which never touch each other. */
static inline bool plu_sphere_fixed(const plu_world *world, int sphere)
{
    return world->fixed > 0 && plu_is_fixed(world, plu_owner(&world->spheres, sphere));
}

static inline bool plu_both_fixed(const plu_world *world, int a, int b)
{
    return plu_sphere_fixed(world, a) && plu_sphere_fixed(world, b);
}

/* Whether a side is that of a sphere whose body is fixed. */
static inline bool plu_side_fixed(const plu_world *world, plu_side side)
{
    return world->fixed > 0 && plu_side_is_sphere(side) &&
           plu_is_fixed(world, plu_side_owner(world, side));
}

/* The smaller radius of what a contact between a and sphere b joins (m). */
static inline double plu_pair_radius(const plu_world *world, plu_side a, int b)
{
    const double rb = world->spheres.at[b][3];
    const double ra = plu_side_is_sphere(a) ? world->spheres.at[plu_side_sphere(a)][3] : rb;
    return ra < rb ? ra : rb;
}

/* 1/kg: what a force along the normal, on both with opposite signs, changes the approach of a
 * contact between a and sphere b by; walls do not move. */
static inline double plu_pair_lightness(const plu_world *world, plu_side a, int b)
{
    const double inverse = plu_lightness(world, plu_owner(&world->spheres, b));
    return plu_side_is_sphere(a) ? inverse + plu_lightness(world, plu_side_owner(world, a))
                                 : inverse;
}

static inline const plu_pair_law *plu_world_law(const plu_world *world, int a, int b)
{
    return &world->laws[a * world->materials + b];
}

/* Bit of queue_late: the head of the queue is due and waits for room. */
enum { PLU_LATE = 1 };

/* The last moment at which a release is due in the present step (s). */
double plu_world_due(const plu_world *world);

/* Releases the bodies that are due at the present time and fit; a body that would overlap waits,
 * its queue with it, but for an inlet (inlet.h). Adds their energy to `*inserted`. Says in the log
 * when a queue begins to wait.
 */
plu_status plu_world_release(plu_world *world, const plu_log *log, double *inserted,
                             plu_error *err);

/* PLU_STOPPED, with a message that names the step in progress. */
plu_status plu_world_given_up(const plu_world *world, plu_error *err);

/* Sets the clock and the bodies to a moment of a run of the same scene; positions and velocities of
 * bodies that wait stay. PLU_OK or PLU_BAD_INPUT. */
plu_status plu_world_set(plu_world *world, double time, long steps, const double (*position)[3],
                         const double (*velocity)[3], const double (*angular_velocity)[3],
                         const double (*orientation)[4], const unsigned char *state,
                         plu_error *err);

/* Whether the body waits for a call that adds it (pluvia/edit.h). */
static inline bool plu_is_reserved(const plu_world *world, int body)
{
    return world->bodies.state[body] == PLU_WAITING && world->bodies.queue[body] < 0;
}

/* Removes bodies whose center is outside the domain (where the scene asks so). Adds their energy to
 * `*removed`. */
void plu_world_remove_outside(plu_world *world, double *removed);

/* What gravity and the radii of the spheres decide in the laws: which pairs are contacts, and how
 * far they attract each other at least. After laws and bodies are made, and when gravity is
 * another. */
void plu_world_reach(plu_world *world);

/* Takes over what the present stage of the scene says (plu_scene_enter), from where everything is:
 * gravity, laws, motions, servos, the speed of a cell. `goes_on`: from the stage before, so that
 * boundaries which are gone stay so unless it adds them; else the state of that stage is set next,
 * which may be an earlier one. PLU_OK; PLU_BAD_INPUT: a table, or the area of a servo; PLU_IO. */
plu_status plu_world_restage(plu_world *world, bool goes_on, plu_error *err);

/* PLU_BREAKDOWN where the present stage adds a boundary where spheres are. */
plu_status plu_world_check_added(const plu_world *world, plu_error *err);

/* PLU_BREAKDOWN where the shape of a boundary from outside has given an impossible answer. */
plu_status plu_world_shapes_fault(const plu_world *world, plu_error *err);

/* Saves or sets the bodies, the queues and the clock (base/state.h). A state is refused unless the
 * scene makes the same bodies as it did when the state was saved. */
void plu_world_state(plu_world *world, plu_state *state);

#endif
