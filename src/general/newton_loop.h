/* newton_loop.h: the loop that the global semismooth Newton methods share: proximal steps, each by
 * a few Newton steps with line search on the equations of all contacts. */
#ifndef GENERAL_NEWTON_LOOP_H
#define GENERAL_NEWTON_LOOP_H

#include "general/newton_system.h"

/* The data of the equations of a contact, besides its unknowns. */
typedef struct plu_newton_contact {
    int rows;
    double mu[PLU_DISKS_MAX];      /* slopes of its disks */
    double rho[PLU_DISKS_MAX + 1]; /* 1/D of the normal part and of each disk: velocity times rho is
                                      an impulse */
    double gain;                   /* factor of rho in the equations, at the loop's choice */
    double impulse;                /* about r_N, > 0; constant in a proximal step */
} plu_newton_contact;

/* A way to write the contact law as equations; see newton_system.h for P, z, f, A, B. */
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
