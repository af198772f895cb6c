/* local.h: the local problem of a contact of spheres, the impulses of all others being fixed:
 * y = W p + q with the 7 x 7 block W of two spheres.
 *
 * Vectors have seven components: normal, tangential (3) and rolling (3) in the world frame, the
 * last three with the part along the normal where mu_p > 0. */
#ifndef LOCAL_LOCAL_H
#define LOCAL_LOCAL_H

/* The contact as a local solver sees it; W_NN = wn, W_TT = wt I, W_RR = wr I, W_TR = wc J with
 * J x = -n x x for x normal to n. */
typedef struct plu_local {
    double normal[3];
    double wn, wt, wr, wc;
    double mu, mu_r, mu_p; /* slopes of the cone (cone/law.h), the last two in m */
    double length;         /* L (m): moments are scaled by it */
    double most;           /* what r_N is at most (N s), for the exact solver; 0: not limited */
    double tolerance;      /* of the whole solve, for local solvers that iterate; 0: to rounding */
} plu_local;

/* Disks of a smaller radius (N s, N m s) are treated as points, because the reciprocal may
 * overflow.
 */
#define PLU_POINT 1e-250

/* Within a sweep, a local solver that iterates stops as soon as a step is this share of its first
 * step, because the visits of neighboring contacts change the local problem by more than that. */
#define PLU_LOCAL_REDUCTION 0.3

/* Solves: K_r* contains (W p + q)^ , which is orthogonal to p in K_r. `p` holds the present
 * impulse, from which iterations start, and receives the new one. */
typedef void plu_local_solve(const plu_local *contact, const double q[7], double p[7]);

/* Closed forms for all but the slip-and-roll case, which is one scalar root (src/solving.md). */
plu_local_solve plu_local_exact;

/* Projected fixed point p <- P_K(p - rho y^) with self-adaptive rho, from p, after a test for
 * take-off and sticking. With a tolerance it ends where a step is that share of p, or
 * PLU_LOCAL_REDUCTION of the first. */
plu_local_solve plu_local_projection;

#endif
