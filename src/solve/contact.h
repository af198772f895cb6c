/* contact.h: one contact of a general problem, as its local solvers see it.
 *
 *   y = W p + q ,  K* contains y^ , y^ orthogonal to p in K
 *
 * with three or five rows (N, T1, T2, R1, R2) and moments scaled by L. W need not be symmetric. */
#ifndef SOLVE_CONTACT_H
#define SOLVE_CONTACT_H

#include "solve/portfolio.h"

typedef struct plu_contact {
    int rows;
    const double *w, *q; /* rows x rows, row by row; rows */
    double mu[2];        /* of the disks of r_T and of m_R */
} plu_contact;

/* y = W p + q */
void plu_contact_velocity(const plu_contact *c, const double *p, double *y);

/* p becomes its projection on K. */
void plu_contact_project(const plu_contact *c, double *p);

/* y^: the normal row raised by mu |u_T| + mu_r |omega_R|. */
void plu_contact_raise(const plu_contact *c, double *y);

/* rho = 1 / W_NN and one over the spectral norm (of the symmetric part) for each pair of rows. */
void plu_contact_steps(const plu_contact *c, double rho[3]);

/* Alart and Curnier's function F = p - P(p - rho y), disks of radius mu (p_N - rho_N y_N)+. */
void plu_contact_function(const plu_contact *c, const double rho[3], const double *p,
                          const double *y, double *f);

/* |F| relative to the impulses of the contact: to the larger of |p| and |q_N| / W_NN. */
double plu_contact_error(const plu_contact *c, const double *p);

/* Below this error a local solver calls a contact solved. */
#define PLU_CONTACT_SOLVED 1e-11

/* Take-off (p = 0) and stick without rolling (p = -W^-1 q in K): true when it was one of them. */
bool plu_contact_is_simple(const plu_contact *c, double *p);

/* With mu or mu_r zero five rows are three: true when that was so; `solve` has then done p, and
 * `solved` is what it said. */
bool plu_contact_drop_disk(const plu_contact *c, plu_local_method_solve *solve, double *p,
                           double *state, bool *solved);

/* x = A^-1 b by elimination with pivoting; A, row by row, and b are lost. False when singular. */
bool plu_solve_dense(int n, double *a, double *b);

static inline double plu_dot_n(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Damped Newton on F from p. Returns the error reached. */
double plu_contact_newton_run(const plu_contact *c, int iterations, bool line_search, double *p);

/* Projected fixed point from p; `rho` is the step length, 0: none yet. Returns whether it ended. */
bool plu_contact_fixed_point_run(const plu_contact *c, int iterations, double *rho, double *p);

/* Five rows: the method that cannot fail on positive definite blocks. Returns the error reached. */
double plu_contact_nested_run(const plu_contact *c, double *p);

/* The local methods, one a file. */
plu_local_method_solve plu_contact_exact;         /* contact_exact.c */
plu_local_method_solve plu_contact_projection;    /* contact_projection.c */
plu_local_method_solve plu_contact_extragradient; /* contact_extragradient.c */
plu_local_method_solve plu_contact_newton;        /* contact_newton.c */
plu_local_method_solve plu_contact_fb;            /* contact_fb.c */
plu_local_method_solve plu_contact_quartic_angle; /* contact_quartic.c */
plu_local_method_solve plu_contact_quartic_alpha; /* contact_quartic.c */

#endif
