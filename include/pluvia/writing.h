/* writing.h: what a run writes, and when (`output` in a scene). */
#ifndef PLUVIA_WRITING_H
#define PLUVIA_WRITING_H

#include "pluvia/where.h"
#include <stdbool.h>

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

#endif
