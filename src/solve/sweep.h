/* sweep.h: one Gauss-Seidel sweep over an island, the momentum folded in. */
#ifndef SOLVE_SWEEP_H
#define SOLVE_SWEEP_H

#include "problem/problem.h"
#include "solve/local.h"

/* Sums over the contacts of a sweep; lengths with moments / L. */
typedef struct plu_sweep {
    double change;   /* |p' - p|^2 */
    double size;     /* |p'|^2 */
    double momentum; /* <p' - p, p - p'_before>, weighted by diag W: < 0 asks for a restart */
    double rounding; /* |p|^2 of what rounding leaves of velocities; 0 in doubles (in size) */
} plu_sweep;

enum { PLU_SWEEP_SUMS = sizeof(plu_sweep) / sizeof(double) };

static inline void plu_sweep_add(plu_sweep *total, const plu_sweep *part)
{
    total->change += part->change;
    total->size += part->size;
    total->momentum += part->momentum;
    total->rounding += part->rounding;
}

/* In islands of many tiles each tile is swept so often, one sweep after the other, before the next
 * one: the second time its blocks and bodies are in cache. */
enum { PLU_TILE_SWEEPS = 2 };

static inline int plu_sweeps_of(const plu_island *island)
{
    return island->tiled ? PLU_TILE_SWEEPS : 1;
}

typedef struct plu_sweep_way {
    bool keep;   /* problem->before is to hold the old impulses afterwards */
    bool judged; /* the sums are wanted; needed with beta != 0 */
    double beta;
    double tolerance; /* of local solvers that iterate (plu_local) */
} plu_sweep_way;

/* Each contact starts from p = p' + beta (p' - p'_before), where p' and p'_before are the results
 * of the last two calls; problem->v must be v_free + M^-1 H p for that p (plu_momentum). On return
 * the blocks hold the new p', and problem->before the old one if the way says so. The order is that
 * of the tiles and colors. The sums are those of each contact's first visit; without meaning where
 * they are not wanted. */
plu_sweep plu_sweep_island(plu_problem *problem, plu_island *island, const plu_sweep_way *way,
                           plu_local_solve *local);

/* By how much the impulse of a slot would change if its contact alone were solved (N s, moments
 * over L): 0 for all where the problem is solved. */
double plu_slot_change(const plu_problem *problem, int slot);

/* v <- v + beta (v - v_before), v_before <- v, for the bodies of the island. Before the second
 * sweep beta must be 0, as `v_before` holds nothing yet. */
void plu_momentum(plu_problem *problem, const plu_island *island, double beta);

#endif
