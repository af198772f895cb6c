/* block_gs.h: Gauss-Seidel over the contacts of a general problem: the data that the driver
 * (block_gs.c), the sweep, the order of visits and the Anderson acceleration share.
 *
 * A visit of contact c needs q_c plus the sum of W_cb p_b over the other contacts b. There are two
 * forms, which give the same sweep. By block rows, each visit computes the sum anew: no rounding
 * accumulates, and extrapolation costs nothing. Through bodies, v = v_free + M^-1 H p is updated,
 * and a visit reads and writes two velocities, however many neighbors the contact has. */
#ifndef GENERAL_BLOCK_GS_H
#define GENERAL_BLOCK_GS_H

#include "cone/coulomb.h"
#include "general/solver.h"
#include "local/local.h"

/* Data of one contact that the exact local solver computes once. */
typedef union plu_exact_block {
    plu_coulomb coulomb; /* three rows */
    plu_local spheres;   /* more rows, the block of two spheres; wn = 0: of other bodies */
} plu_exact_block;

typedef struct plu_block_gs {
    const plu_contact_problem *problem;
    const plu_local_method *local; /* NULL: exact, inlined */
    double tolerance;              /* of local methods that iterate */
    int n, contacts, rows;
    bool through_bodies;
    int *order;
    double *p;      /* [n]: where the sweep starts, then its result */
    double *before; /* [n]: result of the sweep before */
    double *weight; /* [n]: diag W, the larger entry of a pair for both */
    double *state;  /* [contacts]: of the local solver */
    plu_exact_block *exact;
    double *inverse;      /* five rows and more, other bodies: [contacts][rows * rows]: W_cc^-1, or
                             zero */
    double *v, *v_before; /* [6 bodies] */
    double *inverse_h;    /* [contacts][2][6 * rows]: M^-1 H of each end */
    void *memory;         /* the allocation that holds all of these arrays */
} plu_block_gs;

/* Sums of one sweep, in the norm of diag W. */
typedef struct plu_block_sweep {
    double change, size; /* squares of the step and of p */
    double momentum;     /* step times the extrapolation that it started from; < 0: restart */
} plu_block_sweep;

/* PLU_OK or PLU_IO. p starts from the guess of the problem, or from zero. */
plu_status plu_block_gs_create(plu_block_gs *g, const plu_contact_problem *problem,
                               const plu_portfolio_settings *settings, plu_error *err);
void plu_block_gs_free(plu_block_gs *g);

/* Order of visits: by colors of the graph of W, so that consecutive visits do not depend on each
 * other. Each contact in turn gets the smallest free color. `work`: 2 * contacts + 1 integers of
 * scratch. */
void plu_block_gs_color(const plu_contact_problem *problem, int *order, int *work);

plu_block_sweep plu_block_gs_sweep(plu_block_gs *g);

/* p += beta (p - before), and v accordingly; `before` receives the old p. */
void plu_block_gs_extrapolate(plu_block_gs *g, double beta);

/* Computes v from p. */
void plu_block_gs_refresh(plu_block_gs *g);

enum { PLU_BLOCK_DEPTH = 5 };

/* Anderson acceleration of the sweep x -> G(x) on the last five differences, in the norm of diag W,
 * projected on the cones (Walker & Ni 2011). */
typedef struct plu_block_anderson {
    double *memory, *f, *g, *df[PLU_BLOCK_DEPTH], *dg[PLU_BLOCK_DEPTH];
    double gram[PLU_BLOCK_DEPTH][PLU_BLOCK_DEPTH];
    int depth, next;
    bool started;
    double last;
} plu_block_anderson;

plu_status plu_block_anderson_start(plu_block_anderson *a, int n, plu_error *err);
void plu_block_anderson_free(plu_block_anderson *a);

/* After a sweep from g->before to g->p: p becomes the accelerated point, `before` what the next
 * sweep starts from. */
void plu_block_anderson_next(plu_block_anderson *a, plu_block_gs *g);

#endif
