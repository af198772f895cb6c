/* prox_lanes.h: products with G = M^-1/2 H of a contact problem in body form (prox_system.c),
 * compiled for each instruction set. Numbers of a body stand in rows of eight, the last two zero.
 */
#ifndef GENERAL_PROX_LANES_H
#define GENERAL_PROX_LANES_H

#include "base/cpu.h"
#include "general/prox_system.h"

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
