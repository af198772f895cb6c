/* flow.h: when the blocks of a problem are filled with contacts, and when their impulses are read.
 *
 * The blocks of a tiled island are larger than a cache. If they were filled before the solver
 * begins, they would be out of cache when the first sweep reads them; if impulses were copied after
 * the solver, they would be read from memory once more. Therefore the first pass over the tiles
 * also fills the blocks, and the residual check also passes the impulses on. An island goes through
 * these stages in a step:
 *
 *  - empty: plu_flow_begin, called by the assembler, leaves a tiled island empty if the step is
 *    solved once. Other islands it fills: they are filled at once, or in work if the step may be
 *    solved again.
 *  - filled: the first pass over an empty island calls plu_flow_fill_tile for each tile, then
 *    plu_flow_filled; or it calls plu_flow_fill.
 *  - in work: the solver changes impulses and velocities (plu_problem_apply, sweeps).
 *  - handed on: the last residual check calls plu_flow_done for each strip, if the island is tiled
 *    and the step is solved once; plu_flow_end does so for all that is left. If the solver goes on
 *    after a check, the island is in work again.
 *
 * `fill` belongs to the assembler, which knows the contacts; `done` belongs to the step, which
 * knows what becomes of impulses. Neither knows the other, so each has its own context. `fill` gets
 * slots, because islands that are not tiled share blocks; `done` gets strips (parts.h), over which
 * partial sums are made.
 *
 * In debug builds (meson: debug=true) empty blocks hold NaN, so that results computed from them are
 * NaN too. */
#ifndef BLOCKS_FLOW_H
#define BLOCKS_FLOW_H

#include <stdbool.h>

struct plu_problem;
struct plu_island;

typedef enum plu_stage {
    PLU_STAGE_EMPTY,     /* blocks must not be read; rows of v are those of v_free */
    PLU_STAGE_FILLED,    /* blocks hold the warm start; rows of v are those of v_free */
    PLU_STAGE_IN_WORK,   /* rows of v may hold anything */
    PLU_STAGE_HANDED_ON, /* `done` has seen the impulses as they are */
} plu_stage;

/* Works on the slots from begin to end - 1, which are whole blocks. Threads call it in parallel. */
typedef struct plu_flow_call {
    void (*slots)(void *context, int begin, int end);
    void *context;
} plu_flow_call;

/* Works on a strip. Threads call it in parallel. */
typedef struct plu_flow_end_call {
    void (*strip)(void *context, int number);
    void *context;
} plu_flow_end_call;

typedef struct plu_flow {
    plu_flow_call fill;     /* fills blocks with contacts, as they were at plu_flow_begin */
    plu_flow_end_call done; /* takes the impulses of a strip; called again for strips of tiled
                             * islands whose impulses have changed. NULL: nothing to do */
    bool once;              /* the step is solved once, since no sleeping body can be woken: p and v
                             * are then final */
} plu_flow;

/* Begins a step: fills all blocks, except those of tiled islands if the step is solved `once`. */
void plu_flow_begin(struct plu_problem *problem, bool once);

/* Fills an island, or all islands, unless filled already; with all threads. */
void plu_flow_fill(struct plu_problem *problem, struct plu_island *island);
void plu_flow_fill_all(struct plu_problem *problem);

/* Fills a tile, in the calling thread, if its island is empty. After all tiles of the island the
 * caller calls plu_flow_filled. */
void plu_flow_fill_tile(const struct plu_problem *problem, const struct plu_island *island,
                        int tile);
void plu_flow_filled(struct plu_island *island);

/* Whether a residual check that may be the last one of the island has to pass the impulses on. If
 * so, it calls plu_flow_done for each strip that it has read, and plu_flow_handed_on at the end. */
bool plu_flow_hands_on(const struct plu_problem *problem, const struct plu_island *island);
void plu_flow_done(const struct plu_problem *problem, int strip);
void plu_flow_handed_on(struct plu_island *island);

/* End of a step: calls `done` for all strips that no residual check has passed on; with all
 * threads. */
void plu_flow_end(struct plu_problem *problem);

#endif
