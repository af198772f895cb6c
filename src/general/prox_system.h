/* prox_system.h: what the files of the proximal Newton method share (prox_newton.c): systems, map,
 * pattern, products. */
#ifndef GENERAL_PROX_SYSTEM_H
#define GENERAL_PROX_SYSTEM_H

#include "base/cpu.h"
#include "base/stop.h"
#include "problem/contact_problem.h"

/* The linear systems of the proximal Newton method (prox_newton.c),
 *
 *   (I + K W) dp = r ,   dy = W dp ,
 *
 * with K one small block a contact and W that of a contact problem. In body form, with M^-1 = C C^T
 * and G = C^T H, so that W = G^T G, they are solved as (I + G K G^T) dv = G r, dp = r - K G^T dv:
 * six rows a body, however many contacts. Else in contact form. */

/* K of a contact: its nonzero parts. Pair 0: tangential, pair 1: rolling. All zero: open. */
typedef struct plu_prox_slope {
    double normal;
    double column[PLU_DISKS_MAX][2]; /* K_iN */
    double block[PLU_DISKS_MAX][4];  /* K_ii, row by row */
} plu_prox_slope;

typedef struct plu_prox_system plu_prox_system;

/* The structure, once for a problem, which must outlive it, as must `stop`, which gives up a
 * factorization; NULL: none. PLU_OK or PLU_IO. */
plu_status plu_prox_system_create(plu_prox_system **system, const plu_contact_problem *problem,
                                  plu_stop *stop, plu_error *err);
void plu_prox_system_destroy(plu_prox_system *system); /* accepts NULL */

/* *done: false when the matrix is singular to rounding, or when it is given up. PLU_OK or PLU_IO:
 * no memory. */
plu_status plu_prox_system_factorize(plu_prox_system *system, const plu_prox_slope *slope,
                                     bool *done, plu_error *err);

/* dp and dy of the last slopes, refined to eight digits of r; false when they have not even two:
 * then the matrix was too ill-conditioned for pivots inside its diagonal blocks. */
bool plu_prox_system_solve(plu_prox_system *system, const plu_prox_slope *slope, const double *r,
                           double *dp, double *dy);

/* The contact law of a proximal step, contact by contact (prox_newton.c):
 *
 *   x = center - y / (eps D) ,   P_N = max(x_N, 0) ,   P_i = x_i min(1, mu_i P_N / |x_i|) ,  i = T,
 * R
 *
 * and P for pivoting, with the limits mu_T = mu, mu_R = mu_r and mu_P = mu_p, zero included. */

typedef struct plu_prox_map {
    const plu_contact_problem *problem;
    const double *weight; /* [n]: D */
    const double *center; /* [n] */
    double eps;
} plu_prox_map;

/* D: the diagonal of W, the larger entry of a pair for both. */
void plu_prox_weights(const plu_contact_problem *problem, double *weight);

/* target = P at y; returns |target - p|. */
double plu_prox_project(const plu_prox_map *map, const double *p, const double *y, double *target);

/* Slopes of P at y, where target = P: dP = -K dy, at a slipping pair in the primal-dual
 * linearization around p. */
void plu_prox_slopes(const plu_prox_map *map, const double *p, const double *y,
                     const double *target, plu_prox_slope *slope);

/* The contacts that the matrices of the proximal Newton method have blocks for.
 *
 * An open contact has the slope zero and adds nothing. In a pile that falls or spreads a sixth to
 * nine tenths of the contacts are open (they were found because they may close), and without them
 * factors take 0.3 to 0.001 of the operations. The pattern therefore follows the contacts that are
 * closed or were so lately. Few contacts are all within it, from the start on: ordering anew would
 * cost more than it gains. */

typedef struct plu_prox_pattern {
    int contacts;
    bool follows; /* else all contacts are within it */
    bool *within; /* [contacts] */
    int *closed;  /* [contacts]: the last factorization in which it was closed; 0: none */
    int now;      /* factorizations */
} plu_prox_pattern;

/* PLU_OK or PLU_IO; to be freed in either case. */
plu_status plu_prox_pattern_start(plu_prox_pattern *pattern, int contacts, plu_error *err);
void plu_prox_pattern_free(plu_prox_pattern *pattern);

/* To be called before each factorization; true when the pattern has changed. */
bool plu_prox_pattern_follow(plu_prox_pattern *pattern, const plu_prox_slope *slope);

/* Products with G = M^-1/2 H of a contact problem in body form (prox_system.c),
 * compiled for each instruction set. Numbers of a body stand in rows of eight, the last two zero.
 */

typedef struct plu_prox_bodies {
    int rows, contacts, bodies;      /* rows a contact */
    int (*pairs)[2];                 /* [contacts]: bodies; -1: none */
    double (*g)[2][PLU_ROWS_MAX][8]; /* [contacts]: of each end, by the contact's rows */
    double *(*place)[2][2]; /* [contacts]: where the blocks (a, a), (a, b), (b, a), (b, b) stand */
} plu_prox_bodies;

/* The bodies of the problem, or those recovered from W; none if the masses are not symmetric and
 * positive definite. `place` is left NULL. PLU_OK or PLU_IO; to be freed in either case. */
plu_status plu_prox_bodies_find(plu_prox_bodies *b, const plu_contact_problem *problem,
                                plu_error *err);
void plu_prox_bodies_free(plu_prox_bodies *b);

/* Adds G K G^T to the blocks. */
typedef void plu_prox_add_function(const plu_prox_bodies *b, const plu_prox_slope *slope);
PLU_ISA_DECLARE(plu_prox_add_function, plu_prox_add);

/* v = G x; v [bodies * 8], x [rows * contacts]. */
typedef void plu_prox_to_bodies_function(const plu_prox_bodies *b, const double *x, double *v);
PLU_ISA_DECLARE(plu_prox_to_bodies_function, plu_prox_to_bodies);

/* y = G^T v */
typedef void plu_prox_to_contacts_function(const plu_prox_bodies *b, const double *v, double *y);
PLU_ISA_DECLARE(plu_prox_to_contacts_function, plu_prox_to_contacts);

#endif
