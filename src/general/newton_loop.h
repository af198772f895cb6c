/* newton_loop.h: the loop that the global semismooth Newton methods share, and its linear systems.
 *
 * Unknowns of a contact are z (width k), with p = P z, and its equations f(z, y) = 0 with y = W p
 * + q + eps D (p - center). Block row r of the Jacobian is
 *   J_rc = A_r (W + eps D)_rc P_c + B_r [r = c] ,   A = df/dy (k x rows), B = df/dz (k x k),
 * on the pattern of W, which is analysed once. D is the diagonal of W with one entry for each disk,
 * the larger one. */
#ifndef GENERAL_NEWTON_LOOP_H
#define GENERAL_NEWTON_LOOP_H

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

/* `stop`, which outlives it, gives up what takes long. PLU_OK, PLU_STOPPED or PLU_IO; to be freed
 * in each case. */
plu_status plu_newton_system_create(plu_newton_system *system, const plu_contact_problem *problem,
                                    int width, plu_stop *stop, plu_error *err);
void plu_newton_system_free(plu_newton_system *system);

/* Forms and factorizes J from P, a and b. PLU_OK, PLU_BREAKDOWN (singular), PLU_STOPPED, PLU_IO. */
plu_status plu_newton_system_factorize(plu_newton_system *system, double eps, plu_error *err);

/* D of row i of contact c. */
double plu_newton_diagonal(const plu_contact_problem *problem, int c, int i);

/* The loop that the global semismooth Newton methods share: proximal steps, each by
 * a few Newton steps with line search on the equations of all contacts. */

/* The data of the equations of a contact, besides its unknowns. */
typedef struct plu_newton_contact {
    int rows;
    double mu[PLU_DISKS_MAX];      /* slopes of its disks */
    double rho[PLU_DISKS_MAX + 1]; /* 1/D of the normal part and of each disk: velocity times rho is
                                      an impulse */
    double gain;                   /* factor of rho in the equations, at the loop's choice */
    double impulse;                /* about r_N, > 0; constant in a proximal step */
} plu_newton_contact;

/* A way to write the contact law as equations; with P, z, f, A and B as above. */
typedef struct plu_newton_form {
    int width[PLU_DISKS_MAX]; /* unknowns of a contact of so many disks, one to three; 0: none such
                               */
    void (*p_of_z)(const plu_newton_contact *contact, double *map);
    /* Sets unknowns z that agree with p and y, for the start. */
    void (*start)(const plu_newton_contact *contact, const double *p, const double *y, double *z);
    /* f in units of impulse; a and b both NULL: f only. */
    void (*equations)(const plu_newton_contact *contact, const double *z, const double *p,
                      const double *y, double *f, double *a, double *b);
} plu_newton_form;

/* f = p - P_K(p - rho y^), for z = p (newton_natural.c). */
void plu_newton_natural_equations(const plu_newton_contact *contact, const double *z,
                                  const double *p, const double *y, double *f, double *a,
                                  double *b);

/* Iterations that it counts: the sweeps of Gauss-Seidel with which it begins and Newton steps.
 * settings->plain: neither sweeps nor proximal steps, Newton steps alone, until the matrix is
 * singular or the numbers diverge; the note of the monitor has the reason. */
plu_status plu_newton_run(const plu_contact_problem *problem,
                          const plu_portfolio_settings *settings, plu_monitor *monitor,
                          const plu_newton_form *form, plu_error *err);

#endif
