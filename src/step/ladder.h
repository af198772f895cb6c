/* ladder.h: steps that the run chooses (src/machinery.md, "Steps that are chosen"). A step of the
 * scene is made in parts on a fixed ladder: the whole, halves, quarters ... A part that a rule
 * finds too long is undone and made in shorter ones. What decides are exact numbers of the state,
 * so that parts are the same for any threads and after a restart. */
#ifndef STEP_LADDER_H
#define STEP_LADDER_H

#include "pluvia/step.h"

struct plu_undo;

typedef struct plu_ladder {
    int level;   /* of the next part: h 2^-level */
    int calm;    /* parts since one was undone */
    double rate; /* 1/s: the largest number over its limit, by the length of the part, of late */
    int most;    /* the finest level */
    double end;  /* s: of the part */
    bool keeps;  /* the part can be undone */
    struct plu_undo *undo;
} plu_ladder;

typedef plu_status plu_part_call(plu_stepper *stepper, plu_step_info *info, plu_error *err);

/* For a scene that asks for it: the first level, by what the scene says. PLU_OK or PLU_IO. */
plu_status plu_ladder_begin(plu_stepper *stepper, plu_error *err);
void plu_ladder_end(plu_stepper *stepper);

/* The level is one of those that the present stage allows. */
void plu_ladder_restage(plu_stepper *stepper);

/* A step of the scene, in parts that `advance` makes. */
plu_status plu_ladder_climb(plu_stepper *stepper, plu_part_call *advance, plu_step_info *info,
                            plu_error *err);

/* Whether the part is too long already, before it is solved: bodies are too fast for what they will
 * meet in it. It is undone then. */
bool plu_ladder_gives_up(plu_stepper *stepper);

/* The clock at the end of a step or of a part. */
void plu_ladder_tick(plu_stepper *stepper);

/* Saves or sets what is kept from step to step. */
struct plu_state;
void plu_ladder_state(plu_stepper *stepper, struct plu_state *state);

#endif
