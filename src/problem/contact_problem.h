/* contact_problem.h: a general contact problem (any bodies, or W alone), for the general solvers.
 *
 *   y = W p + q ,   K* contains y^ , y^ orthogonal to p in K ,   y^_N = y_N + mu |u_T| + mu_r |w_R|
 *
 * A contact has three rows (r_N, r_T1, r_T2: Coulomb friction), five (also m_R1, m_R2: rolling
 * friction) or seven (also m_P and an idle row: pivoting friction, which adds mu_p |w_P| to y^_N).
 * So r_N is followed by one, two or three disks of two rows each. The second row of the pivoting
 * disk is coupled to nothing and stays zero. Plane problems have three rows, of which the third
 * stays zero.
 *
 * Moments are scaled: of each contact the rows behind the third hold m / L and L omega, and mu_r,
 * mu_p hold mu_r / L, mu_p / L, with the contact's length L. All of p, q, y, W, H and w below are
 * in these units. "Order" of a problem: n = rows * contacts.
 *
 * The associated law (De Saxce & Feng 1998, section 2, compare it with Coulomb's) has y in place of
 * y^: a sliding contact opens with u_N = mu |u_T| + mu_r |w_R|, its dilatancy. That is Coulomb's
 * law with a normal velocity that is smaller by the dilatancy (plu_dilatancy), so the residuals
 * below serve both laws. Solvers of the associated law are marked in their table
 * (general/solver.h).
 *
 * W is stored by block rows and, if the bodies are known, also in body form,
 *   W = H^T M^-1 H ,  v = v_free + M^-1 H p ,  y = H^T v + w
 * (AB21 (63)), where each contact touches one or two bodies of six velocities. */
#ifndef PROBLEM_CONTACT_PROBLEM_H
#define PROBLEM_CONTACT_PROBLEM_H

#include "blocks/blocks.h"
#include "pluvia/problem.h"
#include <math.h>
#include <stdbool.h>

enum { PLU_ROWS_MAX = 7, PLU_DISKS_MAX = 3, PLU_BODY_ROWS = 6 };

/* W in block compressed rows; in a row the columns increase, and the diagonal block is always
 * there. Block b has rows * rows numbers from block[b * rows * rows] on, row by row. */
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
    bool planar;     /* a problem in the plane: the second row of each disk is zero and by itself */
    bool symmetric;  /* W is symmetric up to 1e-12 of its largest entry */
    bool associated; /* the associated law: K* contains y itself, not y^ */
    double *q;       /* [n] */
    double *mu;      /* [contacts] */
    double *mu_r;    /* [contacts]: mu_r / L; all zero for three rows */
    double *mu_p;    /* [contacts]: mu_p / L; all zero but for seven rows */
    double *length;  /* [contacts]: L (m); all one for three rows */
    plu_block_rows w;
    plu_body_form body;
    double *guess;    /* [n]: initial impulses; zero unless the file or step has some */
    double *solution; /* [n] or NULL: the solution in the file, or of the last solve */
    bool has_guess;
    int freedom; /* velocities of the bodies, also where there is no body form; 0: not known */
    plu_problem_format format;
    char title[PLU_PROBLEM_TITLE];
};

/* Rows a contact outside: 2 or 3 in the plane (normal, tangent, moment), else as many as inside;
 * and which row inside the i-th of them is. */
static inline int plu_outer_rows(const plu_contact_problem *problem)
{
    return problem->planar ? (problem->rows + 1) / 2 : problem->rows;
}

static inline int plu_inner_row(bool planar, int i)
{
    return planar && i > 0 ? 2 * i - 1 : i;
}

/* Gives the rows by themselves of a problem in the plane a diagonal: that of the row before. */
void plu_contact_problem_plane(plu_contact_problem *problem);

/* Zeroed arrays for a problem of this size; `blocks` and `bodies` may be 0. PLU_OK or PLU_IO. */
plu_status plu_contact_problem_create(plu_contact_problem **problem, int rows, int contacts,
                                      int blocks, int bodies, plu_error *err);

/* Forms W by blocks and q from the body form. PLU_OK or PLU_IO. */
plu_status plu_contact_problem_assemble(plu_contact_problem *problem, plu_error *err);

/* y = W p + q by blocks. The sums are in index order. */
void plu_contact_problem_velocity(const plu_contact_problem *problem, const double *p, double *y);

/* Checks that q, mu, mu_r and W are finite, mu and mu_r are not negative, and diagonal blocks have
 * a positive diagonal, except W_NN of contacts that no impulse moves (plu_contact_is_unmoved). Sets
 * `symmetric`. PLU_OK, or PLU_BAD_INPUT with a message that starts with `name`. */
plu_status plu_contact_problem_check(plu_contact_problem *problem, const char *name,
                                     plu_error *err);

/* Scales the moments of a problem in SI units (whose lengths are all one) by the lengths given or,
 * if `length` is NULL, by L = sqrt(2.5 W_NN / mean W_RR), which is the radius for equal spheres and
 * for a sphere on a wall. Does nothing to problems of three rows. */
void plu_contact_problem_scale(plu_contact_problem *problem, const double *length);

/* Both residuals of p; y receives W p + q.
 *   scaled:  |F| / |p|, at most 1, F = p - P(p - rho y) with the disks of radius mu P_N
 * (Alart-Curnier), rho = 1 / W_ii, the larger entry of a pair for both; natural: |p - P_K(p - y^)|
 * / max(|q|, |p|, |y|) in the units of the file. */
plu_residuals plu_contact_residuals(const plu_contact_problem *problem, const double *p, double *y);

/* A second test of convergence, relative to the data: whether the error of p, as velocities, is at
 * most `tolerance` |q| plus the rounding of W p, which has to be small against |q|. The error is
 * the natural map as above, or the velocity error sqrt(sum (W_NN F_N)^2 + (W_TT |F_T|)^2 + (W_RR
 * |F_R|)^2). It detects problems without solution: their impulses may grow for ever, and with them
 * the divisor of the residuals, but the wrong velocities stay. `y` = W p + q. *missed: where it
 * fails the error over what is allowed, HUGE_VAL if rounding hides it; else 1. */
bool plu_contact_fits(const plu_contact_problem *problem, const double *p, const double *y,
                      bool natural, double tolerance, double *missed);

/* Creates a general problem from one island of a step, in body form with frames (n, t1, t2); its
 * guess is the impulses in the blocks. Free with plu_contact_problem_destroy. PLU_OK or PLU_IO. */
plu_status plu_contact_problem_of_island(plu_contact_problem **problem, const plu_problem *step,
                                         const plu_island *island, plu_error *err);

/* The same for a whole step that has been solved. The guess is `start`, the impulses before the
 * solve by contact of the step (r_N, r_T, m_R; world frame); the solution is the present impulses.
 */
plu_status plu_contact_problem_of_step(plu_contact_problem **problem, const plu_problem *step,
                                       const double (*start)[7], plu_error *err);

/* Copies the impulses p of a problem made by plu_contact_problem_of_island back to the blocks of
 * the island, and updates its velocities. */
void plu_contact_problem_return(const plu_contact_problem *problem, const double *p,
                                plu_problem *step, plu_island *island);

/* Creates a general problem from `count` slots of a step (rising, none empty), while all other
 * contacts keep their impulses: the free velocity of a body is its present velocity without the
 * impulses of these slots. The guess is the impulses in the blocks. The step must have no servos.
 * Free with plu_contact_problem_destroy. PLU_OK or PLU_IO. */
plu_status plu_contact_problem_of_slots(plu_contact_problem **problem, const plu_problem *step,
                                        const int *slots, int count, plu_error *err);

/* Copies the impulses p of such a problem back to its slots. Velocities are left to the caller
 * (plu_problem_apply). */
void plu_contact_problem_return_slots(const plu_contact_problem *problem, const double *p,
                                      plu_problem *step, const int *slots);

/* The slopes of all disks of contact c. */
#define PLU_CONTACT_SLOPES(problem, c)                                                             \
    {                                                                                              \
        plu_contact_slope(problem, c, 0), plu_contact_slope(problem, c, 1),                        \
            plu_contact_slope(problem, c, 2)                                                       \
    }

/* Slope of the cone of contact c for r_T (part 0), m_R / L (part 1) or m_P / L (part 2). Solvers
 * and residuals use this slope; problem->mu is the coefficient in the file. */
static inline double plu_contact_slope(const plu_contact_problem *problem, int c, int part)
{
    if (part == 2)
        return problem->rows == 7 ? plu_slope_of(problem->mu_p[c]) : 0.0;
    return plu_slope_of((part == 0 ? problem->mu : problem->mu_r)[c]);
}

/* mu |u_T| + mu_r |w_R| + mu_p |w_P|: the difference y^_N - y_N, which is also the speed at which a
 * sliding contact opens by the associated law. */
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

/* The impulse of contact c in p: its normal, tangential, rolling and pivoting part. */
static inline const double *plu_contact_of(const plu_contact_problem *problem, const double *p,
                                           int c)
{
    return p + (long)problem->rows * c;
}

#endif
