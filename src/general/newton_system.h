/* newton_system.h: the linear systems of the global Newton methods.
 *
 * Unknowns of a contact are z (width k), with p = P z, and its equations f(z, y) = 0 with y = W p
 * + q + eps D (p - center). Block row r of the Jacobian is
 *   J_rc = A_r (W + eps D)_rc P_c + B_r [r = c] ,   A = df/dy (k x rows), B = df/dz (k x k),
 * on the pattern of W, which is analysed once. D is the diagonal of W with one entry for each disk,
 * the larger one. */
#ifndef GENERAL_NEWTON_SYSTEM_H
#define GENERAL_NEWTON_SYSTEM_H

#include "general/solver.h"
#include "sparse/sparse.h"

enum { PLU_WIDTH_MAX = 13 };

typedef struct plu_newton_system {
    const plu_contact_problem *problem;
    int width;
    double *p_of_z; /* [contacts][rows * width]: P */
    double *a, *b;  /* [contacts][width * rows], [contacts][width * width] */
    int *place;     /* [blocks of W]: how many blocks stand above it in its column of J */
    plu_sparse j;
    plu_lu *lu;
} plu_newton_system;

/* PLU_OK or PLU_IO; to be freed in both cases. */
plu_status plu_newton_system_create(plu_newton_system *system, const plu_contact_problem *problem,
                                    int width, plu_error *err);
void plu_newton_system_free(plu_newton_system *system);

/* Forms and factorizes J from P, a and b. PLU_OK, PLU_BREAKDOWN (singular), PLU_IO. */
plu_status plu_newton_system_factorize(plu_newton_system *system, double eps, plu_error *err);

/* D of row i of contact c. */
double plu_newton_diagonal(const plu_contact_problem *problem, int c, int i);

#endif
