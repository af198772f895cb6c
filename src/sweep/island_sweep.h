/* island_sweep.h: one Gauss-Seidel sweep over an island, in doubles (island_sweep.c) or in floats
 * (sweep_single.c), with Nesterov momentum. */
#ifndef SWEEP_ISLAND_SWEEP_H
#define SWEEP_ISLAND_SWEEP_H

#include "blocks/single.h"
#include "local/local.h"

/* Sums over the contacts of a sweep, with moments divided by L. */
typedef struct plu_sweep_sums {
    double change;   /* |p' - p|^2 */
    double size;     /* |p'|^2 */
    double momentum; /* <p' - p, p - p'_before>, weighted by diag W: < 0 asks for a restart */
    double rounding; /* sum of plu_noise, in floats; in doubles it is part of `size` */
} plu_sweep_sums;

enum { PLU_SWEEP_SUMS = sizeof(plu_sweep_sums) / sizeof(double) };

static inline void plu_sweep_add(plu_sweep_sums *total, const plu_sweep_sums *part)
{
    total->change += part->change;
    total->size += part->size;
    total->momentum += part->momentum;
    total->rounding += part->rounding;
}

typedef struct plu_sweep_way {
    bool keep;        /* store the old impulses in problem->before */
    bool judged;      /* compute the sums; required if beta != 0 */
    bool moves;       /* momentum carries the bodies on before the sweep, for whoever does so in it
                       * (plu_sweep_single); others call plu_momentum */
    double beta;      /* of the momentum; 0: none */
    double tolerance; /* for local solvers that iterate (plu_local) */
    plu_bound bound;  /* of an island that yields, with the exact local solver; 0: none */
} plu_sweep_way;

/* Sweeps an island in the order of its tiles and colors. Each contact starts from
 * p = p' + beta (p' - p'_before), where p' and p'_before are the results of the last two calls;
 * problem->v must be v_free + M^-1 H p for that p (plu_momentum). On return the blocks hold the new
 * p', and with way->keep problem->before holds the old one. The sums are those of the first visit
 * of each contact; undefined unless way->judged. */
plu_sweep_sums plu_sweep_island(plu_problem *problem, plu_island *island, const plu_sweep_way *way,
                                plu_local_solve *local);

/* The same in single precision (blocks/single.h), with the exact local solver, after plu_momentum
 * if way->moves, for an island whose floats plu_single_begin has filled. Order of visits, beta and
 * sums are the same. */
plu_sweep_sums plu_sweep_single(plu_single *single, const plu_island *island,
                                const plu_sweep_way *way);

/* The change of the impulse of a slot if its contact alone were solved (N s, moments over L). It is
 * 0 for all slots at the solution. */
double plu_slot_change(const plu_problem *problem, int slot);

/* v <- v + beta (v - v_before), v_before <- v, for the bodies of the island. Before the second
 * sweep `v_before` is undefined, and beta must be 0. */
void plu_momentum(plu_problem *problem, const plu_island *island, double beta);

#endif
