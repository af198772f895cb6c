/* parts.h: the parts over which partial sums are made, so that sums do not depend on threads.
 *
 * A sum over contacts or bodies is first made in doubles over parts, each by one thread and in a
 * fixed order. A part of a tiled island is a tile or a cell of bodies, which depends on the bodies
 * of its cells alone. The sums of these parts are added exactly (base/exact.h), so that their order
 * does not matter. An island that is not tiled is cut into strips of slots or of bodies, whose sums
 * are added in order. */
#ifndef BLOCKS_PARTS_H
#define BLOCKS_PARTS_H

#include "base/exact.h"
#include "base/team.h"
#include "blocks/blocks.h"

/* The slots begin to end - 1, whole blocks. Either a tile of a tiled island with the spare slots
 * behind it, or up to PLU_SUM_CHUNK slots of another island; or, if `mixed`, up to PLU_SUM_CHUNK
 * slots of several small islands (less than PLU_PADDED contacts each), which share blocks, so that
 * their sums are made contact by contact. */
typedef struct plu_strip {
    int begin, end;
    bool mixed;
} plu_strip;

/* Where the slots of a padded island end, spare ones included. */
static inline int plu_padded_end(const plu_island *island)
{
    const int whole = island->tiled ? PLU_SUM_CHUNK : island->wide ? PLU_WIDE : PLU_LANES;
    return plu_round_up_to(island->slot_end, whole);
}

enum { PLU_BODY_CHUNK_OF_ISLAND = 2 * PLU_SUM_CHUNK };

/* The bodies island_body[begin] to island_body[end - 1]. */
typedef struct plu_body_part {
    int begin, end;
} plu_body_part;

static inline int plu_body_parts(const plu_island *island)
{
    const int bodies = island->body_end - island->body_begin;
    return island->tiled ? island->cell_end - island->cell_begin
                         : (bodies + PLU_BODY_CHUNK_OF_ISLAND - 1) / PLU_BODY_CHUNK_OF_ISLAND;
}

static inline plu_body_part plu_body_part_of(const plu_problem *problem, const plu_island *island,
                                             int part)
{
    if (island->tiled) {
        const int *start = problem->cell_start + island->cell_begin + part;
        return (plu_body_part){start[0], start[1]};
    }
    const int begin = island->body_begin + part * PLU_BODY_CHUNK_OF_ISLAND;
    const int end = begin + PLU_BODY_CHUNK_OF_ISLAND;
    return (plu_body_part){begin, end < island->body_end ? end : island->body_end};
}

/* The tiles, strips, or parts of the bodies (plu_body_part_of) of an island, for the threads of a
 * team. Strips of a tiled island are shared as its tiles are, so that the slots of a tile stay in
 * the cache of one core. */
void plu_share_tiles(plu_shares *shares, const plu_problem *problem, const plu_island *island);
void plu_share_strips(plu_shares *shares, const plu_problem *problem, const plu_island *island);
void plu_share_bodies(plu_shares *shares, const plu_island *island);

/* Prefetches the row of the body some places behind number k of island_body. The bodies of a cell
 * are not consecutive in memory, so the hardware does not prefetch their rows. */
PLU_FETCH void plu_fetch_body(const plu_problem *problem, const plu_island *island,
                              const void *rows, size_t size, int k)
{
    enum { AHEAD_OF_BODY = 32 };
    const int later = k + AHEAD_OF_BODY;
    if (later < island->body_end)
        plu_fetch_row(rows, size, problem->island_body[later]);
}

/* Adds up the partial sums of an island. Each of the `count` parts takes `size` bytes and begins
 * with `columns` sums; total[k] is the total of sum k. */
void plu_join_parts(const plu_island *island, const void *parts, int count, size_t size,
                    int columns, double *total);

/* plu_problem_mass from the masses of the parts of the bodies. */
double plu_mass_of_parts(const plu_island *island, const double *part);

#endif
