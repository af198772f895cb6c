/* simulation.h: a scene and all that is made from it before the first step: the part that a run and
 * a check have in common. */
#ifndef CLI_RUN_SIMULATION_H
#define CLI_RUN_SIMULATION_H

#include "cli/base/options.h"
#include "pluvia/checkpoint.h"
#include "pluvia/scene.h"

typedef struct plu_simulation {
    plu_scene scene; /* the others refer to it: a simulation must not be moved */
    plu_world *world;
    plu_stepper *stepper;
    plu_start start;       /* what the scene takes from other runs */
    bool again;            /* they are not there: it can only continue from a checkpoint */
    long steps;            /* of the whole run, round(end / step) */
    long every;            /* steps from one frame to the next */
    long checkpoint_every; /* steps from one checkpoint to the next, 0: not by simulated time */
} plu_simulation;

/* Reads the scene `path` with every value of option `set` (and `last`, if not NULL) as overrides
 * and makes the world and the stepper. `result`: the trajectory of a run of this scene that may go
 * on, for which it does not need the runs that it started from; NULL: there is none.
 * plu_simulation_close in any case. */
plu_status plu_simulation_open(plu_simulation *simulation, const char *path,
                               const plu_arguments *arguments, int set, const char *last,
                               const char *result, const plu_log *log, plu_error *err);
void plu_simulation_close(plu_simulation *simulation);

/* Steps between frames, as the present stage has them. */
void plu_simulation_plan_frames(plu_simulation *simulation, const plu_log *log);

/* What entry `entry` of the bodies takes from another run, a line; false where it takes nothing. */
bool plu_simulation_start_text(const plu_simulation *simulation, int entry, char *text,
                               size_t size);

/* About how large the trajectory will be (bytes). */
double plu_simulation_trajectory_bytes(const plu_simulation *simulation);

/* Diameter of the largest body (m); 0 without bodies. */
double plu_simulation_diameter(const plu_simulation *simulation);

#endif
