/* parts.h: what partial sums are made over.
 *
 * A sum over contacts or bodies is first made in doubles over parts, each by one thread in a fixed
 * order. A part is a tile, or a cell of bodies, of a tiled island: it depends on what is in
 * that cell alone. The sums of parts are joined exactly (base/exact.h), so that neither their order
 * matters, nor which of them are at hand. Islands that are not cut are a single tile, whose parts
 * are strips of it that are added in their order. */
#ifndef PROBLEM_PARTS_H
#define PROBLEM_PARTS_H

#include "base/exact.h"
#include "problem/problem.h"

/* Slots, whole blocks: a tile of a tiled island, with the spare slots behind it; up to
 * PLU_SUM_CHUNK slots of another; or as many of islands that have less than PLU_PADDED contacts and
 * stand side by side, whose sums are to be made contact by contact. */
typedef struct plu_strip {
    int begin, end;
    bool mixed;
} plu_strip;

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

/* Asks for the row of a body some places behind number k of island_body: in the order of cells
 * neighbors lie in runs, which the processor does not foresee. */
PLU_FETCH void plu_fetch_body(const plu_problem *problem, const plu_island *island,
                              const void *rows, size_t size, int k)
{
    enum { AHEAD_OF_BODY = 12 };
    const int later = k + AHEAD_OF_BODY;
    if (later < island->body_end)
        plu_fetch_row(rows, size, problem->island_body[later]);
}

/* total[k]: the sum of number k of all parts, each of which begins with `columns` doubles and takes
 * `size` bytes. */
void plu_join_parts(const plu_island *island, const void *parts, int count, size_t size,
                    int columns, double *total);

/* plu_problem_mass from the masses of the parts of the bodies. */
double plu_mass_of_parts(const plu_island *island, const double *part);

#endif
