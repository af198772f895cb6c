/* flow.h: how contacts come into the blocks of a problem, and how impulses leave them.
 *
 * The blocks of a tiled island are larger than a cache. Filled before the solver
 * begins they would have left it when they are swept, and impulses that are copied when it has
 * ended would be read from memory once more. So what passes over the tiles anyway fills blocks and
 * hands impulses on. This is the order of a step, for each island:
 *
 *   who                     calls                  stage of the island
 *   assembler               plu_flow_begin         empty if it is tiled and the step is solved
 * once, else filled; in work if it may be solved again who first takes it      plu_flow_fill_tile,
 * filled tile by tile, or plu_flow_fill solver                  plu_problem_apply,     in work:
 * impulses and velocities change sweeps judge, where the        plu_flow_done,         handed on,
 * if it is tiled and the step is solved impulses may stay       strip by strip         once; in
 * work again where the solver goes on end of the step         plu_flow_end           handed on
 *
 * `fill` belongs to the assembler, which knows the contacts, `done` to the step, which knows what
 * to do with impulses; neither knows the other, so each has a context of its own. Islands that are
 * not cut share blocks: `fill` gets slots, `done` strips (parts.h), over which sums are made.
 *
 * In debug builds (meson: debug=true) blocks that are empty hold NaN, and so does all that is
 * computed from them. */
#ifndef PROBLEM_FLOW_H
#define PROBLEM_FLOW_H

#include <stdbool.h>

struct plu_problem;
struct plu_island;

typedef enum plu_stage {
    PLU_STAGE_EMPTY,     /* blocks must not be read; rows of v are those of v_free */
    PLU_STAGE_FILLED,    /* blocks hold the warm start; rows of v are those of v_free */
    PLU_STAGE_IN_WORK,   /* rows of v may hold anything */
    PLU_STAGE_HANDED_ON, /* `done` has seen the impulses as they are */
} plu_stage;

/* Works on the slots from begin to end, whole blocks. By any thread, one of many. */
typedef struct plu_flow_call {
    void (*slots)(void *context, int begin, int end);
    void *context;
} plu_flow_call;

/* Works on a strip. By any thread, one of many. */
typedef struct plu_flow_end_call {
    void (*strip)(void *context, int number);
    void *context;
} plu_flow_end_call;

typedef struct plu_flow {
    plu_flow_call fill;     /* contacts into blocks, as they were when the flow began */
    plu_flow_end_call done; /* what becomes of impulses; may see strips of tiled islands
                             * again if they have changed. NULL: nothing */
    bool once; /* the step is solved once, for there is nobody who could be woken: p and v of the
                * solver stay, so that what nobody has asked for may wait (the natural map) */
} plu_flow;

/* Empties all blocks and fills them, but those of tiled islands where the step is solved `once`. */
void plu_flow_begin(struct plu_problem *problem, bool once);

/* Fills an island that is still empty, by all threads; all of them. */
void plu_flow_fill(struct plu_problem *problem, struct plu_island *island);
void plu_flow_fill_all(struct plu_problem *problem);

/* Fills a tile, by the thread that calls, if its island is empty. The caller does so for all tiles
 * of the island, and then calls plu_flow_filled. */
void plu_flow_fill_tile(const struct plu_problem *problem, const struct plu_island *island,
                        int tile);
void plu_flow_filled(struct plu_island *island);

/* Whether a judge that reads all impulses of the island has to hand them on. It calls plu_flow_done
 * for each strip that it has read, and plu_flow_handed_on after the last. */
bool plu_flow_hands_on(const struct plu_problem *problem, const struct plu_island *island);
void plu_flow_done(const struct plu_problem *problem, int strip);
void plu_flow_handed_on(struct plu_island *island);

/* Hands on what no judge has, by all threads. */
void plu_flow_end(struct plu_problem *problem);

#endif
