/* contact_problem.h: a contact problem of any origin, for the solvers that take more than spheres.
 *
 *   y = W p + q ,   K* contains y^ , y^ orthogonal to p in K ,   y^_N = y_N + mu |u_T| + mu_r |w_R|
 *
 * with three rows a contact (r_N, r_T1, r_T2: Coulomb), five (and m_R1, m_R2: rolling friction) or
 * seven (and m_P, then a row that is idle: pivoting friction, whose term mu_p |w_P| is in y^_N).
 * Behind r_N so stand one, two or three disks of two rows; the second row of the disk of pivoting
 * is coupled to nothing and stays zero, as does the third row of problems in the plane, which are
 * kept with three.
 *
 * Moments are scaled: of each contact the rows behind the third hold m / L and L omega, and mu_r,
 * mu_p hold mu_r / L, mu_p / L, with the contact's length L. All of p, q, y, W, H and w below are
 * in these units. "Order" of a problem: n = rows * contacts.
 *
 * The associated law (De Saxce & Feng 1998, section 2, compare it with Coulomb's) has y in place of
 * y^: a contact that slides opens with u_N = mu |u_T| + mu_r |w_R|, its dilatancy. It is the law of
 * Coulomb for velocities whose normal component is smaller by that (plu_dilatancy), so that the
 * residuals, which stand here, need nothing else; solvers that know it say so (portfolio.h).
 *
 * W is held by block rows; where its origin allows also through bodies,
 *   W = H^T M^-1 H ,  v = v_free + M^-1 H p ,  y = H^T v + w
 * (AB21 (63)), where each contact touches one or two bodies of six velocities. */
#ifndef PROBLEM_CONTACT_PROBLEM_H
#define PROBLEM_CONTACT_PROBLEM_H

#include "pluvia/problem.h"
#include "problem/problem.h"
#include <math.h>
#include <stdbool.h>

enum { PLU_ROWS_MAX = 7, PLU_DISKS_MAX = 3, PLU_BODY_ROWS = 6 };

/* W by rows of square blocks; in a row the columns rise, and the diagonal block is always there.
 * Block b has rows * rows numbers from block[b * rows * rows] on, row by row. */
typedef struct plu_block_rows {
    int *start;    /* [contacts + 1] */
    int *column;   /* [start[contacts]] */
    int *diagonal; /* [contacts]: number of the diagonal block */
    double *block;
} plu_block_rows;

typedef struct plu_body_form {
    int bodies;         /* 0: no body form */
    double (*mass)[36]; /* M_b, row by row; rows a body does not have: those of the unit matrix */
    double (*inverse_mass)[36];       /* M_b^-1 */
    double (*v_free)[6];              /* M_b^-1 f_b */
    int (*pairs)[2];                  /* [contacts]: bodies; -1: none */
    double (*h)[2][6 * PLU_ROWS_MAX]; /* [contacts]: H of each end, 6 x rows, row by row: row i,
                                         column j at [i * rows + j] */
    double *w;                        /* [n] */
} plu_body_form;

struct plu_contact_problem {
    int rows; /* 3, 5 or 7 */
    int contacts;
    bool planar;     /* read from a problem in the plane */
    bool symmetric;  /* W is, to 1e-12 of its largest entry */
    bool associated; /* the associated law: K* contains y itself, not y^ */
    double *q;       /* [n] */
    double *mu;      /* [contacts] */
    double *mu_r;    /* [contacts]: mu_r / L; all zero for three rows */
    double *mu_p;    /* [contacts]: mu_p / L; all zero but for seven rows */
    double *length;  /* [contacts]: L (m); all one for three rows */
    plu_block_rows w;
    plu_body_form body;
    double *guess;    /* [n]: where to start; zero unless the origin has one */
    double *solution; /* [n] or NULL: the one that came with the problem, or of the last solve */
    bool has_guess;
    int freedom; /* velocities of the bodies, also where there is no body form; 0: not known */
    plu_problem_format format;
    char title[PLU_PROBLEM_TITLE];
};

/* Zeroed arrays for a problem of this size; `blocks` and `bodies` may be 0. PLU_OK or PLU_IO. */
plu_status plu_contact_problem_create(plu_contact_problem **problem, int rows, int contacts,
                                      int blocks, int bodies, plu_error *err);

/* Forms W by blocks and q from the body form. PLU_OK or PLU_IO. */
plu_status plu_contact_problem_assemble(plu_contact_problem *problem, plu_error *err);

/* y = W p + q by blocks. The sums are in index order. */
void plu_contact_problem_velocity(const plu_contact_problem *problem, const double *p, double *y);

/* q, mu, mu_r, W finite, mu >= 0, diagonal blocks with a positive diagonal, but for W_NN of
 * contacts that no impulse moves (plu_contact_is_unmoved); sets `symmetric`. PLU_OK, or
 * PLU_BAD_INPUT with a sentence that starts with `name`. */
plu_status plu_contact_problem_check(plu_contact_problem *problem, const char *name,
                                     plu_error *err);

/* Scales moments of a problem in SI units (length all one) with L = sqrt(2.5 W_NN / mean W_RR), the
 * radius for equal spheres and for a sphere on a wall; or with the lengths given. Three rows:
 * nothing to do. */
void plu_contact_problem_scale(plu_contact_problem *problem, const double *length);

/* Both residuals from p alone: y = W p + q is computed anew.
 *   scaled:  |F| / |p|, at most 1, F = p - P(p - rho y) with the disks of radius mu P_N
 * (Alart-Curnier), rho = 1 / W_ii, the larger entry of a pair for both; natural: |p - P_K(p - y^)|
 * / max(|q|, |p|, |y|) in the units of the file. */
plu_residuals plu_contact_residuals(const plu_contact_problem *problem, const double *p, double *y);

/* Whether p is right against what was given: the error, as velocities, is at most `tolerance` |q|
 * but for the rounding of W p, which has to be small against |q| itself. The error is the natural
 * map as above, or what the contacts alone would change to be right, sqrt(sum (W_NN F_N)^2 + (W_TT
 * |F_T|)^2 + (W_RR |F_R|)^2). Where a problem has no solution impulses may grow for ever, and with
 * them what residuals are divided by; the velocities that are wrong stay. `y` = W p + q. */
bool plu_contact_fits(const plu_contact_problem *problem, const double *p, const double *y,
                      bool natural, double tolerance);

/* The contacts of one island of a step as a problem of their own, in body form with frames (n, t1,
 * t2), its guess being the impulses in the blocks. PLU_OK or PLU_IO. */
plu_status plu_contact_problem_of_island(plu_contact_problem **problem, const plu_problem *step,
                                         const plu_island *island, plu_error *err);

/* The same of a whole step, after its solve: `start` holds the impulses before it, by contact of
 * the step (r_N, r_T, m_R; world frame), and becomes the guess, the present impulses the solution.
 */
plu_status plu_contact_problem_of_step(plu_contact_problem **problem, const plu_problem *step,
                                       const double (*start)[7], plu_error *err);

/* Puts impulses of the problem of an island back into the blocks of the island and the velocities
 * with them. */
void plu_contact_problem_return(const plu_contact_problem *problem, const double *p,
                                plu_problem *step, plu_island *island);

/* The slopes of all disks of contact c. */
#define PLU_CONTACT_SLOPES(problem, c)                                                             \
    {                                                                                              \
        plu_contact_slope(problem, c, 0), plu_contact_slope(problem, c, 1),                        \
            plu_contact_slope(problem, c, 2)                                                       \
    }

/* Slope of the cone of contact c: for r_T (part 0), for m_R / L (part 1), for m_P / L (part 2).
 * What solves or judges asks for it; problem->mu is the number of the file. */
static inline double plu_contact_slope(const plu_contact_problem *problem, int c, int part)
{
    if (part == 2)
        return problem->rows == 7 ? plu_slope_of(problem->mu_p[c]) : 0.0;
    return plu_slope_of((part == 0 ? problem->mu : problem->mu_r)[c]);
}

/* mu |u_T| + mu_r |w_R| + mu_p |w_P|: by how much y^_N is above y_N, and by how fast a contact that
 * slides opens by the associated law. */
static inline double plu_dilatancy(const plu_contact_problem *problem, int c, const double *y)
{
    double s = plu_lift(plu_contact_slope(problem, c, 0), sqrt(y[1] * y[1] + y[2] * y[2]));
    if (problem->rows >= 5)
        s += plu_lift(plu_contact_slope(problem, c, 1), sqrt(y[3] * y[3] + y[4] * y[4]));
    if (problem->rows == 7)
        s += plu_lift(plu_contact_slope(problem, c, 2), fabs(y[5]));
    return s;
}

/* p, the impulse of contact c, becomes its projection on the cone K of that contact. */
void plu_contact_cone_project(const plu_contact_problem *problem, int c, double *p);

/* Contact c of p: normal, tangential, rolling and pivoting part. */
static inline const double *plu_contact_of(const plu_contact_problem *problem, const double *p,
                                           int c)
{
    return p + (long)problem->rows * c;
}

#endif
